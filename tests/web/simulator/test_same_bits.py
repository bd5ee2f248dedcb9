"""The simulator in WebAssembly gives the same bits as the native one: figures, histograms, links, buffers, flits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.web.simulator.in_node import answers

from jumpnet.errors import JumpnetError
from jumpnet.explore.kernels import Run, run_image
from jumpnet.explore.kernels.names import SETS, SINGLE
from jumpnet.explore.packed import unpack
from jumpnet.routings import bind, default_routing
from jumpnet.routings.view import IN_PORT, IN_VC, NEXT_STATE, PORT, STATE, VC, call, call_start, new_head, new_out
from jumpnet.sim.config import preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.checks import occupancy
from jumpnet.sim.measure.measure import measure
from jumpnet.sim.measure.run import sent_flits
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, LANE_ROW
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build

SETTINGS: list[tuple[str, str | None, dict[str, Any]]] = [
    ("torus:4x4", "torus.dateline", {"vcs": 2, "load": 0.2, "packet_flits": "5"}),
    ("torus:8x8", "torus.duato", {"vcs": 3, "load": 0.3, "packet_flits": "16"}),
    ("torus:8x8", "torus.valiant", {"load": 0.15, "packet_flits": "1", "traffic": "tornado"}),
    ("torus:4x4x4", "torus.ugal", {"load": 0.3, "packet_flits": "5", "traffic": "bit_complement"}),
    ("torus:8", "torus.bubble", {"load": 0.2, "packet_flits": "5", "buffer_flits": 16, "flow_control": "cut_through"}),
    ("mesh:8x8", "mesh.dimension_order", {"vcs": 1, "load": 0.2, "packet_flits": "5", "traffic": "transpose"}),
    ("mesh:8x8", "mesh.dimension_order", {"vcs": 1, "load": 0.2, "packet_flits": "1"}),
    ("mesh:8x8", "mesh.odd_even", {"vcs": 2, "load": 0.25, "packet_flits": "5", "traffic": "transpose"}),
    ("mesh:4x4", "mesh.o1turn", {"load": 0.4, "packet_flits": "1*0.5+5*0.5", "hold_switch": True}),
    ("mesh:8x8", "mesh.romm", {"load": 0.2, "packet_flits": "1", "injection": "onoff:alpha=0.1,beta=0.2"}),
    ("hypercube:6", "hypercube.ecube", {"vcs": 8, "load": 0.6, "packet_flits": "16"}),
    ("hypercube:5", "hypercube.duato", {"vcs": 4, "load": 0.5, "packet_flits": "5", "traffic": "hotspot"}),
    ("dragonfly:2", "dragonfly.minimal", {"load": 0.2, "packet_flits": "5", "traffic": "bad_dragonfly"}),
    ("dragonfly:2", "dragonfly.ugal_g", {"load": 0.3, "packet_flits": "1", "traffic": "bad_dragonfly"}),
    ("fattree:4,n=3", "fattree.nca", {"load": 0.5, "packet_flits": "5", "traffic": "random_permutation"}),
    ("hyperx:4x4", "hyperx.adaptive", {"load": 0.4, "packet_flits": "16"}),
    ("rdt:8", "rdt.duato", {"load": 0.2, "packet_flits": "16"}),
    ("rdt:16", "rdt.floating", {"load": 0.1, "packet_flits": "16", "vcs": 2}),
    ("slimfly:5", None, {"load": 0.3, "packet_flits": "5"}),
    ("torus:8x8", "torus.dateline", {"vcs": 4, "load": 0.9, "packet_flits": "5", "allocator": "islip"}),
    ("clos:4,4,8", None, {"load": 0.4, "packet_flits": "5", "speculation": True, "link_cycles": 3}),
]  # fmt: skip
PHASES = {"warmup_cycles": 300, "measure_cycles": 900}
BATCH = {"batch_cycles": 100}
MISSING = {
    "channel_load_by_rank", "channel_load_max_by_rank", "buffer_occupancy_by_rank_flits", "cpu_seconds",
    "flit_hops_per_cpu_second", "deadlock",
}  # fmt: skip
"""Figures that the page does not show."""


def _native(spec: str, routing: str | None, settings: dict[str, Any]) -> Any:
    """The engine after a measured run, and its result."""
    net = build(spec)
    config = preset("booksim", **settings, **PHASES, **BATCH)
    engine = Engine(net, routing or default_routing(net, config.vcs), config)
    return engine, measure(engine)


def _flits(engine: Engine) -> set[tuple[int, ...]]:
    """(router, port, vc, place, ready) of the flits in the network, from the engine's arrays."""
    s, found = engine.shape, set()
    slots, lanes = engine.slots, engine.lanes
    for row, slot in zip(*np.nonzero(slots[: s.routers * s.lanes] >= at.FLIT), strict=True):
        place = (int(slot) - int(lanes[row, LANE_ROW.read])) % s.buffer
        r, b = divmod(int(row), s.lanes)
        found.add((r, b // s.vcs, b % s.vcs, place, int(slots[row, slot]) - at.FLIT))
    return found


def _sent(engine: Engine) -> list[int]:
    return sent_flits(engine)[:, : engine.shape.link_outputs].ravel().tolist()


def test_same_bits() -> None:
    """Routers are kept as sets wherever that can be, other tests leave it to the run; single flits are set there."""
    more, jobs, entries = [37, 512], [], []
    for spec, routing, settings in SETTINGS:
        changed = {"packet_flits": 1} if settings["packet_flits"] == "1" else {}
        image = run_image(
            spec, *([routing] if routing else []), **settings | ({"packet_flits": "4"} if changed else {}), **BATCH
        )
        jobs.append({"image": image, "set": changed, "phases": PHASES, "flits": True, "more": more, "sets": True})
        entries.append(unpack(image)["told"][0]["entries"] | {"are single": bool(changed)})
    assert {each.get("sets") for each in entries} == {None, *SETS.values()}
    assert {each.get("single") for each in entries if each["are single"]} == {None, *SINGLE.values()}
    for (spec, routing, settings), got in zip(SETTINGS, answers(jobs), strict=True):
        what = f"{spec} {routing} {settings}"
        engine, result = _native(spec, routing, settings)
        expected = {k: v for k, v in result.figures.items() if k not in MISSING}
        plain = {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in expected.items()}
        assert {k: got["figures"].get(k, "missing") for k in plain} == plain, what
        seen = engine.state.counter[COUNTER.max_latency] + 1
        for row, histogram in zip(engine.state.histogram[: at.HISTOGRAMS], got["histograms"], strict=True):
            assert row[:seen].tolist() == histogram, what
        assert got["cycle"] == engine.cycle, what
        assert got["links"] == _sent(engine), what
        assert got["held"] == occupancy(engine).sum(axis=2).ravel().tolist(), what
        flits = {tuple(one[k] for k in ("router", "port", "vc", "place", "ready")) for one in got["flits"]}
        assert flits == _flits(engine), what
        assert len(got["flits"]) == engine.flits_inside, what
        for cycles, (cycle, *links) in zip(more, got["more"], strict=True):
            engine.advance(cycles)
            assert (cycle, links) == (engine.cycle, _sent(engine)), what


def test_a_deadlock_is_the_ring_that_python_finds() -> None:
    settings = {"vcs": 1, "load": 0.9, "deadlock_cycles": 100}
    spec, routing = "torus:4x4", "torus.dimension_order"
    (got,) = answers([{"image": run_image(spec, routing, **settings, **BATCH), "phases": PHASES}])
    _, result = _native(spec, routing, settings)
    assert result.figures["deadlock"] is not None
    assert got["ring"] == [{"router": r, "port": p, "vc": v} for r, p, v in result.figures["deadlock"]]
    for name in ("deadlocked", "saturated", "cycles", "flit_hops", "longest_wait_cycles"):
        assert got["figures"][name] == result.figures[name], name


def test_settings_changed_in_the_page() -> None:
    spec, routing = "torus:4x4", "torus.dateline"
    changed: list[dict[str, Any]] = [
        {"load": 0.37}, {"load": 0.0}, {"seed": 4294967295}, {"packet_flits": 3},
        {"seed": 9, "load": 0.05, "packet_flits": 1},
    ]  # fmt: skip
    bursts = {"injection": "onoff:alpha=0.02,beta=-1,r1=0.05"}
    jobs = [{"image": run_image(spec, routing, **BATCH), "phases": PHASES, "set": each} for each in changed]
    jobs.append({"image": run_image(spec, routing, **BATCH, **bursts), "phases": PHASES, "set": {"load": 0.21}})
    given = [*({k: str(v) if k == "packet_flits" else v for k, v in each.items()} for each in changed)]
    for settings, got in zip([*given, {**bursts, "load": 0.21}], answers(jobs), strict=True):
        result = simulate(spec, routing, **PHASES, **BATCH, **settings)
        for name in ("packets", "flit_hops", "accepted_load", "packet_latency_mean_cycles", "cycles", "saturated"):
            value = result.figures[name]
            plain = None if isinstance(value, float) and math.isnan(value) else value
            assert got["figures"][name] == plain, (settings, name)


@pytest.mark.parametrize(("load", "injection"), [(0.1, "bernoulli"), (0.1, "onoff:alpha=0.05,beta=0.1")])
def test_a_load_that_changes_while_a_run_goes_on(load: float, injection: str) -> None:
    """Natively its loads are known before: sources that are behind create what was due before a change."""
    spec, routing = "torus:4x4", "torus.dateline"
    steps = [
        [0.0, 300],
        [0.4, 300],
        [0.05, 700],
        [0.0, 100],
        [0.9, 200],
        [0.0, 50],
        *[[k % 5 / 10, 7] for k in range(9)],
    ]
    settings = {"packet_flits": "5", "injection": injection}
    (got,) = answers([{"image": run_image(spec, routing, load=load, **settings, **BATCH), "live": steps}])
    cycles = np.cumsum([0, *(cycles for _, cycles in steps)]).tolist()
    later = ",".join(f"{cycle}:{load}" for (load, _), cycle in zip(steps[1:], cycles[1:], strict=False))
    phases = {"warmup_cycles": 0, "measure_cycles": cycles[-1]}
    config = preset("booksim", load=steps[0][0], load_steps=later, **settings, **phases, **BATCH)
    engine = Engine(build(spec), routing, config)
    for until, (cycle, *links) in zip(cycles[1:], got["live"], strict=True):
        engine.advance(until - engine.cycle)
        assert (cycle, links) == (engine.cycle, _sent(engine)), until
    assert sum(got["live"][0][1:]) == 0 < sum(got["live"][1][1:])


def test_several_runs_of_a_network_share_an_image() -> None:
    runs = [Run("torus.dateline", {"vcs": 2}), Run("torus.dateline", {"vcs": 4}), Run("torus.duato", {"vcs": 4})]
    image = run_image("torus:8x8", *runs, load=0.2, **BATCH)
    alone = sum(len(run_image("torus:8x8", run, load=0.2, **BATCH)) for run in runs)
    assert len(image) < 0.8 * alone
    which = [{"routing": str(run.routing), "vcs": run.settings["vcs"]} for run in runs]
    got = answers([{"image": image, "phases": PHASES, "which": each} for each in which])
    for run, answer in zip(runs, got, strict=True):
        result = simulate("torus:8x8", str(run.routing), load=0.2, **PHASES, **BATCH, **run.settings)
        assert answer["figures"]["packet_latency_mean_cycles"] == result.figures["packet_latency_mean_cycles"]


ROUTES = [
    ("torus:8x8", "torus.valiant"), ("torus:8x8", "torus.duato"), ("mesh:8x8", "mesh.odd_even"),
    ("star:5", "star.sort"), ("rdt:16", "rdt.duato"), ("dragonfly:2", "dragonfly.par"), ("ccc:4", "ccc.ecube"),
    ("random:64,d=4", "lash"), ("kautz:3,n=3", "kautz.shift"), ("srt2d:16", "srt.hierarchical"),
    ("fly:2,n=4", "fly.destination_tag"),
]  # fmt: skip


def _followed(spec: str, routing: str, source: int, destination: int, draw: int) -> dict[str, Any]:
    net = build(spec)
    bound = bind(routing, net)
    head, out, hops, here = new_head(source, destination), new_out(), [], source
    call_start(bound.start_pointer, bound.view, head, draw, np.zeros(bound.view.queues, np.int64))
    while (count := call(bound.pointer, bound.view, here, head, out)) > 0:
        hops.append([here, *([port, vc, str(state), kind] for port, vc, state, kind in out[:count].tolist())])
        port, vc, state = (int(out[len(hops) % count, k]) for k in (PORT, VC, NEXT_STATE))
        head[[STATE, IN_PORT, IN_VC]] = state, net.far_port[here, port], vc
        here = int(net.neighbor[here, port])
        if len(hops) > 200:
            break
    return {"hops": hops, "end": here}


def test_relations_answer_as_in_python() -> None:
    jobs = []
    for spec, routing in ROUTES:
        net, draws = build(spec), bind(routing, build(spec)).draws
        ends, sinks = np.unique(net.terminal_router).tolist(), np.unique(net.sink_router).tolist()
        pairs = [[ends[7 * k % len(ends)], sinks[(13 * k + 5) % len(sinks)], 11 * k % draws] for k in range(12)]
        jobs.append({"image": run_image(spec, routing), "pairs": pairs})
    for (spec, routing), job, got in zip(ROUTES, jobs, answers(jobs), strict=True):
        for pair, route in zip(job["pairs"], got["routes"], strict=True):
            assert route == _followed(spec, routing, *pair), (spec, routing, pair)


@pytest.mark.parametrize(
    "settings", [{"reply_flits": 5}, {"more_classes": ({},)}, {"injection": "nothing"}, {"seed": 2**53}]
)
def test_what_the_page_does_not_run_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(JumpnetError):
        run_image("torus:4x4", **settings)
