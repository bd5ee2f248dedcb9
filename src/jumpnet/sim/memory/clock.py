"""Steps and cycles in kernels: a router with internal speed-up does several steps while its links do one cycle.

Everything that a router reads or writes is in steps: slots, `due`, `when`. Terminals and links go by cycles. Without
speed-up both are the same numbers. The twin is `reference.parts.Clock`.
"""

from jumpnet.jit.linked import inlined
from jumpnet.sim.memory.rows import stage_of

__all__ = ["after_stage", "begins", "cycle_of", "first_step"]


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


@inlined
def begins(m, r, stage, cycles, t):
    """The step in which what is ready in step t begins a stage of router r that takes so many cycles.

    At once, or in batches: with all others that wait, when the stage is empty, which is then taken.
    """
    if m.in_batches == 0 or cycles < 2:
        return t
    began = stage_of(m, r)
    if t > began[stage]:
        began[stage] = max(t, after_stage(m, began[stage], cycles))
    return began[stage]
