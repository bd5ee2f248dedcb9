"""The naive twin of the turns that the timed machine takes with a simulated network: a cycle each, and in Python.

Neither side ever runs ahead of the other, and what is sent is posted by the methods of the network. The events of a
cycle and what arrives are the kernels'. In the place of `cosimulation.run_cosimulated`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.jit.linked import entry
from jumpnet.machine.timed.deadlock import standstill
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels.layout import memory_at
from jumpnet.machine.timed.kernels.processors import following, turn_to_messages
from jumpnet.machine.timed.kernels.turns import take
from jumpnet.machine.timed.start import grow
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.sim.memory.record import memory_at as network_at
from jumpnet.sim.multicast.outside import OutsideMulticasts

OF, COUNT = at.MESSAGE, at.COUNT


@entry
def _take(address, record):
    """Enter what the network has delivered; False where a table must grow first."""
    return take(memory_at(address), network_at(record))


@entry
def _turn_to_messages(address, t):
    return turn_to_messages(memory_at(address), t)


@entry
def _following(address, t):
    return following(memory_at(address), t)


def run_in_turns(run: Any, network: Any, *_: Any) -> None:
    """As `cosimulation.run_cosimulated`."""
    run.leads = 1, 1, 1
    if run.m.room > 0:
        _cycle_by_cycle(run, network)
        return
    m, now = run.m, 0
    while True:
        on_the_way = m.count[COUNT.out] > 0 or network.packets > 0
        m.count[COUNT.horizon] = now + 1 if on_the_way else at.FOREVER
        run.events()
        if not on_the_way and m.count[COUNT.out] == 0:
            return
        now = int(m.count[COUNT.horizon])
        _post(run, network)
        network.advance(now)
        _enter(m, network)


def _post(run: Any, network: Any) -> None:
    """Hand over what is sent before the horizon, in an order that does not depend on how both sides took turns."""
    m, out = run.m, int(run.m.count[COUNT.out])
    row = m.outbox[:out].copy()
    what = m.message.reshape(-1, len(OF))[row // len(OF)]
    due = what[:, OF.sent] < m.count[COUNT.horizon]
    m.count[COUNT.out] = stay = out - due.sum()
    m.outbox[:stay], row, what = row[~due], row[due], what[due]
    order = np.lexsort(what[:, [OF.to, OF.register, OF.line, OF.kind, OF.source, OF.sent]].T)
    row, what = row[order], what[order]
    if len(row) and not network.packets and not m.room:
        network.advance(int(what[0, OF.sent]))
    if isinstance(network, OutsideMulticasts):
        _post_branching(m, network, row, what)
    else:
        of = what.T
        network.post(row, of[OF.source], of[OF.to], of[OF.sent], of[OF.flits], m.network_of[of[OF.kind]])


def _post_branching(m: Any, network: OutsideMulticasts, row: Any, what: Any) -> None:
    """The same where packets branch: packets, messages to many, and what nodes have to say of these."""
    kind, place, flag = what[:, OF.kind], what[:, OF.place], what[:, OF.flag]
    of_many = (place >= 0) & (kind != at.ARRIVE)
    answers = of_many & ((kind == at.ACK) | (flag & at.ANEW != 0))
    casts, packet = of_many & ~answers, ~answers
    plan = np.full(len(row), -1)
    plan[casts] = m.place[place[casts] + at.PLACE.plan]
    combined = casts & (kind == at.TELL) & (m.acknowledges == at.COMBINED)
    columns = (what[packet, column] for column in (OF.source, OF.to, OF.sent, OF.flits))
    m.message[row[packet] + OF.inside] = network.post_all(row[packet], *columns, plan[packet], combined[packet])
    for k in np.flatnonzero(answers):
        thing, register = what[k, OF.line] * len(at.THING), what[k, OF.register] * len(at.REGISTER)
        released = kind[k] == at.RELEASE
        cast = m.thing[thing + at.THING.cast] if released else m.register[register + at.REGISTER.cast]
        said = m.message[cast + OF.inside], place[k], what[k, OF.source], what[k, OF.sent], flag[k] // at.COUNTS
        network.answer(*np.array(said)[:, None])
        m.message[row[k] + OF.next], m.count[COUNT.free] = m.count[COUNT.free], row[k]


def _enter(m: Any, network: Any) -> None:
    while not _take(m.address, network.engine.memory.address):
        grow(m)


def hand_over(run: Any, network: Any) -> bool:
    """Messages of a cycle, and places that are free again; whether anything is on its way."""
    m = run.m
    _post(run, network)
    places = network.entered * 0
    places[: m.ends] = m.freed.reshape(m.ends, -1)
    network.free(places)
    m.freed[:] = 0
    return network.packets > 0 or bool(m.count[COUNT.out] > 0)


def _events_of(run: Any, network: Any, now: int) -> None:
    """What happens at the nodes in a cycle."""
    m, why = run.m, 1
    while why != 0:
        m.count[COUNT.horizon] = now + 1
        run.events()
        m.entered[:] = network.entered.reshape(-1)[: len(m.entered)]
        while (why := _turn_to_messages(m.address, now)) < 0:
            grow(m)


def _cycle_by_cycle(run: Any, network: Any) -> None:
    """Where nodes have room for few messages. Raises JumpnetError for a standstill."""
    m, since, patience = run.m, -1, network.config.deadlock_cycles
    while True:
        now = network.cycle
        _events_of(run, network, now)
        busy = hand_over(run, network)
        network.go_to(now + 1)
        _enter(m, network)
        then, moved = int(_following(m.address, now)), int(network.engine.state.counter[COUNTER.moved])
        if not busy:
            if then >= at.FOREVER:
                return
            network.go_to(then)
        elif then < at.FOREVER or m.count[COUNT.out] > 0 or now - moved <= patience:
            since = -1
        elif since <= moved:
            since = now  # a packet may have just come, after long, or found a node free again
        elif now - since > patience:
            raise standstill(m, network)
