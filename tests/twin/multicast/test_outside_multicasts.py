"""Packets and multicasts posted from outside, and acknowledged from there, fare as in the slow simulator."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.naive.multicast_routers import MulticastSimulation

from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED
from jumpnet.sim.config import preset
from jumpnet.sim.memory.message_layout import (
    ACKNOWLEDGED,
    ACKNOWLEDGES,
    ALONE,
    COUNTED,
    COUNTS,
    GATHERED,
    HANDED,
    PASSES_ON,
    SENDS_ON,
)
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.messages import COMBINED, NO_ACK, Messages
from jumpnet.sim.multicast.outside import OutsideMulticasts
from jumpnet.sim.multicast.trees import Trees
from jumpnet.topology import build

FLITS, CYCLES = 3, 500
CONFIG = preset("jump1")
TREES = {
    "LARP": Trees(build("prdt:4"), "chip", scheme_name="LARP"),
    "REMAKE": Trees(build("prdt:4"), "chip", scheme_name="REMAKE"),
    "SM": Trees(build("prdt:4"), "chip", scheme_name="SM"),
    "paths": Trees(build("torus:4x4"), "paths", "torus.dateline", 2),
}
POSTS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 15), st.sets(st.integers(0, 15), min_size=1, max_size=6),
              st.integers(1, 9), st.booleans()),
    min_size=1, max_size=30,
)  # fmt: skip


class _Slow(MulticastSimulation):
    """The slow simulator in which each terminal takes a time of its own to acknowledge."""

    quantum = 1

    def wait(self, m, k, terminal):
        return _wait(terminal, self.quantum)


def _wait(terminal, quantum):
    return quantum + 7 * terminal % 23


def _answers(entries, quantum):
    return MulticastConfig(ack_flits=FLITS, combining_entries=entries, remake_cycles=quantum + 2)


def _slow(trees, posts, entries, quantum):
    plans = [
        -1 if not combined and trees.routing is not None and len(to) == 1
        else trees.number(source, to, alone=not combined and len(to) == 1)
        for _, source, to, _, combined in posts
    ]  # fmt: skip
    columns = [[post[0] for post in posts], plans, [post[3] for post in posts]]
    acks = [COMBINED if post[4] else NO_ACK for post in posts]
    ends = [[post[1] for post in posts], [min(post[2]) for post in posts], range(len(posts))]
    messages = Messages(*(np.array(c) for c in (*columns, acks, *ends)))
    args = trees.network, trees.vcs, trees.forest(), messages, CONFIG, _answers(entries, quantum)
    slow = _Slow(*args, trees.routing)
    slow.quantum = quantum
    slow.run(CYCLES)
    return slow


def _fast(trees, posts, entries, quantum):
    """Arrivals of each message, and when the source knew, by posting a few cycles at a time."""
    network = OutsideMulticasts(trees.network, trees, CONFIG, entries=entries, ack_flits=FLITS)
    received, known, known_as, due = {}, {}, {}, []
    for now in range(0, CYCLES, quantum):
        new = [m for m, post in enumerate(posts) if now <= post[0] < now + quantum]
        if new:
            columns = [(m, posts[m][1], min(posts[m][2]), posts[m][0], posts[m][3]) for m in new]
            plans = [
                network.plan(posts[m][1], posts[m][2], posts[m][4]) if posts[m][4] or len(posts[m][2]) > 1 else -1
                for m in new
            ]
            combined = np.array([int(posts[m][4]) for m in new])
            rows = network.post_all(*np.array(columns).T, np.array(plans), combined)
            known_as.update(zip(new, rows.tolist(), strict=True))
        ready = sorted(row for row in due if row[0] < now + quantum)
        due = [row for row in due if row[0] >= now + quantum]
        if ready:
            cycle, m, place, terminal, said = np.array(ready).T
            network.answer(np.array([known_as[k] for k in m.tolist()]), place, terminal, cycle, said)
        network.advance(now + quantum)
        for m, _, t, what, terminal, place in zip(*(c.tolist() for c in network.take()), strict=True):
            if what == ACKNOWLEDGED:
                known[m] = t
                continue
            if what in (HANDED, GATHERED):
                anew = what == HANDED
                later = _answers(0, quantum).remake_cycles if anew else _wait(terminal, quantum)
                due.append((t + later, m, place, terminal, SENDS_ON if anew else PASSES_ON))
                continue
            if what != COUNTED:
                received.setdefault(m, []).append((t, terminal))
            if what != ALONE and posts[m][4]:
                says = COUNTS if what == COUNTED else ACKNOWLEDGES
                due.append((t + _wait(terminal, quantum), m, place, terminal, says))
    assert network.packets == 0 and network.promised == 0 and not due
    return network, received, known


@settings(max_examples=4 if DISABLED else 25, deadline=None)
@given(posts=POSTS, trees=st.sampled_from(sorted(TREES)), entries=st.integers(0, 3), quantum=st.sampled_from([1, 4]))
def test_equals_the_slow_simulator(posts, trees, entries, quantum) -> None:
    used = TREES[trees]
    posts = sorted((t, source, tuple(sorted(to - {source})), flits, c) for t, source, to, flits, c in posts)
    posts = [post for post in posts if post[2]]
    if not posts:
        return
    network, received, known = _fast(used, posts, entries, quantum)
    slow = _slow(used, posts, entries, quantum)
    assert known == slow.acknowledged
    assert network.fallbacks == slow.fallbacks
    dropped = trees in ("LARP", "REMAKE")  # the slow simulator does not list who takes a packet only to drop it
    for m in range(len(posts)):
        mine = sorted(terminal for _, terminal in received[m])
        assert set(slow.received[m]) <= set(mine) if dropped else mine == sorted(slow.received[m])
        assert dropped or max(t for t, _ in received[m]) == slow.last_arrival[m]


def test_what_cannot_be_posted_is_refused() -> None:
    one = np.ones(1, np.int64)
    for trees, flits, match in ((TREES["SM"], 99, "a multicast of 99 flits found, at most 16"),):
        network = OutsideMulticasts(trees.network, trees, CONFIG)
        with pytest.raises(JumpnetError, match=match):
            plan = network.plan(0, (1, 2, 5, 9, 14), combined=True)
            network.post_all(one, 0 * one, 0 * one, one, flits * one, plan * one, one)
    network.advance(5)
    with pytest.raises(JumpnetError, match="acknowledges before cycle 5"):
        network.answer(one, one, one, one, one)
