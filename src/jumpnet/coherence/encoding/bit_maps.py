"""Directories that store the bit-maps which a multicast carries in its header, an encoding for each scheme of
`multicast` (kudoh1995rhbd sections 3.1 and 5.1).

`hierarchical` is the full hierarchical bit-map, a map for each node of the tree: sum of 8^k bits for k ranks, more than
a full map, but the message goes down the tree at once. Under REMAKE every destination is known exactly, its maps made
rank by rank by the processors on the way (section 6). The text does not say how a processor knows the destinations
below it; the other way of section 3.1 keeps the maps at the nodes of the tree. Counted are all of these, as of the full
hierarchical bit-map: home and nodes together have them.
"""

from __future__ import annotations

from dataclasses import replace

from jumpnet.coherence.encoding._encoding import Delivery, Encoding, EntryBits
from jumpnet.multicast import scheme
from jumpnet.multicast.receivers import receivers
from jumpnet.multicast.territory import territories

__all__ = ["FANOUT", "from_scheme", "hierarchical", "larp", "larp_path", "lpra", "remake", "sm", "tree_ranks"]

FANOUT = 8
"""Children of a node of the fat tree, n = 2."""


def tree_ranks(nodes: int) -> int:
    """Ranks of the smallest 8-ary tree with a leaf for each node: with fewer, maps name only some of the nodes.

    The paper counts 4 for 2^14 nodes (section 5.1); a territory of 4 ranks holds 8^4 = 4096 of them, and destinations
    beyond need a fifth map.

    >>> tree_ranks(2**14), tree_ranks(4096), tree_ranks(256)
    (5, 4, 3)
    """
    ranks = 1
    while FANOUT**ranks < nodes:
        ranks += 1
    return ranks


def from_scheme(scheme_name: str, summary: str, name: str = "") -> Encoding:
    """The encoding that stores the maps of a scheme for the ranks that name every node."""
    used = scheme(scheme_name)

    def deliver(spec: str, home: int, holders: tuple[int, ...]) -> Delivery:
        found = receivers(territories(spec), used, home, holders)
        return Delivery(found, found - len(holders), 1, 1)

    return Encoding(
        name or used.name,
        lambda nodes: EntryBits(used.header_bits(tree_ranks(nodes), FANOUT)),
        deliver,
        used.source,
        summary,
        f"maps of {FANOUT} bits",
        scheme=used.name,
    )


sm = from_scheme("SM", "one map a rank, read by every node")
lpra = from_scheme("LPRA", "maps on the home's path, broadcast elsewhere")
larp = from_scheme("LARP", "broadcast in the home's subtree, maps elsewhere")
larp_path = from_scheme("LARP:path", "LARP read otherwise: broadcast on the home's path, maps elsewhere")
hierarchical = from_scheme("full", "a map for each node of the tree", name="hierarchical")
remake = replace(from_scheme("REMAKE", "a new map at each rank, made by processors"), bits=hierarchical.bits)
