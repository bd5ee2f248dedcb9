"""What a traffic pattern is: a pure function from a source terminal and a draw to a destination terminal.

One file of `traffic/` holds one pattern. The same function serves exact channel loads (all draws) and the simulator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from jumpnet.api.public import named
from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED, jit, open_i64
from jumpnet.jit.linked import kernel, pointer
from jumpnet.networks import Network
from jumpnet.own.hooks import call_hook, number_of, table_of
from jumpnet.own.strict import remembered
from jumpnet.own.whose import is_own, made_outside
from jumpnet.settings.settings import Settings, settings_from
from jumpnet.terms import I64
from jumpnet.traffic._checked import check_pattern, guard_destination, guarded_pointer, sweep, watched

__all__ = ["BoundPattern", "Pattern", "call_destination"]

NO_PACKET = -1
"""Returned by a destination function when a source sends nothing in this pattern."""


@named
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
    """Named options with their default values, whose types decide how words are read; a tuple holds the values
    allowed, the default first."""
    source: str = ""
    """Where the definition comes from."""
    summary: str = ""
    """One line for `jumpnet list`."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """What each option means, in one line for `jumpnet list`."""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise JumpnetError(f"{self.name!r} found as the name of a traffic pattern, a string expected")
        for what in ("options", "meanings"):
            if not isinstance(given := getattr(self, what), Mapping):
                raise JumpnetError(f"traffic pattern {self.name}: {what} {given!r} found, a table by name expected")
        self.__dict__["_outside"] = made_outside()

    @cached_property
    def settings(self) -> Settings:
        """The options, as they are read and listed."""
        return settings_from(self.name, self.options, self.meanings)

    def bind(self, net: Network, /, **options: Any) -> BoundPattern:
        """The pattern on a network; raises JumpnetError for unknown options and unsuitable networks."""
        chosen = self.settings.complete(options)
        who = f"traffic pattern {self.name}"
        prepared, draws = (
            call_hook(who, "prepare", self.prepare, net, chosen, own=self.own),
            call_hook(who, "draws", self.draws, net, chosen, own=self.own),
        )
        if not self.own:
            return BoundPattern(self, net, chosen, np.ascontiguousarray(prepared, np.int64), draws)
        numbers = table_of(who, "own of prepare", prepared, 1, np.int64)
        bound = BoundPattern(self, net, chosen, numbers, number_of(who, "draws", draws))
        check_pattern(bound)
        return bound

    def changed(self, **fields: Any) -> Pattern:
        """The pattern with other fields, a user's own where this one is."""
        made = replace(self, **fields)
        made.__dict__["_outside"] = self.own
        return made

    @cached_property
    def own(self) -> bool:
        """Whether a function of it, or it itself, comes from outside the package: it is then checked and guarded."""
        return bool(self.__dict__["_outside"]) or any(map(is_own, (self.destination, self.prepare, self.draws)))


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
        if not self.pattern.own:
            return _compile(self.pattern.destination)
        made = _guard(self.pattern.destination, self.pattern.name)
        sweep(self, made, _ask_all)
        return made

    def __call__(self, source: int, draw: int) -> int:
        """Destination terminal of one packet, in plain Python; of a user's own pattern every answer is checked."""
        return int(self._plain(source, draw))

    @cached_property
    def _plain(self) -> Callable[[int, int], int]:
        return watched(self) if self.pattern.own else partial(self.pattern.destination, self.own)


@remembered
def _guard(destination: Callable[..., int], name: str) -> Any:
    """The pointer of a user's own function, made once a process; a compiler's refusal becomes one line."""
    return guarded_pointer(f"traffic pattern {name}", destination, guard_destination)


if DISABLED:

    def _compile(destination: Callable[..., int]) -> Any:
        return destination

    def call_destination(destination: Any, own: I64, source: int, draw: int) -> int:
        """Destination terminal of a packet from `source`."""
        return destination(own, source, draw)

else:
    SIGNATURE = "int64(int64, int64, int64, int64)"

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


@jit
def _ask_all(destination, own, every, step, draws, terminals, bad, kept):
    """Ask for every `step`-th pair of source and draw: bad[0] is the first whose answer is no terminal, kept the first
    answers."""
    for number in range(kept.size):
        kept[number] = call_destination(destination, own, number // draws, number % draws)
    for number in range(0, every, step):
        to = call_destination(destination, own, number // draws, number % draws)
        if to < NO_PACKET or to >= terminals:
            bad[0] = number
            return
