"""Follows headers by the bit-map generator alone, without clocks: every hop of every multicast, what waits for what.

Source: nishi1997router section 4.2.2 (deadlock avoidance). Called by the report and the tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from itertools import product
from typing import NamedTuple

import numpy as np

from jumpnet.arrays.locked import locked
from jumpnet.chip.bitmap import DOWN, SAME, Decision, Header, bitmap, image, sent_vc
from jumpnet.chip.configuration import WRAP, Wiring
from jumpnet.chip.links import MBP0
from jumpnet.chip.packet import BROADCAST, CHANGE, CHANGE_LOCAL, LARP, SM, START, Packet
from jumpnet.multicast.children import figure_7

__all__ = [
    "Visit", "at", "changes_rank", "cyclic", "everywhere", "first", "followed", "onward", "reachable", "without_wraps",
]  # fmt: skip
KEPT = 1 << 16
"""Answers of the chip that are remembered: routers of a rank are configured alike, and most headers come again."""


class _Tables(NamedTuple):
    """What the walk asks of a wiring at every hop, as Python's own: an index into an array costs ten times more."""

    registers: list[bytes]
    """Of each chip."""
    peer: list[list[int]]
    peer_link: list[list[int]]


@lru_cache(8)
def _tables(wiring: Wiring) -> _Tables:
    return _Tables([row.tobytes() for row in wiring.registers], wiring.peer.tolist(), wiring.peer_link.tolist())


class Visit(NamedTuple):
    """A packet at a router."""

    router: int
    link: int
    """The link it came by."""
    header: Header
    decision: Decision


def changes_rank(flit_1: int) -> bool:
    """Whether a packet is on its way to a router of another rank, by its first flit.

    LARP's BROADCAST has the code of CHANGE_LOCAL; there the map says it (`packet`): all ones on the way to a centre.
    """
    status, mode, bit_map = flit_1 >> 12 & 7, flit_1 >> 15 & 3, flit_1 >> 1 & 0xFF
    step = mode == LARP and status == BROADCAST and bit_map != 0xFF
    return status in (START, CHANGE_LOCAL, CHANGE) and not step


@lru_cache(KEPT)
def _decision(header: Header, link: int, registers: bytes) -> Decision | None:
    return bitmap(header, link, np.frombuffer(registers, np.int64).copy())


@lru_cache(KEPT)
def _shown(header: Header, way: int, bit_map: int, status: int) -> tuple[tuple[int, ...], bool]:
    """The flits of a copy but for its channel, and whether it is on its way to another rank."""
    flits = tuple(int(image(k, way, *header, bit_map, status, 0)) for k in range(3))
    return flits, changes_rank(flits[0])


@lru_cache(KEPT)
def _with_channel(flits: tuple[int, ...], vc: int) -> Header:
    return Header(int(sent_vc(flits[0], vc)), *flits[1:])


def at(wiring: Wiring, router: int, link: int, header: Header) -> Visit:
    """The visit with its decision."""
    found = _decision(header, link, _tables(wiring).registers[router])
    assert found is not None
    return Visit(router, link, header, found)


def first(wiring: Wiring, router: int, packet: Packet) -> Visit:
    """A packet that its MBP has just sent."""
    return at(wiring, router, MBP0, Header(*packet.flits()[:3]))


def onward(wiring: Wiring, visit: Visit, ordinary: frozenset[int] = frozenset()) -> Iterator[Visit]:
    """The copies of a packet at the next routers.

    `ordinary`: links of the base torus on which hops to another rank take channel 0 like others (the chip: none).
    """
    d, r, tables = visit.decision, visit.router, _tables(wiring)
    for output in range(MBP0):
        if not (d.same | d.down) >> output & 1:
            continue
        way = SAME if d.same >> output & 1 else DOWN
        shown = (d.same_map, d.same_status) if way == SAME else (d.down_map, d.down_status)
        flits, hop = _shown(visit.header, way, *shown)
        header = _with_channel(flits, 0 if hop and output in ordinary else d.vc_1 >> output & 1)
        yield at(wiring, tables.peer[r][output], tables.peer_link[r][output], header)


def followed(
    wiring: Wiring, starts: Iterable[Visit], ordinary: frozenset[int] = frozenset()
) -> Iterator[tuple[Visit, list[Visit]]]:
    """Every different visit of packets that start so, and the copies that it sends on."""
    todo, seen = list(starts), set()
    while todo:
        visit = todo.pop()
        if visit[:3] not in seen:
            seen.add(visit[:3])
            ahead = list(onward(wiring, visit, ordinary))
            yield visit, ahead
            todo.extend(ahead)


def reachable(
    wiring: Wiring, starts: Iterable[Visit], ordinary: frozenset[int] = frozenset()
) -> dict[tuple[int, int, Header], Visit]:
    """Every different visit of packets that start so."""
    return {visit[:3]: visit for visit, _ in followed(wiring, starts, ordinary)}


def everywhere(wiring: Wiring) -> Iterator[Visit]:
    """Multicasts to the whole territory of every router and top rank: all hops that any multicast can make."""
    where = wiring.where
    for top, mode in product(range(where.top + 1), (SM, LARP)):
        top_map = figure_7(where.distinct) if top == where.top else 0xFF
        for router in range(wiring.chips):
            yield first(wiring, router, Packet(top, (top_map, 0xFF, 0xFF, 0xFF), mode))


def cyclic(wiring: Wiring, ordinary: frozenset[int] = frozenset()) -> bool:
    """Whether the buffers of a network wait for each other in a ring under all multicasts.

    >>> from jumpnet.chip.configuration import wire
    >>> cyclic(wire("rdt:8")), cyclic(without_wraps(wire("rdt:8")))
    (False, True)
    """
    waits: dict[tuple[int, int, int], set[tuple[int, int, int]]] = {}
    for visit, copies in followed(wiring, everywhere(wiring), ordinary):
        if visit.link < MBP0:
            here = (visit.router, visit.link, visit.header.flit_1 >> 17 & 1)
            ahead = {(n.router, n.link, n.header.flit_1 >> 17 & 1) for n in copies}
            waits.setdefault(here, set()).update(ahead)
    try:
        TopologicalSorter(waits).prepare()
    except CycleError:
        return True
    return False


def without_wraps(wiring: Wiring) -> Wiring:
    """The same network whose chips do not know their wrap-around: no change of channel going south."""
    registers = np.array(wiring.registers)
    registers[:, WRAP] = 0
    return Wiring(wiring.spec, wiring.where, locked(registers), wiring.peer, wiring.peer_link)
