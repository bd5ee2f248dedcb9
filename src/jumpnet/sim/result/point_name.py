"""What names a point: all that went in, a user's own parts by their content; and the versions a result depends on."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from jumpnet.jit.sources import content_key
from jumpnet.own import WITHOUT_DEFINITION, functions_of
from jumpnet.routings import BoundRouting
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.topology import says_all
from jumpnet.traffic import BoundPattern


def own_parts(routing: BoundRouting, patterns: Sequence[BoundPattern]) -> dict[str, str]:
    """Hashes of what a user made: the network, the routing, the pattern of each class; empty where all is jumpnet's.

    A network is a user's when no shipped family builds it; of functions their code counts, what it reads and what
    `prepare` made, which may come from a file. One that reads what has no stable bytes is like no other, not even in
    the next process.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> own_parts(bind("torus.dateline", build("torus:4x4")), [])
    {}
    """
    found, net = {}, routing.network
    if net.family in WITHOUT_DEFINITION or not says_all(net.spec):
        found["network"] = net.digest
    named: dict[str, Any] = {f"traffic_{k}" if k else "traffic": pattern for k, pattern in enumerate(patterns)}
    for name, bound in {"routing": routing, **named}.items():
        thing = bound.routing if isinstance(bound, BoundRouting) else bound.pattern
        functions = functions_of(thing)
        if any(str(each.__module__).partition(".")[0] != "jumpnet" for each in functions):
            try:
                found[name] = content_key((*functions, *prepared(bound)))
            except TypeError:
                found[name] = f"{id(thing)}"
    return found


def prepared(bound: BoundRouting | BoundPattern) -> tuple[Any, ...]:
    """The arrays that `prepare` of a routing or a pattern made for its network; none where it has no `prepare`."""
    if isinstance(bound, BoundRouting):
        return (bound.view.own, bound.view.table) if bound.routing.prepare is not None else ()
    return (bound.own,) if bound.pattern.prepare is not None else ()


def point_hash(
    spec: str, routing: str, config: SimConfig, trace: str = "", own: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Name of a point: hash of the network, the routing and every setting; and of the packets that it replays.

    own: hashes of what a user made (`own_parts`).

    >>> len(point_hash("torus:8x8", "torus.dateline", SimConfig()))
    16
    """
    replayed = ({"trace": trace} if trace else {}) | ({"own": dict(own)} if own else {})
    text = json.dumps({"spec": spec, "routing": routing, **config.model_dump(), **replayed}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


def provenance() -> dict[str, str]:
    """Versions that a result depends on, by name."""
    versions = {name: _version(name) for name in ("jumpnet", "numpy", "numba")}
    return {"python": platform.python_version(), "machine": platform.machine(), **versions}
