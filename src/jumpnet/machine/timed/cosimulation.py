"""The timed machine and a simulated network in one compiled loop (`kernels.turns`). Used by `machine`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jumpnet.errors import UnforeseenError
from jumpnet.jit.decorator import DISABLED
from jumpnet.jit.linked import address_of_entry
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels import processors as processors
from jumpnet.machine.timed.start import grow
from jumpnet.sim.engine.cycle import entry_for_any
from jumpnet.sim.outside import Outside

__all__ = ["codes_of", "run_cosimulated"]


def codes_of(m: Any, network: Outside) -> Any:
    """What `take_turns` calls."""
    memory = network.engine.memory
    of_run = memory.address, 0, 0, 0, 0
    codes = (
        address_of_entry(processors.run_until, m.address, 0, 0, 0, 0),
        address_of_entry(entry_for_any(memory), *of_run),
    )
    return (*codes, memory) if DISABLED else np.array([*codes, memory.address.address], np.int64)


def run_cosimulated(run: Any, network: Outside, take: Callable[..., int], by_python: Callable[[int], bool]) -> None:
    """Run a machine to its end.

    run: a run of `machine`, of which `m`, `start_tree` and `read_on` are needed. take: `kernels.turns.take_turns`, or
    `kernels.cycles.take_cycles`. by_python: what they leave to Python, and why; whether the run goes on.
    """
    m = run.m
    codes, engine = codes_of(m, network), network.engine
    while True:
        rooms = engine.room_packets, engine.room_events, network.config.deadlock_cycles
        why = take(m.address, engine.memory.address, codes, *rooms)
        network.went_on_to(int(m.count[at.COUNT.now]))
        if why == at.NO_ROOM:
            grow(m)
        elif why == at.WANTS_TREE:
            run.start_tree()
        elif why == at.WANTS_REFERENCES:
            run.read_on()
        elif why == at.FAILED:
            raise UnforeseenError("compiled code of the timed machine or of its network has failed")
        elif why == at.OVER or not by_python(why):
            return
