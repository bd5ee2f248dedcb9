"""Steps and cycles in kernels: a router with internal speed-up does several steps while its links do one cycle.

Everything that a router reads or writes is in steps: slots, `due`, `when`. Terminals and links go by cycles. Without
speed-up both are the same numbers. Used by all that has to do with both; the twin is `reference.clock`.
"""

from __future__ import annotations

from jumpnet._linked import inlined

__all__ = ["after_stage", "cycle_of", "first_step"]


@inlined
def first_step(m, cycle):
    """The first step of a cycle."""
    return cycle if m.steps == m.step_cycles else cycle * m.steps // m.step_cycles


@inlined
def cycle_of(m, step):
    """The cycle in which a step is done."""
    return step if m.steps == m.step_cycles else ((step + 1) * m.step_cycles - 1) // m.steps


@inlined
def after_stage(m, step, delay):
    """The step after a stage of so many cycles that begins in `step`: one of one cycle takes one step."""
    if delay < 2 or m.steps == m.step_cycles:
        return step + delay
    return first_step(m, cycle_of(m, step) + delay - 1) + 1
