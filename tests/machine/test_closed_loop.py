"""The network in the loop: the steps between both sides do not show, zero-load times by hand, bad input in one line."""

from __future__ import annotations

import pickle
from copy import copy
from dataclasses import replace

import numpy as np
import pytest
from tests.naive.turns import run_in_turns

from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import ClosedLoop, closed_loop, on_network, trees_of
from jumpnet.machine.timed import cosimulation, machine, start
from jumpnet.machine.timed.kernels import layout, turns
from jumpnet.machine.timed.machine import Costs, Run
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace, block_of
from jumpnet.machine.workload import workload
from jumpnet.multicast import scheme
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.multicast.plan import bit_map_plan
from jumpnet.sim import outside
from jumpnet.sim.config import preset
from jumpnet.sim.multicast import outside as outside_multicasts
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.engine import send_messages
from jumpnet.sim.multicast.messages import COMBINED, Messages, forest
from jumpnet.sim.terminals.posting import END_CYCLE
from jumpnet.topology import build


@pytest.fixture(scope="module")
def streams():
    return streams_of(workload("water:processors=16,molecules=4,steps=1").trace(), clusters_of=2)


DESIGNS = {
    "plain": {},
    "update": {"protocol": "update", "synchronisation": "free"},
    "counted": {"acknowledges": "counted", "outstanding": 4, "directory": "line"},
    "multicast": {"multicast": "SM", "acknowledges": "combined", "protocol": "update"},
    "branching": {"multicast": "SM", "acknowledges": "combined", "branches": "routers", "protocol": "update",
                  "combining_entries": 1},
    "branching, counted": {"multicast": "LARP", "acknowledges": "counted", "branches": "routers", "caches": (256, 2)},
    "branching, moesi": {"multicast": "SM", "acknowledges": "combined", "branches": "routers", "protocol": "moesi",
                         "combining_entries": 0, "outstanding": 2},
    "small caches": {"caches": (256, 2), "hints": True, "outstanding": 2, "multicast": "full_map"},
    "slow handlers": {"costs": Costs(occupancy_cycles=1500)},
    "every part": {
        "caches": (256, 2), "outstanding": 2, "memory_processors": 2, "translation": (1, 2), "pruning": 4,
        "migrates": 2, "costs": Costs(handlers={"tell": 2, "data": 25}, bus_request_cycles=2, bus_line_cycles=9),
    },
}  # fmt: skip


def _a_cycle_at_a_time(*given, **design) -> ClosedLoop:
    """The twin: neither side ever runs ahead of the other, and Python takes every turn."""
    with pytest.MonkeyPatch.context() as python:
        python.setattr(machine, "run_cosimulated", run_in_turns)
        return closed_loop(*given, **design)


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_neither_turns_of_kernels_nor_the_quantum_show(streams, design) -> None:
    how = {"clusters_of": 2, **design}
    assert closed_loop(streams, "rdt:8", **how) == _a_cycle_at_a_time(streams, "rdt:8", **how)


def test_cycles_in_which_a_network_is_empty_are_left_out() -> None:
    """Eleven handlers of 40 million cycles: to simulate all cycles of the network would take half a minute."""
    rows = [(p, address, 4, True, 0) for p, address in ((0, 0), (1, 64), (2, 4096), (3, 8192), (0, 4096), (1, 8192))]
    streams = _made([*rows, (2, 0, 4, True, 0), (3, 64, 4, True, 0)], 4)
    few, many = (closed_loop(streams, "torus:2x2", costs=Costs(occupancy_cycles=n)) for n in (1000, 80_000_000))
    assert few.timing.cycles - 11 * 1000 == many.timing.cycles - 11 * 80_000_000 > 0
    assert few.timing.message_latency_mean == many.timing.message_latency_mean
    late = "^a run of 1056964608 cycles or more with a network found, fewer expected$"
    for quantum in (None, 1, 20, 200):
        with pytest.raises(JumpnetError, match=late):
            closed_loop(streams, "torus:2x2", costs=Costs(occupancy_cycles=100_000_000), quantum=quantum)


@pytest.mark.parametrize(
    "design",
    [{}, DESIGNS["branching"], {"networks": "least", "endpoint_room": 2}],
    ids=["packets", "branching", "few places"],
)
def test_a_machine_that_starts_late_takes_as_long_and_none_goes_beyond_what_slots_hold(streams, design) -> None:
    """Kernels take these turns, in which there is always something in the network."""

    def run_from(cycle: int, quantum: int | None = None) -> int:
        how = {"clusters_of": 2, "combining_entries": None, **design}
        routing = None if "branches" in how else "rdt.chip"
        chosen, network = on_network("rdt:8", len(streams.first) - 1, routing=routing, **how)
        run = Run(streams, chosen.design, chosen.trees, chosen.entries, network)
        done = run.m.proc.reshape(run.m.processors, -1)[:, layout.PROCESSOR.done]
        done[:] = cycle
        run.to_the_end(0, quantum)
        return int(done.max()) - cycle

    cycles = run_from(0)
    assert 10_000 < cycles == run_from((1 << 29) - cycles // 2) == run_from(END_CYCLE - cycles - 1000)
    for quantum in (None, 1):  # however far events run ahead, the last cycle may be one that there is
        assert run_from(END_CYCLE - cycles - 2, quantum) == cycles
        with pytest.raises(JumpnetError, match=f"a run of {END_CYCLE} cycles or more with a network found"):
            run_from(END_CYCLE - cycles // 2, quantum)


@pytest.mark.parametrize("design", [{}, DESIGNS["branching"]], ids=["packets", "branching"])
def test_kernels_give_turns_to_python_where_they_must(streams, monkeypatch, design) -> None:
    # Tables that soon grow, no room for a delivery, a message more than there are rows for, and packets that seem to
    # stand still after a few cycles.
    patience = preset("jump1", deadlock_cycles=70)
    how = {"clusters_of": 2, "config": patience, "protocol": "update", "outstanding": 4} | design
    twin = _a_cycle_at_a_time(streams, "rdt:8", **how)
    monkeypatch.setattr(start, "LEAST_ROWS", 0)
    monkeypatch.setattr(outside, "FIRST_DELIVERIES", 1)
    monkeypatch.setattr(outside_multicasts, "LEAST_MESSAGES", 1)
    assert closed_loop(streams, "rdt:8", **how) == twin


def test_what_nodes_say_of_multicasts_that_routers_branch_names_no_place_of_a_tree(monkeypatch) -> None:
    """Acknowledges are due while plans are made for other packets; the network has more places than all trees."""
    draw, due, make_ready = np.random.default_rng(1), [], cosimulation.make_ready
    address = 256 * draw.integers(64, size=40)
    block = block_of(draw.integers(16, size=40), address, 4, draw.random(40) < 0.3)
    made = streams_of(Trace("made", 16, lambda: iter([block])), placement="interleaved")

    def watched(m, network):
        of = layout.MESSAGE
        fields = m.message.reshape(-1, len(of))[m.outbox[: m.count[layout.COUNT.out]] // len(of)]
        places = fields[fields[:, of.kind] == layout.ACK, of.place]
        due.append(bool((places >= len(m.place)).any()))
        make_ready(m, network)

    how = {"multicast": "SM", "branches": "routers", "acknowledges": "combined", "directory": "line"}
    twin = _a_cycle_at_a_time(made, "rdt:4", synchronisation="free", **how)
    monkeypatch.setattr(cosimulation, "make_ready", watched)
    assert closed_loop(made, "rdt:4", synchronisation="free", **how) == twin and any(due)


def test_kernels_take_the_turns_where_multicasts_branch(streams, monkeypatch) -> None:
    taken, make_ready = [], cosimulation.make_ready
    monkeypatch.setattr(cosimulation, "make_ready", lambda *args: taken.append(args) or make_ready(*args))
    found = closed_loop(streams, "rdt:8", clusters_of=2, **DESIGNS["branching"])
    assert 0 < len(taken) < found.timing.messages["tell"] / 10


def test_kernels_leave_what_the_list_of_deliveries_has_no_room_for(monkeypatch) -> None:
    """The list has rows enough, but kernels are told of few: what lies behind those stays as it is.

    Every router has a node, and a turn lasts as long as a handler: a message is with all its receivers by its end.
    """
    streams, rows = streams_of(workload("water:processors=16,molecules=4,steps=1").trace()), 4
    networks, take_turns, ways = [], turns.take_turns, [layout.OVER]
    codes = cosimulation.codes_of

    def watched(*given):
        engine, room = networks[0].engine, rows
        if ways[-1] == layout.LACKS_ROOM:
            room = len(engine.state.delivery)
        engine.memory.replace(delivery_rows=room)
        engine.state.delivery[room:] = -7
        ways.append(take_turns(*given))
        assert (engine.state.delivery[room:] == -7).all()
        return ways[-1]

    monkeypatch.setattr(cosimulation, "codes_of", lambda m, network: networks.append(network) or codes(m, network))
    monkeypatch.setattr(turns, "take_turns", watched)
    closed_loop(streams, "rdt:4", costs=Costs(occupancy_cycles=100), **DESIGNS["branching"])
    assert layout.LACKS_ROOM in ways and len(networks[0].engine.state.delivery) > 100


def test_a_standstill_is_told_alike(streams, monkeypatch) -> None:
    slow, told = preset("jump1", link_cycles=50, deadlock_cycles=20), []  # links that outlast the patience
    for _ in range(2):
        with pytest.raises(JumpnetError, match=r"^torus:4x2: no flit has moved since cycle \d+") as raised:
            closed_loop(streams, "torus:4x2", clusters_of=2, config=slow, quantum=1)
        told.append(str(raised.value))
        monkeypatch.setattr(machine, "run_cosimulated", run_in_turns)
    assert told[0] == told[1]


@pytest.mark.parametrize("acknowledges", ["counted", "combined"])
def test_nor_where_every_router_that_branches_has_a_node(streams, acknowledges) -> None:
    how = {"multicast": "full_map", "acknowledges": acknowledges, "branches": "routers"}
    how |= {"combining_entries": 1} if acknowledges == "combined" else {}
    runs = [closed_loop(streams, "torus:4x2", clusters_of=2, quantum=q, **how) for q in (None, 1)]
    assert runs[0] == runs[1] and (runs[0].fallbacks > 0 or acknowledges == "counted")


def test_stalls_add_up_and_the_network_takes_time(streams) -> None:
    found = closed_loop(streams, "torus:4x2", clusters_of=2)
    t = found.timing
    assert t.busy + t.read_stall + t.write_stall + t.sync_stall + t.idle == pytest.approx(t.cycles)
    assert t.cycles > found.direct_cycles and 0.0 < found.network_share < 1.0
    assert t.message_latency_mean >= found.network_latency_mean > 0.0
    assert t.message_latency_mean > found.queueing_mean > 0.0
    slower = closed_loop(streams, "torus:4x2", clusters_of=2, config=preset("jump1", link_cycles=20))
    assert slower.timing.cycles > t.cycles and slower.direct_cycles == found.direct_cycles


def _made(rows, processors):
    block = block_of(*zip(*rows, strict=True))
    return streams_of(Trace("made", processors, lambda: iter([block])))


def test_one_miss_alone_takes_the_zero_load_latency() -> None:
    rows = [(0, 0, 4, False, 0), *((p, 1 << 20, 4, True, 4) for p in (0, 1)), (1, 0, 4, False, 0)]
    costs, config = Costs(), preset("jump1")
    found = closed_loop(_made(rows, 2), "torus:2x1", costs=costs, synchronisation="free")
    messages = sum(config.zero_load_cycles(2, flits) for flits in (costs.flits(0), costs.flits(32)))
    barrier = 1 + costs.occupancy_cycles + 1 + costs.sync_cycles
    assert build("torus:2x1").routers == 2
    assert found.timing.cycles == barrier + 1 + 3 * costs.occupancy_cycles + messages
    assert found.hops_mean == 2.0 and found.queueing_mean == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("home", "destinations", "times"),
    [(0, range(1, 3), 1.1), (9, (1, 8, 10, 17), 1.1), (0, range(1, 8), 1.3), (0, range(1, 64), 2.0)],
)
def test_a_multicast_beside_the_router_that_branches_inside(home, destinations, times) -> None:
    # Alone in the network, a message and its combined acknowledges: as without a machine where routers branch, and what
    # the tree of packets takes more is known.
    net, size = build("rdt:8"), 64
    plan = bit_map_plan(chip_rules(net), scheme("SM"), home, list(destinations))
    one = Messages(*(np.array([v]) for v in (0, 0, Costs().flits(0), COMBINED)))
    answer = MulticastConfig(
        ack_flits=Costs().flits(0), ack_delay_cycles=Costs().occupancy_cycles, combining_entries=size
    )
    exact = int(send_messages(net, 2, forest(net, [plan]), one, preset("jump1"), answer).acknowledged[0])
    barrier = [(p, 1 << 20, 4, True, 4) for p in range(size)]
    readers = [(p, 0, 4, False, 0) for p in destinations]
    rows = [(home, 0, 4, False, 0), *barrier, *readers, *barrier, (home, 0, 4, True, 0)]
    tree = {"multicast": "SM", "acknowledges": "combined"}
    slow = {"synchronisation": "free", "directory": "line", "costs": Costs(sync_cycles=5000)}
    inside = {**tree, "branches": "routers", "combining_entries": size}
    by_tree, by_router, one_by_one = (
        closed_loop(_made(rows, size), "rdt:8", **how, **slow).timing for how in (tree, inside, {})
    )
    places = len(trees_of("rdt:8", "SM").tree(home, tuple(destinations)).router)
    assert by_tree.messages["tell"] == by_tree.messages["acknowledge"] == places - 1
    # The home's processor handles its own request before and the last acknowledge after it.
    took, alone = (by.write_stall * size - 2 * Costs().occupancy_cycles for by in (by_tree, by_router))
    assert exact == alone <= took <= times * exact
    assert len(destinations) < 63 or by_tree.write_stall < one_by_one.write_stall / 2


def test_bad_input_is_refused_in_one_line(streams) -> None:
    for network, design, match in (
        ("torus:2x2", {}, "8 nodes found, at most the 4 terminals of torus:2x2 expected"),
        ("torus:4x4", {"multicast": "SM"}, "torus:4x4 found, a network of family rdt or prdt expected"),
        ("rdt:8", {"multicast": "chained"}, "multicast with encoding chained found"),
        ("rdt:8", {"branches": "routers"}, "branches 'routers' found without multicast"),
        ("rdt:8", {"outstandin": 4}, "unknown setting 'outstandin'; did you mean 'outstanding'"),
        (
            "rdt:8",
            {"combining_entries": 4},
            "4 combining entries found without branches 'routers' and acknowledges 'combined'",
        ),
        (
            "rdt:8",
            {"multicast": "SM", "branches": "routers", "routing": "rdt.fixed"},
            "a routing with multicasts of SM",
        ),
        (
            "rdt:8",
            {"multicast": "full_map", "branches": "routers"},
            "branches 'routers' with encoding full_map on rdt:8",
        ),
    ):
        with pytest.raises(JumpnetError, match=match):
            closed_loop(streams, network, clusters_of=2, **design)


def test_multicast_pays_where_many_nodes_share_a_page() -> None:
    streams = streams_of(workload("gas:molecules=64,steps=1").trace(), clusters_of=4)
    by = {how: closed_loop(streams, "rdt:8", clusters_of=4, **DELIVERIES[how]).timing for how in DELIVERIES}
    cycles = {how: found.cycles for how, found in by.items()}
    assert cycles["single"] > cycles["counted"] > 3 * cycles["combined"]
    assert by["single"].node_wait_mean > 10 * by["combined"].node_wait_mean


DELIVERIES = {
    "single": {},
    "counted": {"acknowledges": "counted"},
    "combined": {"acknowledges": "combined", "multicast": "SM"},
}


def test_processors_that_make_packets_anew_have_time_on_a_network() -> None:
    """A cluster at every router of rdt:4; its processor's time is not hidden, and turns do not show."""
    streams = streams_of(workload("gas:processors=16,molecules=16,side=4,steps=1").trace())
    remake = {"multicast": "REMAKE", "acknowledges": "combined", "protocol": "update"}
    runs = closed_loop(streams, "rdt:4", **remake), _a_cycle_at_a_time(streams, "rdt:4", **remake)
    assert runs[0] == runs[1]
    slow = closed_loop(streams, "rdt:4", costs=Costs(remake_cycles=100), **remake)
    assert slow.timing.cycles > runs[0].timing.cycles
    inside = {**remake, "branches": "routers", "combining_entries": 1, "costs": Costs(remake_cycles=30)}
    runs = closed_loop(streams, "rdt:4", **inside), _a_cycle_at_a_time(streams, "rdt:4", **inside)
    assert runs[0] == runs[1] and runs[0].fallbacks > 0
    one_alone = {"multicast": "REMAKE", "branches": "routers", "protocol": "update"}
    runs = [closed_loop(streams, "rdt:4", **one_alone, costs=Costs(remake_cycles=k)) for k in (0, 100)]
    assert runs[0].timing.cycles < runs[1].timing.cycles


@pytest.mark.parametrize(("home", "destinations"), [(0, range(1, 64)), (9, (1, 8, 10, 17, 40, 62))])
def test_a_packet_made_anew_beside_the_simulator_of_multicasts(home, destinations) -> None:
    """Alone in the network, as without a machine: processors take, make anew and tell each other as in a batch."""
    net, size, costs = build("rdt:8"), 64, Costs(remake_cycles=7)
    plan = bit_map_plan(chip_rules(net), scheme("REMAKE"), home, list(destinations))
    one = Messages(*(np.array([v]) for v in (0, 0, costs.flits(0), COMBINED)))
    busy = costs.occupancy_cycles
    answers = {"ack_flits": costs.flits(0), "ack_delay_cycles": busy, "combining_entries": size}
    answer = MulticastConfig(remake_cycles=busy + costs.remake_cycles, **answers)
    found = send_messages(net, 2, forest(net, [plan]), one, preset("jump1"), answer)
    barrier = [(p, 1 << 20, 4, True, 4) for p in range(size)]
    readers = [(p, 0, 4, False, 0) for p in destinations]
    rows = [(home, 0, 4, False, 0), *barrier, *readers, *barrier, (home, 0, 4, True, 0)]
    slow = {"synchronisation": "free", "directory": "line", "costs": replace(costs, sync_cycles=5000)}
    inside = {"multicast": "REMAKE", "acknowledges": "combined", "branches": "routers", "combining_entries": size}
    timing = closed_loop(_made(rows, size), "rdt:8", **inside, **slow).timing
    assert found.remade > 0 and timing.write_stall * size - 2 * busy == int(found.acknowledged[0])


@pytest.mark.parametrize(
    ("read", "runs", "said"),
    [
        ({}, {"clusters_of": 2}, "clusters_of 1 found, 2 expected"),  # kernels wrote beyond their arrays
        ({"clusters_of": 4}, {"clusters_of": 3}, "clusters_of 4 found, 3 expected"),  # two nodes both: waited for ever
        ({"line_bytes": 64}, {}, "line_bytes 64 found, 32 expected"),  # messages were too short
        ({"page_bytes": 1024}, {"migrates": 2}, "page_bytes 1024 found, 4096 expected"),
    ],
)
def test_streams_of_a_machine_of_other_sizes_are_refused(read, runs, said) -> None:
    streams = streams_of(workload("water:processors=5,molecules=5,steps=1").trace(), **read)
    with pytest.raises(JumpnetError, match=f"streams read with {said}, as the machine has"):
        closed_loop(streams, "torus:2x3", **runs)


@pytest.mark.parametrize("name", ["code", "home", "page"])
def test_streams_that_were_changed_are_refused(streams, name) -> None:
    """Kernels trust what `streams_of` found: with fewer homes they read beyond the array."""
    array = getattr(streams, name)
    with pytest.raises(JumpnetError, match=r"streams changed since they were read found, those of `streams_of` expec"):
        closed_loop(streams._replace(**{name: array[:1]}), "torus:4x2", clusters_of=2)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = -1


def test_streams_that_were_pickled_run_alike(streams) -> None:
    how = {"network": "torus:4x2", "clusters_of": 2}
    assert closed_loop(pickle.loads(pickle.dumps(streams)), **how) == closed_loop(copy(streams), **how)
