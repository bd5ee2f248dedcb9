"""Topologies: one file = one family. `family(spec)` finds and checks it, `build(spec)` makes the network.

Adding a family is adding a file with a `Family` subclass; see `hypercube.py` for a short complete example.
"""

from __future__ import annotations

from weakref import WeakSet, WeakValueDictionary

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.own import WITHOUT_DEFINITION
from jumpnet.registry import Registry, subclasses
from jumpnet.spec import split
from jumpnet.topology._family import Claim, Family
from jumpnet.topology.orbits import shown_orbits

__all__ = ["Claim", "Family", "as_network", "build", "families", "family", "held", "register", "says_all", "stray"]


_registry: Registry[type[Family]] = Registry("family", __name__, subclasses(Family))
_made: WeakValueDictionary[Family, Network] = WeakValueDictionary()
"""What our own families have built, as long as somebody holds it."""
_right: WeakSet[Network] = WeakSet()
"""Networks that are of the family that they name."""


@public
def families() -> dict[str, type[Family]]:
    """Every registered family by name.

    >>> "torus" in families()
    True
    """
    return _registry.all()


@public
def register(cls: type[Family]) -> type[Family]:
    """Class decorator that adds a user's own family for this process: its spec strings then work everywhere.

    A family of the same name is replaced (notebooks). Other processes do not know it: studies load a file. Raises
    JumpnetError for what is no subclass of `Family`, and in a file that is being loaded for a name that is taken.

    >>> @register
    ... class Small(type(family("torus:4"))):
    ...     "A torus under another name."
    ...     name = "small"
    >>> build("small:3x3").routers
    9
    """
    if not isinstance(cls, type) or not issubclass(cls, Family):
        raise JumpnetError(f"{cls!r} found, a subclass of Family expected")
    _registry.add(cls.name, cls)
    return cls


@public
def family(spec: str) -> Family:
    """The family instance a spec names, with its parameters checked.

    Raises JumpnetError for an unknown family (the nearest is named), and for parameters that are none or out of range.

    >>> family("torus:4x6").claims()["routers"]
    24
    """
    name, positional, keyed = split(spec)
    made: object = _registry.get(name).parse(positional, keyed)
    if not isinstance(made, Family):
        raise JumpnetError(f"family {name}: {type(made).__name__} made, a member of the family expected")
    return made


def says_all(spec: str) -> bool:
    """Whether a spec says all that its network is: that of a family of ours which reads nothing else.

    >>> says_all("torus:4x4"), says_all("file:example.anynet"), says_all("no such family")
    (True, False, False)
    """
    try:
        found = type(family(spec))
    except JumpnetError:
        return False
    return found.name not in WITHOUT_DEFINITION and found.__module__.partition(".")[0] == "jumpnet"


@public
def build(spec: str) -> Network:
    """The network a spec names. Raises JumpnetError when its table would not fit in memory, before it starts.

    >>> build("torus:8x8").links
    128
    """
    return _built(family(spec))


def as_network(network: str | Network) -> Network:
    """The network that a spec names; one that is made already as it is.

    >>> as_network(build("torus:4")).routers == as_network("torus:4").routers
    True
    """
    return build(network) if isinstance(network, str) else network


def held(net: Network) -> Network:
    """A network that a user hands over: its orbits stay where its family has built it, or shows them for it.

    Nothing shows those of any other, which loses them, so that every router is searched.

    >>> from dataclasses import replace
    >>> held(replace(build("torus:4x4"), spec="mine", family="mine")).orbits is None
    True
    """
    if net.orbits is None or len(net.orbits.size) == net.routers or net in _right:
        return net
    try:
        return shown_orbits(net, family(net.spec).automorphisms(net))
    except (JumpnetError, ValueError, IndexError):  # a spec that names no family, or another network than this
        return shown_orbits(net, ())


def _built(member: Family) -> Network:
    member.refuse_too_big()
    made = member.build()
    if made.family == member.name and type(member).__module__.startswith(f"{__name__}."):
        _made[member] = made
        _right.add(made)
    return made


def stray(net: Network) -> str | None:
    """Why a network is not of the family of ours that it names, or None.

    Compiled code of a family looks up params and coordinates by each other, so they must be those that the family
    builds. Links may be out, and terminals differ. Cost: nothing for what `build` has made and what was asked before;
    else O(R P), where the family builds its network once more.

    >>> from dataclasses import replace
    >>> stray(replace(build("mesh:2x2"), params=np.array([2, 3])))
    'its params are not those of mesh:2x2'
    """
    if net in _right:
        return None
    named = _registry.shipped(net.family)
    if named is None or net.family in WITHOUT_DEFINITION:
        return None
    try:
        member = named(**net.attributes)
        known = _made.get(member) or _built(member)
    except (JumpnetError, TypeError):
        return f"its attributes are not those of a {net.family}"
    for name in ("params", "coord"):
        if not np.array_equal(getattr(net, name), getattr(known, name)):
            return f"its {name} are not those of {known.spec}"
    if net.ports != known.ports:
        return f"it has {net.ports} ports a router, {known.spec} has {known.ports}"
    _right.add(net)
    return None
