"""A routing's functions as Python calls them, compiled or not: for questions about single packets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jumpnet.jit.decorator import DISABLED
from jumpnet.routings._routing import BoundRouting
from jumpnet.terms import I64

__all__ = ["asking"]


def asking(bound: BoundRouting, head: I64, out: I64) -> tuple[Callable[[int], int], Callable[[int], Any]]:
    """The relation at a router, and the start hook with a draw, both on this header; all queues are empty.

    The relation writes its candidates to `out` and says how many there are. Without a compiler's dispatch: some
    microseconds a call. The arrays must live as long as the functions.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.routings.view import PORT, new_head, new_out
    >>> from jumpnet.topology import build
    >>> head, out = new_head(0, 2), new_out()
    >>> relation, start = asking(bind("mesh.dimension_order", build("mesh:4x4")), head, out)
    >>> relation(0), relation(2)
    (1, 0)
    """
    view, queue = bound.view, np.zeros(bound.view.queues, np.int64)
    if DISABLED:
        ask, begin = bound.pointer, bound.start_pointer
        return lambda here: ask(view, here, head, out), lambda draw: begin(view, head, draw, queue)
    ask, begin = bound.pointer.ctypes, bound.start_pointer.ctypes
    at, rows, waiting = head.ctypes.data, out.ctypes.data, queue.ctypes
    return lambda here: ask(view.address, here, at, rows), lambda draw: begin(view.address, at, draw, waiting.data)
