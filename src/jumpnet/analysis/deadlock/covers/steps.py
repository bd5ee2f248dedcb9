"""The steps that a relation is taken apart into, what is read after each, and where ways meet. Written by `program`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

__all__ = [
    "Apply",
    "Branch",
    "Call",
    "Const",
    "Jump",
    "Load",
    "Loop",
    "Operand",
    "Part",
    "Program",
    "Return",
    "Step",
    "Store",
]


class Const(NamedTuple):
    """A value that is known."""

    value: Any


Operand = str | Const
"""The name of a register, or what is known."""


class Apply(NamedTuple):
    """An operation on numbers."""

    to: str
    operate: Callable[..., Any]
    of: tuple[Operand, ...]
    whole: bool = False
    """Whether it is for plain numbers alone."""


class Part(NamedTuple):
    """An attribute."""

    to: str
    of: Operand
    name: str


class Load(NamedTuple):
    """An element of an array."""

    to: str
    of: Operand
    places: tuple[Operand, ...]


class Store(NamedTuple):
    """An element of an array is written."""

    to: Operand
    places: tuple[Operand, ...]
    value: Operand


class Call(NamedTuple):
    """Another function is run."""

    to: str
    function: Any
    of: tuple[Operand, ...]


class Branch(NamedTuple):
    """On to the next step where something is true, elsewhere otherwise."""

    on: Operand
    otherwise: int


class Jump(NamedTuple):
    """On elsewhere."""

    there: int


class Return(NamedTuple):
    """The end."""

    value: Operand


Step = Apply | Part | Load | Store | Call | Branch | Jump | Return


class Loop(NamedTuple):
    """Steps that are done again and again."""

    first: int
    stop: int
    turns: str
    """The register that counts how often."""


def _reads(step: Step) -> Iterable[Operand]:
    if isinstance(step, Apply | Call):
        return step.of
    if isinstance(step, Load):
        return (step.of, *step.places)
    if isinstance(step, Store):
        return (step.to, *step.places, step.value)
    if isinstance(step, Part):
        return (step.of,)
    return (step.on,) if isinstance(step, Branch) else (step.value,) if isinstance(step, Return) else ()


@dataclass(eq=False)
class Program:
    """The steps of one function."""

    name: str
    arguments: list[str]
    steps: list[Any] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)

    def after(self, at: int) -> list[int]:
        """The steps that may come next in the same function."""
        step = self.steps[at]
        if isinstance(step, Return):
            return []
        if isinstance(step, Jump):
            return [step.there]
        return [at + 1, step.otherwise] if isinstance(step, Branch) else [at + 1]

    @cached_property
    def joins(self) -> frozenset[int]:
        """Steps that several others lead to."""
        before = [0] * len(self.steps)
        for at in range(len(self.steps)):
            for then in self.after(at):
                before[then] += 1
        return frozenset(at for at, many in enumerate(before) if many > 1)

    @cached_property
    def live(self) -> list[frozenset[str]]:
        """The registers that are still read from each step on, before they are written."""
        live: list[frozenset[str]] = [frozenset()] * len(self.steps)
        changed = True
        while changed:
            changed = False
            for at in range(len(self.steps) - 1, -1, -1):
                step = self.steps[at]
                made = step.to if isinstance(step, Apply | Part | Load | Call) else ""
                then = frozenset().union(*(live[k] for k in self.after(at)))
                now = (then - {made}) | {name for name in _reads(step) if isinstance(name, str)}
                changed |= now != live[at]
                live[at] = now
        return live

    @cached_property
    def around(self) -> list[tuple[Loop, ...]]:
        """The loops that each step is in, the outermost first."""
        loops = sorted(self.loops, key=lambda loop: (loop.first, -loop.stop))
        return [tuple(loop for loop in loops if loop.first <= at < loop.stop) for at in range(len(self.steps))]
