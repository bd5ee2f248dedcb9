"""RDT routings proved free of deadlock, and shown to deadlock with fewer virtual channels or without a scheme."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.walks.walkers import failed, job_of
from jumpnet.analysis.deadlock.ways_to_graph.orbits import outlooks
from jumpnet.routings import KIND, NORMAL, PORT, STATE, VC, bind
from jumpnet.routings.view import new_head, new_out
from jumpnet.topology import build

FREE = [
    ("rdt.deadlock_free", "rdt:8"),
    ("rdt.deadlock_free", "rdt:16"),
    ("rdt.deadlock_free:ties=zero,moves=near", "rdt:16"),
    ("rdt.deadlock_free:ties=zero,moves=x", "rdt:16"),
    ("rdt.duato", "rdt:8"),
    ("rdt.duato", "prdt:16,R=1"),
    ("rdt.duato", "prdt:32,R=2"),
    ("rdt.duato", "prdt:48,R=2"),
    ("rdt.turn_model", "rdt:8"),
    ("rdt.turn_model", "rdt:16"),
    ("prdt.vector", "prdt:8"),
    ("prdt.vector:ties=zero", "prdt:16"),
]
DEADLOCKS = [
    ("rdt.deadlock_free", "rdt:16", 1),
    ("rdt.deadlock_free", "rdt:16", 2),
    ("prdt.vector", "prdt:16", 1),
    ("rdt.floating", "rdt:16", None),
]


@pytest.mark.parametrize(("name", "spec"), FREE)
def test_free(name, spec):
    proof = prove(bind(name, build(spec)))
    assert proof.deadlock_free and proof.certificate_checked


@pytest.mark.parametrize(("name", "spec", "vcs"), DEADLOCKS)
def test_deadlocks(name, spec, vcs):
    proof = prove(bind(name, build(spec), vcs))
    assert not proof.deadlock_free and proof.cycle


def test_walks_of_several_base_hops_close_a_cycle():
    bound = bind("rdt.deadlock_free:moves=x", build("rdt:32"))
    found = order_or_cycle(*dependencies(bound).rows)
    assert found.number is None and len(found.cycle) == 7


def test_adaptive_candidates_take_every_channel_that_the_escape_does_not_need() -> None:
    """Base links keep 0 to 2 for the escape, upper links 0 and 1."""
    bound, out, used = bind("rdt.duato", build("rdt:8"), 5), new_out(), {False: set(), True: set()}
    for destination in range(1, 64):
        head = new_head(0, destination)
        bound.routing.start(bound.view, head, 0, None)
        state = head[STATE]
        for here in range(64):
            head[STATE] = state
            count = bound.routing.relation(bound.view, here, head, out)
            for port, vc, kind in out[: max(count, 0), [PORT, VC, KIND]].tolist():
                if kind == NORMAL:
                    used[port >= 4].add(vc)
    assert used == {False: {3, 4}, True: {2, 3, 4}}


def test_outlooks_are_met_in_one_order_however_they_are_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = bind("rdt.deadlock_free", build("rdt:16"))
    label, sinks = outlooks.equivariant_labels(bound), np.arange(256, dtype=np.int32)
    assert label is not None
    whole = outlooks.seen_outlooks(bound, job_of(bound), label, sinks, partial(failed, bound))
    for chunk, workers in ((37, 1), (37, 3), (1, 2)):
        monkeypatch.setattr(outlooks, "CHUNK", chunk)
        found = outlooks.seen_outlooks(bound, job_of(bound), label, sinks, partial(failed, bound), workers=workers)
        assert found[1] == whole[1] and np.array_equal(found[0], whole[0])


def test_no_source_stands_for_an_orbit_where_some_routers_send_less():
    net = build("rdt:16")
    less = net.terminals.copy()
    less[5] = 0
    bound = bind("rdt.fixed", replace(net, terminals=less, sinks=less, orbits=None))
    assert (
        outlooks.equivariant_labels(bind("rdt.fixed", net)) is not None and outlooks.equivariant_labels(bound) is None
    )
