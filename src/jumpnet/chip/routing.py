"""The chip's route of a message to one router as a routing of the laboratory: for the simulator, paths and proofs.

Source: docs/decisions/0050 (F4). Written from the digits of `multicast.territory`, not from the bit-map generator, so
that comparing the two checks both. STATE holds the digits of the ranks to come (3 bits each, rank 0 lowest), then the
rank, then whether the packet is at the southern neighbor of a centre, then whether it has arrived.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from jumpnet.chip.configuration import HOP, LINK, NO_LINK, RANK, REGISTERS, WRAP, Wiring, wire
from jumpnet.chip.links import EAST, NORTH, SOUTH, UPPER, WEST
from jumpnet.errors import JumpnetError
from jumpnet.jit.linked import kernel
from jumpnet.multicast.children import NAMES, class_of
from jumpnet.multicast.territory import territories
from jumpnet.networks import Network
from jumpnet.routings import Prepared, Routing
from jumpnet.routings.classes import class_first, put_class
from jumpnet.routings.view import DESTINATION, IN_VC, NORMAL, SOURCE, STATE

__all__ = ["RDT_CHIP"]

_RANK, _AT_SOUTH, _ARRIVED, _NOWHERE = 15, 1 << 18, 1 << 19, -1
_M, _N, _E, _W, _S, _SE, _SW, _SS = range(len(NAMES))
_class = kernel(class_of)


@kernel
def _port(link):
    """Network port of a link of the chip: east, west, south, north are the ports 0 to 3 of a slot."""
    way, slot = link % UPPER, link // UPPER
    if way == EAST:
        return 4 * slot
    if way == WEST:
        return 4 * slot + 1
    return 4 * slot + 2 if way == SOUTH else 4 * slot + 3


@kernel
def _way(digit, at_south):
    """Direction of the next hop to a child."""
    if at_south:
        return EAST if digit == _SE else WEST if digit == _SW else SOUTH
    return NORTH if digit == _N else EAST if digit == _E else WEST if digit == _W else SOUTH


def relation(net, here, head, out):
    """The one hop of a message."""
    state, first = head[STATE], here * REGISTERS
    if state == _NOWHERE or state & _ARRIVED:
        return -1 if state == _NOWHERE else 0
    rank, at_south = state >> _RANK & 7, state & _AT_SOUTH != 0
    while not at_south:
        if rank > 0 and net.own[first + RANK] != rank:
            hop = net.own[first + HOP + rank]
            wraps = hop == net.own[first + LINK + SOUTH] and net.own[first + WRAP] & 1
            state = state & ~(7 << _RANK) | rank << _RANK
            return put_class(out, 0, _port(hop), 0 if wraps else 1, 2, net.vcs, state, NORMAL)
        if state >> 3 * rank & 7 != _M:
            break
        if rank == 0:
            return 0
        rank -= 1
    digit, slot = state >> 3 * rank & 7, 0 if rank == 0 else 1
    way = _way(digit, at_south)
    link = net.own[first + LINK + 4 * slot + way]
    if link == NO_LINK:
        return -1
    wrapped = net.own[first + WRAP] >> slot & 1 or (at_south and head[IN_VC] >= class_first(1, 2, net.vcs))
    state &= ~(7 << _RANK | _AT_SOUTH)
    if not at_south and digit >= _SE:
        state |= rank << _RANK | _AT_SOUTH
    elif rank > 0:
        state |= rank - 1 << _RANK
    else:
        state |= _ARRIVED
    return put_class(out, 0, _port(link), 1 if way == SOUTH and wrapped else 0, 2, net.vcs, state, NORMAL)


def start(net, head, draw, queue):
    """Write the digits: from the least top rank whose territory holds the destination."""
    side = net.params[0]
    x, y = head[SOURCE] % side, head[SOURCE] // side
    ranks = net.own[len(net.own) - 1]
    for top in range(ranks):
        k = len(net.own) - 1 - 16 * ranks + 2 * (_class(x, y, 2) * ranks + top)
        dx = (head[DESTINATION] % side - x - net.own[k]) % side
        dy = (head[DESTINATION] // side - y - net.own[k + 1]) % side
        if 0 <= net.table[0, dy * side + dx] <= top:
            head[STATE] = np.int64(net.table[1, dy * side + dx]) | top << _RANK
            return
    head[STATE] = _NOWHERE


_wire = lru_cache(maxsize=4)(wire)
"""Fitting, preparing and the number of channels ask for the same wiring one after the other."""


def _fits(net: Network) -> str | None:
    try:
        reached = int((territories(net).rank_of >= 0).sum())
        if reached < net.routers:
            return f"a router reaches {reached} of the {net.routers} through one child a rank"
        _wire(net)
    except JumpnetError as error:
        return str(error).removeprefix("multicast: ")
    return None


def _prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    wiring: Wiring = _wire(net)
    where = wiring.where
    own = [wiring.registers.reshape(-1), where.shifts.reshape(-1), np.array([where.top + 1])]
    return Prepared(np.concatenate(own).astype(np.int64), np.stack([where.rank_of, where.packed]).astype(np.int16))


RDT_CHIP = Routing(
    name="rdt.chip",
    relation=relation,
    vcs=2,
    fits=_fits,
    prepare=_prepare,
    start=start,
    source="nishi1997router section 4.2.2",
    summary="the way of a message through router chips: one child a rank, ranks descending; free of deadlock",
)
