"""Steps and cycles: a router with internal speed-up does several steps while its links do one cycle.

Step s belongs to the cycle in which it is done; `first(c)` is the first step of cycle c. Without speed-up step and
cycle are the same number. Used by `reference.router`; the kernels' twin of it is `memory.clock`.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Clock"]


@dataclass(frozen=True)
class Clock:
    """So many `steps` in so many `cycles`.

    >>> clock = Clock(3, 2)
    >>> [clock.first(c) for c in range(4)], [clock.cycle(s) for s in range(6)]
    ([0, 1, 3, 4], [0, 1, 1, 2, 3, 3])
    """

    steps: int
    cycles: int

    def first(self, cycle: int) -> int:
        """The first step of a cycle."""
        return cycle * self.steps // self.cycles

    def cycle(self, step: int) -> int:
        """The cycle of a step."""
        return ((step + 1) * self.cycles - 1) // self.steps

    def after(self, step: int, delay: int) -> int:
        """The step after a stage of so many cycles that begins in `step`.

        A stage of one cycle takes one step; a longer one ends with the first step of its last cycle.
        """
        return step + delay if delay < 2 else self.first(self.cycle(step) + delay - 1) + 1
