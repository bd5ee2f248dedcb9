"""Old and new routes that meet after a fault: the verdict by its definition, rings dropped; traces, threads, kills."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from tests.naive.dependency import dependency_sets
from tests.naive.sim_faults import FaultySimulation

import jumpnet.sim.measure.checkpoint
from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.fault.random_faults import working_part
from jumpnet.jit.decorator import DISABLED
from jumpnet.routings import bind
from jumpnet.sim.config import SimConfig
from jumpnet.sim.faults.engine import FaultyEngine
from jumpnet.sim.faults.plan import Recovery, parse_fault, ports_between
from jumpnet.sim.faults.simulate import simulate_with_faults
from jumpnet.sim.measure.checkpoint import Checkpoint
from jumpnet.sim.measure.checks import check
from jumpnet.sim.reference.simulation import Simulation
from jumpnet.topology import build
from jumpnet.traffic import PacketList

CASES: list[tuple[str, str, str, int, str, dict[str, Any]]] = [
    ("torus:4x3", "lash", "lash", 3, "cycle=60,link=0-1,link=4-5", {}),
    ("mesh:3x3", "mesh.dimension_order", "up_down", 2, "cycle=60,link=3-4", {}),
    ("mesh:3x3", "mesh.dimension_order", "lash", 2, "cycle=60,link=1-4", {"reply_flits": 3}),
    ("torus:3x3", "torus.dateline", "lash", 3, "cycle=60,router=4", {}),
    ("mesh:2x4", "up_down", "up_down", 1, "cycle=60,link=2-4", {"packet_flits": "2"}),
]


def test_verdicts_are_those_of_the_definition() -> None:
    """The twin's packets, followed one by one on the twin's objects, and every packet of the new routing."""
    seen = set()
    for (spec, first, second, vcs, fault, words), seed in [(case, seed) for case in CASES for seed in (1, 2, 3)]:
        net, plan = build(spec), parse_fault(fault)
        config = SimConfig(**{"packet_flits": "6", "load": 0.9, "vcs": vcs, "seed": seed, **words})
        engine = FaultyEngine(net, first, config, [plan], Recovery(second))
        engine.advance(plan.cycle + 1)
        dead = [channel for a, b in plan.links for channel in ports_between(net, a, b)]
        part = working_part(degraded(net, plan.routers, dead))
        bound = bind(second, part, vcs)
        slow = FaultySimulation(Simulation(net, bind(first, net, vcs), config), None, False)
        slow.run(plan.cycle, {})
        slow.apply_fault(plan.cycle, part, bound)
        graphs = [nx.DiGraph(dependency_sets(bound)[1] | slow.dependencies(kind)) for kind in range(config.classes)]
        found = engine.meetings[0]
        assert (found["verdict"] == "proved") == all(nx.is_directed_acyclic_graph(graph) for graph in graphs)
        ring = [tuple(channel) for channel in found["ring"]]
        edges = list(zip(ring, [*ring[1:], *ring[:1]], strict=True))
        assert any(all(graph.has_edge(*edge) for edge in edges) for graph in graphs)
        seen.add(found["verdict"])
    assert seen == {"proved", "ring"}


WORDS: dict[str, Any] = {"load": 0.9, "packet_flits": "8", "warmup_cycles": 100, "measure_cycles": 600, "seed": 2}


def test_a_ring_that_deadlocks_is_foretold_and_dropped() -> None:
    words = {**WORDS, "vcs": 2, "deadlock_cycles": 300, "drain": False, "reroute": "lash"}
    where = "mesh:4x4", ["cycle=300,link=5-6,link=9-10"], "mesh.dimension_order"
    watched, dropped = (simulate_with_faults(*where, on_ring=way, **words) for way in ("watch", "drop"))
    assert watched.meetings[0]["verdict"] == dropped.meetings[0]["verdict"] == "ring"
    assert watched.deadlock and not dropped.deadlock and dropped.dropped_on_rings == dropped.meetings[0]["dropped"] > 0
    again = simulate_with_faults(*where, on_ring="drop", retry_cycles=0, **words)
    assert not again.deadlock and again.lost == 0 and again.retried == watched.lost + again.dropped_on_rings


def test_packets_dropped_from_rings_leave_the_laws_whole() -> None:
    for spec, first, second, vcs, fault, words in CASES:
        config = SimConfig(**{"packet_flits": "6", "load": 0.9, "vcs": vcs, **words})
        for seed in (1, 2, 3):
            engine = FaultyEngine(
                build(spec), first, config.replace(seed=seed), [parse_fault(fault)], Recovery(second, on_ring="drop")
            )
            engine.advance(61)
            check(engine)
            assert (engine.meetings[0]["dropped"] > 0) == (engine.meetings[0]["verdict"] == "ring")
            engine.advance(200)
            check(engine)


@pytest.mark.skipif(DISABLED, reason="threads need the compiled kernel")
def test_any_number_of_threads_gives_the_same() -> None:
    words = {**WORDS, "vcs": 4, "load": 0.3, "retry_cycles": 40, "on_ring": "drop"}
    faults = ["cycle=250,link=0-1,link=40-41", "cycle=400,router=63"]
    rows = []
    for threads in (1, 2, 4):
        found = simulate_with_faults("torus:16x8", faults, "lash", threads=threads, **words)
        rows.append({key: value for key, value in found.row().items() if "cpu" not in key})
    assert rows[0] == rows[1] == rows[2] and rows[0]["retried"] > 0


def _trace(net, packets: int, seed: int) -> PacketList:
    rng = np.random.default_rng(seed)
    columns = np.sort(rng.integers(0, 900, packets)), *(rng.integers(0, net.endpoints, packets) for _ in range(2))
    return PacketList(*columns, rng.integers(1, 7, packets))


def test_packets_of_a_trace_arrive_or_are_counted() -> None:
    net = build("torus:4x4")
    trace = _trace(net, 700, 1)
    words = {"warmup_cycles": 0, "measure_cycles": 1200, "vcs": 4, "check_every_cycles": 50}
    for retry in (None, 30):
        found = simulate_with_faults(
            net, ["cycle=300,router=5", "cycle=500,link=0-1"], trace=trace, retry_cycles=retry, **words
        )
        assert (
            found.drained
            and found.not_created > 0
            and found.packets + found.lost + found.not_created == 700 - _never(trace)
        )
    late = (np.asarray(trace.cycle) > 310) & (np.asarray(trace.destination) == 5) & (np.asarray(trace.source) != 5)
    assert found.not_created >= late.sum() > 0


def _never(trace: PacketList) -> int:
    """Packets that the dead terminal would still have sent."""
    return int(((np.asarray(trace.cycle) >= 300) & (np.asarray(trace.source) == 5)).sum())


class _Stopped(Exception):
    """A run that ends right after a checkpoint."""


@pytest.mark.parametrize("traced", [False, True])
def test_a_run_that_is_killed_again_and_again_gives_the_same(tmp_path, monkeypatch, traced: bool) -> None:
    net = build("torus:4x4")
    words: dict[str, Any] = {**WORDS, "vcs": 3, "batch_cycles": 50, "retry_cycles": 80, "on_ring": "drop"}
    if traced:
        words["trace"] = _trace(net, 3000, 2)
    faults = ["cycle=220,router=5", "cycle=430,link=0-1"]
    whole = simulate_with_faults(net, faults, "lash", **words)
    write, kept = jumpnet.sim.measure.checkpoint.keep_arrays, []

    def stop(path: Path, arrays: dict[str, Any], key: bytes) -> None:
        write(path, arrays, key)
        kept.append(path)
        raise _Stopped

    monkeypatch.setattr(jumpnet.sim.measure.checkpoint, "keep_arrays", stop)
    found = None
    while found is None:
        file = Checkpoint(tmp_path / "run.npz", 0.0)
        try:
            found = simulate_with_faults(net, faults, "lash", checkpoint=file, **words)
        except _Stopped:
            assert len(kept) < 100
    timed = {"cpu_seconds", "flit_hops_per_cpu_second"}
    one, two = ({k: v for k, v in r.row().items() if k not in timed} for r in (whole, found))
    assert str(one) == str(two) and len(kept) > 8 and whole.retried > 0
    with pytest.raises(JumpnetError, match="another point"):
        simulate_with_faults(net, faults[:1], "lash", checkpoint=Checkpoint(tmp_path / "run.npz", 0.0), **words)


def test_a_word_that_is_not_known_is_refused() -> None:
    with pytest.raises(JumpnetError, match="did you mean 'drop'"):
        simulate_with_faults("torus:4x4", ["cycle=9,link=0-1"], on_ring="dorp")
