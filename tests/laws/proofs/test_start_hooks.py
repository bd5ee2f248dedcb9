"""What a user's start hook does with its queues is followed by proofs, or nothing is called free."""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from types import FunctionType

import numpy as np
import pytest
from tests.round_a_ring import round_a_ring

from jumpnet.analysis.deadlock.changes.changeover import Changeover, prove_changeover
from jumpnet.analysis.deadlock.progress import silent
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.start_hooks.followed import start_not_followed
from jumpnet.analysis.deadlock.walks.packet_states import sections
from jumpnet.analysis.deadlock.walks.packet_walk import STATES
from jumpnet.analysis.deadlock.walks.shared import SharedWalks
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.errors import JumpnetError
from jumpnet.routings import (
    DESTINATION,
    ESCAPE,
    IN_PORT,
    KIND,
    NEXT_STATE,
    PORT,
    SOURCE,
    STATE,
    VC,
    Prepared,
    Routing,
    bind,
    routings,
)
from jumpnet.routings.reads import fields_read
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build


def _both(net, head, draw, queue):
    head[STATE] = int(queue[0] > 0 and queue[1] > 0)


def _few(net, head, draw, queue):
    if 0 < queue[0] < 3:
        head[STATE] = 1


def _long(net, head, draw, queue):
    if queue[0] > 2 * queue[1] + 3:
        head[STATE] = 1


def _never(net, head, draw, queue):
    if queue[0] > 2 * queue[0] + queue[1]:
        head[STATE] = 1


def _copied(net, head, draw, queue):
    head[STATE] = queue[0]


def _half(net, head, draw, queue):
    if 0.5 * queue[0] > queue[1] + 2:
        head[STATE] = 1


def _halves(net, head, draw, queue):
    head[STATE] = int(0.5 * queue[0] > 1 and queue[1] > 0)


def _beyond_64_bits(net, head, draw, queue):
    if 0 < queue[0] < 3 and queue[0] + 9223372036854775807 < 0:
        head[STATE] = 1


def _of_six_fields(net, head, draw, queue):
    if head[len(head) - 1] == -1 and queue[0] > 0 and queue[1] > 0:
        head[STATE] = 1


def _by_a_table(net, head, draw, queue):
    if net.table[0, 0] * 200 > 32767 and queue[0] > 0 and queue[1] > 0:  # 16 bits would pass into the negative
        head[STATE] = 1


def _by_address(net, head, draw, queue):
    if net.address == 0 and queue[0] > 0 and queue[1] > 0:
        head[STATE] = 1


NARROW = np.array([200], np.int16)


def _narrow(net, head, draw, queue):
    wide = NARROW * 200  # of 64 bits in compiled code, which NumPy's are not
    if wide[0] > 0 and queue[0] > 0 and queue[1] > 0:
        head[STATE] = 1


def _by_type(net, head, draw, queue):
    if isinstance(queue[0], int):
        head[STATE] = 1


def _later(net, head, draw, queue):
    if head[IN_PORT] >= 0 and queue[0] >= 0:
        head[STATE] = 1


def _later_of_some(net, head, draw, queue):
    if head[IN_PORT] >= 0 and head[SOURCE] > 0 and queue[0] >= 0:
        head[STATE] = 1


def _third(net, head, draw, queue):
    best = 0
    for p in range(4):
        if queue[p] < queue[best]:
            best = p
    head[STATE] = best


TABLE = Prepared(np.zeros(0, int), np.full((1, 1), 200))


def _bound(start, spec="torus:5", **more):
    more |= {"prepare": lambda net, options: TABLE} if start is _by_a_table else {}
    return Routing("test.started", round_a_ring, start=start, **more).bind(build(spec))


@pytest.mark.parametrize(
    ("start", "revises", "says"),
    [
        (_both, False, "STATE 1, INTERMEDIATE -1 may be set for a packet from 0 to 1, and no proof starts with that"),
        (_few, False, "no proof starts with that"),
        (_copied, False, "cannot be told"),
        (_halves, False, "cannot be told"),
        (_beyond_64_bits, False, "cannot be told"),
        (_of_six_fields, False, "no proof starts with that"),
        (_by_a_table, False, "no proof starts with that"),
        (_by_address, False, "cannot be told from its text"),
        (_narrow, False, "cannot be told"),
        (_by_type, False, "isinstance found, which is not checked"),
        (_later, True, "gets candidates in STATE 1 that it did not have"),
        (_later_of_some, True, "gets candidates in STATE 1 that it did not have"),
    ],
    ids=lambda word: getattr(word, "__name__", str(word)),
)
def test_what_proofs_do_not_follow_is_not_called_free(start, revises, says):
    bound = _bound(start, revises=revises)
    with pytest.raises(JumpnetError, match=says):
        prove(bound)
    with pytest.raises(JumpnetError, match=says):
        Changeover(bind("torus.dateline", bound.network), bound)


def _both_at_a_switch(net, head, draw, queue):
    head[STATE] = int(head[SOURCE] == 1 and queue[0] > 0 and queue[1] > 0)


def _later_from_a_switch(net, head, draw, queue):
    if head[IN_PORT] >= 0 and head[SOURCE] == 1 and queue[0] > 0:
        head[STATE] = 1


def _after_a_hop(net, here, head, out):
    """As `round_a_ring`, but for STATE 2 after a hop."""
    to, state = head[DESTINATION], head[STATE]
    out[0, PORT] = 0 if state == 1 or to > here else 1
    out[0, VC], out[0, NEXT_STATE], out[0, KIND] = 0, 1 if state == 1 else 2, 0
    return 0 if here == to else 1


def _where_it_began(net, head, draw, queue):
    if head[IN_PORT] >= 0 and head[STATE] == 0 and queue[0] > 0:
        head[STATE] = 1


@pytest.mark.parametrize(
    ("relation", "start", "revises", "says"),
    [
        (round_a_ring, _both_at_a_switch, False, "STATE 1, INTERMEDIATE -1 may be set for a packet from 1 to 0"),
        (round_a_ring, _later_from_a_switch, True, "gets candidates in STATE 1 that it did not have"),
        (_after_a_hop, _where_it_began, True, "gets candidates in STATE 1 that it did not have"),
    ],
    ids=lambda word: getattr(word, "__name__", ""),
)
def test_heads_that_are_routed_anew_are_asked_about_wherever_they_stand(relation, start, revises, says):
    """Where no terminal is, and by the channel that they stand in; packets from terminals alone do nothing else."""
    net = replace(build("torus:5"), terminals=np.array([1, 0, 1, 1, 1]), sinks=np.ones(5, int), orbits=None)
    bound = Routing("test.anew", relation, start=start, revises=revises).bind(net)
    assert prove(bound).verdict == "free"
    with pytest.raises(JumpnetError, match=says):
        Changeover(bind("torus.dateline", net), bound)


def _at_the_last(net, head, draw, queue):
    if head[IN_PORT] >= 0 and head[DESTINATION] == 4 and queue[0] > 0:
        head[STATE] = 1


def test_of_too_many_packets_others_than_those_to_the_first_routers_are_looked_at(monkeypatch):
    monkeypatch.setattr("jumpnet.analysis.deadlock.start_hooks.followed.MOST_CALLS", 8)
    assert "a packet to 4 in STATE 0" in start_not_followed(_bound(_at_the_last, revises=True))


def _by_two_queues_at_the_last(net, head, draw, queue):
    if head[SOURCE] == 4 and head[DESTINATION] == 3 and queue[0] > 0 and queue[1] > 0:
        head[STATE] = 1


def test_a_proof_says_that_not_all_packets_were_looked_at(monkeypatch):
    """Packets of a hook with many draws are too many on 64 routers: those that deadlock may not be among them."""
    few, said = _bound(_by_two_queues_at_the_last), "was looked at for some packets, not for all"
    with pytest.raises(JumpnetError, match="may be set for a packet from 4 to 3"):
        prove(few)
    monkeypatch.setattr("jumpnet.analysis.deadlock.start_hooks.followed.MOST_CALLS", 8)
    assert prove(few).method.endswith(said)
    dateline = bind("torus.dateline", few.network)
    assert said in prove_changeover(Changeover(dateline, few)).method
    assert said in prove(_bound(_at_the_last_less, revises=True)).method


def _at_the_last_less(net, head, draw, queue):
    if head[IN_PORT] >= 0 and head[DESTINATION] == 9 and queue[0] > 0:
        head[STATE] = 1


def _escaping(net, here, head, out):
    """On a ring: all the way up on channel 1, in STATE 1 nothing else; else, and for ever, not over the wrap-around."""
    to, state, rows = head[DESTINATION], head[STATE], 0
    if state != 2:
        out[0, PORT], out[0, VC], out[0, NEXT_STATE], out[0, KIND] = 0, 1, 0, 0
        rows = 1
    if state != 1:
        out[rows, PORT], out[rows, VC], out[rows, NEXT_STATE], out[rows, KIND] = 0 if to > here else 1, 0, 2, ESCAPE
        rows += 1
    return 0 if here == to else rows


def _takes_the_escape_away(net, head, draw, queue):
    if head[IN_PORT] >= 0 and head[STATE] == 0 and queue[0] > 2:
        head[STATE] = 1


def _nothing(net, here, head, out):
    """On a ring, not over the wrap-around; in STATE 1 nowhere, as if there were no way or this were the end."""
    to = head[DESTINATION]
    out[0, PORT] = 0 if to > here else 1
    out[0, VC], out[0, NEXT_STATE], out[0, KIND] = 0, 0, 0
    return 0 if here == to else net.own[0] if head[STATE] == 1 else 1


@pytest.mark.parametrize("says", [-1, 0])
def test_a_hook_that_takes_all_candidates_away_is_not_called_free(says):
    """A run ends there with an error."""
    made = Prepared(np.array([says]))
    routing = Routing("test.nothing", _nothing, 1, start=_takes_the_escape_away, prepare=lambda net, options: made)
    with pytest.raises(JumpnetError, match="has no candidate left in STATE 1; one of those"):
        prove(routing.changed(revises=True).bind(build("torus:5")))


def test_a_hook_that_takes_the_escape_away_is_not_called_free():
    routing = Routing("test.escaping", _escaping, 2, start=_takes_the_escape_away, adaptive=True)
    bound = routing.changed(revises=True).bind(build("torus:5"))
    with pytest.raises(JumpnetError, match="loses its escape in STATE 1; one of those"):
        prove(bound)
    assert prove(routing.bind(bound.network)).verdict == "free"  # at sources alone it changes nothing


def test_a_ring_fills_up_by_what_one_queue_alone_does_not_tell():
    bound = _bound(_both)
    assert simulate(bound.network, bound, load=0.9, vcs=1, measure_cycles=2000).deadlocked


def test_what_proofs_follow_is_answered():
    assert prove(_bound(_long)).verdict == "deadlock"
    assert prove(_bound(_half)).verdict == "deadlock"
    assert prove(_bound(_never)).verdict == "free"


def test_the_least_of_several_queues_is_followed():
    bound = _bound(_third, "torus:3x3")
    assert start_not_followed(bound) is None
    begun = [section.key[section.begins, 0] for section in sections(bound, job_of(bound))]
    assert set(np.concatenate(begun).tolist()) == {0, 1, 2, 3}  # 2 and 3 where several are crowded


@pytest.mark.parametrize("spec", ["torus:3x2", "mesh:3x2", "hypercube:2", "hyperx:3x2", "dragonfly:1", "fattree:2,n=2"])
def test_hooks_of_the_package_are_followed(spec):
    net = build(spec)
    for routing in routings().values():
        if routing.start is not None and routing.misfit(net) is None:
            assert start_not_followed(routing.bind(net)) is None


@wraps(round_a_ring)
def _around(net, here, head, out):
    return round_a_ring(net, here, head, out) if head[IN_PORT] < 0 else 0


def test_a_function_that_wraps_another_may_read_all_of_the_header():
    assert fields_read(round_a_ring, 2) == {DESTINATION, STATE}
    assert IN_PORT in fields_read(_around, 2)  # the source that is shown is that of the other


FIELD = DESTINATION


def _by_name(net, here, head, out):
    """On a ring: over the wrap-around for packets whose FIELD is there."""
    to = head[DESTINATION]
    out[0, PORT] = 0 if to > here or (FIELD == SOURCE and head[FIELD] >= 0) else 1
    out[0, VC], out[0, NEXT_STATE], out[0, KIND] = 0, 0, 0
    return 0 if here == to else 1


def test_a_name_that_another_cell_gives_another_value_is_read_anew(monkeypatch):
    bound = Routing("test.named", _by_name).bind(build("torus:5"))
    assert prove(bound).verdict == "free"
    monkeypatch.setitem(globals(), "FIELD", SOURCE)
    assert prove(bound).verdict == "free"  # compiled before
    later = Routing("test.named", _by_name).bind(build("torus:5"))
    assert prove(later).verdict == "deadlock"
    monkeypatch.undo()
    assert prove(later).verdict == "deadlock"


def test_a_function_may_read_all_once_its_file_has_been_edited(tmp_path):
    file, made = tmp_path / "edited.py", dict[str, FunctionType]()
    old, new = (
        f"def relation(net, here, head, out):\n    return head[{index}]{end}\n" for index, end in ((0, ""), (1, " + 0"))
    )
    exec(compile(old, str(file), "exec"), made)
    file.write_text(new)
    assert len(fields_read(made["relation"], 2)) > 1
    exec(compile(new, str(file), "exec"), made)
    assert fields_read(made["relation"], 2) == {1}


def _home(net, here, head, out):
    """On a ring: packets to the router where they enter go all the way round, others not over the wrap-around."""
    to, state = head[DESTINATION], head[STATE]
    leaves = here == to and head[IN_PORT] < 0
    out[0, PORT] = 0 if leaves or state == 1 or to > here else 1
    out[0, VC], out[0, NEXT_STATE], out[0, KIND] = 0, 1 if leaves else state, 0
    return 0 if here == to and not leaves else 1


def test_packets_to_the_router_where_they_enter_are_followed_where_they_leave_it():
    """Between two terminals of a router, or from a terminal to itself; other packets of a ring would not close it."""
    bound = Routing("test.home", _home).bind(build("torus:5"))
    proof = prove(bound)
    assert (proof.verdict, len(proof.cycle)) == ("deadlock", 5)
    assert "packet from 1 to 1 holds" in proof.explain()
    alone = {"traffic": "uniform:self=1", "load": 0.9, "vcs": 1, "measure_cycles": 2000}
    assert simulate(bound.network, bound, **alone).deadlocked


@pytest.mark.parametrize("spec, name", [("mesh:3x3", "mesh.valiant"), ("dragonfly:1", "dragonfly.valiant")])
def test_such_packets_add_nothing_to_what_routings_of_the_package_do(spec, name):
    bound = bind(name, build(spec))
    every = np.arange(bound.network.routers, dtype=np.int32)
    job = job_of(bound)._replace(home=False)
    walked = [SharedWalks(bound, job._replace(home=home), every, 1, silent).part(0) for home in (False, True)]
    assert np.array_equal(walked[0][0], walked[1][0])
    assert walked[0][3][STATES] < walked[1][3][STATES]
