"""The timed machine and a simulated network in one compiled loop (`kernels.turns`, `kernels.cycles`), and what that
leaves to Python: tables that must grow, trees, references, and what the network lacks. Used by `machine`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError, UnforeseenError
from jumpnet.jit.decorator import DISABLED
from jumpnet.jit.linked import address_of_entry
from jumpnet.machine.timed.deadlock import standstill
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels import processors as processors
from jumpnet.machine.timed.kernels.turns import TAKES
from jumpnet.machine.timed.start import grow
from jumpnet.sim.engine.cycle import entry_for_any
from jumpnet.sim.multicast.outside import OutsideMulticasts
from jumpnet.sim.outside import Outside
from jumpnet.sim.terminals.posting import END_CYCLE

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


def make_ready(m: Any, network: Outside) -> None:
    """Make what a network lacks to take the messages that are due. Raises JumpnetError for those that it cannot."""
    of, told = at.MESSAGE, 0
    due = m.message.reshape(-1, len(of))[m.outbox[: m.count[at.COUNT.out]] // len(of)]
    due = due[due[:, of.sent] < m.count[at.COUNT.horizon]]
    if isinstance(network, OutsideMulticasts):
        kind, place = due[:, of.kind], due[:, of.place]
        inside = (place >= 0) & (kind != at.ARRIVE)  # as `kernels.tables` tells them apart
        posted = ~(inside & ((kind == at.ACK) | (due[:, of.flag] & at.ANEW != 0)))
        casts = inside & posted  # the place of an answer is one of the network's
        plan, combined = np.full(len(due), -1), casts & (kind == at.TELL) & (m.acknowledges == at.COMBINED)
        plan[casts] = m.place[place[casts] + at.PLACE.plan]
        columns = due[:, of.source], due[:, of.to], due[:, of.flits], plan, combined
        told = network.make_ready(*(column[posted] for column in columns))
    network.make_room(len(due), told)


def run_cosimulated(run: Any, network: Outside, take: Callable[..., int], advance: Callable[[int], None]) -> None:
    """Run a machine to its end. Raises JumpnetError when machine or network stand still.

    run: a run of `machine`, of which `m`, `start_tree` and `read_on` are needed. take: `kernels.turns.take_turns`, or
    `kernels.cycles.take_cycles`. advance: lets the network go on to a cycle where kernels leave that to Python.
    """
    m = run.m
    codes, engine = codes_of(m, network), network.engine
    while True:
        rooms = engine.room_packets, engine.room_events, network.config.deadlock_cycles
        why = take(m.address, engine.memory.address, codes, *rooms)
        network.went_on_to(int(m.count[at.COUNT.now]))
        if why == at.OVER:
            return
        if why == at.NO_ROOM:
            grow(m)
        elif why == at.WANTS_TREE:
            run.start_tree()
        elif why == at.WANTS_REFERENCES:
            run.read_on()
        elif why == at.LACKS_ROOM:
            make_ready(m, network)
        elif why == at.STOPPED:
            advance(int(m.count[at.COUNT.horizon]))
            m.count[at.COUNT.now], m.count[at.COUNT.part] = m.count[at.COUNT.horizon], TAKES
        elif why == at.STANDS:
            raise standstill(m, network)
        elif why == at.TOO_LATE:
            raise JumpnetError(f"a run of {END_CYCLE} cycles or more with a network found, fewer expected")
        else:
            raise UnforeseenError("compiled code of the timed machine or of its network has failed")
