"""Traffic patterns: one file = one pattern; `bind(spec, net)` makes it callable on a network."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType

from jumpnet.network import Network
from jumpnet.registry import Registry
from jumpnet.spec import split
from jumpnet.traffic._pattern import BoundPattern, Pattern

__all__ = ["BoundPattern", "Pattern", "bind", "patterns", "register"]


def _entries(module: ModuleType) -> Iterator[tuple[str, Pattern]]:
    for _, thing in inspect.getmembers(module, lambda m: isinstance(m, Pattern)):
        yield thing.name, thing


_registry: Registry[Pattern] = Registry("traffic pattern", __name__, _entries)


def patterns() -> dict[str, Pattern]:
    """Every registered pattern by name."""
    return _registry.all()


def register(pattern: Pattern) -> Pattern:
    """Add a user's own pattern for this process."""
    _registry.add(pattern.name, pattern)
    return pattern


def bind(spec: str, net: Network) -> BoundPattern:
    """The pattern a spec (`uniform`, `hotspot:nodes=128,seed=1`) means, on a network.

    >>> from jumpnet.topology import build
    >>> bind("uniform", build("torus:4x4"))(0, 2)
    3
    """
    name, positional, keyed = split(spec)
    pattern = _registry.get(name)
    words = dict(zip(pattern.options, positional, strict=False))
    return pattern.bind(net, **words, **keyed)
