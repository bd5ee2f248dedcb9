"""Runs of the timed machine whose nodes have room for few messages: a cycle at a time, and standstills with their ring.

Events of a cycle first, then what the memory-based processors turn to (`kernels.finite_buffers`), then the network's
cycle, in which full nodes take nothing. In Python here, which is the twin, and in one compiled loop (`kernels.cycles`).
Called by `machine`.
"""

from __future__ import annotations

from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.cosimulation import run_cosimulated
from jumpnet.machine.timed.deadlock import ring_of, told
from jumpnet.machine.timed.kernels import cycles as cycles
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels import processors as kernel
from jumpnet.machine.timed.start import grow
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.sim.outside import Outside

__all__ = ["run_with_finite_buffers"]


def run_with_finite_buffers(run: Any, carrier: Any) -> None:
    """Run a machine to its end. Raises JumpnetError when it stands still, with a ring of what waits for what.

    run: a run of `machine`, of which `m`, `start_tree`, `read_on`, `events` and `post` are needed.
    """
    network = getattr(carrier, "network", None)
    if not isinstance(network, Outside):
        raise JumpnetError("room for few messages found without a simulated network, where messages never wait")
    network.limit(run.m.room)
    if carrier.outside is None:
        _in_python(run, carrier, network)
    else:
        _together(run, carrier, network)


def _together(run: Any, carrier: Any, network: Outside) -> None:
    """All cycles in kernels, but for what needs Python."""
    m = run.m

    def by_python(why: int) -> bool:
        now = int(m.count[at.COUNT.now])
        busy = bool(m.count[at.COUNT.under_way]) if why == at.STOPPED else _hand_over(run, carrier, network)
        goes_on = _end_cycle(run, network, now, busy)
        m.count[at.COUNT.now], m.count[at.COUNT.part] = network.cycle, cycles.BEGINS
        return goes_on

    run_cosimulated(run, network, cycles.take_cycles, by_python)


def _in_python(run: Any, carrier: Any, network: Outside) -> None:
    """`kernels.cycles.take_cycles`."""
    goes_on = True
    while goes_on:
        now = network.cycle
        _events_of(run, network, now)
        goes_on = _end_cycle(run, network, now, _hand_over(run, carrier, network))


def _events_of(run: Any, network: Outside, now: int) -> None:
    """What happens at the nodes in a cycle."""
    m = run.m
    while True:
        m.count[at.COUNT.horizon] = now + 1
        run.events()
        m.entered[:] = network.entered.reshape(-1)[: len(m.entered)]
        while (why := kernel.turn_to_all(m.address, now)) < 0:
            grow(m)
        if why == 0:
            return


def _hand_over(run: Any, carrier: Any, network: Outside) -> bool:
    """Messages of the cycle, and places that are free again; whether anything is on its way."""
    m = run.m
    run.post(carrier)
    places = network.entered * 0
    places[: m.ends] = m.freed.reshape(m.ends, -1)
    network.free(places)
    m.freed[:] = 0
    return network.packets > 0 or bool(m.count[at.COUNT.out] > 0)


def _end_cycle(run: Any, network: Outside, now: int, busy: bool) -> bool:
    """The network's cycle, what it delivers, and on to the next one in which anything happens; False without one."""
    m, done = run.m, 0
    network.go_to(now + 1)
    row, _, arrived = network.take()
    while (done := kernel.carried(m.address, row, arrived, done)) < len(row):
        grow(m)
    following = int(kernel.turn_after(m.address, now))
    if not busy:
        if following < at.FOREVER:
            network.go_to(following)
        return following < at.FOREVER
    moved, patience = int(network.engine.state.counter[COUNTER.moved]), network.config.deadlock_cycles
    if following < at.FOREVER or m.count[at.COUNT.out] > 0 or now - moved <= patience:
        m.count[at.COUNT.still] = at.NOBODY
    elif m.count[at.COUNT.still] <= moved:
        m.count[at.COUNT.still] = now  # a packet may have just come, after long, or found a node free again
    elif now - m.count[at.COUNT.still] > patience:
        _stands_still(m, network, moved)
    return True


def _stands_still(m: Any, network: Outside, moved: int) -> None:
    """Raise JumpnetError."""
    ring = told(ring_of(m, network), network)
    found = f"{network.engine.network.spec}: no flit has moved since cycle {moved}, deadlock of nodes and network"
    raise JumpnetError(f"{found}: {ring} -> the first" if ring else found)
