"""One route by candidates of one's choice instead of the first ones, in plain Python. Called by `paths.route`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.own.hooks import call_hook
from jumpnet.routings import BoundRouting
from jumpnet.routings.follow import LOST, STRAY, STUCK, TOO_LONG
from jumpnet.routings.view import IN_PORT, IN_VC, MAX_CANDIDATES, NEXT_STATE, PORT, STATE, VC, new_head, new_out

__all__ = ["chosen"]


def chosen(
    bound: BoundRouting, source: int, destination: int, draw: int, take: Sequence[int], limit: int
) -> tuple[int, list[list[int]]]:
    """Hops [router, port, vc] that take candidate `take[k]` at hop k, then first ones; before them `follow`'s code.

    Raises JumpnetError for a number that is no candidate's, and for more numbers than the route has hops.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> chosen(bind("torus.duato", build("torus:4x4")), 0, 5, 0, [1], 99)
    (2, [[0, 2, 2], [4, 0, 2]])
    """
    view, head, out = bound.view, new_head(source, destination), new_out()
    who = f"routing {bound.name} on {bound.network.spec}"
    if bound.routing.start is not None:
        call_hook(who, "start", bound.routing.start, view, head, draw, np.zeros(view.queues, np.int64))
    here = source
    hops: list[list[int]] = []
    while True:
        found = int(call_hook(who, "relation", bound.routing.relation, view, here, head, out))
        if found <= 0:
            if len(hops) < len(take):
                raise JumpnetError(f"{who}: {len(take)} choices found, at most {len(hops)} expected on this route")
            return (STUCK if found < 0 else len(hops) if here == destination else LOST), hops
        which = take[len(hops)] if len(hops) < len(take) else 0
        if not 0 <= which < found:
            raise JumpnetError(f"{who}: candidate {which} found at hop {len(hops)}, 0 to {found - 1} expected")
        port, vc = int(out[which, PORT]), int(out[which, VC])
        if found > MAX_CANDIDATES or not (0 <= port < bound.network.ports and 0 <= vc < view.vcs):
            return STRAY, hops
        hops.append([here, port, vc])
        there = int(view.neighbor[here, port])
        if there < 0:
            return STUCK, hops
        head[STATE], head[IN_PORT], head[IN_VC] = out[which, NEXT_STATE], view.far_port[here, port], vc
        here = there
        if len(hops) >= limit:
            return TOO_LONG, hops
