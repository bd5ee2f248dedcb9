"""Answers of a user's own Python hooks of a routing, checked: prepared tables, blocks of routers, pairs to follow."""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.own.hooks import call_hook, number_of, table_of
from jumpnet.own.trial import place

__all__ = ["blocks", "hold_prepared", "pairs_of", "prepared_by", "prepared_for"]


def prepared_by(who: str, prepared: Any) -> tuple[Any, Any]:
    """Integers and table that a routing has prepared."""
    if not isinstance(prepared, tuple) or len(prepared) != 2:
        raise JumpnetError(f"{who}: prepare gives {type(prepared).__name__}, Prepared(own, table) expected")
    own, table = prepared
    return table_of(who, "own of prepare", own, 1, np.int64), table_of(who, "table of prepare", table, 2, np.int16)


def prepared_for(bound: Any) -> tuple[Any, Any]:
    """What a routing prepares for its network: integers and table."""
    who, options = f"routing {bound.name}", {**bound.options, "vcs": bound.vcs}
    made = call_hook(who, "prepare", bound.routing.prepare, bound.network, options, own=bound.own)
    return prepared_by(who, made) if bound.own else made


def hold_prepared(bound: Any) -> None:
    """Raise JumpnetError where `prepare`, `draws` or `sees` gives other numbers than before: each run would be of
    another routing."""
    who, net, routing = f"routing {bound.name}", bound.network, bound.routing
    options = {**bound.options, "vcs": bound.vcs}
    asked = [("draws", bound.draws, (net, options)), ("sees", bound.view.queues // max(1, net.ports), (net,))]
    for name, one, given in asked if routing.start is not None else []:
        hook = getattr(routing, name)
        two = call_hook(who, name, hook, *given, own=True)
        if two != one:
            where = f"{who} on {net.spec}: {place(hook)}"
            raise JumpnetError(f"{where}: asked again, {name} gives {two}, after {one}; the same expected")
    if routing.prepare is None:
        return
    for name, one, two in zip(("own", "table"), (bound.view.own, bound.view.table), prepared_for(bound), strict=True):
        if not np.array_equal(one, two):
            where = f"routing {bound.name} on {bound.network.spec}: {place(bound.routing.prepare)}"
            raise JumpnetError(f"{where}: asked again, prepare gives other numbers in {name}; the same expected")


def blocks(who: str, sees: Any, routers: int) -> int:
    """How many routers' queues a start hook is told: blocks of so many make the network."""
    found = number_of(who, "sees", sees)
    if routers % found:
        raise JumpnetError(f"{who}: sees gives {found}, a number expected that divides {routers} routers")
    return found


def pairs_of(who: str, routers: int, chunk: Any) -> tuple[Any, Any, Any]:
    """What a chunk of pairs of `cover` makes: sources, destinations, weights, each (K,)."""
    parts = call_hook(who, "cover", chunk)
    if not isinstance(parts, tuple) or len(parts) != 3:
        found = type(parts).__name__
        raise JumpnetError(f"{who}: cover gives {found}, (sources, destinations, weights) expected")
    names = ("sources of cover", "destinations of cover", "weights of cover")
    made = [table_of(who, name, part, 1, np.int64) for name, part in zip(names, parts, strict=True)]
    if not len(made[0]) == len(made[1]) == len(made[2]):
        found = ", ".join(str(len(part)) for part in made)
        raise JumpnetError(f"{who}: cover gives chunks of {found} numbers, one length expected")
    for name, part in zip(names[:2], made, strict=False):
        if part.size and not (part.min() >= 0 and part.max() < routers):
            raise JumpnetError(f"{who}: {name} hold {part.min()} to {part.max()}, 0 to {routers - 1} expected")
    return made[0], made[1], made[2]
