"""Attributes of a network under study: their names and types, and what is said of those that it lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from jumpnet.errors import nearest

if TYPE_CHECKING:
    from jumpnet.networks import Network, Orbits
    from jumpnet.terms import F64, I32, I64


class Arrays:
    """Attributes of a `Network`, for editors and type checkers: `LabNetwork` finds their values in its own."""

    family: str
    neighbor: I32
    far_port: I32
    link_class: I32
    class_names: tuple[str, ...]
    class_rank: I32
    coord: I32
    terminals: I32
    sinks: I32
    orbits: Orbits | None
    position: F64 | None
    directed: bool
    params: I64
    latency: I32 | None
    labels: tuple[str, ...] | None
    attributes: Mapping[str, object]
    given: tuple[Any, str] | None
    routers: int
    ports: int
    endpoints: int
    channels: int
    links: int
    channel_ends: tuple[I64, I64, I32]
    link_ends: tuple[I64, I64, I32]
    terminal_router: I32
    sink_router: I32
    degrees: I32
    digest: str
    content_name: str
    router_at: Callable[[str], int]
    check: Callable[[], None]
    renamed: Callable[[str], Network]


def not_there(name: str, known: Iterable[str]) -> str:
    """What is said of an attribute that a network does not have: where else it is, or the nearest of those known.

    >>> not_there("neighbors", ["neighbor", "far_port"])
    "a network has no 'neighbors'; did you mean 'neighbor'?"
    >>> not_there("diameter", [])
    "a network has no 'diameter'; its metrics() have it: .metrics().diameter"
    """
    from jumpnet.graph.metrics import Metrics

    if name in Metrics.__dataclass_fields__:
        return f"a network has no {name!r}; its metrics() have it: .metrics().{name}"
    close = nearest(name, known)
    return f"a network has no {name!r}" + (f"; did you mean {close!r}?" if close else "; dir() names what it has")
