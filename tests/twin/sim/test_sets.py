"""Routers kept as sets leave what routers kept as rows leave, and what the object-oriented reference measures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from tests.twin.sim.slots_left import slots_left

from jumpnet.jit.decorator import DISABLED
from jumpnet.routings import Routing, bind
from jumpnet.routings.view import IN_PORT, STATE, call, new_head, new_out
from jumpnet.sim.config import SimConfig, config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.checks import check
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, LANE_ROW, PACKET_ROW
from jumpnet.sim.reference.simulation import Simulation
from jumpnet.topology import build

CYCLES = 50 if DISABLED else 400
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)

NETWORKS = [
    ("torus:4", "torus.dateline", 2),
    ("torus:3x3", "torus.booksim", 2),
    ("fattree:2,n=3", "fattree.nca:up=random", 1),
    ("torus:6x6", "torus.dateline", 2),
    ("mesh:3x2", "mesh.dimension_order", 1),
    ("mesh:4x3", "mesh.west_first", 2),
    ("mesh:9x9", "mesh.dimension_order", 2),
    ("hypercube:4", "hypercube.ecube", 1),
    ("cmesh:2x2,c=3", "mesh.dimension_order", 2),
    ("fly:2,n=3", "fly.destination_tag", 1),
    ("kautz:2,n=2", "kautz.shift", 2),
    ("random:10,d=3,seed=4", "up_down", 2),
    ("complete:5", "minimal", 1),
    ("mesh:4x4", "mesh.duato", 2),  # escapes
    ("mesh:5x5", "mesh.dimension_order", 3),
    ("rdt:4", "rdt.deadlock_free", 3),
    ("mesh:4x4", "mesh.west_first", 4),
    ("torus:5", "torus.dateline", 4),
    ("torus:3x3", "torus.dateline", 6),
    ("mesh:5", "mesh.dimension_order", 10),
    ("torus:4x4", "torus.booksim", 2),  # what is told depends on the input port and on the packet's draws
    ("torus:4x4", "torus.dateline", 8),  # 40 lanes
    ("mesh:4x3", "mesh.west_first", 9),
    ("rdt:4", "rdt.deadlock_free", 5),
    ("mesh:4", "mesh.dimension_order", 12),
]
LARGER = [
    ("complete:31", "minimal", 1),
    ("complete:32", "minimal", 1),  # one lane more than 32 bits hold
    ("complete:15", "minimal", 2),
    ("mesh:8x8", "mesh.dimension_order", 2),  # as many routers as go through a cycle together
]

WIDE, ESCAPES = NETWORKS[-4:], ("mesh:4x4", "mesh.duato", 2)


def short_stages(values: dict[str, Any]) -> dict[str, Any]:
    """The same settings; where stages go by batches, with allocation and crossbar of one cycle at most."""
    if values["stage_batches"]:
        va = min(1, values["vc_allocation_delay_cycles"])
        return {**values, "vc_allocation_delay_cycles": va, "st_final_delay_cycles": 1}
    return values


def takes_time(values: dict[str, Any]) -> bool:
    """Whether a head spends a cycle in the router."""
    return any(values[f"{stage}_delay_cycles"] for stage in ("routing", "vc_allocation", "switch_allocation"))


drawn = st.fixed_dictionaries(
    {
        "load": st.sampled_from([0.02, 0.1, 0.3, 0.6, 1.0]),
        "packet_flits": st.sampled_from(["1", "2", "5", "16", "1*0.5+6*0.5", "1..4", "40"]),
        "buffer_flits": st.integers(1, 17),
        **{name: st.sampled_from(["input_first", "output_first", "islip"]) for name in ("allocator", "vc_allocator")},
        "seed": st.integers(0, 1000),
        "routing_delay_cycles": st.integers(0, 3),
        "vc_allocation_delay_cycles": st.integers(0, 3),
        "switch_allocation_delay_cycles": st.integers(0, 1),
        "st_final_delay_cycles": st.integers(1, 2),
        "link_cycles": st.integers(1, 4),
        "terminal_link_cycles": st.integers(1, 3),
        "credit_delay_cycles": st.integers(0, 2),
        "stage_batches": st.booleans(),
    }
)
drawn = drawn.filter(takes_time).map(short_stages)


def left(engine: Engine) -> dict[str, Any]:
    """What a run leaves, but for how long ago a credit came, and which rows packets have in their table."""
    names = ("out_vc", "free", "turn", "terminal", "process_memory")
    names += ("injector_write", "batches", "histogram", "by_source")
    lane = engine.state.lane.reshape(-1, engine.shape.lane_stride).copy()
    lane[:, at.LANE_FIELDS :] = slots_left(engine)
    packet = engine.state.packet[lane[:, LANE_ROW.packet] // at.PACKET_FIELDS, : PACKET_ROW.following]
    packet[lane[:, LANE_ROW.out_vc] == at.IDLE] = 0
    lane[:, [LANE_ROW.when, LANE_ROW.packet]] = 0
    counter = np.delete(engine.state.counter, COUNTER.free)
    return {**{name: getattr(engine.state, name) for name in names}, "lane": lane, "packet": packet, "counter": counter}


def assert_same(one: Engine, other: Engine) -> None:
    """Fail where two engines differ."""
    mine, theirs = left(one), left(other)
    for name, expected in mine.items():
        np.testing.assert_array_equal(theirs[name], expected, err_msg=f"{name} at cycle {one.cycle}")


def engines(spec: str, routing: str | Routing, vcs: int, config: SimConfig) -> tuple[Engine, Engine]:
    """One that keeps rows, and one that keeps sets."""
    bound = bind(routing, build(spec), vcs) if isinstance(routing, str) else routing.bind(build(spec), vcs)
    rows, sets = (Engine(bound.network, bound, config, threads=1, sets=sets) for sets in (False, True))
    assert sets.memory.packs and not rows._as_sets()
    return rows, sets


@settings(max_examples=6 if DISABLED else 60, phases=PHASES, deadline=None)
@given(st.sampled_from(NETWORKS + LARGER), drawn, st.lists(st.integers(1, 60), min_size=1, max_size=4))
@example(NETWORKS[6], {"load": 0.6, "packet_flits": "16", "buffer_flits": 8}, [1, 2])
@example(NETWORKS[6], {"load": 0.02, "packet_flits": "1", "routing_delay_cycles": 2}, [3])
@example(NETWORKS[6], {"load": 0.6, "packet_flits": "1"}, [5, 1, 7])
@example(WIDE[0], {"load": 0.8, "packet_flits": "1", "vc_allocation_delay_cycles": 2}, [2, 1])
@example(ESCAPES, {"load": 1.0, "packet_flits": "1", "vc_allocation_delay_cycles": 3, "buffer_flits": 3}, [1, 2, 1])
@example(ESCAPES, {"load": 1.0, "packet_flits": "1", "vc_allocation_delay_cycles": 0, "buffer_flits": 1}, [2, 1, 3])
@example(NETWORKS[6], {"load": 0.6, "packet_flits": "4", "link_cycles": 11, "terminal_link_cycles": 3}, [1])
@example(NETWORKS[0], {"load": 1.0, "packet_flits": "40", "buffer_flits": 255}, [1])
@example(NETWORKS[0], {"load": 1.0, "buffer_flits": 2, "link_cycles": 12, "credit_delay_cycles": 4}, [1])
@example(NETWORKS[7], {"load": 0.8, "packet_flits": "1..4"}, [2])
@example(LARGER[0], {"load": 0.8, "packet_flits": "1..4"}, [2])
@example(LARGER[1], {"load": 1.0, "packet_flits": "4"}, [1])
@example(LARGER[2], {"load": 1.0, "packet_flits": "4", "routing_delay_cycles": 3}, [1, 1])
@example(LARGER[3], {"load": 0.6, "packet_flits": "4", "vc_allocation_delay_cycles": 3}, [2, 1])
@example(NETWORKS[13], {"load": 0.8, "packet_flits": "4", "routing_delay_cycles": 0}, [2, 1])
@example(NETWORKS[14], {"load": 0.6, "packet_flits": "16", "buffer_flits": 4}, [1, 2, 3])
@example(NETWORKS[15], {"load": 0.7, "packet_flits": "5"}, [1, 2])
@example(NETWORKS[16], {"load": 0.6, "packet_flits": "16", "buffer_flits": 4}, [1, 2, 3])
@example(NETWORKS[17], {"load": 1.0, "packet_flits": "16"}, [1, 2, 3])
@example(WIDE[0], {"load": 0.8, "packet_flits": "1..4"}, [2, 1])
@example(WIDE[0], {"load": 1.0, "packet_flits": "5", "vc_allocation_delay_cycles": 3}, [1, 2])
@example(WIDE[0], {"load": 0.6, "packet_flits": "5", "allocator": "islip"}, [2, 1])
@example(WIDE[3], {"load": 1.0, "packet_flits": "2"}, [1])
@example(WIDE[1], {"load": 0.6, "packet_flits": "16", "buffer_flits": 4}, [1, 2, 3])
@example(ESCAPES, {"load": 0.8, "packet_flits": "1", "allocator": "islip", "vc_allocator": "output_first"}, [2, 1])
@example(NETWORKS[6], {"load": 0.7, "packet_flits": "1", "routing_delay_cycles": 2, "stage_batches": True}, [1, 2, 1])
@example(WIDE[0], {"load": 0.9, "packet_flits": "2", "routing_delay_cycles": 4, "stage_batches": True}, [1, 3, 2])
def test_sets_equal_rows(which: tuple[str, str, int], values: dict[str, Any], pieces: list[int]) -> None:
    """At one go, in pieces, some with the sets of the piece before, and changing between the two."""
    rows, sets = engines(*which, config_from({"vc_reuse": "tail", **values, "vcs": which[2]}))
    for engine in (rows, sets):
        engine.advance(CYCLES)
        check(engine)
    assert_same(rows, sets)
    for k, cycles in enumerate(pieces):
        for again in range(3):
            sets.sets = (k + again // 2) % 2 == 0
            for engine in (rows, sets):
                engine.advance(cycles)
        assert sets.flits.tolist() == rows.flits.tolist()
        assert_same(rows, sets)
        check(sets)


@settings(max_examples=4 if DISABLED else 30, phases=PHASES, deadline=None)
@given(
    which=st.sampled_from(NETWORKS),
    values=drawn,
    room=st.sampled_from([("cut_through", "tail"), ("cut_through", "empty"), ("wormhole", "empty")]),
)
@example(NETWORKS[6], {"load": 0.6, "packet_flits": "16", "buffer_flits": 16}, ("cut_through", "tail"))
@example(WIDE[0], {"load": 0.9, "packet_flits": "1..4", "buffer_flits": 6}, ("cut_through", "tail"))
@example(NETWORKS[13], {"load": 0.8, "packet_flits": "4", "buffer_flits": 5}, ("wormhole", "empty"))
@example(ESCAPES, {"load": 1.0, "packet_flits": "1", "buffer_flits": 3}, ("wormhole", "empty"))
@example(ESCAPES, {"load": 1.0, "packet_flits": "1", "buffer_flits": 2}, ("cut_through", "tail"))
def test_sets_equal_rows_where_packets_need_room(
    which: tuple[str, str, int], values: dict[str, Any], room: tuple[str, str]
) -> None:
    """A head that finds a free output VC without room for it takes it in the cycle in which it has it."""
    (spec, routing, vcs), (flow, reuse) = which, room
    need = {"40": 40, "16": 16}.get(values["packet_flits"], 6) if flow == "cut_through" else 1
    values = values | {"flow_control": flow, "vc_reuse": reuse, "vcs": vcs}
    values["buffer_flits"] = max(values["buffer_flits"], need)
    rows, sets = engines(spec, routing, vcs, config_from(values))
    for cycles in (CYCLES, 7):
        for engine in (rows, sets):
            engine.advance(cycles)
        assert_same(rows, sets)
        check(sets)
        sets.sets = False


@settings(max_examples=4 if DISABLED else 25, phases=PHASES, deadline=None)
@given(which=st.sampled_from(NETWORKS), values=drawn)
def test_sets_equal_reference(which: tuple[str, str, int], values: dict[str, Any]) -> None:
    spec, routing, vcs = which
    bound = bind(routing, build(spec), vcs)
    engine = Engine(bound.network, bound, config_from({"vc_reuse": "tail", **values, "vcs": vcs}), threads=1, sets=True)
    engine.advance(CYCLES // 2)
    slow = Simulation(bound.network, bound, engine.config)
    slow.run(CYCLES // 2 + engine.shape.sa + engine.shape.st + engine.shape.terminal_link)
    counted = engine.state.histogram.reshape(engine.config.classes, at.HISTOGRAMS, -1)[0, at.H_FLIT]
    assert {int(k): int(counted[k]) for k in counted.nonzero()[0]} == slow.flit_latencies[0]


def kept_rows(engine: Engine) -> dict[int, int]:
    """By place of a kept route the row of its answer: from the stations where packets are single flits."""
    state = engine.state
    if not engine.memory.packing.single:
        return {int(place): int(state.routes[place]) for place in np.flatnonzero(state.routes)}
    known = range(1, 1 + int(state.answers[0, 1]))
    told, places, station_of = state.stations
    assert [int(station_of[places[k]]) for k in known] == list(known)
    return {int(places[k]): int(told[k]) % at.MOST_ANSWERS for k in known}


def known_routes(engine: Engine) -> Iterator[tuple[int, int, int, int, set[int], int]]:
    """Of each kept route the router, destination, input port and state, and what is kept: output VCs, next state."""
    shape, state = engine.shape, engine.state
    for place, row in kept_rows(engine).items():
        rest, destination = divmod(place, shape.routers)
        rest, r = divmod(rest, shape.routers)
        slot, port = divmod(rest, engine.memory.route_ports)
        wanted, told = (int(number) for number in state.answers[row])
        yield r, destination, port, int(state.states[slot]), {o for o in range(64) if wanted >> o & 1}, told


@pytest.mark.parametrize(
    ("spec", "routing", "flits"),
    [
        ("torus:4x4", "torus.dateline", "1"),
        ("torus:4x4", "torus.booksim", "1"),
        ("torus:4x4", "torus.booksim", "2"),
        ("cmesh:2x2,c=3", "mesh.dimension_order", "1"),
        ("random:10,d=3,seed=4", "up_down", "2"),
    ],
)
def test_routes_that_are_kept_are_those_of_the_relation(spec: str, routing: str, flits: str) -> None:
    """The output VCs of the candidates and their state, and all of the terminal's where a router has one."""
    bound = bind(routing, build(spec), 2)
    config = config_from({"load": 0.5, "packet_flits": flits, "vcs": 2})
    engine = Engine(bound.network, bound, config, threads=1, sets=True)
    engine.advance(2 * CYCLES)
    shape, seen = engine.shape, set()
    out, alone = new_out(), shape.outputs == shape.link_outputs + 1
    for r, destination, port, state, kept, told in known_routes(engine):
        head = new_head(0, destination)
        head[STATE], head[IN_PORT] = state, port if port < shape.link_inputs else -1
        n = call(bound.pointer, bound.view, r, head, out)
        wanted = {int(port * shape.vcs + vc) for port, vc, _, _ in out[:n]}
        if n == 0:
            assert alone
            wanted, out[0, 2] = set(range(shape.link_outputs * shape.vcs, shape.out_vcs)), state
        assert (kept, told) == (wanted, out[0, 2])
        seen.add((r == destination, state > 0))
    has_states = routing in ("torus.booksim", "up_down")
    assert seen == {(arrived, state) for arrived in {False, alone} for state in {False, has_states}}
    assert engine.memory.route_ports == (1 + shape.link_inputs if routing == "torus.booksim" else 1)


def test_routes_are_kept_where_they_can_be_and_go_with_the_routing() -> None:
    for spec, routing, kept in (
        ("mesh:16x16", "mesh.dimension_order", True),
        ("mesh:17x16", "mesh.dimension_order", False),  # too large
        ("torus:11x10", "torus.booksim", True),
        ("torus:11x11", "torus.booksim", False),  # too large for routes by port
        ("mesh:4x4", "mesh.valiant", False),  # reads more than destination, state and port
        ("mesh:4x4", "mesh.west_first", True),
    ):
        engine = Engine(build(spec), routing, config_from({"load": 0.5, "vcs": 2}), threads=1, sets=True)
        assert (engine.state.routes.size > 0) == kept
    engine.advance(CYCLES)
    assert engine.state.routes.any() or DISABLED
    engine.memory.replace_arrays(engine.state)  # as faults do, with another routing
    assert not engine.state.routes.any() and not engine.state.answers[0].any()
    assert (engine.state.states == np.arange(at.STATE_SLOTS) ^ 1).all()  # as no packet is in


def test_states_and_answers_that_find_no_room_are_asked_for() -> None:
    """Of states that would have the same slot the first has it, and so many answers are kept as rows are there."""
    config = config_from({"load": 0.8, "packet_flits": "1", "vcs": 2, "vc_reuse": "tail"})
    rows, sets = engines("torus:4x4x2x2", "torus.booksim", 2, config)  # a draw of four bits, and one for the class
    for engine in (rows, sets):
        engine.advance(CYCLES)
    assert_same(rows, sets)
    assert len({state for _, _, _, state, _, _ in known_routes(sets)}) == at.STATE_SLOTS or DISABLED
    sets.state.routes[...], sets.state.answers[...], sets.state.stations[...] = 0, 0, 0
    sets.state.answers[0, 0] = at.MOST_ANSWERS - 3
    for engine in (rows, sets):
        engine.advance(CYCLES // 4)
    assert_same(rows, sets)
    assert sets.state.answers[0, 0] == at.MOST_ANSWERS - 1


def test_credits_reach_routers_at_rest() -> None:
    """Between two packets nothing is left in any router, and each buffer has a single slot."""
    config = config_from({"load": 0.03, "packet_flits": "1", "buffer_flits": 1, "vcs": 1})
    rows, sets = engines("mesh:2", "mesh.dimension_order", 1, config)
    for engine in (rows, sets):
        engine.advance(800)
    assert_same(rows, sets)
    assert rows.state.counter[COUNTER.ejected] > 20


@pytest.mark.parametrize(
    ("name", "longest"),
    [
        ("routing_delay_cycles", (6, 14, 30)),
        ("vc_allocation_delay_cycles", (6, 14, 30)),
        ("st_final_delay_cycles", (2, 10, 26)),
        ("link_cycles", (4, 12, 28)),
        ("terminal_link_cycles", (1, 5, 13)),
        ("credit_delay_cycles", (1, 9, 25)),
    ],
)
def test_longest_delays_of_each_ring(name: str, longest: tuple[int, ...]) -> None:
    """What is noted for a later cycle is found in that cycle, in rings of sets that are just long enough."""
    for ring, cycles in zip((8, 16, 32), longest, strict=True):
        config = config_from({"load": 0.6, "packet_flits": "2", "vcs": 2, name: cycles})
        rows, sets = engines("torus:4", "torus.dateline", 2, config)
        assert sets.memory.packing.ring == ring
        for engine in (rows, sets):
            engine.advance(2 * CYCLES)
        assert_same(rows, sets)
        assert rows.state.counter[COUNTER.ejected] > 0
    config = config_from({"vcs": 2, name: longest[-1] + 1})
    assert not Engine(build("torus:4"), "torus.dateline", config, threads=1, sets=True).memory.packs


@pytest.mark.parametrize(
    ("spec", "routing", "changes", "packs"),
    [
        ("complete:31", "minimal", {"vcs": 1}, True),
        ("complete:32", "minimal", {"vcs": 1}, True),
        ("complete:48", "minimal", {"vcs": 1}, True),
        ("complete:49", "minimal", {"vcs": 1}, False),
        ("mesh:10000", "mesh.dimension_order", {}, True),
        ("mesh:10001", "mesh.dimension_order", {}, False),
        ("mesh:33x31", "mesh.dimension_order", {"vcs": 8, "packet_flits": "5"}, True),
        ("mesh:32x32", "mesh.dimension_order", {"vcs": 8, "packet_flits": "5"}, True),
        ("mesh:32x32", "mesh.dimension_order", {"vcs": 8, "packet_flits": "1"}, True),
        ("mesh:2", "mesh.dimension_order", {"buffer_flits": 255}, True),
        ("mesh:2", "mesh.dimension_order", {"buffer_flits": 256}, False),
        ("mesh:2", "mesh.dimension_order", {"packet_flits": "65535"}, True),
        ("mesh:2", "mesh.dimension_order", {"packet_flits": "65536"}, False),
        ("mesh:3x3", "mesh.dimension_order", {"vcs": 4}, True),
        ("mesh:3x3", "mesh.dimension_order", {"vcs": 9}, True),
        ("mesh:3x3", "mesh.dimension_order", {"vcs": 10}, False),
        ("mesh:3x3", "mesh.valiant", {}, True),
        ("mesh:3x3", "mesh.ugal", {}, True),
    ],
    ids=str,
)
def test_limits(spec: str, routing: str, changes: dict[str, Any], packs: bool) -> None:
    config = config_from({"vcs": 2, **changes})
    assert Engine(build(spec), routing, config, threads=1, sets=True).memory.packs == packs


def test_busy_networks_are_kept_as_sets() -> None:
    for vcs, first, share in ((2, "input_first", 0.11), (8, "input_first", 0.045), (2, "islip", 0.03)):
        config = config_from({"load": 0.5, "vcs": vcs, "allocator": first})
        engine = Engine(build("mesh:4x4"), "mesh.dimension_order", config)
        assert not engine._as_sets()
        engine.advance(100)
        assert engine._as_sets()
        counter, busy = engine.state.counter, round(engine.shape.routers * engine.shape.lanes * share + 0.5)
        counter[COUNTER.entered] = counter[COUNTER.ejected] + busy - counter[COUNTER.packets]
        assert engine._as_sets()
        counter[COUNTER.entered] -= 1
        assert not engine._as_sets()


@pytest.mark.parametrize(
    "changes",
    [
        {"vcs": 10},
        {"switch_allocation_delay_cycles": 2},
        {"vc_allocation_delay_cycles": 2, "stage_batches": True},
        {"link_cycles": 40},
        {"allocator": "islip", "allocator_iterations": 2},
        {"events": True},
        {"reply_flits": 2},
    ],
    ids=str,
)
def test_other_settings_are_kept_as_rows(changes: dict[str, Any]) -> None:
    config = config_from({"load": 0.5, "vcs": 2, **changes})
    engine = Engine(build("mesh:4x4"), "mesh.dimension_order", config, sets=True)
    assert not engine.memory.packs and not engine._as_sets()
    engine.advance(300)
    assert engine.state.counter[COUNTER.ejected] > 0
