"""Coherence protocols as transition tables: one file = one protocol.

>>> sorted(protocols())
['chained', 'dragon', 'limited', 'limited_update', 'mesi', 'mixed', 'moesi', 'msi', 'update']
"""

from __future__ import annotations

from jumpnet.api.public import public
from jumpnet.coherence.protocol._protocol import MARKS, Protocol, Row, parse
from jumpnet.registry import Registry, instances

__all__ = ["MARKS", "Protocol", "Row", "parse", "protocol", "protocols", "register"]


_registry: Registry[Protocol] = Registry("coherence protocol", __name__, instances(Protocol))


def protocols() -> dict[str, Protocol]:
    """Every registered protocol by name."""
    return _registry.all()


@public
def protocol(name: str) -> Protocol:
    """The protocol called `name`; raises JumpnetError with the nearest name.

    >>> sorted(protocol("msi").readable)
    ['M', 'S', 'SM']
    """
    return _registry.get(name)


@public
def register(made: Protocol) -> Protocol:
    """Add a user's own protocol for this process."""
    _registry.add(made.name, made)
    return made
