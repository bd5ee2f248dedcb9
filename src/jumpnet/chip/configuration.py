"""The registers of a chip that say where it stands in the network, and how an RDT is wired with chips.

Source: nishi1997router section 4.2.2 leaves open how a chip knows its torus; the registers are choice B5 and E7 of
docs/decisions/0050. They are loaded as 16-bit words by command packets. `wire` makes the registers and the cables of a
whole network from `multicast.territory`. Used by the bit-map generator and both models of the network.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet.api.public import public
from jumpnet.arrays.locked import locked, show_views
from jumpnet.chip.links import EAST, LINKS, NORTH, SOUTH, UPPER, WEST
from jumpnet.errors import JumpnetError
from jumpnet.multicast.territory import Territories, territories
from jumpnet.networks import Network
from jumpnet.terms import I64, NO_ROUTER
from jumpnet.topology.rdt import class_of

__all__ = [
    "FROM_NORTH", "HOP", "LARP_PATH", "LINK", "NO_LINK", "RANK", "REGISTERS", "USER_VC", "WRAP", "Wiring", "from_words",
    "to_words", "wire",
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
LARP_PATH = 17
"""Register: 1 where LARP broadcasts on the source's path alone (`LARP:path`), 0 where in the whole subtree."""
REGISTERS = 18
NO_LINK = 15

_WIDTHS = (3, 1, *[4] * 5, *[4] * 8, 8, 2, 1)
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
    """(registers,) what the words of 16 bits hold, the inverse of `to_words`; missing words are zero."""
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


show_views(Wiring, "registers", "peer", "peer_link")


@public
def wire(spec: str | Network, scheme: str = "") -> Wiring:
    """Chips wired as an RDT with at most one upper torus a router, every rank at most one base hop away.

    scheme: `LARP:path` for chips that read LARP so; any other name changes nothing. Raises JumpnetError for other
    networks. Cost: O(R). The wrap-around link of a base ring is the one from row 0 to row 1, of an upper ring the one
    that passes the edge (docs/decisions/0050, B12).

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
    registers[:, LARP_PATH] = scheme == "LARP:path"
    if (net.neighbor[:, 2 * UPPER :] != NO_ROUTER).any():
        raise JumpnetError(f"{net.spec}: a router with several upper tori found, one a chip expected")
    peer = np.full((net.routers, LINKS), -1, np.int64)
    peer_link = np.full((net.routers, LINKS), -1, np.int64)
    link_of = np.array([EAST, WEST, SOUTH, NORTH, *(UPPER + d for d in (EAST, WEST, SOUTH, NORTH))])
    for p, here in enumerate(link_of[: net.ports].tolist()):
        wired = net.neighbor[:, p] != NO_ROUTER
        peer[wired, here] = net.neighbor[wired, p]
        peer_link[wired, here] = link_of[net.far_port[wired, p]]
    upper = net.link_class[:, UPPER : 2 * UPPER]
    registers[:, RANK] = np.where(upper >= 0, net.class_rank[upper], 0).max(axis=1, initial=0)
    _directions(where, registers, peer)
    _hops(where, registers)
    for slot in (0, 1):
        south = registers[:, LINK + 4 * slot + SOUTH]
        routers = np.flatnonzero(south != NO_LINK)
        cable = routers, south[routers]
        np.bitwise_or.at(registers[:, FROM_NORTH], peer[cable], 1 << peer_link[cable])
    return Wiring(net.spec, where, *map(locked, (registers, peer, peer_link)))


def _directions(where: Territories, registers: I64, peer: I64) -> None:
    """Which link leads north, east, west and south on each slot, and whether the southern one is the wrap-around."""
    side = where.side
    for slot, routers in enumerate((np.arange(where.routers), np.flatnonzero(registers[:, RANK]))):
        rank = registers[routers, RANK] * slot
        links = peer[routers, slot * UPPER : slot * UPPER + UPPER]
        x, y = routers % side, routers // side
        for direction, axis, sign in ((EAST, 0, 1), (WEST, 0, -1), (NORTH, 1, -1), (SOUTH, 1, 1)):
            dx, dy = sign * where.vectors[rank, axis].T
            there = links == ((y + dy) % side * side + (x + dx) % side)[:, None]
            at = np.where(there[:, direction], direction, there.argmax(axis=1))
            registers[routers, LINK + 4 * slot + direction] = slot * UPPER + at
        place, move = np.where(dy != 0, (y, dy), (x, dx))  # of the south, the last
        wraps = (place + move < 0) | (place + move >= side) if slot else place == 0
        registers[routers, WRAP] |= wraps.astype(np.int64) << slot


def _hops(where: Territories, registers: I64) -> None:
    """The base link to the neighbor that has each rank that a chip lacks."""
    routers = np.arange(where.routers)
    classes = class_of(routers % where.side, routers // where.side, where.n)
    for rank in range(1, where.top + 1):
        dx, dy = where.hops[classes, rank].T
        most = int((np.abs(dx) + np.abs(dy)).max())
        if most > 1:
            raise JumpnetError(f"{where.spec}: rank {rank} is {most} base hops away, at most 1 expected")
        for direction, away in ((EAST, dx == 1), (WEST, dx == -1), (SOUTH, dy == 1), (NORTH, dy == -1)):
            registers[away, HOP + rank] = registers[away, LINK + direction]
