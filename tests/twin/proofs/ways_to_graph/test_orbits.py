"""Routings that choose, followed from one router of each orbit, against all packets: graph, escapes, verdicts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.conditions import escape_numbers as escapes_module
from jumpnet.analysis.deadlock.conditions.duato import extended_dependencies
from jumpnet.analysis.deadlock.cycles.order import Order
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.graph import dependencies_from
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.walks.packet_walk import new_space
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.orbits import escapes as orbit_escapes
from jumpnet.analysis.deadlock.ways_to_graph.orbits import states as states_module
from jumpnet.analysis.deadlock.ways_to_graph.orbits._behind import Met, kinds_ahead, kinds_behind, ways_within
from jumpnet.analysis.deadlock.ways_to_graph.orbits._explore import States
from jumpnet.analysis.deadlock.ways_to_graph.orbits._place import number_requests
from jumpnet.analysis.deadlock.ways_to_graph.orbits.escapes import lacking, numbers_by_orbit
from jumpnet.analysis.deadlock.ways_to_graph.orbits.graph import dependencies_by_orbit
from jumpnet.analysis.deadlock.ways_to_graph.orbits.pairs import Pairs, needed
from jumpnet.analysis.deadlock.ways_to_graph.orbits.transversal import Transversal
from jumpnet.fault.degraded import degraded
from jumpnet.jit.linked import kernel
from jumpnet.routings import BoundRouting, Prepared, bind
from jumpnet.routings.rdt.duato import ORDERED, RDT_DUATO
from jumpnet.routings.rdt.fault_tolerant import RDT_FAULT_TOLERANT
from jumpnet.routings.view import ENTERS, ESCAPE, KIND, NEXT_STATE, PORT, SOURCE, STATE, VC
from jumpnet.topology import build
from jumpnet.topology.orbits import joined


def _moved(bound: BoundRouting):
    found = dependencies_by_orbit(bound, job_of(bound))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def sixteen() -> BoundRouting:
    return bind("rdt.duato", build("rdt:16"))


@pytest.mark.parametrize(
    ("spec", "options"),
    [("rdt:8", ""), ("rdt:16", ""), ("rdt:16", ":ties=zero"), ("prdt:16,R=2", ""), ("prdt:16,R=1", "")],
)
def test_one_router_of_each_orbit_says_what_all_packets_say(spec, options, monkeypatch):
    bound = bind(f"rdt.duato{options}", build(spec))
    found, walked, shared = _moved(bound), dependencies(bound), dependencies_by_orbit(bound, job_of(bound), 3)
    assert all((one == two).all() for one, two in zip(found.graph, shared.graph, strict=True))
    assert walked.by == "walks"
    for made, plain in zip(found.graph, (walked.bits, walked.used, walked.escape), strict=False):
        assert (made == plain).all()
    made = dependencies_from(bound, found.graph, False)
    assert (made.adaptive, made.choices, made.has_escape) == (walked.adaptive, walked.choices, walked.has_escape)
    within, pairs = orbit_escapes._within, []
    monkeypatch.setattr(orbit_escapes, "_within", lambda *given: pairs.append(within(*given)) or pairs[-1])
    extended, number = extended_dependencies(walked), numbers_by_orbit(found.moved, 2).number
    assert all((numbers_by_orbit(found.moved, workers).number == number).all() for workers in (1, 3))
    assert lacking(found.moved) is extended.without_escape is None
    assert ((number >= 0) == (walked.escape != 0)).all()
    holder = np.repeat(extended.channel, np.diff(extended.indptr))
    assert (number[holder] < number[extended.channel[extended.indices]]).all()
    some = needed(pairs[0], bound.network.neighbor)
    assert len(some) < len(pairs[0].code) or spec in ("rdt:8", "prdt:16,R=2")
    monkeypatch.setattr(orbit_escapes, "MOST_PLACED", len(some) * found.moved.at.shape[1])
    number = numbers_by_orbit(found.moved).number  # from pairs that all others follow from
    assert (number[holder] < number[extended.channel[extended.indices]]).all()
    monkeypatch.setattr(orbit_escapes, "MOST_PLACED", len(some) * found.moved.at.shape[1] - 1)
    assert numbers_by_orbit(found.moved) is None


@pytest.mark.parametrize("vcs", [None, 1, 2, 3])
def test_verdicts_are_those_of_walks(vcs, monkeypatch):
    """Also with fewer channels than it takes, where there is a cycle."""
    bound = bind("rdt.duato", build("rdt:8"), vcs)
    walked = prove(bound)
    assert walked.by == "walks"
    monkeypatch.setattr(dependency_module, "ORBITS_ROUTERS", 0)
    monkeypatch.setattr(escapes_module, "MANY_STEPS", 0)
    proof = prove(bound)
    assert proof.by == "orbits"
    assert (proof.verdict, proof.dependencies, proof.channels) == (walked.verdict, walked.dependencies, walked.channels)
    assert len(proof.cycle or ()) == len(walked.cycle or ())
    assert proof.deadlock_free or (proof.method == walked.method and vcs in (1, 2))


def test_cycles_of_a_routing_without_choices_are_those_of_walks(monkeypatch):
    bound = bind("rdt.fault_tolerant", build("rdt:16"))
    walked, followed = dependencies(bound), prove(bound)
    for made, plain in zip(_moved(bound).graph, (walked.bits, walked.used, walked.escape), strict=False):
        assert (made == plain).all()
    monkeypatch.setattr(dependency_module, "ORBITS_ROUTERS", 0)
    proof = prove(bound)
    assert (proof.by, followed.by, proof.verdict, followed.verdict) == ("orbits", "walks", "deadlock", "deadlock")
    assert len(proof.cycle) == len(followed.cycle) and proof.may_circle == followed.may_circle


def test_layers_of_pairs_and_faults_are_walked():
    whole = build("rdt:8")
    layered = bind("rdt.fault_tolerant:layers=least", whole)
    assert dependencies_by_orbit(layered, job_of(layered)) is None
    faulty = bind("rdt.fault_tolerant", degraded(whole, routers=[9]))
    assert dependencies_by_orbit(faulty, job_of(faulty)) is None


def test_automorphisms_that_do_not_commute_carry_to_the_orbits_name():
    turn, swap = np.array([1, 2, 3, 0, 4]), np.array([1, 0, 2, 3, 4])
    carried = Transversal(joined(5, [turn, swap]), [turn, swap]).of(np.arange(5))
    assert [int(row[router]) for router, row in enumerate(carried)] == [0, 0, 0, 0, 4]
    assert (np.sort(carried, axis=1) == np.arange(5)).all()


_duato, _tolerant = kernel(RDT_DUATO.relation), kernel(RDT_FAULT_TOLERANT.relation)


def _blind(net, here, head, out):
    return head[STATE] & 0


def _turned(net, here, head, out):
    """The same, but a header that is another one at routers of an odd row of squares."""
    found = _duato(net, here, head, out)
    if found > 0 and net.coord[here, 1] & 8:
        out[0, NEXT_STATE] ^= 1
    return found


def _lowered(net, here, head, out):
    """The same, but ways that are no escapes on another virtual channel at routers of an odd row of squares."""
    found = _duato(net, here, head, out)
    for i in range(found):
        if out[i, KIND] & ESCAPE == 0 and net.coord[here, 1] & 8:
            out[i, VC] = 0
    return found


@pytest.mark.parametrize(
    "field",
    [{"escape_class": _blind}, {"relation": _turned}, {"relation": _lowered}],
    ids=["escape_class", "relation", "channel"],
)
def test_what_does_not_hold_at_all_routers_is_walked(sixteen, field, monkeypatch):
    """Classes of escapes that say too little, and a relation that does not move with the automorphisms."""
    monkeypatch.setattr(type(RDT_DUATO), "own", False)
    monkeypatch.setattr(states_module, "fields_read", lambda function, position: frozenset({STATE}))
    assert dependencies_by_orbit(sixteen, job_of(sixteen)) is not None
    bound = replace(RDT_DUATO, **field).bind(sixteen.network)
    assert dependencies_by_orbit(bound, job_of(bound)) is None


LAME = ORDERED + 1
"""Place in `own` of a router, and after it of a STATE."""


def _lame(net, here, head, out):
    """The same, but one candidate less for one STATE at one router."""
    found = _duato(net, here, head, out)
    return found - 1 if here == net.own[LAME] and head[STATE] == net.own[LAME + 1] else found


def test_requests_are_tried_all_over_their_orbit(sixteen, monkeypatch):
    """What is wrong at one router only, where neither the row's first state nor the one try of each state looks."""
    monkeypatch.setattr(type(RDT_DUATO), "own", False)
    monkeypatch.setattr(states_module, "fields_read", lambda function, position: frozenset({STATE}))
    moved = _moved(sixteen).moved
    first = np.unique(moved.row, return_index=True)[1]
    alone = (np.bincount(moved.request)[moved.request] == 1) & ~np.isin(moved.request, first)
    n = int(np.flatnonzero(alone)[0])
    name, state = int(moved.states.router[n]), int(moved.states.state[n])
    orbit = moved.orbits.of(name).tolist()
    tried = orbit[(n * 0x45D9F3B >> 3) % len(orbit)]
    others = [int(r) for r in orbit if r not in (name, tried)]
    for where, seen in ((others[-1], True), (-1, False)):
        prepare = partial(_with, [where, state])
        bound = replace(RDT_DUATO, relation=_lame, prepare=prepare).bind(sixteen.network)
        assert (dependencies_by_orbit(bound, job_of(bound), 2) is None) == seen


def _with(more, net, options):
    own, table = RDT_DUATO.prepare(net, options)
    return Prepared(np.array([*own, *more], np.int64), table)


def _askew(net, here, head, out):
    """The opposite way everywhere but in the first rows, where the routers are that name the orbits."""
    found = _tolerant(net, here, head, out)
    if found > 0 and net.coord[here, 1] > 3:
        out[0, PORT] ^= 1
    return found


def _later(net, head, draw, queue):
    head[STATE] = net.coord[head[SOURCE], 1] > 3


@pytest.mark.parametrize("field", [{"relation": _askew}, {"start": _later}], ids=["relation", "start"])
def test_other_routers_of_an_orbit_are_tried_too(field, monkeypatch):
    monkeypatch.setattr(type(RDT_FAULT_TOLERANT), "own", False)
    monkeypatch.setattr(states_module, "fields_read", lambda function, position: frozenset({STATE}))
    bound = replace(RDT_FAULT_TOLERANT, **field).bind(build("rdt:16"))
    assert dependencies_by_orbit(bound, job_of(bound)) is None


def test_states_that_lack_an_escape_or_take_one_otherwise_are_seen(sixteen):
    moved = _moved(sixteen).moved
    states, edges = moved.states, moved.states.first[moved.nodes]
    escape = int(np.flatnonzero(states.kind[:edges] & ESCAPE)[0])
    holder = int(np.searchsorted(states.first[: moved.nodes + 1], escape, side="right")) - 1
    normal = np.flatnonzero((states.kind[:edges] & ESCAPE) == 0)
    same = states.router[np.searchsorted(states.first[: moved.nodes + 1], normal, side="right") - 1]
    other = int(normal[same == states.router[holder]][0])
    states.slot[other] = states.slot[escape]
    assert numbers_by_orbit(moved) is None
    port = moved.port.copy()
    port[moved.row[moved.request[holder]]] = -1
    router, destination = lacking(replace(moved, port=port))
    assert router == states.router[holder] and destination != router


def test_an_escape_of_another_kind_on_the_way_hides_none():
    """On a line of routers a packet takes an escape, goes on, and comes to one of the first kind again."""
    states = States(
        np.zeros(8, np.int32),
        np.array([0, 1, 2, 3], np.int32),
        np.arange(4),
        np.zeros(4, np.int32),
        np.array([0, 1, 3, 4, 4]),
        np.array([0, 0, 1, 0], np.int16),  # slots: one port, two virtual channels
        np.array([ESCAPE, 0, ESCAPE, ESCAPE], np.int16),
        np.array([1, 2, 2, 3], np.int32),
    )
    row, kinds = np.array([0, 1, 0, -1], np.int32), np.array([[1], [2]], np.uint64)
    behind, ahead, held = (np.zeros((n, 1), np.uint64) for n in (4, 4, 2))
    kinds_behind(states, np.arange(4, dtype=np.int32), 4, row, kinds, behind, held)
    kinds_ahead(states, np.arange(4, dtype=np.int32), 4, row, kinds, ahead)
    assert behind[:2].tolist() == [[0], [1]] and ahead.tolist() == [[1], [3], [1], [0]]
    assert behind[2] == 3 and held.tolist() == [[3], [1]]
    near, neighbor = np.array([[1], [0]], np.uint64), np.array([[1], [2], [3], [0]], np.int32)
    only = states._replace(first=np.array([0, 1, 3, 3, 3]))
    assert _asked(neighbor, only, row, kinds, ahead, near, 8) == [[0, 2, 0, 1, 0]]


def _asked(neighbor, states, row, kinds, ahead, near, room):
    """[row held, router there, row asked for, hops before the last, port of the last] in order; None without room."""
    table, line = np.zeros(2 * room, np.int32), np.zeros((room, 5), np.int32)
    met = Met(table, line, np.zeros(room, np.int8), np.zeros(1, np.int64))
    given = neighbor, 2, states, len(states.router), row, kinds, ahead, near
    if not ways_within(*given, met):
        return None
    many, hops, asking = met.lines[0], np.zeros(room, int), np.flatnonzero(met.asks)
    assert len(np.unique(line[:many, :3], axis=0)) == many
    for k in range(many):
        hops[k] = 0 if line[k, 3] < 0 else hops[line[k, 3]] + 1
    found = [[int(x) for x in (line[k, 0], line[k, 2], row[line[k, 1]], hops[k], line[k, 4])] for k in asking]
    return sorted(found)


def test_escapes_are_found_at_every_place_and_all_of_a_place():
    """After the first escape some packets may ask for it again at each of seven routers, others for another one; also
    with a hash table that is nearly full.
    """
    far, end = 7, 16
    ways = [[] for _ in range(end + 1)]  # (slot, kind, state that follows) by state
    for first, vc in ((0, 0), (far + 1, 1)):
        ways[first] = [(0, ESCAPE, first + 1)]
        for n in range(first + 1, first + far + 1):
            ways[n] = [(1 - vc, 0, n + 1)] * (n < first + far) + [(vc, ESCAPE, end)]
    slot, kind, child = np.array([way for some in ways for way in some]).T
    states = States(
        np.zeros(64, np.int32),
        np.zeros(end + 1, np.int32),
        np.arange(end + 1),
        np.zeros(end + 1, np.int32),
        np.cumsum([0, *map(len, ways)]),
        slot.astype(np.int16),
        kind.astype(np.int16),
        child.astype(np.int32),
    )
    row = np.array([0] * (far + 2) + [1] * far + [-1], np.int32)
    kinds = np.array([[1], [2]], np.uint64)
    behind, ahead, held = (np.zeros((n, 1), np.uint64) for n in (end + 1, end + 1, 2))
    kinds_behind(states, np.arange(end + 1, dtype=np.int32), end + 1, row, kinds, behind, held)
    kinds_ahead(states, np.arange(end + 1, dtype=np.int32), end + 1, row, kinds, ahead)
    assert held[:, 0].tolist() == [1, 1]
    neighbor, near = np.arange(1, end + 1, dtype=np.int32)[:, None], kinds | np.uint64(3)
    given = neighbor, states, row, kinds, ahead, near
    assert _asked(*given, 16) == [[0, t, v, t - 1, 0] for t in range(1, far + 1) for v in range(2)]
    assert _asked(*given, 8) is None  # no room for all that packets come to


def _request(moved, states, room):
    """(how many, of each state) as `number_requests` says, with a hash table of so many places."""
    request, member, look = (np.zeros(moved.nodes, kind) for kind in (np.int32, np.int32, np.int64))
    bound, table = moved.bound, np.zeros(room, np.int32)
    given = bound.escape_class_pointer, bound.view, new_space(bound.view.queues), states, moved.nodes
    return number_requests(*given, table, request, member, look), request


def test_requests_are_told_apart_by_kinds_of_candidates_and_by_sight(sixteen):
    """Also where a full hash table brings those together that differ in nothing else."""
    moved = _moved(sixteen).moved
    crowded = 1 << len(moved.member).bit_length()
    assert (_request(moved, moved.states, crowded)[1] == moved.request).all()
    n = int(np.flatnonzero(np.bincount(moved.request)[moved.request] > 1)[0])
    states = moved.states._replace(kind=moved.states.kind.copy())
    states.kind[states.first[n]] ^= ENTERS
    many, request = _request(moved, states, 1 << (2 * moved.nodes).bit_length())
    assert many == len(moved.member) + 1 and np.flatnonzero(request == request[n]).tolist() == [n]


def test_numbers_that_do_not_ascend_are_not_believed(sixteen, monkeypatch):
    monkeypatch.setattr(dependency_module, "ORBITS_ROUTERS", 0)
    same = Order(np.zeros(len(sixteen.network.neighbor) * 100, int), None)
    monkeypatch.setattr(escapes_module, "numbers_by_orbit", lambda moved, workers: same)
    made = dependencies(sixteen)
    assert made.by == "orbits" and escapes_module._by_orbits(made.moved, 1) is None


def test_pairs_follow_from_shorter_ones_alone():
    """On a ring of eleven: 1 (twelve hops) from 4 and 8, 8 from 4 twice; but not 4 from 3 and 1."""
    hops, before, last = {1: 12, 3: 3, 4: 4, 8: 8}, [], []
    for many in hops.values():
        before += [-1, *range(len(before), len(before) + many - 1)]
        last.append(len(before) - 1)
    pairs = Pairs(np.array(sorted(hops)), 11, 1, np.array(last), np.array(before), np.zeros(len(before), np.int32))
    assert [len(pairs.ports(k)) for k in range(4)] == [12, 3, 4, 8] and pairs.there.tolist() == [1, 3, 4, 8]
    ring = ((np.arange(11, dtype=np.int32) + 1) % 11)[:, None]
    assert needed(pairs, ring).tolist() == [1, 2]


def test_a_cycle_of_some_pairs_is_no_answer(monkeypatch):
    moved = _moved(bind("rdt.duato", build("prdt:16,R=1"), 1)).moved
    assert len(numbers_by_orbit(moved).cycle) == 8
    monkeypatch.setattr(orbit_escapes, "MOST_PLACED", 0)
    monkeypatch.setattr(orbit_escapes, "needed", lambda *given: np.zeros(0, int))
    monkeypatch.setattr(orbit_escapes, "_in_order", lambda *given: Order(None, np.zeros(9, int)))
    assert numbers_by_orbit(moved) is None
