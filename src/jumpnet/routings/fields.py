"""The fields of a `Routing` as keyword arguments of `@jumpnet.routing`, for editors and type checkers.

What they mean is said in `Routing`; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict

from jumpnet.networks import Network
from jumpnet.routings._routing import Prepared
from jumpnet.routings._shortest import Shortest
from jumpnet.routings.view import View
from jumpnet.terms import I64

__all__ = ["RoutingFields"]


class RoutingFields(TypedDict, total=False):
    """Every field but the name and the relation; each may be left out."""

    vcs: int | Callable[[Network, Mapping[str, Any]], int]
    fits: Callable[[Network], str | None]
    options: Mapping[str, Any]
    prepare: Callable[[Network, Mapping[str, Any]], Prepared] | None
    start: Callable[..., None] | None
    sees: Callable[[Network], int]
    revises: bool
    draws: Callable[[Network, Mapping[str, Any]], int]
    symmetric: Callable[[Network], bool]
    cover: Callable[[Network, View], Sequence[Callable[[], tuple[I64, I64, I64]]]] | None
    two_phases: bool | Literal["some"]
    orders: int
    minimal: bool
    outlook: Callable[..., int] | None
    escape_class: Callable[..., int] | None
    least_cycle: Callable[[Network, int], int] | None
    closing: Callable[[Network], I64 | None] | None
    among: Callable[[Network, Mapping[str, Any]], str | None] | None
    shortest: Callable[[Network, Mapping[str, Any]], Shortest | None] | None
    adaptive: bool
    bubble: bool
    one_vc_at_ends: bool
    others_home: bool
    escapes_last: bool
    default_for: tuple[str, ...]
    source: str
    summary: str
    meanings: Mapping[str, str]
