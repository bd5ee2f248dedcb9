"""What an injection process is: when a source creates its packets. And `PacketList`, packets that were recorded.

One file of `traffic/` may hold one process (as it may hold one pattern). Creation does not depend on the network, so
the simulator asks for the next packet of a source only when the one before has left: idle sources cost nothing, and a
source queue of any length takes no memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED, jit, open_i64
from jumpnet.jit.linked import kernel, pointer
from jumpnet.jit.random import draw63
from jumpnet.own.hooks import call_hook, table_of
from jumpnet.own.strict import remembered
from jumpnet.own.trial import place
from jumpnet.own.whose import is_own, made_outside
from jumpnet.settings.settings import Settings, settings_from
from jumpnet.terms import I32, I64
from jumpnet.traffic._checked import guarded_pointer
from jumpnet.traffic._checked_process import check_process, guard_advance, has_failed, watched
from jumpnet.traffic._process_memory import COUNTER, LAST, MEMORY_WORDS, MODE, NEVER

__all__ = ["COUNTER", "LAST", "MEMORY_WORDS", "MODE", "NEVER", "PacketList", "Process", "call_process", "draw63"]


@public
class PacketList(NamedTuple):
    """Packets to replay, in any order: each source sends its own in order of cycle. Shapes (n,)."""

    cycle: I64
    """Cycle of creation."""
    source: I32
    """Source terminal."""
    destination: I32
    """Destination terminal."""
    flits: I32
    """Length."""


@dataclass(frozen=True, eq=False)
class Process:
    """An injection process: the cycles at which one source creates packets, at most one in a cycle."""

    name: str
    """Registered name, e.g. `bernoulli`."""
    advance: Callable[..., int]
    """`advance(own, memory, key) -> cycle`: creation cycle of the next packet, later than memory[LAST]; pure integer
    Python that also compiles. Draws are `draw63(key, memory[COUNTER])`, the counter then raised by one."""
    prepare: Callable[[float, Mapping[str, Any]], I64]
    """`prepare(packets_per_cycle, options)`: the integers `own` for this rate."""
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
        self.__dict__["_outside"] = made_outside()

    @cached_property
    def settings(self) -> Settings:
        """The options, as they are read and listed."""
        return settings_from(self.name, self.options, self.meanings)

    def own(self, packets_per_cycle: float, options: Mapping[str, Any]) -> I64:
        """The integers `advance` reads; raises JumpnetError for unknown options and impossible rates."""
        chosen = self.settings.complete(options)
        who = f"injection process {self.name}"
        numbers = call_hook(who, "prepare", self.prepare, packets_per_cycle, chosen, own=self.own_code)
        if not self.own_code:
            return np.ascontiguousarray(numbers, np.int64)
        found: I64 = table_of(who, "own of prepare", numbers, 1, np.int64)
        _check(self, self.advance, found.tobytes())
        return found

    @cached_property
    def own_code(self) -> bool:
        """Whether a function of it, or it itself, comes from outside the package: it is then checked and guarded."""
        return bool(self.__dict__["_outside"]) or any(map(is_own, (self.advance, self.prepare)))

    def refuse_faults(self, memory: I64) -> None:
        """Raise JumpnetError where the memory of its sources, in a run, says that a user's own function has failed."""
        if self.own_code and has_failed(memory):
            said = "compiled, it fails, or gives a cycle that is not after the last one or not in memory[0]"
            raise JumpnetError(f"injection process {self.name}: {place(self.advance)}: {said}")

    def plain(self, own: I64) -> Callable[[I64, int], int]:
        """`advance(memory_row, key)` in plain Python; of a user's own process every call is checked."""
        return watched(self, own) if self.own_code else partial(self.advance, own)

    @property
    def pointer(self) -> Any:
        """The process for kernels: `call_process(pointer, own, memory_row, key)`."""
        return _guard(self.advance, self.name) if self.own_code else _compile(self.advance)


@remembered
def _check(process: Process, advance: Callable[..., int], own: bytes) -> None:
    """Try a user's own process, once for each rate."""
    check_process(process, np.frombuffer(own, np.int64))


@remembered
def _guard(advance: Callable[..., int], name: str) -> Any:
    """The pointer of a user's own function, made once a process; a compiler's refusal becomes one line."""
    return guarded_pointer(f"injection process {name}", advance, guard_advance)


if DISABLED:

    def _compile(advance: Callable[..., int]) -> Any:
        return advance

    def call_process(advance: Any, own: I64, memory: I64, key: int) -> int:
        """Creation cycle of the next packet of the source with this memory row."""
        return advance(own, memory, key)

else:
    SIGNATURE = "int64(int64, int64, int64, int64)"

    @cache
    def _compile(advance: Callable[..., int]) -> Any:
        compiled = kernel(advance, inline=True, allocates=True)

        def enter(address, length, memory, key):
            return compiled(open_i64(address, length), open_i64(memory, MEMORY_WORDS), key)

        return pointer(SIGNATURE, enter, advance)

    @jit(inline="always")
    def call_process(advance, own, memory, key):
        """Creation cycle of the next packet of the source with this memory row."""
        return advance(np.int64(own.ctypes.data), own.size, np.int64(memory.ctypes.data), key)
