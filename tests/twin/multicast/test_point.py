"""Random multicasts on any network: kernel and reference agree, and without multicasts it is the plain simulator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, assume, example, given, settings
from hypothesis import strategies as st
from tests.naive.multicast_routers import MulticastSimulation

from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED
from jumpnet.jit.random import below, draw63
from jumpnet.sim.config import SimConfig, config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.creation import Creation
from jumpnet.sim.multicast.engine import MulticastEngine
from jumpnet.sim.multicast.simulate import simulate_multicasts
from jumpnet.sim.multicast.trees import Trees
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build

CYCLES = 50 if DISABLED else 150
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
NETWORKS = [
    ("torus:4x3", "torus.dateline", 2),
    ("mesh:3x2", "mesh.dimension_order", 1),
    ("hypercube:3", "hypercube.ecube", 1),
    ("cmesh:2x2,c=4", "mesh.dimension_order", 1),
    ("flatfly:2,n=2,c=2", "hyperx.dimension_order", 1),
    ("fattree:2,n=2", "fattree.nca:up=destination", 1),
    ("fly:2,n=2", "fly.destination_tag", 1),
    ("random:10,d=3,seed=4", "up_down", 1),
]
"""Several terminals at a router or none, links one way; routings without choices."""
CHOOSING = [
    ("torus:4x3", "torus.duato", 3),
    ("mesh:3x3", "mesh.west_first", 2),
    ("torus:4x4", "torus.valiant", 4),
    ("torus:4x4", "torus.ugal", 4),
    ("mesh:3x3", "mesh.dimension_order", 2),
    ("fattree:2,n=3", "fattree.nca:up=random", 1),
    ("hyperx:3x3", "hyperx.adaptive", 2),
]
"""Routings with choices, escapes and draws at the source: for packets to one destination."""
TREES = [
    (CHOOSING[0], "torus.dateline"),
    (CHOOSING[2], "torus.dateline"),
    (CHOOSING[3], "torus.dateline"),
    (CHOOSING[6], "hyperx.dimension_order"),
]
TWO_WAY = ("torus", "mesh", "hypercube", "cmesh", "flatfly", "random", "hyperx")
"""Where acknowledges can go back along the tree."""

drawn = st.fixed_dictionaries(
    {
        "load": st.sampled_from([0.05, 0.2, 0.45]),
        "packet_flits": st.sampled_from(["1", "5", "1*0.5+6*0.5", "1..4"]),
        "buffer_flits": st.integers(6, 9),
        "flow_control": st.sampled_from(["wormhole", "cut_through"]),
        "seed": st.integers(0, 1000),
        "routing_delay_cycles": st.integers(0, 2),
        "vc_allocation_delay_cycles": st.integers(0, 2),
        "switch_allocation_delay_cycles": st.integers(1, 2),
        "st_final_delay_cycles": st.integers(0, 2),
        "link_cycles": st.integers(1, 3),
        "terminal_link_cycles": st.integers(1, 2),
        "credit_delay_cycles": st.integers(0, 2),
        "vc_reuse": st.sampled_from(["tail", "empty"]),
        "allocator": st.sampled_from(["input_first", "output_first", "islip", "age"]),
        "allocator_iterations": st.integers(1, 3),
        "selection": st.sampled_from(["round_robin", "first", "credits"]),
        "speculation": st.booleans(),
        "injection_ports": st.integers(1, 2),
        "ejection_ports": st.integers(1, 2),
        "entry_vcs": st.integers(0, 2),
        "traffic": st.sampled_from(["uniform", "random_permutation", "hotspot:count=2"]),
        "injection": st.sampled_from(["bernoulli", "onoff"]),
    }
)
LATE: dict[str, Any] = {
    "load": 0.45, "packet_flits": "1..4", "buffer_flits": 6, "seed": 1, "routing_delay_cycles": 3, "speculation": False,
}  # fmt: skip
"""UGAL looks at the queues in the last of three cycles."""
casts = st.fixed_dictionaries(
    {
        "multicast_share": st.sampled_from([0.3, 1.0]),
        "destinations": st.integers(1, 3),
        "destination_sets": st.integers(1, 3),
        "repeated": st.booleans(),
        "acknowledge": st.sampled_from(["none", "direct", "combined"]),
        "ack_flits": st.integers(1, 3),
        "ack_delay_cycles": st.integers(0, 5),
        "combining_entries": st.integers(0, 3),
    }
)


def config_of(values: dict[str, Any], vcs: int) -> SimConfig:
    """The drawn settings with events; speculation goes with one iteration."""
    once = {"allocator_iterations": 1} if values["speculation"] else {}
    return config_from({**values, **once, "events": True, "vcs": vcs})


def sources(which: tuple[str, str, int], config: SimConfig, **cast: Any) -> tuple[Creation, Trees]:
    spec, routing, vcs = which
    net = build(spec)
    trees = Trees(net, "paths", routing, vcs, tree_routing=cast.get("tree_routing", ""))
    return Creation(net, config, MulticastConfig(**cast), trees), trees


def sent_numbers(creation: Creation, source: int, count: int) -> list[int]:
    """Numbers of a terminal's first packets; a pattern may send nothing, which counts too."""
    pattern, key, found, k = creation.pattern, creation.keys[source][1], list[int](), 0
    while len(found) < count:
        if pattern(source, below(draw63(key, 4 * k), pattern.draws)) >= 0:
            found.append(k)
        k += 1
    return found


@settings(max_examples=4 if DISABLED else 40, phases=PHASES, deadline=None)
@given(which=st.sampled_from(NETWORKS + CHOOSING), values=drawn)
@example(which=CHOOSING[3], values=LATE)
def test_without_multicasts_the_events_are_those_of_the_plain_simulator(
    which: tuple[str, str, int], values: dict[str, Any]
) -> None:
    spec, routing, vcs = which
    config = config_of(values, vcs)
    plain = Engine(build(spec), routing, config)
    plain.advance(CYCLES)
    creation, trees = sources(which, config, multicast_share=0.0, destinations=1)
    created = creation.until(CYCLES)
    assume(created is not None)
    assert created is not None
    branching = MulticastEngine(plain.network, vcs, trees.forest(), created, plain.config, None, trees.routing)
    branching.go(CYCLES)
    branching.check()
    number = np.zeros(len(created.cycle), np.int64)
    for source in np.unique(created.source):
        mine = created.source == source
        number[mine] = sent_numbers(creation, int(source), int(mine.sum()))
    theirs = plain.events()
    theirs = theirs[theirs[:, 0] < branching.cycle]
    ours = branching.events()
    ours = ours[ours[:, 0] < branching.cycle]
    message = ours[:, 2].copy()
    ours[:, 2], ours[:, 3] = np.asarray(created.source)[message], number[message]
    assert (ours[:, 4] == 0).all()
    assert sorted(ours.tolist()) == sorted(theirs.tolist())


@settings(max_examples=4 if DISABLED else 40, phases=PHASES, deadline=None)
@given(which=st.sampled_from(NETWORKS), values=drawn, cast=casts)
def test_kernel_equals_reference(which: tuple[str, str, int], values: dict[str, Any], cast: dict[str, Any]) -> None:
    assert_same_as_reference(which, values, cast)


@settings(max_examples=2 if DISABLED else 20, phases=PHASES, deadline=None)
@given(which=st.sampled_from(TREES), values=drawn, cast=casts)
@example(which=TREES[2], values=LATE, cast={"destinations": 3, "acknowledge": "combined", "repeated": False})
def test_trees_beside_packets_whose_routing_chooses(
    which: tuple[tuple[str, str, int], str], values: dict[str, Any], cast: dict[str, Any]
) -> None:
    """Choices of the router, escapes, draws at the source, and a look at the queues there (UGAL)."""
    assert_same_as_reference(which[0], values, {**cast, "tree_routing": which[1], "multicast_share": 0.3})


def assert_same_as_reference(which: tuple[str, str, int], values: dict[str, Any], cast: dict[str, Any]) -> None:
    """Run kernel and reference on the same random messages: the same events and times."""
    assume(cast["acknowledge"] != "combined" or cast["repeated"] or which[0].split(":")[0] in TWO_WAY)
    config = config_of(values, which[2])
    creation, trees = sources(which, config, **cast)
    created = creation.until(CYCLES // 2)
    assume(created is not None)
    assert created is not None
    answers, net = creation.cast, creation.network
    forest = trees.forest()
    engine = MulticastEngine(net, trees.vcs, forest, created, config, answers, trees.routing)
    while engine.cycle < CYCLES and engine.go(10):
        engine.check()
    engine.check()
    slow = MulticastSimulation(net, trees.vcs, forest, created, config, answers, trees.routing)
    slow.run(engine.cycle)
    ours = [tuple(row) for row in engine.events().tolist() if row[0] < engine.cycle]
    assert ours == sorted(slow.events) and ours
    result = engine.result()
    assert (result.fallbacks, result.link_flits) == (slow.fallbacks, slow.link_flits)
    for m in range(len(created.cycle)):
        for fast, known in ((result.last_arrival, slow.last_arrival), (result.acknowledged, slow.acknowledged)):
            if fast[m] < engine.cycle:
                assert fast[m] == known.get(m, -1)


@pytest.mark.parametrize(
    ("spec", "routing", "what"),
    [
        ("fattree:2,n=2", "fattree.anca_booksim", "chooses again at every router"),
        ("dragonfly:1", "dragonfly.ugal_g", "sees the queues of other routers"),
        ("dragonfly:1", "dragonfly.booksim", "keeps to one virtual channel at the ends"),
    ],
)
def test_routings_of_which_the_kernel_knows_nothing_are_refused(spec: str, routing: str, what: str) -> None:
    """They ran, as if they were without that."""
    with pytest.raises(JumpnetError, match=f"^routing {routing} found, which {what}: "):
        simulate_multicasts(spec, routing, multicast_share=0.0, destinations=1, load=0.1)


@pytest.mark.skipif(DISABLED, reason="thousands of cycles")
@pytest.mark.parametrize("window", [{"warmup_cycles": 300, "measure_cycles": 2600}, {"max_cycles": 12_000}])
def test_without_multicasts_the_figures_are_those_of_the_plain_simulator(window: dict[str, int]) -> None:
    """Latency, its percentiles and bands, loads and phases, given or found."""
    common: dict[str, Any] = {"load": 0.2, "packet_flits": "1*0.5+6*0.5", "batch_cycles": 200, **window}
    plain = simulate("torus:4x4", "torus.dateline", **common)
    branching = simulate_multicasts("torus:4x4", "torus.dateline", multicast_share=0.0, **common)
    shared = branching.figures.keys() & plain.figures.keys() - {
        "cpu_seconds", "flit_hops_per_cpu_second", "flit_hops", "source_lag"}  # fmt: skip
    assert len(shared) == 21 and {"packet_latency_half_width_cycles", "packet_latency_p99_cycles"} <= shared
    for key in shared:
        assert plain.figures[key] == branching.figures[key], key
