"""Routings that choose, followed from one router of each orbit, against all packets: graph, escapes, verdicts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock import escapes as escapes_module
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.duato import extended_dependencies
from jumpnet.analysis.deadlock.moved.escapes import lacking, numbers_by_moving
from jumpnet.analysis.deadlock.moved.graph import dependencies_by_moving
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.walks import job_of
from jumpnet.routings import BoundRouting, bind
from jumpnet.routings.rdt_duato import RDT_DUATO
from jumpnet.routings.view import ESCAPE, NEXT_STATE, STATE
from jumpnet.topology import build


def _moved(bound: BoundRouting):
    found = dependencies_by_moving(bound, job_of(bound))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def sixteen() -> BoundRouting:
    return bind("rdt.duato", build("rdt:16"))


@pytest.mark.parametrize(
    ("spec", "options"), [("rdt:8", ""), ("rdt:16", ""), ("rdt:16", ":ties=zero"), ("prdt:16,R=2", "")]
)
def test_one_router_of_each_orbit_says_what_all_packets_say(spec, options):
    bound = bind(f"rdt.duato{options}", build(spec))
    found, walked = _moved(bound), dependencies(bound)
    assert walked.by == "walks"
    for made, plain in zip(found.graph, (walked.bits, walked.used, walked.escape), strict=False):
        assert (made == plain).all()
    made = dependency_module._made(bound, found.graph, False)
    assert (made.adaptive, made.choices, made.has_escape) == (walked.adaptive, walked.choices, walked.has_escape)
    extended, number = extended_dependencies(walked), numbers_by_moving(found.moved)
    assert lacking(found.moved) is extended.without_escape is None
    assert ((number >= 0) == (walked.escape != 0)).all()
    holder = np.repeat(extended.channel, np.diff(extended.indptr))
    assert (number[holder] < number[extended.channel[extended.indices]]).all()


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


def _blind(net, here, head, out):
    return head[STATE] & 0


def _turned(net, here, head, out):
    """The same, but a header that is another one at routers of an odd row of squares."""
    found = RDT_DUATO.relation(net, here, head, out)
    if found > 0 and net.coord[here, 1] & 8:
        out[0, NEXT_STATE] ^= 1
    return found


@pytest.mark.parametrize("field", [{"sight": _blind}, {"relation": _turned}], ids=["sight", "relation"])
def test_what_does_not_hold_at_all_routers_is_walked(sixteen, field, monkeypatch):
    """A sight that says too little, and a relation that does not move with the automorphisms."""
    monkeypatch.setattr(type(RDT_DUATO), "own", False)
    bound = replace(RDT_DUATO, **field).bind(sixteen.network)
    assert dependencies_by_moving(bound, job_of(bound)) is None


def test_states_that_lack_an_escape_or_take_one_otherwise_are_seen(sixteen):
    moved = _moved(sixteen).moved
    states, edges = moved.states, moved.states.first[moved.nodes]
    escape = int(np.flatnonzero(states.kind[:edges] & ESCAPE)[0])
    holder = int(np.searchsorted(states.first[: moved.nodes + 1], escape, side="right")) - 1
    normal = np.flatnonzero((states.kind[:edges] & ESCAPE) == 0)
    same = states.router[np.searchsorted(states.first[: moved.nodes + 1], normal, side="right") - 1]
    other = int(normal[same == states.router[holder]][0])
    states.slot[other] = states.slot[escape]
    assert numbers_by_moving(moved) is None
    at = moved.at.copy()
    at[moved.asking[holder]] = -1
    router, destination = lacking(replace(moved, at=at))
    assert router == states.router[holder] and destination != router


def test_numbers_that_do_not_ascend_are_not_believed(sixteen, monkeypatch):
    monkeypatch.setattr(dependency_module, "ORBITS_ROUTERS", 0)
    monkeypatch.setattr(
        escapes_module, "numbers_by_moving", lambda moved: np.zeros(len(moved.bound.network.neighbor) * 100, int)
    )
    made = dependencies(sixteen)
    assert made.by == "orbits" and escapes_module._by_orbits(made.moved, 1) is None
