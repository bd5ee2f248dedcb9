"""The registers of a chip that say where it stands in the network, and how an RDT is wired with chips.

Source: nishi1997router section 4.2.2 leaves open how a chip knows its torus; the registers are choice B5 and E7 of
docs/decisions/0050. They are loaded as 16-bit words by command packets. `wire` makes the registers and the cables of a
whole network from `multicast.territory`. Used by the bit-map generator and both models of the network.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet.chip.links import DIRECTIONS, EAST, LINKS, NORTH, SOUTH, UPPER, WEST
from jumpnet.errors import JumpnetError
from jumpnet.multicast.territory import Territories, territories
from jumpnet.network import Network
from jumpnet.terms import I64, NO_ROUTER

__all__ = [
    "FROM_NORTH", "HOP", "LINK", "NO_LINK", "RANK", "REGISTERS", "USER_VC", "WRAP", "Wiring", "from_words", "to_words",
    "wire",
]  # fmt: skip

RANK = 0
"""Register: the upper rank this chip has links for, 0 for none."""
USER_VC = 1
"""Register: 1 where the sender chooses the virtual channel (user selection mode)."""
HOP = 2
"""Registers HOP..HOP+4: base link to the neighbor that has rank 0..4 (that of rank 0 is not used)."""
LINK = 7
"""Registers LINK + 4 slot + direction: the link that leads that way. Differs from its own number where a ring has two
nodes, so that both ways lead to one neighbor over one cable."""
FROM_NORTH = 15
"""Register: bit l set where a packet that arrives by link l has gone south."""
WRAP = 16
"""Register: bit `slot` set where the southern link of that slot is the wrap-around."""
REGISTERS = 17
NO_LINK = 15

_WIDTHS = (3, 1, *[4] * 5, *[4] * 8, 8, 2)
_WORD = 16


def to_words(registers: I64) -> list[int]:
    """The registers as the 16-bit words of configuration packets, lowest first.

    >>> from_words(to_words(wire("rdt:16").registers[5])).tolist() == wire("rdt:16").registers[5].tolist()
    True
    """
    packed, low = 0, 0
    for value, width in zip(registers.tolist(), _WIDTHS, strict=True):
        packed |= value << low
        low += width
    return [packed >> k & 0xFFFF for k in range(0, low, _WORD)]


def from_words(words: list[int]) -> I64:
    """The registers that words hold; missing words are zero."""
    packed = sum(word << _WORD * k for k, word in enumerate(words))
    registers = []
    for width in _WIDTHS:
        registers.append(packed & ((1 << width) - 1))
        packed >>= width
    return np.array(registers, np.int64)


@dataclass(frozen=True, eq=False)
class Wiring:
    """A network of chips: R chips, one at each router."""

    spec: str
    where: Territories
    """Digits of the same network, for headers."""
    registers: I64
    """(R, REGISTERS) configuration of each chip."""
    peer: I64
    """(R, LINKS) chip at the far end of each link, -1 where none; the MBP links lead to the own MBP and read -1."""
    peer_link: I64
    """(R, LINKS) link of that chip."""

    @property
    def chips(self) -> int:
        """Number of chips R."""
        return len(self.peer)


def wire(spec: str | Network) -> Wiring:
    """Chips wired as an RDT with at most one upper torus a router, every rank at most one base hop away.

    Raises JumpnetError for other networks. Cost: O(R). The wrap-around link of a base ring is the one from row 0 to row
    1, of an upper ring the one that passes the edge (docs/decisions/0050, B12).

    >>> wire("rdt:16").chips
    256
    """
    from jumpnet.topology import build

    net = build(spec) if isinstance(spec, str) else spec
    where = territories(net)
    if where.n != 2:
        raise JumpnetError(f"{net.spec} has cardinal number {where.n}, 2 expected for maps of eight bits")
    registers = np.zeros((net.routers, REGISTERS), np.int64)
    registers[:, HOP : LINK + 8] = NO_LINK
    peer = np.full((net.routers, LINKS), -1, np.int64)
    peer_link = np.full((net.routers, LINKS), -1, np.int64)
    ports = {0: EAST, 1: WEST, 2: SOUTH, 3: NORTH}
    for r in range(net.routers):
        for p in np.flatnonzero(net.neighbor[r] != NO_ROUTER).tolist():
            if p >= 2 * UPPER:
                raise JumpnetError(f"{net.spec}: a router with several upper tori found, one a chip expected")
            far = int(net.far_port[r, p])
            here = p // 4 * UPPER + ports[p % 4]
            peer[r, here] = net.neighbor[r, p]
            peer_link[r, here] = far // 4 * UPPER + ports[far % 4]
        ranks = {int(net.class_rank[c]) for c in net.link_class[r, 4:] if c >= 0}
        registers[r, RANK] = max(ranks, default=0)
    for r in range(net.routers):
        _directions(where, r, registers, peer)
        _hops(where, r, registers)
    for r in range(net.routers):
        for slot in (0, 1):
            south = int(registers[r, LINK + 4 * slot + SOUTH])
            if south != NO_LINK:
                registers[peer[r, south], FROM_NORTH] |= 1 << int(peer_link[r, south])
    for array in (registers, peer, peer_link):
        array.flags.writeable = False
    return Wiring(net.spec, where, registers, peer, peer_link)


def _step(where: Territories, rank: int, direction: int) -> tuple[int, int]:
    axis, sign = {EAST: (0, 1), WEST: (0, -1), SOUTH: (1, 1), NORTH: (1, -1)}[direction]
    dx, dy = (sign * int(v) for v in where.vectors[rank, axis])
    return dx, dy


def _directions(where: Territories, r: int, registers: I64, peer: I64) -> None:
    """Which link leads north, east, west and south on each slot, and whether the southern one is the wrap-around."""
    upper = int(registers[r, RANK])
    for slot, rank in ((0, 0), (1, upper))[: 2 if upper else 1]:
        links = peer[r, slot * UPPER : slot * UPPER + UPPER].tolist()
        for direction in range(len(DIRECTIONS)):
            target = where.moved(r, *_step(where, rank, direction))
            own = links[direction] == target
            at = direction if own else links.index(target)
            registers[r, LINK + 4 * slot + direction] = slot * UPPER + at
        dx, dy = _step(where, rank, SOUTH)
        place, move = (r // where.side, dy) if dy else (r % where.side, dx)
        wraps = place == 0 if rank == 0 else not 0 <= place + move < where.side
        registers[r, WRAP] |= int(wraps) << slot


def _hops(where: Territories, r: int, registers: I64) -> None:
    """The base link to the neighbor that has each rank this chip lacks."""
    for rank in range(1, where.top + 1):
        dx, dy = (int(v) for v in where.hops[where.class_at(r), rank])
        if abs(dx) + abs(dy) > 1:
            raise JumpnetError(f"{where.spec}: rank {rank} is {abs(dx) + abs(dy)} base hops away, at most 1 expected")
        if (dx, dy) != (0, 0):
            direction = {(1, 0): EAST, (-1, 0): WEST, (0, 1): SOUTH, (0, -1): NORTH}[dx, dy]
            registers[r, HOP + rank] = registers[r, LINK + direction]
