"""REMAKE: the MBP where a hierarchy starts makes the map of that hierarchy and starts the multicast again.

Source: kudoh1995rhbd section 6: a packet may be forced to the MBP of every node where a hierarchy's multicast starts;
the MBP makes a new map and starts it again, which costs latency and saves packets. Choice B7 of docs/decisions/0050:
the MBPs hold the maps of a hierarchical directory, found by compressed address and rank (`directory`), so that every
destination and nobody else is reached; the MBP owes the acknowledge of what it took until all below have answered.

The rank of a copy that goes to an MBP under REMAKE is 0 for a destination's; else the rank below is to start there.
Used by `mbp`, its compiled form `compiled._answers`, the report and the verb.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from jumpnet.api.public import public
from jumpnet.chip.packet import FLIT_BITS, FLIT_MASK, HEADER_FLITS, REMAKE, START, Packet
from jumpnet.chip.parity import sealed
from jumpnet.errors import JumpnetError
from jumpnet.jit.linked import kernel
from jumpnet.multicast.children import children, figure_7
from jumpnet.multicast.territory import Territories

__all__ = ["DirectoryMap", "Remaker", "Waiting", "begins", "directory", "remade", "remake_packet", "restart"]

ALL = 0xFF


class DirectoryMap(NamedTuple):
    """What an MBP knows: the children of one of its hierarchies that hold destinations."""

    router: int
    key: int
    """Compressed address."""
    rank: int
    map: int
    """Bits in wire order."""


@public
def directory(
    where: Territories, source: int, destinations: Sequence[int], key: int, top: int | None = None
) -> list[DirectoryMap]:
    """The maps of every hierarchy of a multicast, each at the router where it starts, highest rank first.

    Raises JumpnetError for destinations out of reach. Cost: O(destinations x ranks).

    >>> from jumpnet.multicast.territory import territories
    >>> [(m.router, m.rank, bin(m.map)) for m in directory(territories("prdt:16"), 0, [1, 17, 2], key=5)]
    [(0, 1, '0b10001'), (0, 0, '0b100010'), (226, 0, '0b10000000')]
    """
    address = where.address(source, destinations, top)
    steps, masks = children(where.n), dict[tuple[int, int], int]()
    for digits in address.digits:
        router = _hopped(where, source, address.top)
        for rank in range(address.top, -1, -1):
            masks[router, rank] = masks.get((router, rank), 0) | 1 << digits[rank]
            dx, dy = steps[digits[rank]] @ where.vectors[rank]
            router = _hopped(where, where.moved(router, int(dx), int(dy)), rank - 1)
    found = sorted(masks.items(), key=lambda item: (-item[0][1], item[0][0]))
    return [DirectoryMap(router, key, rank, figure_7(mask)) for (router, rank), mask in found]


def _hopped(where: Territories, router: int, rank: int) -> int:
    """The router where a rank starts: this one, or the nearest that has the rank."""
    if rank <= 0:
        return router
    dx, dy = (int(v) for v in where.hops[where.class_at(router), rank])
    return where.moved(router, dx, dy)


@public
def remake_packet(
    where: Territories,
    source: int,
    destinations: Sequence[int],
    *,
    key: int,
    top: int | None = None,
    body: tuple[int, ...] = (),
    mbp: int = 0,
) -> Packet:
    """The packet that sets out under REMAKE; the MBPs must hold the maps of `directory` with the same key.

    >>> from jumpnet.multicast.territory import territories
    >>> remake_packet(territories("rdt:16"), 0, [1, 20], key=5).mode == REMAKE
    True
    """
    first = directory(where, source, destinations, key, top)[0]
    return Packet(first.rank, (first.map, ALL, ALL, ALL), REMAKE, key=key, body=body, mbp=mbp)


@kernel
def begins(flit_1):
    """One more than the rank that an MBP is to start for a copy that it got; 0 when it is a destination's.

    >>> begins(REMAKE << 15 | 2 << 9), begins(REMAKE << 15), begins(2 << 9)
    (2, 0, 0)
    """
    return flit_1 >> 9 & 7 if flit_1 >> 15 & 3 == REMAKE else 0


@kernel
def restart(k, flit, rank, bit_map):
    """Header flit k (0, 1, 2) of a packet that starts again at a rank; the maps below are made where they are needed.

    >>> restart(0, 0, 1, 3) == Packet(1, (3, 0, 0, 0), REMAKE).flits()[0]
    True
    """
    if k == 0:
        return sealed(REMAKE << 15 | START << 12 | rank << 9 | bit_map << 1)
    if k == 1:
        return sealed(flit & ~(1 << 16) | ALL << 1)
    return sealed(ALL << 9 | ALL << 1)


def remade(flits: Sequence[int], rank: int, bit_map: int, slices: int = 1) -> list[int]:
    """The packet with a new header, in every slice.

    >>> old = Packet(2, (1, 2, 3, 4), REMAKE, key=9, body=(6,)).flits()
    >>> Packet.parse(remade(old, 1, 0x81)) == Packet(1, (0x81, 255, 255, 255), REMAKE, key=9, body=(6,))
    True
    """
    shifts = range(0, FLIT_BITS * slices, FLIT_BITS)
    header = [
        sum(int(restart(k, flits[k] >> s & FLIT_MASK, rank, bit_map)) << s for s in shifts) for k in range(HEADER_FLITS)
    ]
    return [*header, *flits[HEADER_FLITS:]]


@dataclass(eq=False)
class Waiting:
    """A multicast that an MBP has started again."""

    key: int
    rank: int
    owed: object = None
    """Whom it answers for: an entry of what the MBP combines, or None for an acknowledge into its own chip."""


@dataclass
class Remaker:
    """What an MBP needs for REMAKE: its maps, and what it has started and not yet been answered."""

    maps: dict[tuple[int, int], int] = field(default_factory=dict)
    """Map of each (key, rank)."""
    waiting: list[Waiting] = field(default_factory=list)
    started: list[tuple[int, int, int]] = field(default_factory=list)
    """(clock, key, rank) of every multicast started again."""

    def install(self, maps: Iterable[DirectoryMap]) -> None:
        """Fill the directory."""
        self.maps.update({(each.key, each.rank): each.map for each in maps})

    def start(self, clock: int, flits: Sequence[int], slices: int, owed: object) -> list[int]:
        """The packet that goes out again for one that came in. Raises JumpnetError where the directory has no map."""
        key, rank = flits[HEADER_FLITS] >> 2 & 0xFFFF, int(begins(flits[0] & FLIT_MASK)) - 1
        if (key, rank) not in self.maps:
            raise JumpnetError(f"no map of key {key} and rank {rank} found in the directory of an MBP, one expected")
        self.waiting.append(Waiting(key, rank, owed))
        self.started.append((clock, key, rank))
        return remade(flits, rank, self.maps[key, rank], slices)

    def answered(self, key: int) -> Waiting | None:
        """The newest multicast of a key that was started again, now answered by all; None when there is none.

        Those of a key at one MBP lie inside each other, or all have to be answered before their source is: so which
        of them is taken first does not let an acknowledge reach the source early.
        """
        for k in range(len(self.waiting) - 1, -1, -1):
            if self.waiting[k].key == key:
                return self.waiting.pop(k)
        return None
