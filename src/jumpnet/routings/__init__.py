"""Routing algorithms: one file = one algorithm, registered as `family.algorithm`; `routing` is the user's decorator.

>>> from jumpnet.routings import bind
>>> from jumpnet.topology import build
>>> bind("torus.dimension_order", build("torus:4x4")).vcs
1
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Unpack

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError, nearest, unknown_name, written
from jumpnet.networks import Network
from jumpnet.registry import Registry, instances, or_own
from jumpnet.routings._declared import believed
from jumpnet.routings._foreign import foreign_choice
from jumpnet.routings._routing import MOST_VCS, BoundRouting, Prepared, Routing
from jumpnet.routings.fields import RoutingFields
from jumpnet.routings.view import (
    DESTINATION,
    ENTERS,
    ESCAPE,
    IN_PORT,
    IN_VC,
    INTERMEDIATE,
    KIND,
    NEXT_STATE,
    NORMAL,
    PORT,
    SOURCE,
    STATE,
    VC,
    View,
)
from jumpnet.spec import split
from jumpnet.topology import stray

__all__ = [
    "DESTINATION", "ENTERS", "ESCAPE", "INTERMEDIATE", "IN_PORT", "IN_VC", "KIND", "MOST_VCS", "NEXT_STATE", "NORMAL",
    "PORT", "SOURCE", "STATE", "VC", "BoundRouting", "Prepared", "Routing", "View", "believed", "bind",
    "default_choice", "default_routing", "routing", "routings",
]  # fmt: skip


_registry: Registry[Routing] = Registry("routing", __name__, instances(Routing), above=["jumpnet.chip.routing"])


def routings() -> dict[str, Routing]:
    """Every registered routing by name."""
    return _registry.all()


@public
def routing(name: str, **about: Unpack[RoutingFields]) -> Callable[[Callable[..., int]], Routing]:
    """Decorator that makes a user's relation a registered Routing; keywords are the fields of `Routing`.

    The same name given again replaces the routing (notebooks). Nothing is compiled before the routing is used.

    >>> @routing("ring.right", summary="always to the right", source="an example")
    ... def right(net, here, head, out):
    ...     out[0, PORT] = out[0, VC] = out[0, NEXT_STATE] = out[0, KIND] = 0
    ...     return 0 if here == head[DESTINATION] else 1
    >>> right.name
    'ring.right'
    """
    for key in about:
        if key not in RoutingFields.__annotations__:
            raise unknown_name("field of a routing", key, RoutingFields.__annotations__)

    @public
    def register(relation: Callable[..., int]) -> Routing:
        """The routing with this relation, found by its name from now on."""
        made = Routing(name=name, relation=relation, **about)
        made.__dict__["_outside"] = True
        _registry.add(name, made)
        return made

    return register


@public
def bind(name: str | Routing, net: Network, vcs: int | None = None) -> BoundRouting:
    """The routing a name (with options, `rdt.floating:order=ascending`) means, on a network.

    vcs: virtual channels of every port; by default those that the routing needs. Fewer make it its own negative
    control. Raises JumpnetError for an unknown name (the nearest is named), a network that the routing does not fit,
    unknown options and values, and less than one channel.

    >>> from jumpnet.topology import build
    >>> bind("rdt.floating:order=ascending", build("rdt:8")).name
    'rdt.floating:order=ascending'
    """
    if isinstance(name, Routing):
        return name.bind(net, vcs)
    if not isinstance(name, str):
        raise JumpnetError(f"routing {written(name)} found, the name of one expected, such as minimal")
    base, positional, keyed = split(name)
    if positional:
        keyed = {**dict.fromkeys(positional, "true"), **keyed}
    try:
        known = _registry.get(base)
    except JumpnetError:
        fitting = _fitting(base, net)
        if not fitting:  # the nearest of all would not fit
            raise or_own(
                JumpnetError(f"unknown routing {base!r}; `jumpnet list routing --for {net.spec}` shows those that fit"),
                base,
                routings(),
            ) from None
        like = (fitting, fitting.rpartition(".")[2])
        raise or_own(JumpnetError(f"unknown routing {base!r}; did you mean {fitting!r}?"), base, like) from None
    return known.bind(net, vcs, **keyed)


def _named(name: str) -> Routing:
    return _registry.get(name)


def _reduced(routing: Routing) -> tuple[Any, ...]:
    """How results are pickled with their routing: by its name where that means it, else with its functions."""
    with suppress(JumpnetError):
        if _registry.get(routing.name) is routing:
            return _named, (routing.name,)
    return copyreg.__newobj__, (Routing,), vars(routing)  # type: ignore[attr-defined]


copyreg.pickle(Routing, _reduced)

SHORT = {"dor": "dimension_order", "xy": "dimension_order", "dim_order": "dimension_order", "ecube": "ecube"}
"""What else algorithms are called."""


def _fitting(name: str, net: Network) -> str:
    """The algorithm of that name, without the family's, that fits a network; empty where there is none."""
    last = SHORT.get(name.rpartition(".")[2], name.rpartition(".")[2])
    found = [known for known, routing in routings().items() if routing.misfit(net) is None]
    same = [known for known in found if known.rpartition(".")[2] == last]
    if same:
        return next((known for known in same if known.partition(".")[0] == net.family), same[0])
    own_last = sorted(found, key=lambda known: known.partition(".")[0] == net.family)
    tails = {known.rpartition(".")[2]: known for known in own_last}
    whole = nearest(name, found) if "." in name else None
    close = nearest(last, tails)
    return whole or (tails[close] if close else nearest(name, found) or "")


def default_routing(net: Network, vcs: int | None = None) -> str:
    """Name of the routing a network gets when none is named: the one declared for its family, else `foreign_choice`.

    vcs: virtual channels that there are; as many as it needs when left out.

    >>> from jumpnet.topology import build
    >>> default_routing(build("torus:4x4"))
    'torus.dateline'
    """
    return default_choice(net, vcs)[0]


def default_choice(net: Network, vcs: int | None = None) -> tuple[str, str]:
    """The default routing of a network, and why it is that one; no words where its family has its own.

    >>> from jumpnet.topology import build
    >>> default_choice(build("random:64,d=4,seed=1"))
    ('lash:paths=balanced', 'random has no routing of its own: shortest paths, balanced, in 4 acyclic layers')
    """
    for name, known in _registry.mentioning("default_for", f'"{net.family}"').items():
        if net.family in known.default_for and known.misfit(net) is None:
            return name, ""
    name, why = foreign_choice(net, vcs)
    lies = stray(net)
    return (
        name,
        f"{net.spec} is no {net.family}, {lies}: {why}" if lies else f"{net.family} has no routing of its own: {why}",
    )
