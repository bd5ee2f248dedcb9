"""`prove` against all buffer states: a few drawn instances, and cases argued by hand; the 1,000 are in `campaign`."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from tests.agree.bubbles import bubble_escapes
from tests.agree.campaign import BUBBLE, EMPTY, FLOWS, ONE, TAIL, TWO, Compared, compare, report
from tests.agree.changes import SHIPPED
from tests.agree.changes import compare as compare_change
from tests.agree.changes import drawn as drawn_change
from tests.agree.instances import KINDS, instance
from tests.agree.tables import by_state as by_state_row
from tests.agree.tables import first_state, tabled
from tests.naive.buffers import Buffers, Flow, explore, places_of, search

from jumpnet.analysis.deadlock.changes.changeover import Changeover
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.networks import from_links
from jumpnet.routings import bind
from jumpnet.routings.view import NORMAL
from jumpnet.sim.config import SimConfig
from jumpnet.sim.resolve.by_routing import settle_reuse
from jumpnet.topology import build

DRAWN = 5 * len(KINDS)
MOST = 20_000


@pytest.fixture(scope="module")
def drawn() -> list[Compared]:
    """Five instances of each kind, with a twentieth of the campaign's states."""
    return [compare(number, 0, 0.05) for number in range(DRAWN)]


def test_what_is_said_is_what_is_reached(drawn) -> None:
    assert not [str(one) for one in drawn if one.differs]
    said = [one.said for one in drawn]
    assert {"free (acyclic)", "free (Duato)", "free (bubbles)", "deadlock", "unproved"} == set(said)
    reached = [one.reached for one in drawn if one.said == "deadlock"]
    assert reached.count("deadlock") == len(reached)


def test_without_a_knot_nothing_deadlocks_under_cut_through(drawn) -> None:
    """What `unproved` leaves open is wormhole flow control alone, as docs/proofs.md argues."""
    open_ones = [one for one in drawn if one.said == "unproved" and ONE in one.found]
    assert open_ones
    assert {one.found[flow].verdict for one in open_ones for flow in (ONE, TWO)} == {"none"}


def test_the_report_counts_every_instance(drawn) -> None:
    table = report(drawn).split("\n\n")[0]
    rows = {line.split("|")[1].strip(): line.split("|")[2:-1] for line in table.splitlines()}
    assert int(rows["all"][0]) == DRAWN == sum(int(rows[kind][0]) for kind in KINDS)
    assert int(rows["minimal tables"][0]) == 5
    assert int(rows["all"][4]) == sum(one.said == "deadlock" for one in drawn)


def test_a_wrong_proof_is_seen(drawn) -> None:
    """A deadlock called free differs; under a flow control that the condition does not speak of it does not."""
    one = next(one for one in drawn if one.said == "deadlock")
    said = replace(one.proof, verdict="free", method="acyclic channel dependency graph")
    assert one._replace(proof=said).differs
    behind = {TAIL: one.found[ONE]}
    assert one._replace(proof=said, found=behind).differs
    assert not one._replace(proof=replace(said, method="Duato's condition: none"), found=behind).differs


def test_what_is_left_out_changes_nothing() -> None:
    """All packets of all pairs, against only those that could stand in a deadlock."""
    tried = 0
    for number in range(200):
        places = places_of(instance(number).bound)
        if len(places.channel) > 7:
            continue
        for flow in FLOWS.values():
            whole, lean = (search(Buffers(places, flow, lean), MOST) for lean in (False, True))
            if "over" not in (whole.verdict, lean.verdict):
                assert whole.verdict == lean.verdict == explore(places, flow, MOST).verdict
                tried += whole.states > 1
    assert tried > 30


def test_packets_under_cut_through_count_as_one_flit() -> None:
    """Packets of two flits in buffers of four, flit by flit, end as packets of one in buffers of two."""
    ends = []
    for number in range(60):
        places = places_of(instance(number).bound)
        if len(places.channel) <= 12:
            pair = [search(Buffers(places, flow), MOST) for flow in (Flow(2), Flow(4, (2,), whole=True))]
            assert pair[0].verdict == pair[1].verdict
            ends.append(pair[0].verdict)
    assert {"none", "deadlock"} <= set(ends)


def _verdicts(spec: str, name: str, vcs: int | None = None, most: int = MOST) -> dict[str, str]:
    places = places_of(bind(name, build(spec), vcs))
    return {word: explore(places, flow, most).verdict for word, flow in FLOWS.items()}


def test_rings() -> None:
    """Four packets of two hops close a ring; the dateline opens it, and so does room for one packet more."""
    assert set(_verdicts("torus:4", "torus.dimension_order").values()) == {"deadlock"}
    assert set(_verdicts("torus:4", "torus.dateline").values()) == {"none"}
    bubble = _verdicts("torus:4", "torus.bubble")
    assert bubble == {ONE: "deadlock", TWO: "deadlock", EMPTY: "deadlock", TAIL: "deadlock", BUBBLE: "none"}


def test_states_of_one_ring_are_those_counted_by_hand() -> None:
    """Two one-way channels, packets of one hop: each buffer empty or full, and a packet alone comes and goes."""
    net = from_links("pair", "drawn", 2, np.array([[0, 1], [1, 0]]), directed=True)
    rows = [[], [(0, 0, 0, NORMAL)]]
    bound = tabled(net, by_state_row, rows, 1, starts=[0, 1, 1, 0], start=first_state)
    places = places_of(bound)
    assert (len(places.channel), len(places.first)) == (2, 2)
    assert search(Buffers(places, Flow(1), lean=False), MOST)[:2] == ("none", 1)  # who has come is taken out at once
    longer = [[], [(0, 0, 2, NORMAL)], [(0, 0, 3, NORMAL)], [(0, 0, 0, NORMAL)]]  # once round and on
    bound = tabled(net, by_state_row, longer, 1, starts=[0, 1, 1, 0], start=first_state)
    found = search(Buffers(places_of(bound), Flow(1), lean=False), MOST)
    assert (found.verdict, len(found.stuck)) == ("deadlock", 2)


def test_escapes_need_buffers_of_one_packet() -> None:
    """Decision 0040: `torus.duato` deadlocks under wormhole flow control where channels are given behind the tail."""
    bound = bind("torus.duato", build("torus:7"))
    places = places_of(bound)
    assert prove(bound).deadlock_free
    ends = {word: explore(places, FLOWS[word], 500, tries=250).verdict for word in (ONE, TWO, EMPTY, TAIL)}
    assert ends == {ONE: "none", TWO: "none", EMPTY: "none", TAIL: "deadlock"}


def test_buffers_of_one_packet_are_asked_for_whichever_routers_take_packets() -> None:
    """The first source may be the only sink; its own packets have no escape that would tell."""
    net = replace(build("torus:4"), spec="one sink", sinks=np.array([1, 0, 0, 0], np.int32), orbits=None)
    assert settle_reuse(SimConfig(), bind("torus.duato", net)).vc_reuse == "empty"


def crossing():
    """Two packets that must go through each other's last channel: a knot that takes buffers of two to come to.

    Routers 2-0-1-3 in a row. A packet from 1 to 2 goes to 0, where it may go out, or once more to 1 and back; one from
    0 to 3 goes to 1, where it may go out, or once more to 0 and back. Each of them, come back, waits for the other.
    """
    net = from_links("crossing", "drawn", 4, np.array([[0, 1], [0, 2], [1, 3]]), terminals=np.ones(4, np.int32))
    rows = [
        [],
        [(0, 0, 2, NORMAL)],  # at 1, first
        [(1, 0, 0, NORMAL), (0, 0, 3, NORMAL)],  # at 0: out to 2, or to 1
        [(0, 0, 4, NORMAL)],  # at 1, come back
        [(1, 0, 0, NORMAL)],  # at 0, out to 2
        [(0, 0, 6, NORMAL)],  # the same from 0 to 3
        [(1, 0, 0, NORMAL), (0, 0, 7, NORMAL)],
        [(0, 0, 8, NORMAL)],
        [(1, 0, 0, NORMAL)],
        [(1, 0, 0, NORMAL)],  # one hop out
        [(0, 0, 0, NORMAL)],  # one hop in, or between 0 and 1
        [(0, 0, 9, NORMAL)],  # in, or across, and out
        [(0, 0, 11, NORMAL)],  # all along
    ]
    start = [[0, 10, 9, 5], [10, 0, 1, 9], [10, 11, 0, 12], [11, 10, 12, 0]]
    start[2] = [10, 13, 0, 12]
    rows += [[(0, 0, 10, NORMAL)]]
    start[3] = [13, 10, 12, 0]
    return tabled(net, by_state_row, rows, 1, starts=np.ravel(start), start=first_state)


def test_a_knot_that_buffers_of_one_packet_never_come_to() -> None:
    bound = crossing()
    proof, places = prove(bound), places_of(bound)
    assert (proof.verdict, len(proof.cycle)) == ("deadlock", 2)
    one = search(Buffers(places, FLOWS[ONE], lean=False), MOST)
    assert one.verdict == "none" and one.states > 10
    assert explore(places, FLOWS[TWO], MOST).verdict == explore(places, FLOWS[EMPTY], MOST).verdict == "deadlock"


def test_rings_as_escapes_are_free_and_with_wrong_marks_some_deadlock() -> None:
    """Of rings of three and four, with adaptive channels beside: where they are called free, no state is stuck."""
    ends: Counter[tuple[str, str]] = Counter()
    for seed in range(24):
        bound = bubble_escapes(random.Random(seed))
        found = explore(places_of(bound), FLOWS[BUBBLE], 8_000)
        ends[prove(bound).verdict, found.verdict] += 1
    assert ends["free", "deadlock"] == 0 and min(ends["free", "none"], ends["unproved", "deadlock"]) > 3


def test_changes_are_free_where_no_packet_stands_still() -> None:
    made = [Changeover(*(bind(name, build(spec)) for name in names)) for spec, *names in SHIPPED[1:4]]
    found = [compare_change(change, 0.02) for change in [*made, *(drawn_change(number, 0) for number in range(4))]]
    assert not [one for one in found if one.differs]
    assert {(one.verdict, one.reached) for one in found} >= {("free", "none"), ("unproved", "deadlock")}
    assert {one.method[:5] for one in found if one.verdict == "free"} == {"Duato", "acycl"}
