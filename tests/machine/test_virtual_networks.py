"""Virtual networks of the timed machine: who shares one, and what they change in time."""

from __future__ import annotations

import pytest
from tests.naive.turns import run_in_turns
from tests.tiny.protocols import SINGLE
from tests.twin.machine.timed.that_count import that_count
from tests.twin.machine.timed.twin import made_trace

from jumpnet.coherence.networks.kinds import ENDPOINTS, kinds_of
from jumpnet.coherence.networks.least import least_networks, ring_of
from jumpnet.coherence.protocol import protocols
from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import chosen_machine, closed_loop
from jumpnet.machine.timed import machine
from jumpnet.machine.timed.design import Costs, Design
from jumpnet.machine.timed.networks import assigned, message_kinds
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.workload import workload
from jumpnet.sim.config import preset


@pytest.fixture(scope="module")
def streams():
    return streams_of(workload("water:processors=16,molecules=8,steps=1").trace())


@pytest.mark.parametrize("endpoints", ENDPOINTS)
@pytest.mark.parametrize("name", [*protocols(), SINGLE.name])
def test_what_the_tables_need_is_enough_for_the_machine(name, endpoints) -> None:
    tables = {**protocols(), SINGLE.name: SINGLE}[name]
    kinds, found = message_kinds(tables, by_message=True), least_networks(kinds_of(tables), endpoints)
    own = least_networks(kinds, endpoints)
    # The tables tell one who loses its copy by another message than those who get a word; the machine has one for both.
    alike = name == "limited_update" and endpoints == "held"
    assert (own.least is None) == (alike or found.least is None)
    if own.least is None:
        assert not alike or own.why == ("tell", "acknowledge")
        return
    assert own.least == found.least
    text = " / ".join(" ".join(names) for names in found.groups)
    groups = assigned(tables, kinds, endpoints, text)
    assert len(groups) == found.least and ring_of(groups, kinds.waits(endpoints)) == ()


@pytest.mark.parametrize("name", [*protocols()])
def test_counted_acknowledges_need_as_few_networks_without_a_limit_of_room(name) -> None:
    """So a machine with room for all takes the same networks, and is refused where one with room for few is."""

    def found(room: int) -> object:
        try:
            return Design(protocol=name, networks="least", acknowledges="counted", endpoint_room=room).groups
        except JumpnetError as refused:
            return str(refused)

    assert found(0) == found(1) == found(1000)
    assert len(found(0)) == 3 or name not in ("update", "limited_update")


@pytest.mark.parametrize(
    "parts", [["counted", "moves"], ("moves", "counted"), {"counted", "moves"}, iter(("counted", "moves"))]
)
def test_parts_may_be_of_any_kind_that_can_be_gone_through(parts) -> None:
    by_set = message_kinds(protocols()["update"], by_message=True, parts=frozenset(("counted", "moves")))
    assert "acknowledge" in by_set.counted and ("read-request", "read-request") in by_set.sends
    assert message_kinds(protocols()["update"], by_message=True, parts=parts) == by_set
    with pytest.raises(JumpnetError, match="unknown part 'tree'; did you mean 'trees'"):
        message_kinds(protocols()["update"], by_message=True, parts=["tree"])


def test_as_the_tables_name_them_and_as_the_machine_does() -> None:
    by_tables = Design(directory="line", networks="GetS GetM PutM / Inv Fetch FetchInv InvAck OwnerData / "
                       "Data DataM PutAck Done")  # fmt: skip
    machines = "read-request write-request write-back lock unlock barrier / tell fetch acknowledge owners-data / data"
    by_machine = Design(directory="line", networks=f"{machines} write-back-done done grant release")
    assert by_tables.network_of.tolist() == by_machine.network_of.tolist()
    #                                        read write back data tell ack fetch owner done back page lock ... release
    assert by_tables.network_of.tolist() == [0, 0, 0, 2, 1, 1, 1, 1, 2, 2, 0, 0, 2, 0, 0, 2]
    # Neither the fetches of dragon's writers are sent by the machine nor what answers these alone.
    dragon = protocols()["dragon"]
    (all_of_them,) = Design(protocol="dragon", networks=" ".join(kinds_of(dragon).names)).groups
    assert "Yielded" in kinds_of(dragon).names and sorted(all_of_them) == sorted(Design(protocol="dragon").kinds.names)
    with pytest.raises(JumpnetError, match="unknown kind of message 'GetX'"):
        Design(networks="GetX / GetS")
    with pytest.raises(JumpnetError, match=r"more_classes .* where messages go by virtual networks"):
        two = preset("jump1", more_classes=[{}], class_channels="own")
        closed_loop(streams_of(workload("lu:processors=4,n=16").trace()), "torus:2x2", networks="2", config=two)


@pytest.mark.parametrize("design", [{}, {"multicast": "SM", "acknowledges": "combined", "protocol": "update"}])
def test_more_networks_change_the_time_alike_however_turns_are_taken(streams, monkeypatch, design) -> None:
    how = {"directory": "line", **design}
    networks = ("", "1", "2", "least")
    runs = [closed_loop(streams, "rdt:4", networks=n, **how) for n in networks]
    assert runs[0] == runs[1] and len({run.timing.message_latency_mean for run in runs}) == 3  # the end may be the same
    assert len({run.direct_cycles for run in runs}) == 1  # messages that never meet need no channels
    monkeypatch.setattr(machine, "run_cosimulated", run_in_turns)
    assert closed_loop(streams, "rdt:4", networks="2", **how) == runs[2]


ROOMY = {
    "plain": {},
    "every part": {"caches": (256, 2), "hints": True, "outstanding": 4, "memory_processors": 2, "translation": (1, 2),
                   "pruning": 4, "directory": "page"},
    "limited": {"encoding_name": "limited_evicting"},
    "trees": {"multicast": "SM", "acknowledges": "combined", "protocol": "update"},
    "trees, counted": {"multicast": "LARP", "acknowledges": "counted", "caches": (256, 2), "outstanding": 4},
    "made anew": {"multicast": "REMAKE", "protocol": "update", "memory_processors": 2},
    "pages that move": {"migrates": 2, "acknowledges": "counted", "directory": "page"},
}  # fmt: skip


@pytest.mark.parametrize("design", ROOMY.values(), ids=ROOMY)
def test_room_for_many_changes_nothing(streams, design) -> None:
    how = {"directory": "line", "networks": "2", "endpoints": "queued", **design}
    without = that_count(lambda **given: chosen_machine("rdt:4", **given), how)
    assert closed_loop(streams, "rdt:4", endpoint_room=1000, **how) == closed_loop(streams, "rdt:4", **without)


def test_a_router_that_sends_on_late_is_waited_for() -> None:
    """All others have answered by then: nothing else is under way, and no processor goes on."""
    meet = [(p, 1 << 20, 4, True, 4) for p in range(8)]
    rows = [*((p, 0, 4, False, 0) for p in range(8)), *meet, (1, 0, 4, True, 0), *meet]
    how = {"multicast": "full_map", "directory": "line", "synchronisation": "free"}
    how["costs"] = Costs(forward_cycles=99, sync_cycles=300, occupancy_cycles=2)
    shared = streams_of(made_trace(rows, 8), placement="interleaved")
    assert closed_loop(shared, "mesh:8x1", endpoint_room=8, **how) == closed_loop(shared, "mesh:8x1", **how)


@pytest.mark.parametrize("design", ROOMY.values(), ids=ROOMY)
def test_room_for_few_never_stands_still_in_as_many_networks_as_are_enough(crowd, design) -> None:
    how = {"directory": "line", "networks": "least", "endpoints": "queued", **design}
    cycles = [closed_loop(crowd, "rdt:4", endpoint_room=room, **how).timing.cycles for room in (1, 2, 3)]
    assert len(set(cycles)) > 1


@pytest.fixture(scope="module")
def crowd():
    return streams_of(workload("water:processors=16,molecules=8,steps=1").trace(), placement="interleaved")


def _stands(crowd, **how) -> bool:
    try:
        closed_loop(
            crowd, "torus:4x4", config=preset("jump1", deadlock_cycles=300), directory="line", outstanding=8, **how
        )
    except JumpnetError as stands:
        return "full of network" in str(stands) and str(stands).endswith("-> the first")
    return False


@pytest.mark.parametrize("protocol", ["msi", "dragon", "update"])
@pytest.mark.parametrize("endpoints", ENDPOINTS)
def test_full_nodes_stand_still_in_one_network_and_never_in_the_least_number(crowd, endpoints, protocol) -> None:
    how = {"endpoints": endpoints, "protocol": protocol}
    assert _stands(crowd, networks="1", endpoint_room=1, **how)
    assert not any(_stands(crowd, networks="least", endpoint_room=room, **how) for room in (1, 2, 3))
    loose = closed_loop(crowd, "torus:4x4", networks="least", directory="line", outstanding=8, **how)
    tight = closed_loop(crowd, "torus:4x4", networks="least", directory="line", outstanding=8, endpoint_room=1, **how)
    assert tight.timing.cycles > loose.timing.cycles and tight.direct_cycles == loose.direct_cycles


def test_rings_pass_through_queues_at_sources(crowd) -> None:
    """Two networks, where five are needed: a node that is to fetch waits to send, for one that is to send the line."""
    how = {"networks": "2", "endpoint_room": 1, "directory": "line", "outstanding": 8}
    with pytest.raises(
        JumpnetError, match=r"(fetch|tell|owners-data|acknowledge) to send from node \d+ by network 1"
    ) as told:
        closed_loop(crowd, "torus:4x4", config=preset("jump1", deadlock_cycles=300), **how)
    assert "full of network 1" in str(told.value)


@pytest.mark.parametrize(
    "how",
    [
        {"networks": "2"},
        {"networks": "least", "endpoints": "reserved"},
        {
            "networks": "2",
            "endpoints": "queued",
            "multicast": "full_map",
            "acknowledges": "combined",
            "protocol": "update",
        },
        {"networks": "2", "endpoints": "queued", "migrates": 2, "acknowledges": "counted"},
    ],
)
def test_kernels_and_python_take_full_nodes_alike(monkeypatch, how) -> None:
    few = streams_of(workload("lu:processors=4,n=8").trace(), placement="interleaved")
    how = {"endpoint_room": 1, "directory": "line", "outstanding": 4, "caches": (256, 2), **how}
    fast = closed_loop(few, "torus:2x2", **how)
    monkeypatch.setattr(machine, "run_cosimulated", run_in_turns)
    assert closed_loop(few, "torus:2x2", **how) == fast
