"""Directory encodings made from the bit-map schemes of `multicast`. Used by the files of these encodings."""

from __future__ import annotations

from jumpnet.coherence.encoding._encoding import Delivery, Encoding, EntryBits
from jumpnet.multicast import scheme
from jumpnet.multicast.receivers import receivers
from jumpnet.multicast.territory import territories

__all__ = ["FANOUT", "from_scheme", "tree_ranks"]

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
