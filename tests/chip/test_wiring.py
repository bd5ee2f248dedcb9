"""What the registers and cables of a wired network mean, router by router."""

from __future__ import annotations

import pytest

from jumpnet.chip.configuration import FROM_NORTH, HOP, LINK, NO_LINK, RANK, WRAP, wire
from jumpnet.chip.links import EAST, LINKS, NORTH, SOUTH, UPPER, WEST
from jumpnet.errors import JumpnetError
from jumpnet.topology import build

WAYS = {EAST: (0, 1), WEST: (0, -1), SOUTH: (1, 1), NORTH: (1, -1)}
"""(axis, sign) of each direction."""


@pytest.mark.parametrize("spec", ["rdt:4", "rdt:8", "rdt:32", "prdt:8,R=1", "rdt:16,assignment=none"])
def test_registers_say_where_a_chip_stands(spec: str) -> None:
    net, wiring = build(spec), wire(spec)
    where, from_north = wiring.where, [0] * net.routers
    for r in range(net.routers):
        register = wiring.registers[r].tolist()
        had = {int(net.class_rank[c]) for c in net.link_class[r].tolist() if c >= 0} - {0}
        assert register[RANK] == max(had, default=0) and len(had) <= 1
        for slot in (0, 1):
            rank = register[RANK] * slot
            for direction, (axis, sign) in WAYS.items():
                link = register[LINK + 4 * slot + direction]
                if slot and not rank:
                    assert link == NO_LINK
                    continue
                dx, dy = (sign * int(v) for v in where.vectors[rank, axis])
                assert link // UPPER == slot and wiring.peer[r, link] == where.moved(r, dx, dy)
                alone = wiring.peer[r, slot * UPPER + direction] == where.moved(r, dx, dy)
                assert not alone or link == slot * UPPER + direction
                if direction == SOUTH:
                    from_north[wiring.peer[r, link]] |= 1 << int(wiring.peer_link[r, link])
                    y, x = divmod(r, where.side)
                    leaves = not 0 <= (y + dy if dy else x + dx) < where.side
                    assert (register[WRAP] >> slot & 1) == (leaves if slot else y == 0)
        for rank in range(1, where.top + 1):
            dx, dy = (int(v) for v in where.hops[where.class_at(r), rank])
            hop = register[HOP + rank]
            reached = r if hop == NO_LINK else int(wiring.peer[r, hop])
            assert reached == where.moved(r, dx, dy) and wiring.registers[reached, RANK] == rank
    assert wiring.registers[:, FROM_NORTH].tolist() == from_north


@pytest.mark.parametrize("spec", ["rdt:8", "rdt:4"])
def test_cables_have_two_ends(spec: str) -> None:
    wiring = wire(spec)
    for r in range(wiring.chips):
        for link in range(LINKS):
            far, there = int(wiring.peer[r, link]), int(wiring.peer_link[r, link])
            assert (far < 0) == (there < 0)
            assert far < 0 or (wiring.peer[far, there], wiring.peer_link[far, there]) == (r, link)


def test_a_chip_has_one_upper_torus() -> None:
    with pytest.raises(JumpnetError, match="prdt:16: a router with several upper tori found, one a chip expected"):
        wire("prdt:16")
