"""The tree of one multicast: every hop from the source to the receivers, in the order of the ranks.

Source: kudoh1995rhbd sections 3 and 4, yang2001rdt section V.B. At each rank a router sends to its four neighbors, and
the southern one on to three more; where a router lacks the next rank the message first moves over the base torus.
`leaves` is the plain walk that the closed forms of the schemes are tested against. Called by `cli`, studies, the chip.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from jumpnet.api.public import public
from jumpnet.multicast._checked import check
from jumpnet.multicast._scheme import Digits, Maps, Scheme
from jumpnet.multicast.children import children, route
from jumpnet.multicast.territory import Addressed, Territories

__all__ = ["Hop", "MulticastTree", "leaves", "multicast_tree", "onward", "reached", "root_hops"]


class Hop(NamedTuple):
    """One transfer between neighbors."""

    step: int
    """Step in which it happens, from 0, when every router forwards in the step after it has received (all-port)."""
    sender: int
    receiver: int
    rank: int
    """Rank of the link."""


@dataclass(frozen=True, eq=False)
class MulticastTree:
    """A multicast, resolved."""

    spec: str
    scheme: str
    source: int
    destinations: tuple[int, ...]
    """Different destinations, ascending."""
    address: Addressed
    maps: Maps
    """The bit-maps of the header."""
    bits: int
    """Bits of the maps of the ranks in use."""
    hops: tuple[Hop, ...]
    """Every transfer once, by step. A router that only relays is no receiver."""
    receivers: tuple[int, ...]
    """Routers that take the message from the network, in the order of the walk."""
    steps: int
    """Steps until the last receiver has the message."""
    root: int
    """Router where the multicast starts: the source, or the nearest router that has the top rank."""
    remade: tuple[int, ...] = ()
    """Routers whose processor takes the packet to make a new map, once for each rank that starts there; the steps do
    not count what that takes."""

    @property
    def unnecessary(self) -> int:
        """Receivers that are no destinations."""
        return len(self.receivers) - len(self.destinations)


def leaves(scheme: Scheme, maps: Maps, top: int, fanout: int) -> Iterator[Digits]:
    """Digits, rank 0 first, of every leaf that receives, by walking the tree and asking each router's rule.

    >>> from jumpnet.multicast import scheme
    >>> sm = scheme("SM")
    >>> list(leaves(sm, sm.maps([(1, 0), (2, 3)]), 1, 8))
    [(1, 0), (2, 0), (1, 3), (2, 3)]
    """
    every = (1 << fanout) - 1

    def below(rank: int, node: Digits) -> Iterator[Digits]:
        mask = scheme.forwards(maps, rank, node, top, every)
        for child in range(fanout):
            if mask >> child & 1:
                if rank == 0:
                    yield tuple(reversed((*node, child)))
                else:
                    yield from below(rank - 1, (*node, child))

    return below(top, ())


@cache
def reached(mask: int, n: int) -> tuple[tuple[tuple[int, int], tuple[int, int], int], ...]:
    """Transfers (from, to, step) in units of the rank that serve the children of a mask, each place entered once.

    >>> reached(0b100000, 2)
    (((0, 0), (0, 1), 0), ((0, 1), (1, 1), 1))
    """
    found: dict[tuple[int, int], tuple[tuple[int, int], int]] = {}
    for digit, place in enumerate(children(n)):
        if mask >> digit & 1:
            way = route(place)
            for step, (a, b) in enumerate(pairwise(way)):
                found[b] = (a, step)
    ordered = sorted(found.items(), key=lambda item: item[1][1])
    return tuple((a, b, step) for b, (a, step) in ordered)


@cache
def onward(mask: int, n: int, place: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Where the node at a place sends to of itself, by `reached`.

    >>> onward(0b100010, 2, (0, 0)), onward(0b100010, 2, (0, 1))
    (((0, -1), (0, 1)), ((1, 1),))
    """
    return tuple(b for a, b, _ in reached(mask, n) if a == place)


def root_hops(where: Territories, router: int, rank: int, step: int) -> tuple[list[Hop], int]:
    """Base hops, y first, from a router to the nearest that has a rank, beginning in `step`; and that router."""
    away = where.hop(router, rank)
    hops: list[Hop] = []
    for a, b in pairwise(route(away)):
        hops.append(Hop(step + len(hops), where.moved(router, *a), where.moved(router, *b), 0))
    return hops, where.moved(router, *away)


@public
def multicast_tree(
    where: Territories, scheme: Scheme, source: int, destinations: Sequence[int], top: int | None = None
) -> MulticastTree:
    """Resolve one multicast hop by hop; from the given top rank, else from the least that holds all destinations.

    Raises JumpnetError for routers out of range or out of reach. Cost: O(receivers) Python steps.

    >>> from jumpnet.multicast import scheme
    >>> from jumpnet.multicast.territory import territories
    >>> tree = multicast_tree(territories("prdt:128"), scheme("SM"), 0, [1, 2])
    >>> len(tree.receivers), tree.address.top, tree.steps, tree.bits
    (4, 1, 3, 16)
    """
    targets = tuple(sorted({int(d) for d in destinations}))
    address = where.address(source, targets, top)
    check(scheme, where)
    maps = scheme.header(address.digits)
    top_rank, kids, every = address.top, children(where.n), (1 << where.fanout) - 1
    vectors = where.vectors.tolist()
    hops: list[Hop] = []
    receivers: list[int] = []
    remade: list[int] = []
    last = 0

    def forward(router: int, rank: int, node: Digits, step: int) -> None:
        """The part of the tree below a router that has received at `rank` and is ready to send in `step`."""
        nonlocal last
        if scheme.remakes is not None and rank >= scheme.remakes and (node or router != source):
            remade.append(router)
        mask = scheme.forwards(maps, rank, node, top_rank, every)
        x, y = vectors[rank]

        def at(a: int, b: int) -> int:
            return where.moved(router, a * x[0] + b * y[0], a * x[1] + b * y[1])

        hops.extend(Hop(step + k, at(*a), at(*b), rank) for a, b, k in reached(mask, where.n))
        for digit, (a, b) in enumerate(kids):
            if not mask >> digit & 1:
                continue
            child, ready = at(a, b), step + abs(a) + abs(b)
            if rank == 0:
                receivers.append(child)
                last = max(last, ready)
            else:
                moves, place = root_hops(where, child, rank - 1, ready) if rank > 1 else ([], child)
                hops.extend(moves)
                forward(place, rank - 1, (*node, digit), ready + len(moves))

    moves, root = root_hops(where, source, top_rank, 0) if top_rank else ([], source)
    hops.extend(moves)
    forward(root, top_rank, (), len(moves))
    scheme.refuse_unreached(targets, receivers)
    bits = scheme.header_bits(top_rank + 1, where.fanout)
    return MulticastTree(
        where.spec, scheme.name, source, targets, address, maps, bits, tuple(sorted(hops)), tuple(receivers), last,
        root, tuple(remade),
    )  # fmt: skip
