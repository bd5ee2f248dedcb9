"""Methods of a family of a user's own: an error in one is a line, and so is an answer of a wrong kind.

A class from outside the package gets its methods wrapped when it is made, so that every caller is served. Used by
`_family`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from numbers import Real
from types import FunctionType
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Implicit, Network, Orbits
from jumpnet.own.hooks import call_hook, number_of, table_of
from jumpnet.own.trial import place, shown, whole
from jumpnet.topology.orbits import held_orbits

__all__ = ["guard_methods"]

END = object()


def guard_methods(cls: type, known: type) -> None:
    """Wrap the methods that a class defines anew of those that every family has; refuse what is no method there.

    known: the base of all families.
    """
    for name, method in list(vars(cls).items()):
        if name == "__post_init__" or (hasattr(known, name) and not name.startswith("_")):
            _guard(cls, name, method, isinstance(vars(known).get(name), property))


def _guard(cls: type, name: str, method: Any, as_property: bool) -> None:
    if name in ("name", "samples"):
        return
    if as_property:
        if not hasattr(method, "__get__") or isinstance(method, FunctionType):
            raise JumpnetError(f"{cls.__name__}: {name} {shown(method)} found, a property expected")
        if isinstance(method, property) and isinstance(method.fget, FunctionType):
            setattr(cls, name, property(_wrapped(name, method.fget)))
    elif isinstance(method, FunctionType):
        setattr(cls, name, (_each if name in ("automorphisms", "halves") else _wrapped)(name, method))
    elif isinstance(method, classmethod) and isinstance(method.__func__, FunctionType):
        setattr(cls, name, classmethod(_wrapped(name, method.__func__)))
    elif not hasattr(method, "__get__"):
        raise JumpnetError(f"{cls.__name__}: {name} {shown(method)} found, a method expected")


def _who(member: Any) -> str:
    return f"family {member.name}"


def _wrapped(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """The method, its errors and its answer as one line."""

    @wraps(method)
    def asked(self: Any, *given: Any) -> Any:
        found = CHECKS.get(name, _any)(_who(self), call_hook(_who(self), name, method, self, *given, own=True))
        return _held(self, f"{_who(self)}: {place(method)}", found) if name == "build" else found

    @wraps(method)
    def built(self: Any) -> Any:
        try:
            return asked(self)
        except JumpnetError as error:
            spot, said = place(method, error), str(error)
            raise JumpnetError(said if spot.rpartition(":")[0] in said else f"{_who(self)}: {spot}: {said}") from None

    return built if name == "build" else asked


def _held(member: Any, what: str, net: Network) -> Network:
    """What build() gives, held against what the family declares: its sizes, and its orbits by its automorphisms."""
    claims = member.claims()
    for name, counted in (("routers", net.routers), ("links", net.links), ("degree", int(net.degrees.max(initial=0)))):
        if claims.get(name, counted) != counted:
            raise JumpnetError(f"{what}: {net.spec} has {name} {counted}, claims() says {claims[name]}")
    return held_orbits(what, net, member.automorphisms(net))


def _each(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """Likewise a method that gives one array after another."""

    @wraps(method)
    def asked(self: Any, net: Network) -> Iterator[Any]:
        found = call_hook(_who(self), name, method, self, net, own=True)
        if not hasattr(found, "__iter__"):
            raise JumpnetError(f"{_who(self)}: {name} gives {shown(found)}, arrays one after another expected")
        return _asked_one_by_one(_who(self), name, _next(method, iter(found)), net.routers)

    return asked


def _asked_one_by_one(who: str, name: str, following: Callable[[], Any], routers: int) -> Iterator[Any]:
    while (array := call_hook(who, name, following, own=True)) is not END:
        yield _permutation(who, array, routers) if name == "automorphisms" else array


def _next(method: Callable[..., Any], arrays: Iterator[Any]) -> Callable[[], Any]:
    """The next array, asked in the name of the method: an error without a line of the user's is at its first."""

    @wraps(method)
    def following() -> Any:
        return next(arrays, END)

    return following


def _permutation(who: str, array: Any, routers: int) -> Any:
    found = table_of(who, "automorphisms", array, 1, np.int64)
    if not np.array_equal(np.sort(found), np.arange(routers)):
        raise JumpnetError(f"{who}: automorphisms gives {shown(array)}, each of {routers} routers once expected")
    return found


def _any(who: str, found: Any) -> Any:
    return found


def _of_kind(name: str, kind: type) -> Callable[[str, Any], Any]:
    def check(who: str, found: Any) -> Any:
        if not isinstance(found, kind):
            raise JumpnetError(f"{who}: {name}() gives {type(found).__name__}, a {kind.__name__} expected")
        return found

    return check


def _claims(who: str, found: Any) -> Any:
    if not isinstance(found, Mapping):
        raise JumpnetError(f"{who}: claims() gives {type(found).__name__}, figures by name expected")
    for name, value in found.items():
        if not isinstance(name, str) or not isinstance(value, Real) or not math.isfinite(value):
            raise JumpnetError(f"{who}: claims {shown(name)} as {shown(value)}, figures by name expected")
    return found


def _size(who: str, found: Any) -> Any:
    if found is None:
        return None
    if not isinstance(found, tuple) or len(found) != 2:
        raise JumpnetError(f"{who}: size gives {shown(found)}, (routers, ports) or None expected")
    return tuple(number_of(who, "size", number, 0) for number in found)


def _width(who: str, found: Any) -> Any:
    pair = isinstance(found, tuple) and len(found) == 2
    if found is not None and not (pair and whole(found[0]) and found[0] >= 0 and isinstance(found[1], str)):
        raise JumpnetError(f"{who}: bisection_width gives {shown(found)}, (links, source) or None expected")
    return found if found is None else (int(found[0]), f"declared by {who}, not shown here: {found[1]}")


def _remarks(who: str, found: Any) -> Any:
    if not isinstance(found, tuple | list) or not all(isinstance(remark, str) for remark in found):
        raise JumpnetError(f"{who}: remarks gives {shown(found)}, a tuple of texts expected")
    return tuple(found)


def _implicit(who: str, found: Any) -> Any:
    if found is None:
        return None
    if not isinstance(found, Implicit):
        raise JumpnetError(f"{who}: implicit() gives {type(found).__name__}, an Implicit or None expected")
    if not callable(found.neighbors):
        raise JumpnetError(f"{who}: neighbors {shown(found.neighbors)} of implicit() found, a function expected")
    orbits = found.orbits
    if orbits is not None:
        if not isinstance(orbits, tuple) or len(orbits) != 2:
            raise JumpnetError(f"{who}: orbits {shown(orbits)} of implicit() found, Orbits or None expected")
        orbits = Orbits(*(table_of(who, "orbits of implicit", part, 1, np.int64) for part in orbits))
        if len(orbits[0]) != len(orbits[1]) or not ((orbits[0] >= 0) & (orbits[0] < found.routers)).all():
            raise JumpnetError(f"{who}: orbits of implicit() name routers that are not there")
    return found._replace(
        routers=number_of(who, "routers of implicit", found.routers),
        ports=number_of(who, "ports of implicit", found.ports, 0),
        params=table_of(who, "params of implicit", found.params, 1, np.int64),
        orbits=orbits,
    )


CHECKS: Mapping[str, Callable[[str, Any], Any]] = {
    "build": _of_kind("build", Network), "attributes": _of_kind("attributes", dict), "spec": _of_kind("spec", str),
    "claims": _claims, "size": _size, "bisection_width": _width, "remarks": _remarks, "implicit": _implicit,
}  # fmt: skip
"""What the answers of methods must be."""
