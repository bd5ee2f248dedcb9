"""Sets where queues decide: start hooks that look at them, at the first router or at each, and channels by credits."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.twin.sim.test_sets import CYCLES, PHASES, assert_same, drawn, engines

from jumpnet.jit.decorator import DISABLED
from jumpnet.routings import bind
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.checks import check
from jumpnet.sim.memory import layout as at
from jumpnet.sim.reference.simulation import Simulation
from jumpnet.topology import build

UGAL, ALL_GROUP, EACH_HOP = ("torus:3x3", "torus.ugal", 4), ("dragonfly:1", "dragonfly.ugal_g", 3), 4
NETWORKS = [
    UGAL,
    ALL_GROUP,
    ("mesh:4x3", "mesh.ugal", 2),
    ("mesh:9x8", "mesh.o1turn_adaptive", 4),  # routes are kept by the state that the hook leaves
    ("fattree:2,n=3", "fattree.anca_booksim", 2),
    ("dragonfly:2,p=1,a=3,g=4", "dragonfly.par", 4),
    ("fattree:2,n=3", "fattree.anca_booksim", 6),  # 36 lanes
    ("flatfly:2,n=2,c=2", "hyperx.ugal_booksim", 3),
    ("hypercube:4", "hypercube.ugal", 2),
    ("mesh:4x3", "mesh.west_first", 3),  # nothing looks, unless output VCs are chosen by credits
    ("mesh:4x3", "mesh.west_first", 2),  # with single flits heads would get output VCs together, were these in turn
    ("hyperx:3x3", "hyperx.adaptive", 2),  # kept routes change the state; the first candidate is not the lowest
]
by_queues = st.fixed_dictionaries({"selection": st.sampled_from(["round_robin", "first", "credits"])})
rooms = st.sampled_from([{}, {"flow_control": "cut_through", "buffer_flits": 40}, {"vc_reuse": "empty"}])


@settings(max_examples=6 if DISABLED else 60, phases=PHASES, deadline=None)
@given(st.sampled_from(NETWORKS), drawn, by_queues, rooms, st.lists(st.integers(1, 60), min_size=1, max_size=4))
@example(UGAL, {"load": 0.9, "packet_flits": "1"}, {}, {}, [1, 2])
@example(UGAL, {"load": 0.9, "packet_flits": "2", "routing_delay_cycles": 0, "credit_delay_cycles": 2}, {}, {}, [1, 1])
@example(UGAL, {"load": 0.9, "packet_flits": "2", "routing_delay_cycles": 3}, {}, {}, [1, 2, 1])
@example(UGAL, {"load": 0.9, "routing_delay_cycles": 3, "stage_batches": True}, {}, {}, [1, 2, 1])
@example(ALL_GROUP, {"load": 0.9, "packet_flits": "2"}, {"selection": "credits"}, {}, [1, 2])
@example(ALL_GROUP, {"load": 0.9, "packet_flits": "2", "routing_delay_cycles": 0}, {}, {}, [2, 1])
@example(NETWORKS[3], {"load": 0.5, "packet_flits": "4"}, {}, {}, [3, 1])
@example(NETWORKS[3], {"load": 0.5, "packet_flits": "1"}, {}, {}, [3, 1])
@example(NETWORKS[EACH_HOP], {"load": 0.9, "packet_flits": "1..4"}, {}, {}, [1, 2])
@example(NETWORKS[6], {"load": 0.9, "packet_flits": "3", "allocator": "islip"}, {}, {}, [1, 2])
@example(NETWORKS[9], {"load": 0.9, "packet_flits": "1"}, {"selection": "first"}, {}, [1, 2])
@example(NETWORKS[9], {"load": 0.9, "packet_flits": "4"}, {"selection": "credits"}, {}, [1, 2])
@example(NETWORKS[10], {"load": 0.5, "packet_flits": "1"}, {"selection": "credits"}, {}, [1, 2])
@example(NETWORKS[11], {"load": 0.6, "packet_flits": "1"}, {"selection": "first"}, {}, [1, 2])
@example(
    NETWORKS[11],
    {"load": 0.3, "packet_flits": "2", "vc_allocator": "output_first"},
    {"selection": "first"},
    {},
    [1, 2],
)
def test_sets_equal_rows_where_queues_decide(
    which: tuple[str, str, int], values: dict[str, Any], choice: dict[str, Any], room: dict[str, Any], pieces: list[int]
) -> None:
    """At one go, in pieces, and changing between the two."""
    rows, sets = engines(*which, config_from({"vc_reuse": "tail", **values, **choice, **room, "vcs": which[2]}))
    for engine in (rows, sets):
        engine.advance(CYCLES)
        check(engine)
    assert_same(rows, sets)
    for k, cycles in enumerate(pieces):
        sets.sets = k % 2 == 0
        for engine in (rows, sets):
            engine.advance(cycles)
        assert_same(rows, sets)
        check(sets)


@settings(max_examples=3 if DISABLED else 20, phases=PHASES, deadline=None)
@given(st.sampled_from(NETWORKS), drawn, by_queues)
def test_sets_equal_reference_where_queues_decide(
    which: tuple[str, str, int], values: dict[str, Any], choice: dict[str, Any]
) -> None:
    spec, routing, vcs = which
    bound = bind(routing, build(spec), vcs)
    config = config_from({"vc_reuse": "tail", **values, **choice, "vcs": vcs})
    engine = Engine(bound.network, bound, config, threads=1, sets=True)
    engine.advance(CYCLES // 2)
    slow = Simulation(bound.network, bound, engine.config)
    slow.run(CYCLES // 2 + engine.shape.sa + engine.shape.st + engine.shape.terminal_link)
    counted = engine.state.histogram.reshape(engine.config.classes, at.HISTOGRAMS, -1)[0, at.H_FLIT]
    assert {int(k): int(counted[k]) for k in counted.nonzero()[0]} == slow.flit_latencies[0]


@pytest.mark.parametrize("settings", [{"packet_flits": "1"}, {"vcs": 8}, {"selection": "credits"}], ids=str)
def test_lists_serve_few_flits_and_sets_many(settings: dict[str, Any]) -> None:
    """A run whose start hook looks at queues goes by lists of lanes while it has few flits."""
    engine = Engine(build("torus:4x4"), "torus.ugal", config_from({"load": 0.6, "vcs": 4, **settings}), threads=1)
    assert engine.memory.packs and not engine._as_sets()
    assert engine.memory.by_lists == 1
    engine.advance(CYCLES)
    assert engine._as_sets()
