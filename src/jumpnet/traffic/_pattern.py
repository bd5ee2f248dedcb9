"""What a traffic pattern is: a pure function from a source terminal and a draw to a destination terminal.

One file of `traffic/` holds one pattern. The same function serves exact channel loads (all draws) and the simulator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np

from jumpnet._jit import DISABLED, jit, open_i64, types
from jumpnet._linked import kernel, pointer
from jumpnet.network import Network
from jumpnet.spec import chosen_options
from jumpnet.terms import I64

__all__ = ["BoundPattern", "Pattern", "call_destination"]

NO_PACKET = -1
"""Returned by a destination function when a source sends nothing in this pattern."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """A spatial traffic pattern over terminals 0..T-1."""

    name: str
    """Registered name, e.g. `uniform`."""
    destination: Callable[..., int]
    """`destination(own, source, draw) -> terminal`, or NO_PACKET; pure integer Python that also compiles."""
    prepare: Callable[[Network, Mapping[str, Any]], I64]
    """`prepare(net, options)`: the integers `own`; raises JumpnetError when the network does not suit."""
    draws: Callable[[Network, Mapping[str, Any]], int] = lambda net, options: 1
    """How many equally likely draws the destination function tells apart; 1 for a permutation."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Named options with their default values; the type of the default decides how a word is read."""
    source: str = ""
    """Where the definition comes from."""
    summary: str = ""
    """One line for `jumpnet list`."""

    def bind(self, net: Network, /, **options: Any) -> BoundPattern:
        """The pattern on a network; raises JumpnetError for unknown options and unsuitable networks."""
        chosen = chosen_options(self.name, self.options, options)
        own = np.ascontiguousarray(self.prepare(net, chosen), np.int64)
        return BoundPattern(self, net, chosen, own, self.draws(net, chosen))


@dataclass(frozen=True, eq=False)
class BoundPattern:
    """A pattern on a network: what kernels need to call it."""

    pattern: Pattern
    network: Network
    options: Mapping[str, Any]
    own: I64
    """Integers the destination function reads."""
    draws: int
    """Number of equally likely draws."""

    @cached_property
    def pointer(self) -> Any:
        """The destination function for kernels: `call_destination(bound.pointer, bound.own, source, draw)`."""
        return _compile(self.pattern.destination)

    def __call__(self, source: int, draw: int) -> int:
        """Destination terminal of one packet, in plain Python."""
        return int(self.pattern.destination(self.own, source, draw))


if DISABLED:

    def _compile(destination: Callable[..., int]) -> Any:
        return destination

    def call_destination(destination: Any, own: I64, source: int, draw: int) -> int:
        """Destination terminal of a packet from `source`."""
        return destination(own, source, draw)

else:
    SIGNATURE = types.int64(types.int64, types.int64, types.int64, types.int64)

    @cache
    def _compile(destination: Callable[..., int]) -> Any:
        compiled = kernel(destination, inline=True, allocates=True)

        def enter(address, length, source, draw):
            return compiled(open_i64(address, length), source, draw)

        return pointer(SIGNATURE, enter, destination)

    @jit(inline="always")
    def call_destination(destination, own, source, draw):
        """Destination terminal of a packet from `source`."""
        return destination(np.int64(own.ctypes.data), own.size, source, draw)
