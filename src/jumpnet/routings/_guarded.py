"""A user's own relation and hooks as function pointers that keep to their arrays, whatever the functions do.

As `view.compile_relation` makes them, but strict (`own.strict`): an error, or a channel out of range, is the answer
RAISED, which every kernel takes for "no route". A start hook that raises leaves it as INTERMEDIATE, and the relation
then answers likewise. Routings of the package do without: tests check them all (`tests/attack/own/test_functions.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jumpnet.jit.decorator import DISABLED, open_i16, open_i32, open_i64
from jumpnet.jit.linked import kernel, pointer
from jumpnet.own.strict import RAISED, frozen, strict, whole_number
from jumpnet.routings.view import (
    DESTINATION,
    IN_PORT,
    IN_VC,
    INTERMEDIATE,
    KIND,
    MAX_CANDIDATES,
    NEXT_STATE,
    PORT,
    ROUTING_FIELDS,
    SOURCE,
    STATE,
    VC,
    View,
)

__all__ = ["UNWRITTEN", "guard_outlook", "guard_relation", "guard_start"]

UNWRITTEN = -(1 << 61) - 1
"""What candidate rows hold before a call, so that who reads what another call wrote finds the same each time."""

if DISABLED:

    def _guarded(relation: Callable[..., int], blank: int) -> Any:
        def enter(net, here, head, out):
            """The relation; RAISED where it raises an error."""
            if head[INTERMEDIATE] == RAISED:
                return RAISED
            out[:MAX_CANDIDATES] = blank
            try:
                return int(relation(net, here, frozen(head[:ROUTING_FIELDS]), out))
            except Exception:
                return RAISED

        return enter

    def guard_relation(relation: Callable[..., int]) -> Any:
        """The relation, that sees a header of its own."""
        return _guarded(relation, UNWRITTEN)

    def guard_outlook(outlook: Callable[..., int]) -> Any:
        """The outlook likewise."""
        return _guarded(outlook, 0)

    def guard_start(start: Callable[..., None]) -> Any:
        """The start hook; fields that are not its own are put back."""

        def enter(net, head, draw, queue):
            """The hook; INTERMEDIATE is RAISED where it raises an error."""
            before = head.copy()
            try:
                start(net, head[:ROUTING_FIELDS], draw, frozen(queue[: net.queues]))
            except Exception:
                before[INTERMEDIATE] = head[INTERMEDIATE] = RAISED
            before[[STATE, INTERMEDIATE]] = head[[STATE, INTERMEDIATE]]
            head[:] = before

        return enter

else:
    RELATION = "int64(int64, int64, int64, int64)"

    @kernel(inline=True, allocates=True)
    def _open(address):
        """The view whose record of 16 numbers (addresses, then sizes) lies at an address, its arrays read-only."""
        rec = open_i64(address, 16)
        routers, ports = rec[7], rec[8]
        return View(
            frozen(open_i32(rec[0], (routers, ports))),
            frozen(open_i32(rec[1], (routers, ports))),
            frozen(open_i32(rec[2], (routers, ports))),
            frozen(open_i32(rec[3], (routers, rec[9]))),
            frozen(open_i64(rec[4], rec[10])),
            frozen(open_i64(rec[5], rec[11])),
            frozen(open_i16(rec[6], (rec[12], rec[13]))),
            rec[14],
            rec[15],
            0,
        )

    @kernel(inline=True, allocates=True)
    def _packet(head):
        """(ROUTING_FIELDS,) the header at an address."""
        return open_i64(head, ROUTING_FIELDS)

    @kernel(inline=True, allocates=True)
    def _rows(out, blank):
        """(MAX_CANDIDATES, 4) the candidate rows at an address, each number `blank` from now on."""
        rows = open_i64(out, (MAX_CANDIDATES, 4))
        rows[:] = blank
        return rows

    @kernel(inline=True, allocates=True)
    def _queue(queue, queues):
        """(queues,) flits in the queues, at an address."""
        return open_i64(queue, queues)

    @kernel
    def _in_range(rows, count, ports, vcs):
        """The count, RAISED where a channel of these rows is none, or another field is not written."""
        for k in range(min(count, MAX_CANDIDATES)):
            port, vc = rows[k, PORT], rows[k, VC]
            if port < 0 or port >= ports or vc < 0 or vc >= vcs:
                return RAISED
            if rows[k, NEXT_STATE] == UNWRITTEN or rows[k, KIND] == UNWRITTEN:
                return RAISED
        return count

    @kernel
    def _not_its_own(packet):
        """What a start hook may not change."""
        return packet[SOURCE], packet[DESTINATION], packet[IN_PORT], packet[IN_VC]

    @kernel
    def _put_back(packet, before, fine):
        """A header gets back what a start hook may not change; where that is not fine its INTERMEDIATE is RAISED."""
        packet[SOURCE], packet[DESTINATION], packet[IN_PORT], packet[IN_VC] = before
        if not fine:
            packet[INTERMEDIATE] = RAISED

    def guard_relation(relation: Callable[..., int]) -> Any:
        """The relation as a function pointer; channels out of range and fields not written are RAISED as well."""
        compiled = strict(relation)

        def enter(address, here, head, out):
            """The guarded relation by addresses."""
            packet, rows = _packet(head), _rows(out, UNWRITTEN)
            if packet[INTERMEDIATE] == RAISED:
                return RAISED
            view = _open(address)
            try:
                count = whole_number(compiled(view, here, frozen(packet), rows))
            except Exception:
                return RAISED
            return _in_range(rows, count, view.neighbor.shape[1], view.vcs)

        return pointer(RELATION, enter, relation)

    def guard_outlook(outlook: Callable[..., int]) -> Any:
        """The outlook as a function pointer."""
        compiled = strict(outlook)

        def enter(address, here, head, out):
            """The guarded outlook by addresses; RAISED where it raises an error."""
            packet, rows = _packet(head), _rows(out, 0)
            try:
                return whole_number(compiled(_open(address), here, frozen(packet), rows))
            except Exception:
                return RAISED

        return pointer(RELATION, enter, outlook)

    def guard_start(start: Callable[..., None]) -> Any:
        """The start hook as a function pointer; fields that are not its own are put back."""
        compiled = strict(start)

        def enter(address, head, draw, queue):
            """The hook; INTERMEDIATE is RAISED where it raises an error."""
            view, packet = _open(address), _packet(head)
            before, fine = _not_its_own(packet), True
            try:
                compiled(view, packet, draw, frozen(_queue(queue, view.queues)))
            except Exception:
                fine = False
            _put_back(packet, before, fine)
            return 0

        return pointer(RELATION, enter, start)
