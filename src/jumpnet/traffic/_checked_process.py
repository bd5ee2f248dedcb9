"""The checked pass of a user's own injection process, and its function as a pointer that keeps to its numbers.

In plain Python some sources are asked for FEW_PACKETS packets each, a process once for each rate. Compiled, it has
checked indices and a header it cannot write; what it does wrong in a run is left in the source's memory, where
`has_failed` finds it. A run that calls it in plain Python has every call `watched`. Processes of the package are not
checked here: tests do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED, open_i64
from jumpnet.jit.linked import pointer
from jumpnet.jit.random import stream_key
from jumpnet.own.bounded import bounded
from jumpnet.own.strict import RAISED, frozen, strict, whole_number
from jumpnet.own.trial import MOST_LINES, Fault, Trial, guarded, place, shown, whole
from jumpnet.terms import I64
from jumpnet.traffic._process_memory import LAST, MEMORY_WORDS, NEVER

__all__ = ["check_process", "guard_advance", "has_failed", "watched"]

KEYS = 5
FEW_PACKETS = 100


@bounded(lambda process, own: f"injection process {process.name}: {place(process.advance)}")
def check_process(process: Any, own: I64) -> None:
    """Try a process in plain Python; raises JumpnetError at the first fault."""
    tried, numbers = Trial(process.advance, f"injection process {process.name}"), guarded(own, "own")
    try:
        for source in range(KEYS):
            memory = np.zeros(MEMORY_WORDS, np.int64)
            memory[LAST], key = -1, int(stream_key(1, source))
            for _ in range(FEW_PACKETS):
                if _next(tried, numbers, memory, key) >= NEVER:
                    break
                if tried.lines >= MOST_LINES:
                    return
    except Fault as fault:
        raise JumpnetError(f"injection process {process.name}: {fault}") from None


def watched(process: Any, own: I64) -> Callable[[I64, int], int]:
    """`advance(memory, key)` in plain Python, every call of which is checked; each raises JumpnetError at a fault."""
    tried, numbers = Trial(process.advance, f"injection process {process.name}"), guarded(own, "own")

    def advance(memory: I64, key: int) -> int:
        try:
            return _next(tried, numbers, memory, key)
        except Fault as fault:
            raise JumpnetError(f"injection process {process.name}: {fault}") from None

    return advance


def _next(tried: Trial, own: Any, memory: I64, key: int) -> int:
    """The cycle of the next packet."""
    before = int(memory[LAST])
    cycle = tried(own, guarded(memory, "memory", writable=True), key)
    if not whole(cycle):
        raise tried.at(f"{shown(cycle)} returned, a whole number expected")
    if not before < cycle <= NEVER:
        raise tried.at(f"cycle {shown(cycle)} returned, one after {before} and at most 2^40 expected")
    if memory[LAST] != cycle:
        raise tried.at(f"cycle {shown(cycle)} returned, but {int(memory[LAST])} left in memory[0]: the same expected")
    return int(cycle)


def has_failed(memory: I64) -> bool:
    """Whether a source's memory holds what a function does wrong in a run."""
    return bool((memory.reshape(-1, MEMORY_WORDS)[:, LAST] == RAISED).any())


def _kept(cycle: int, before: int, memory: Any) -> int:
    """The cycle that is handed on."""
    if before < cycle <= NEVER and memory[LAST] == cycle:
        return cycle
    memory[LAST] = RAISED
    return NEVER


if DISABLED:

    def guard_advance(advance: Callable[..., int]) -> Any:
        """The function, whose faults stay in the memory of the source."""

        def enter(own, memory, key):
            before = memory[LAST]
            try:
                cycle = advance(frozen(own), memory, key)
            except Exception:
                cycle = RAISED
            return _kept(cycle, before, memory)

        return enter

else:
    from jumpnet.jit.decorator import jit

    SIGNATURE = "int64(int64, int64, int64, int64)"
    _kept = jit(_kept)

    def guard_advance(advance: Callable[..., int]) -> Any:
        """The function as a function pointer."""
        compiled = strict(advance)

        def enter(address, length, memory, key):
            words = open_i64(memory, MEMORY_WORDS)
            before = words[LAST]
            try:
                cycle: Any = whole_number(compiled(frozen(open_i64(address, length)), words, key))
            except Exception:
                cycle = RAISED
            return _kept(cycle, before, words)

        return pointer(SIGNATURE, enter, advance)
