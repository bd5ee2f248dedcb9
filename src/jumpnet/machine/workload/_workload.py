"""What a workload is: a frozen dataclass of sizes whose `program()` can be run on recorded arrays, and checks itself.

One file of `machine/workload/` holds one program; the folder scan finds it. A run is deterministic: the same sizes give
the same references in the same order, in plain Python too. Used by every file of this folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.machine.records import MOST_PROCESSORS, Block, Trace
from jumpnet.machine.workload._recorder import LEFT, Shared, new_tape, take_block
from jumpnet.settings.settings import spell

__all__ = ["Program", "Workload", "shares"]


@public
@dataclass(frozen=True)
class Program:
    """A program about to run: its shared arrays hold the input, and after the run the result."""

    run: Any
    """Kernel made by `runner`."""
    arrays: Any
    """NamedTuple of `Shared` arrays and sizes, as `turn` reads it."""
    barrier: Shared
    """Where the barrier object lies."""
    processors: int
    phases: int
    """Phases, each ended by a barrier."""
    error: Callable[[], float]
    """How far the result is from what it must be, after the run."""

    def blocks(self) -> Iterator[Block]:
        """Run, and yield the references block by block."""
        tape, cursor, done = new_tape(), np.zeros(3, np.int64), np.zeros(self.processors, np.int64)
        cursor[LEFT] = self.processors
        over = False
        while not over:
            over = self.run(tape, cursor, done, self.arrays, self.barrier, self.phases)
            yield take_block(tape)


@dataclass(frozen=True)
class Workload:
    """Base of all workloads; the fields of a subclass are the keys of its spec, `__post_init__` refuses bad sizes."""

    name: ClassVar[str] = ""
    """Registered name; empty in abstract bases."""
    summary: ClassVar[str] = ""
    """One line for a list."""
    small: ClassVar[str] = ""
    """Spec of a run of well under a second, for tests and examples."""
    checks: ClassVar[str] = ""
    """What `error` of the program measures."""
    tolerance: ClassVar[float] = 0.0
    """Largest error of a correct run."""

    processors: int = 1
    """Processors that it runs on."""

    def program(self) -> Program:
        """Input in shared arrays, ready to run. A program runs once."""
        raise TypeError(f"{type(self).__name__} defines no program()")

    @property
    def spec(self) -> str:
        """The canonical spec."""
        return spell(self)

    def trace(self) -> Trace:
        """The references as a trace; each time it is read the program runs again, and its result is checked.

        Raises JumpnetError, when read to the end, if the result were wrong.
        """

        def blocks() -> Iterator[Block]:
            program = self.program()
            yield from program.blocks()
            found = program.error()
            if not found <= self.tolerance:
                raise JumpnetError(f"{self.spec}: {self.checks} {found:g} found, at most {self.tolerance:g} expected")

        return Trace(f"workload:{self.spec.replace(':', ',')}", self.processors, blocks)

    def require(self, key: str, right: bool, expected: str) -> None:
        """Raise JumpnetError about the field `key` unless `right`."""
        if not right:
            raise JumpnetError(f"{self.name}: {key} {getattr(self, key)} found, {expected} expected")

    def require_sizes(self) -> None:
        """All whole-number fields at least 1, and no more processors than a trace may name."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, int):
                self.require(field.name, value >= 1, "at least 1")
        self.require("processors", self.processors <= MOST_PROCESSORS, f"at most {MOST_PROCESSORS}")


def shares(items: int, processors: int) -> Any:
    """(P + 1,) int64: processor p owns items first[p] up to first[p + 1], sizes as equal as can be.

    >>> shares(10, 4).tolist()
    [0, 2, 5, 7, 10]
    """
    return np.arange(processors + 1, dtype=np.int64) * items // processors
