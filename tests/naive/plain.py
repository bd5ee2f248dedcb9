"""A routing's functions in plain Python, helpers too: to call a compiled one from there takes longer than it runs."""

from __future__ import annotations

from typing import Any

from jumpnet.own.trial import rebuilt
from jumpnet.routings import BoundRouting

__all__ = ["relation", "start"]

_last: list[Any] = [None, None, None]
"""The routing that was asked for last, and its functions."""


def _functions(bound: BoundRouting) -> list[Any]:
    if _last[0] is not bound:
        _last[:] = bound, rebuilt(bound.routing.relation), rebuilt(bound.routing.start)
    return _last


def relation(bound: BoundRouting, here: int, head: Any, out: Any) -> int:
    """Write the candidates of a packet into `out`; how many there are."""
    return _functions(bound)[1](bound.view, here, head, out)


def start(bound: BoundRouting, head: Any, draw: int, queue: Any) -> None:
    """Write what the start hook says into the header, where there is one."""
    if bound.routing.start is not None:
        _functions(bound)[2](bound.view, head, draw, queue)
