"""The timed machine and a simulated network in one compiled loop (`_turns`). Used by `machine`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jumpnet.errors import UnforeseenError
from jumpnet.jit.decorator import DISABLED
from jumpnet.jit.linked import address_of_entry
from jumpnet.machine.timed import _processors as processors
from jumpnet.machine.timed import _tables as at
from jumpnet.machine.timed import _turns as kernel
from jumpnet.machine.timed._start import grow
from jumpnet.sim.cycle import run_any, run_forked
from jumpnet.sim.outside import Outside

__all__ = ["codes_of", "run_cosimulated"]


def codes_of(m: Any, network: Outside) -> Any:
    """What `take_turns` calls."""
    memory = network.engine.memory
    of_run = memory.address, 0, 0, 0, 0
    cycles = run_any if memory.casts is None else run_forked
    codes = address_of_entry(processors.run_until, m.address, 0, 0, 0, 0), address_of_entry(cycles, *of_run)
    return (*codes, memory) if DISABLED else np.array([*codes, memory.address.address], np.int64)


def run_cosimulated(
    m: Any,
    network: Outside,
    leads: tuple[int, int, int],
    start_tree: Callable[[], None],
    one_turn: Callable[[bool], None],
) -> None:
    """Run a machine to its end.

    leads: as in `_processors.run_until`. start_tree: a tree is wanted. one_turn: post what is due (if told to), let the
    network go on to the horizon and enter what it delivers.
    """
    codes = codes_of(m, network)
    engine, count = network.engine, m.count
    ahead, patience = np.array(leads, np.int64), network.config.deadlock_cycles
    while True:
        rooms = engine.room_packets, engine.room_events, patience
        why = kernel.take_turns(m.address, engine.memory.address, codes, ahead, *rooms)
        network.went_on_to(int(count[at.C_NOW]))
        if why == kernel.OVER:
            return
        if why == kernel.NO_ROOM:
            grow(m)
        elif why == kernel.TREE:
            start_tree()
        elif why == kernel.FAILED:
            raise UnforeseenError("compiled code of the timed machine or of its network has failed")
        else:
            one_turn(why == kernel.BY_PYTHON)
            count[at.C_NOW], count[at.C_PART] = count[at.C_HORIZON], 0
