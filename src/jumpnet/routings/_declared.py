"""What a routing of a user's own says of itself, held against drawn packets: figures of large networks rest on it.

On small networks nothing rests on it, as all packets are followed there. Called by `BoundRouting`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.notices import notice
from jumpnet.own.hooks import call_hook
from jumpnet.own.trial import place
from jumpnet.routings.view import INTERMEDIATE, NEXT_STATE, STATE, new_head, new_out

__all__ = ["believed", "hold_phases", "say_believed"]

DRAWN = 64
"""Packets that are drawn."""
_said: set[tuple[str, str]] = set()


def _asked(bound: Any, here: int, source: int, to: int, by: int, state: int) -> list[list[int]]:
    """The candidates of a packet at a router, in plain Python."""
    head, out = new_head(source, to), new_out()
    head[INTERMEDIATE], head[STATE] = by, state
    who, relation = f"routing {bound.name}", bound.routing.relation
    count = call_hook(who, "relation", relation, bound.view, here, head, out, own=True)
    rows: list[list[int]] = out[: max(0, count)].tolist()
    return rows


def hold_phases(bound: Any) -> None:
    """Raise JumpnetError where a packet contradicts `Routing.two_phases`; DRAWN packets, drawn with a fixed seed."""
    draw, net, routing = np.random.default_rng(3), bound.network, bound.routing
    who = f"routing {bound.name} on {net.spec}: two_phases is declared, but"
    if routing.start is None or (routing.two_phases is True and bound.draws != net.routers):
        raise JumpnetError(f"{who} start does not set INTERMEDIATE to one of {net.routers} draws")
    queue = np.zeros(bound.view.queues, np.int64)
    for _ in range(DRAWN):
        source, here, to, other, by = (int(n) for n in draw.integers(0, net.routers, 5))
        number, head = int(draw.integers(bound.draws)), new_head(source, to)
        call_hook(f"routing {bound.name}", "start", routing.start, bound.view, head, number, queue, own=True)
        if routing.two_phases is True and (head[STATE], head[INTERMEDIATE]) != (0, number):
            spot, found = place(routing.start), f"STATE {head[STATE]}, INTERMEDIATE {head[INTERMEDIATE]}"
            raise JumpnetError(f"{who} {spot}: start sets {found} at draw {number}, STATE 0 and that router expected")
        if head[STATE] not in (0, 1):
            spot = place(routing.start)
            raise JumpnetError(f"{who} {spot}: start sets STATE {head[STATE]} at draw {number}, 0 or 1 expected")
        for state, reads, one, two in (
            (0, "DESTINATION", (to, by), (other, by)),
            (1, "INTERMEDIATE", (to, by), (to, other)),
        ):
            if here in (to, other, by):
                continue
            rows, spot = _asked(bound, here, source, *one, state), place(routing.relation)
            if rows != _asked(bound, here, source, *two, state):
                raise JumpnetError(f"{who} {spot}: at router {here} candidates in STATE {state} follow from {reads}")
            ends = state == 0 and by in net.neighbor[here]
            for after in {row[NEXT_STATE] for row in rows} - ({0, 1} if ends else {state}):
                raise JumpnetError(f"{who} {spot}: at router {here} STATE {after} follows {state}, {state} expected")


def say_believed(bound: Any, field: str, what: str) -> None:
    """Say, once a process, that figures rest on what a routing of a user's own declares."""
    if (key := (f"{bound.name} on {bound.network.spec}", field)) not in _said:
        _said.add(key)
        notice(f"routing {key[0]}: {field} is as the routing declares: {what}")


def believed(bound: Any) -> tuple[str, ...]:
    """The declarations of a user's own that a proof of it may rest on, of those believed in this process so far."""
    name = f"{bound.name} on {bound.network.spec}"
    return tuple(field for field in ("symmetric", "two_phases") if bound.own and (name, field) in _said)
