"""The checked pass of a user's own pattern, and its function as a pointer that keeps to its numbers.

In plain Python the function is asked for every source and draw where they are at most MOST_CALLS, else for so many
drawn with a fixed seed (some 10 microseconds each); compiled, for every source and draw up to MOST_SWEPT. A run that
asks in plain Python has every answer `watched`. Patterns of the package are not checked here: tests do.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED, open_i64
from jumpnet.jit.linked import pointer
from jumpnet.jit.refusal import why_not_compiled
from jumpnet.own.bounded import bounded
from jumpnet.own.strict import RAISED, frozen, strict, whole_number
from jumpnet.own.trial import MOST_LINES, UNLIKE, Fault, Trial, guarded, place, shown, whole

__all__ = ["check_pattern", "guard_destination", "guarded_pointer", "sweep", "watched"]

MOST_CALLS = 10_000
MOST_SWEPT = 1 << 24
"""Pairs of source and draw that are asked of the compiled function, a tenth of a second."""
NO_PACKET = -1


@bounded(lambda bound: f"traffic pattern {bound.pattern.name}: {place(bound.pattern.destination)}")
def check_pattern(bound: Any) -> None:
    """Try a pattern in plain Python; raises JumpnetError at the first fault."""
    tried, own = _trial(bound), guarded(bound.own, "own")
    every = bound.network.endpoints * bound.draws
    chance = np.random.default_rng(1)
    numbers = np.arange(every) if every <= MOST_CALLS else chance.integers(0, min(every, 1 << 62), MOST_CALLS)
    for number in numbers.tolist():
        _try(bound, tried, own, *divmod(number, bound.draws))
        if tried.lines >= MOST_LINES:
            return


def watched(bound: Any) -> Callable[[int, int], int]:
    """`destination(source, draw)` in plain Python, every answer of which is checked; JumpnetError at a fault."""
    return partial(_try, bound, _trial(bound), guarded(bound.own, "own"))


def _trial(bound: Any) -> Trial:
    return Trial(bound.pattern.destination, f"traffic pattern {bound.pattern.name}")


def _try(bound: Any, tried: Trial, own: Any, source: int, draw: int) -> int:
    """The destination by plain Python."""
    try:
        to = tried(own, source, draw)
        if not whole(to):
            raise tried.at(f"{shown(to)} returned, a whole number expected")
        if not NO_PACKET <= to < bound.network.endpoints:
            most = bound.network.endpoints - 1
            raise tried.at(f"destination {shown(to)} found, 0 to {most}, or -1 for no packet, expected")
    except Fault as fault:
        raise _refused(bound, source, draw, fault) from None
    return int(to)


def _refused(bound: Any, source: int, draw: int, reason: Any) -> JumpnetError:
    return JumpnetError(
        f"traffic pattern {bound.pattern.name} on {bound.network.spec}, terminal {source}, draw {draw}: {reason}"
    )


def sweep(bound: Any, made: Any, ask_all: Callable[..., Any]) -> None:
    """Ask the compiled function for all sources and draws; what it gives must be terminals, as in plain Python."""
    if DISABLED:
        return
    every = bound.network.endpoints * bound.draws
    step = max(1, -(-every // MOST_SWEPT))
    bad, kept = np.full(1, -1, np.int64), np.zeros(min(every, 256), np.int64)
    ask_all(made, bound.own, every, step | 1, bound.draws, bound.network.endpoints, bad, kept)
    tried, own = _trial(bound), guarded(bound.own, "own")
    if bad[0] >= 0:
        source, draw = divmod(int(bad[0]), bound.draws)
        _try(bound, tried, own, source, draw)
        fault = tried.at(f"compiled, it gives no terminal; in plain Python it does {UNLIKE}")
        raise _refused(bound, source, draw, fault)
    for number, to in enumerate(kept.tolist()):
        source, draw = divmod(number, bound.draws)
        plain = _try(bound, tried, own, source, draw)
        if plain != to:
            fault = tried.at(f"compiled, it gives {to}; in plain Python {plain} {UNLIKE}")
            raise _refused(bound, source, draw, fault)


def guarded_pointer(who: str, function: Any, guard: Callable[[Any], Any]) -> Any:
    """`guard(function)`; what is no function, and a compiler's refusal, become one line."""
    if not isinstance(getattr(function, "py_func", function), FunctionType):
        raise JumpnetError(f"{who}: {type(function).__name__} found, a function expected")
    try:
        return guard(function)
    except Exception as error:
        raise JumpnetError(f"{who} does not compile: {why_not_compiled(error, function)}") from None


if DISABLED:

    def guard_destination(destination: Callable[..., int]) -> Any:
        """The destination function, whose errors are RAISED."""

        def enter(own, source, draw):
            try:
                return destination(frozen(own), source, draw)
            except Exception:
                return RAISED

        return enter

else:
    SIGNATURE = "int64(int64, int64, int64, int64)"

    def guard_destination(destination: Callable[..., int]) -> Any:
        """The destination function as a function pointer."""
        compiled = strict(destination)

        def enter(address, length, source, draw):
            try:
                return whole_number(compiled(frozen(open_i64(address, length)), source, draw))
            except Exception:
                return RAISED

        return pointer(SIGNATURE, enter, destination)
