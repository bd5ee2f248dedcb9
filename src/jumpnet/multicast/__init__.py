"""Multicast: one file = one bit-map scheme or one broadcast algorithm, and the trees and schedules they make.

>>> sorted(schemes())
['LARP', 'LARP:path', 'LPRA', 'REMAKE', 'SM', 'full']
"""

from __future__ import annotations

from jumpnet.api.public import public
from jumpnet.multicast._broadcast import Broadcast
from jumpnet.multicast._scheme import Scheme
from jumpnet.registry import Registry, instances

__all__ = ["Broadcast", "Scheme", "broadcast", "broadcasts", "register", "scheme", "schemes"]


_schemes: Registry[Scheme] = Registry("multicast scheme", __name__, instances(Scheme))
_broadcasts: Registry[Broadcast] = Registry("broadcast algorithm", __name__, instances(Broadcast))

_SAME = {"LARP:subtree": "LARP"}
"""Names that spell out the reading which is the default."""


def schemes() -> dict[str, Scheme]:
    """Every registered scheme by name."""
    return _schemes.all()


@public
def scheme(name: str) -> Scheme:
    """The scheme called `name`; raises JumpnetError with the nearest name.

    `LARP:path` is LARP in the other reading of its text, `LARP:subtree` another name of LARP (docs/decisions/0030).

    >>> scheme("SM").header_bits(4, 8)
    32
    """
    return _schemes.get(_SAME.get(name, name))


@public
def register(made: Scheme) -> Scheme:
    """Add a user's own scheme for this process, so that `scheme` and the command line find it by its name.

    One of the same name is replaced (notebooks); `docs/howto-multicast.md` has an example.
    """
    _schemes.add(made.name, made)
    return made


def broadcasts() -> dict[str, Broadcast]:
    """Every registered broadcast algorithm by name.

    >>> sorted(broadcasts())
    ['bfs', 'binomial', 'rank_descending', 'rdn']
    """
    return _broadcasts.all()


@public
def broadcast(name: str) -> Broadcast:
    """The broadcast algorithm called `name`; raises JumpnetError with the nearest name.

    >>> from jumpnet.topology import build
    >>> broadcast("binomial")(build("hypercube:4"), 3).steps
    4
    """
    return _broadcasts.get(name)
