"""Traffic: one file = one pattern (where packets go) or one injection process (when they come).

`bind(spec, net)` makes a pattern callable on a network; `process(spec)` finds an injection process and its options.
"""

from __future__ import annotations

from typing import Any, TypeVar

from jumpnet.api.public import public
from jumpnet.networks import Network
from jumpnet.registry import Registry, instances
from jumpnet.spec import split
from jumpnet.traffic._pattern import BoundPattern, Pattern
from jumpnet.traffic._trace import read_packets, write_packets
from jumpnet.traffic.injection_process import PacketList, Process

__all__ = [
    "BoundPattern", "PacketList", "Pattern", "Process", "bind", "pattern", "patterns", "process", "processes",
    "read_packets", "register", "write_packets",
]  # fmt: skip


Made = TypeVar("Made", Pattern, Process)
_registry: Registry[Pattern] = Registry("traffic pattern", __name__, instances(Pattern))
_processes: Registry[Process] = Registry("injection process", __name__, instances(Process))


def patterns() -> dict[str, Pattern]:
    """Every registered pattern by name."""
    return _registry.all()


@public
def register(made: Made) -> Made:
    """Add a user's own pattern or injection process here; one of the same name is replaced (notebooks).

    >>> import numpy as np
    >>> from jumpnet.topology import build
    >>> mirror = Pattern("mirror", lambda own, source, draw: own[0] - source, lambda net, options: [net.endpoints - 1])
    >>> bind(register(mirror).name, build("torus:4x4"))(3, 0)
    12
    """
    if isinstance(made, Process):
        _processes.add(made.name, made)
    else:
        _registry.add(made.name, made)
    return made


@public
def bind(spec: str, net: Network) -> BoundPattern:
    """The pattern a spec (`uniform`, `hotspot:nodes=128,seed=1`) means, on a network.

    Raises JumpnetError for an unknown pattern (the nearest is named), unknown options and values, and a network that
    the pattern does not suit.

    >>> from jumpnet.topology import build
    >>> bind("uniform", build("torus:4x4"))(0, 2)
    3
    """
    found, options = pattern(spec)
    return found.bind(net, **options)


def pattern(spec: str) -> tuple[Pattern, dict[str, Any]]:
    """The pattern a spec means, and its options, on whatever network. Raises JumpnetError for unknown ones.

    >>> pattern("uniform")[0].name
    'uniform'
    """
    name, positional, keyed = split(spec)
    found = _registry.get(name)
    return found, found.settings.by_name(positional, keyed)


def processes() -> dict[str, Process]:
    """Every registered injection process by name."""
    return _processes.all()


def process(spec: str) -> tuple[Process, dict[str, Any]]:
    """The injection process a spec (`bernoulli`, `onoff:burst=10`) means, and its options. Raises likewise.

    >>> process("bernoulli")[0].name
    'bernoulli'
    """
    name, positional, keyed = split(spec)
    found = _processes.get(name)
    return found, found.settings.by_name(positional, keyed)
