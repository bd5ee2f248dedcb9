"""Faults during a run: the kernel's arrays after the surgery act as the reference's objects do, cycle by cycle."""

from __future__ import annotations

import numpy as np
import pytest
from tests.naive.sim_faults import FaultySimulation

from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.fault.random_faults import working_part
from jumpnet.routings import bind
from jumpnet.sim.config import SimConfig
from jumpnet.sim.faults.engine import FaultyEngine
from jumpnet.sim.faults.plan import Fault, Recovery, parse_fault
from jumpnet.sim.faults.purge import heads_inside
from jumpnet.sim.faults.simulate import simulate_with_faults
from jumpnet.sim.measure.checks import check
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.sim.reference.simulation import Simulation
from jumpnet.topology import build

CYCLES = 220
CASES = [
    ("torus:3x3", "lash", 3, ["cycle=60,link=0-1,link=4-5"], {"load": 0.9, "packet_flits": "5"}, None, False),
    ("torus:3x3", "lash", 3, ["cycle=60,router=4", "cycle=110,link=0-1"],
     {"load": 0.9, "packet_flits": "1..7"}, 25, False),
    ("mesh:3x3", "up_down", 2, ["cycle=50,link=3-4,link=1-4"],
     {"load": 0.8, "buffer_flits": 3, "link_cycles": 3}, 0, False),
    ("mesh:3x3", "up_down", 2, ["cycle=70,router=1", "cycle=90,router=3"], {"load": 0.7, "reply_flits": 3}, 40, False),
    ("torus:4x3", "lash", 3, ["cycle=64,link=0-1"], {"load": 1.0, "injection_ports": 2, "speculation": True}, 10, True),
    ("mesh:2x4", "up_down", 1, ["cycle=40,link=2-4,link=3-5"], {"load": 0.9, "vc_reuse": "empty"}, 15, False),
    ("torus:3x3", "lash", 3, ["cycle=33,router=8"],
     {"load": 1.0, "routing_delay_cycles": 0, "vc_allocation_delay_cycles": 0}, 5, False),
    ("fattree:2,n=3", "lash", 1, ["cycle=60,link=0-4", "cycle=110,link=5-9"],
     {"load": 0.9, "packet_flits": "8"}, 20, False),
    ("hypermesh:3", "dfsssp", 3, ["cycle=60,link=0-9"], {"load": 0.9, "packet_flits": "1..7"}, None, False),
    ("torus:2x2,double=true", "lash", 3, ["cycle=60,link=0@0", "cycle=110,link=1-3"],
     {"load": 0.9, "packet_flits": "1..7"}, 20, False),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "routing", "vcs", "faults", "words", "retry", "flush"), CASES)
def test_events_are_those_of_the_twin(spec, routing, vcs, faults, words, retry, flush) -> None:
    net = build(spec)
    config = SimConfig(**{"packet_flits": "4", "events": True, "vcs": vcs, "seed": 3, **words})
    plan = [parse_fault(fault) for fault in faults]
    engine = FaultyEngine(net, routing, config, plan, Recovery(retry_cycles=retry, flush=flush))
    for _ in range(CYCLES):
        engine.advance(1)
        check(engine)
    left, routers, links = {}, set(), set()
    for fault in plan:
        routers |= set(fault.routers)
        links |= {
            (r, int(p)) for a, b in fault.links for r, s in ((a, b),) for p in np.flatnonzero(net.neighbor[r] == s)
        }
        links |= set(fault.ports)
        part = working_part(degraded(net, routers, links))
        left[fault.cycle] = part, bind(routing, part, vcs)
    slow = FaultySimulation(Simulation(net, bind(routing, net, vcs), config), retry, flush)
    slow.run(CYCLES, left)
    fast = engine.events()
    fast = fast[fast[:, at.EVENT_ENTER] < CYCLES]
    expected = np.array(sorted(slow.sim.events), np.int64).reshape(-1, at.EVENT_FIELDS)
    for mine, theirs in zip(fast.tolist(), expected.tolist(), strict=False):
        assert mine == theirs
    assert len(fast) == len(expected)
    counts = engine.finish()
    assert (counts.lost, counts.retried, counts.recovered) == (slow.lost, slow.retried, slow.recovered)
    assert engine.state.counter[COUNTER.flit_hops] == slow.flit_hops
    assert counts.lost + counts.retried > 0 and len(engine.verdicts) == len(plan)


@pytest.mark.parametrize("flush", [False, True])
def test_credits_that_come_back_together_are_not_lost_in_sets(flush) -> None:
    """A fault gives back several credits of an output VC for the same cycle; a set of output VCs holds one."""
    config = SimConfig(load=0.9, packet_flits="4", vcs=1, seed=3)
    fault = parse_fault("cycle=60,link=2-3")
    lists, sets, begun, resumed = (
        FaultyEngine(build("mesh:4"), "up_down", config, [fault], Recovery(flush=flush), threads=1) for _ in range(4)
    )
    lists.sets, sets.sets, begun.sets, resumed.sets = False, True, True, True
    lists.advance(160)
    sets.advance(160)
    begun.advance(61)  # some of the credits are on their way still
    resumed.recall(begun.remember())
    resumed.go_on(begun.cycle, begun.state, begun.earlier_events())
    resumed.advance(99)
    assert sets.memory.packs and lists.counts.flits_lost > 0
    for engine in (sets, resumed):
        check(engine)
        assert np.array_equal(engine.out_vcs, lists.out_vcs)
        assert np.array_equal(engine.state.histogram, lists.state.histogram)
        assert engine.state.counter[COUNTER.flit_hops] == lists.state.counter[COUNTER.flit_hops]


def test_no_sets_after_a_fault_under_a_routing_that_looks_at_queues() -> None:
    """No set is asked how full the queues are."""
    net, config = build("mesh:4x4"), SimConfig(load=0.3, packet_flits="1", vcs=2)
    lists, either = (FaultyEngine(net, "mesh.dimension_order", config, [], Recovery(), threads=1) for _ in range(2))
    lists.sets, either.sets = False, True
    assert either.memory.packs
    for engine in (lists, either):
        engine._take_over(net, bind("mesh.ugal", net, 2))
        engine.advance(CYCLES)
        check(engine)
    assert not either.memory.packs and lists.state.counter[COUNTER.ejected] > 0
    assert np.array_equal(either.out_vcs, lists.out_vcs)


@pytest.mark.parametrize("flits", ["1", "3"])
@pytest.mark.parametrize("after", ["mesh.valiant", "mesh.odd_even"])
def test_no_sets_after_a_fault_under_a_routing_that_reads_more_than_kept_routes_tell(after, flits) -> None:
    """The first reads a destination, the second a place on the way or an input port: neither names a kept route."""
    net, config = build("mesh:4x4"), SimConfig(load=0.5, packet_flits=flits, vcs=2)
    lists, sets = (FaultyEngine(net, "mesh.dimension_order", config, [], Recovery(), threads=1) for _ in range(2))
    lists.sets, sets.sets = False, True
    assert sets._as_sets()
    for engine in (lists, sets):
        engine._take_over(net, bind(after, net, 2))
        engine.advance(CYCLES)
        check(engine)
    assert not sets._as_sets() and lists.state.counter[COUNTER.ejected] > 0
    assert np.array_equal(sets.out_vcs, lists.out_vcs)
    sets._take_over(net, bind("mesh.west_first", net, 2))
    assert sets._as_sets()


def test_every_packet_is_delivered_or_counted() -> None:
    words = {"load": 0.4, "packet_flits": "6", "warmup_cycles": 0, "measure_cycles": 1500, "check_every_cycles": 50}
    faults = ["cycle=400,link=5-6,link=5-9,link=5-4,link=9-8,router=10", "cycle=700,link=0-1"]
    for retry in (None, 60):
        found = simulate_with_faults("torus:4x4", faults, "lash", retry_cycles=retry, vcs=4, **words)
        assert repr(found).startswith("FaultyResult(torus:4x4, ") and len(repr(found)) < 120
        assert found.drained and found.fault_verdicts == ["free", "free"] and found.endpoints_left == 15
        assert (found.retried > 0) == (retry is not None) and found.lost >= found.cut_off
        assert (found.lost == found.cut_off or retry is None) and found.not_created > 0
    # A fault after everything is over changes nothing.
    late = simulate_with_faults("torus:4x4", ["cycle=9000000,link=0-1"], "lash", vcs=4, **words)
    assert late.lost == late.rerouted == 0 and late.fault_verdicts == []


@pytest.mark.parametrize(
    ("fault", "words", "message"),
    [
        ("cycle=10,lnk=3-7", {}, "did you mean 'link'"),
        ("cycle=10,link=3", {}, "such as cycle=1000,link=3-7"),
        ("link=0-1", {}, "a cycle and a link or router expected"),
        ("cycle=10,cycle=20,link=0-1", {}, "one cycle expected"),
        ("cycle=\u00b2,link=0-1", {}, "such as cycle=1000,link=3-7"),
        ("cycle=10,link=0@4", {}, "link at port 4 of router 0 found, a port with a link expected"),
        ("cycle=10,link=0@16@2", {}, "such as cycle=1000,link=3-7"),
        ("cycle=10", {}, "a cycle and a link or router expected"),
        ("cycle=10,link=0-5", {}, "one of router 0 expected, to 1, 3, 4, 12"),
        ("cycle=10,link=0-99", {}, "routers 0 to 15 expected"),
        ("cycle=10,router=16", {}, "0 to 15 expected"),
        ("cycle=10,link=0-1", {"routing": "torus.dateline"}, "no route from router .* after the fault at cycle 10"),
        ("cycle=10,link=0-1", {"routing": "torus.dateline", "reroute": "lash"}, "needs [34] virtual channels after"),
        ("cycle=10,link=0-1", {"retry_cycles": -1}, "0 or more expected"),
        ("cycle=10,link=0-1", {"retry_cycles": "soon"}, "faults retry_cycles 'soon' found, a whole number expected"),
        ("cycle=10,link=0-1", {"on_rin": "drop"}, "did you mean 'on_ring'"),
    ],
)
def test_bad_faults_are_refused_in_one_line(fault, words, message) -> None:
    with pytest.raises(JumpnetError, match=message) as said:
        simulate_with_faults("torus:4x4", [fault], **{"routing": "up_down", "measure_cycles": 50, **words})
    assert "\n" not in str(said.value)


@pytest.mark.parametrize("links", [[(0,)], ["01"], [0], [(0, 1, 2)], [(0.5, 1)], [None]])
def test_links_of_a_fault_are_pairs_of_routers(links) -> None:
    with pytest.raises(JumpnetError, match=r"links .* found, pairs of routers expected"):
        Fault(400, links=links)
    with pytest.raises(JumpnetError, match=r"ports .* found, pairs of a router and its port expected"):
        Fault(400, ports=links)
    assert Fault(400, links=np.array([[0, 1]])) == Fault(400, links=((0, 1),))


@pytest.mark.parametrize(
    ("reuse", "says"),
    [
        ("auto", "has escapes, hyperx.dimension_order has none; vc_reuse=empty expected"),
        ("tail", "names a port without link"),
        ("empty", "names a port without link"),
    ],
)
def test_escapes_after_a_fault_need_buffers_of_one_packet_from_the_begin(reuse, says) -> None:
    """What `auto` is follows from the first routing; the second, asked when it comes, does not deliver here."""
    words = {"routing": "hyperx.dimension_order", "reroute": "hyperx.adaptive", "vcs": 2, "measure_cycles": 50}
    with pytest.raises(JumpnetError, match=says):
        simulate_with_faults("hyperx:4", ["cycle=10,router=3"], vc_reuse=reuse, **words)


@pytest.mark.parametrize("routings", [(), ("up_down", "lash"), ("up_down", "dfsssp"), ("up_down", "nue"), ("up_down",)])
@pytest.mark.parametrize(
    ("spec", "link", "seed"),
    [("fattree:2,n=2", "0-2", 10), ("fattree:2,n=3", "0-4", 1), ("clos:2,2,3", "1-3", 1), ("hypermesh:3", "0-9", 2)],
)
def test_heads_at_routers_without_terminals_are_routed_anew(spec, link, seed, routings, monkeypatch) -> None:
    """Some stand there when the link fails; by default `lash` is before the fault and after it."""
    words = {"load": 0.3, "packet_flits": "8", "seed": seed, "warmup_cycles": 0, "measure_cycles": 600, "vcs": 3}
    words |= dict(zip(("routing", "reroute"), routings, strict=False))
    standing, inner = [], FaultyEngine._start_here

    def watch(engine, flits):
        standing.extend(k // engine.shape.lanes for k, _ in heads_inside(engine, flits))
        inner(engine, flits)

    monkeypatch.setattr(FaultyEngine, "_start_here", watch)
    found = simulate_with_faults(spec, [f"cycle=300,link={link}"], **words)
    assert (build(spec).terminals[standing] == 0).any()
    assert found.rerouted > 0 and found.drained and found.fault_verdicts == ["free"] and found.cut_off == 0


def test_minimal_takes_over_at_routers_without_terminals_too() -> None:
    words = {"load": 0.3, "packet_flits": "8", "seed": 1, "warmup_cycles": 0, "measure_cycles": 600, "vcs": 3}
    found = simulate_with_faults("fattree:2,n=3", ["cycle=300,link=0-4"], "up_down", reroute="minimal", **words)
    assert found.rerouted > 0 and found.drained
