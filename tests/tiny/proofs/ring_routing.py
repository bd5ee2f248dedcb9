"""A routing on a ring whose packets wait in a cycle, though each has a way round it."""

from __future__ import annotations

from collections.abc import Callable

from jumpnet.routings import DESTINATION, KIND, NEXT_STATE, NORMAL, PORT, VC


def round_or_back(up: int) -> Callable[..., int]:
    """On a ring up by candidates of a kind, or by channel 1 without end down: a cycle of dependencies upward."""

    def relation(net, here, head, out):  # type: ignore[no-untyped-def]
        if here == head[DESTINATION]:
            return 0
        out[0, PORT], out[0, VC], out[0, NEXT_STATE], out[0, KIND] = 0, 0, 0, up
        if here > head[DESTINATION]:
            out[1, PORT], out[1, VC], out[1, NEXT_STATE], out[1, KIND] = 1, 1, 0, NORMAL
            return 2
        return 1

    return relation
