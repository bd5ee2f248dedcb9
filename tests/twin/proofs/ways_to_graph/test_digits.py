"""Sets of destinations against walks: at least all dependencies, the same where they are said to be, verdicts alike."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.certificates.check import check_certificate
from jumpnet.analysis.deadlock.certificates.text import write_certificate
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.walks.walkers import job_of, job_read_of
from jumpnet.analysis.deadlock.ways_to_graph.digits import graph as graph_module
from jumpnet.analysis.deadlock.ways_to_graph.digits import spread as spread_module
from jumpnet.analysis.deadlock.ways_to_graph.digits.choices import Begun, Run, Steps
from jumpnet.analysis.deadlock.ways_to_graph.digits.graph import dependencies_by_digits
from jumpnet.analysis.deadlock.ways_to_graph.digits.runs import plain
from jumpnet.analysis.deadlock.ways_to_graph.digits.spread import Spread
from jumpnet.analysis.deadlock.ways_to_graph.digits.system import by_coordinates, by_number
from jumpnet.analysis.deadlock.ways_to_graph.digits.values import Value
from jumpnet.errors import JumpnetError
from jumpnet.routings import DESTINATION, STATE, Routing, bind
from jumpnet.routings.view import PORT, VC
from jumpnet.routings.writes import constants_written
from jumpnet.topology import build

ALIKE = [
    ("fly:2,n=3", "fly.destination_tag", None),
    ("fly:3,n=3", "fly.destination_tag", 2),
    ("fattree:3,n=3", "fattree.nca", None),
    ("fattree:2,n=3", "fattree.nca:up=destination", 2),
    ("clos:3,2,4", "clos.nca", None),
    ("clos:m=9,n=1,r=4", "clos.nca:up=random", 2),
    ("dragonfly:2", "dragonfly.minimal", None),
    ("dragonfly:2", "dragonfly.minimal", 1),
    ("dragonfly:2,arrangement=palmtree", "dragonfly.minimal", 3),
    ("ccc:4", "ccc.ecube", 1),
    ("ccc:3", "ccc.ecube", None),
    ("rdn:5x5,k=1", "rdn.recursive", None),
    ("rdn:3,k=2", "rdn.recursive", None),
    ("dualcube:3", "rdn.recursive", None),
]
MORE = [
    ("debruijn:2,n=5", "debruijn.shift"),
    ("debruijn:3,n=3,directed=true", "debruijn.shift"),
    ("kautz:2,n=4", "kautz.shift"),
    ("kautz:3,n=3,directed=true", "kautz.shift"),
    ("dragonfly:2", "dragonfly.booksim"),
    ("dragonfly:2", "dragonfly.valiant"),
    ("dragonfly:2", "dragonfly.ugal"),
    ("dragonfly:2", "dragonfly.ugal_g"),
    ("dragonfly:2", "dragonfly.par"),
]


@pytest.fixture
def at_any_size(monkeypatch):
    """Small networks are not walked either."""
    monkeypatch.setattr(dependency_module, "DIGITS_ROUTERS", 0)
    monkeypatch.setattr(graph_module, "SHARE", 0)


def _walked(bound, monkeypatch):
    monkeypatch.setattr(dependency_module, "DIGITS_ROUTERS", 1 << 30)
    return dependencies(bound)


@pytest.mark.parametrize("name", ["dragonfly.ugal_g", "dragonfly.par"])
def test_drawn_ways_are_not_followed_for_minutes_on_some_hundred_routers(name, monkeypatch, tmp_path):
    """Nor for the words of the proof, nor its certificate."""

    def followed(*_):
        raise AssertionError("packets are followed")

    monkeypatch.setattr(dependency_module, "by_walks", followed)
    bound = bind(name, build("dragonfly:5"))
    proof = prove(bound)
    assert proof.deadlock_free and proof.by == "digits" and "of sets of packets" in proof.method
    assert "sets of destinations" in str(explain(proof))
    assert write_certificate(tmp_path / "sets.cert", bound, proof, 0).dependencies == proof.dependencies
    assert check_certificate(tmp_path / "sets.cert").head["dependencies"] == proof.dependencies


@pytest.mark.parametrize(("spec", "name", "vcs"), ALIKE, ids=lambda v: str(v))
def test_sets_that_are_exact_say_what_walks_say(spec, name, vcs, at_any_size, monkeypatch):
    bound = bind(name, build(spec), vcs)
    made, proof = dependencies(bound), prove(bound)
    assert made.by == proof.by == "digits" and made.whole
    walked = _walked(bound, monkeypatch)
    for what in ("bits", "used", "escape"):
        assert (getattr(made, what) == getattr(walked, what)).all(), what
    assert (made.adaptive, made.choices, made.has_escape) == (walked.adaptive, walked.choices, walked.has_escape)
    followed = prove(bound)
    assert followed.by == "walks"
    assert (proof.verdict, proof.may_circle, proof.method) == (followed.verdict, followed.may_circle, followed.method)
    assert len(proof.cycle or ()) == len(followed.cycle or ())


@pytest.mark.parametrize(("spec", "name"), MORE, ids=lambda v: str(v))
def test_sets_that_are_not_exact_have_all_dependencies_and_prove_the_same(spec, name, at_any_size, monkeypatch):
    bound = bind(name, build(spec))
    proof, made = prove(bound), dependencies(bound, beyond=True)
    assert proof.verdict == "free" and proof.by == "digits" and "sets of packets" in proof.method
    assert dependencies(bound).by == "walks"  # who asks for the graph itself gets no more than that
    walked = _walked(bound, monkeypatch)
    assert not (walked.bits & ~made.bits).any() and not (walked.used & ~made.used).any()
    assert prove(bound).verdict == "free"


@pytest.mark.parametrize(
    ("spec", "name"),
    [("rdn:5x5,k=1", "rdn.recursive"), ("rdn:9,k=1", "rdn.recursive"), ("ccc:4", "ccc.ecube"), *MORE[1:4]],
    ids=lambda v: str(v),
)
def test_rounds_of_the_routers_with_new_packets_say_what_rounds_of_all_do(spec, name, monkeypatch):
    bound = bind(name, build(spec))
    monkeypatch.setattr(graph_module, "SHARE", 0)
    found, routers, spread, grow = [], [0], Spread._spread, Spread._grow

    def counted(self, key, new):
        routers[-1] += np.count_nonzero(new)
        spread(self, key, new)

    def all_new(self, key, *others):
        grow(self, key, *others)
        self.pending[key][:] = True

    monkeypatch.setattr(Spread, "_spread", counted)
    found.append(dependencies_by_digits(bound, job_of(bound)))
    monkeypatch.setattr(Spread, "_grow", all_new)
    routers.append(0)
    found.append(dependencies_by_digits(bound, job_of(bound)))
    assert found[0].exact == found[1].exact and routers[0] < routers[1]
    for some, of_all in zip(found[0].graph, found[1].graph, strict=True):
        assert np.array_equal(some, of_all)


CYCLIC = [
    ("debruijn:2,n=4", "debruijn.shift", 1),
    ("kautz:2,n=3", "kautz.shift", 1),
    ("dragonfly:2", "dragonfly.valiant", 1),
    ("dragonfly:1", "dragonfly.ugal_booksim", None),
    ("star:4", "star.sort", 1),
]


@pytest.mark.parametrize(("spec", "name", "vcs"), CYCLIC, ids=lambda v: str(v))
def test_a_cycle_that_sets_cannot_vouch_for_is_left_to_walks(spec, name, vcs, at_any_size, monkeypatch):
    monkeypatch.setattr(dependency_module, "dependencies_by_relabelling", lambda bound, job: None)  # it could for stars
    bound = bind(name, build(spec), vcs)
    found = dependencies_by_digits(bound, job_of(bound))
    assert found is None if spec == "dragonfly:1" else found.cyclic
    proof = prove(bound)
    assert proof.verdict == "deadlock" and proof.by == "walks"


def _back_and_forth(net, here, head, out):
    """Minimal on a dragonfly, but class 1 before the global hop too where the destination's place is not 0."""
    destination = head[DESTINATION]
    group, place = net.coord[destination, 0], net.coord[destination, 1]
    own, at = net.coord[here, 0], net.coord[here, 1]
    port, vc = -1, 1
    if own == group:
        if place == at:
            return 0
        port = place if place < at else place - 1
    else:
        k = group if group < own else group - 1
        gate = k // net.params[2]
        port = net.params[1] - 1 + k % net.params[2]
        if gate != at:
            port = gate if gate < at else gate - 1
        vc = 1 if place != 0 else 0
    out[0, PORT], out[0, VC], out[0, 2], out[0, 3] = port, vc, 0, 0
    return 1


def test_a_spoilt_routing_has_the_walks_cycle(at_any_size, monkeypatch):
    """One class where it must be another, for some destinations only: the cycle is found in the sets too."""
    monkeypatch.setattr(graph_module, "is_foreign", lambda bound: False)
    bound = bind(Routing("spoilt", _back_and_forth, vcs=2), build("dragonfly:2"))
    proof = prove(bound)
    assert proof.by == "digits" and proof.verdict == "deadlock"
    monkeypatch.setattr(dependency_module, "DIGITS_ROUTERS", 1 << 30)
    walked = prove(bound)
    assert walked.by == "walks" and walked.verdict == "deadlock" and len(walked.cycle) == len(proof.cycle)
    assert walked.dependencies == proof.dependencies


def _lost(net, here, head, out):
    """Stops one router too early where the destination's place is 1."""
    if net.coord[here, 0] == net.coord[head[DESTINATION], 0] and net.coord[head[DESTINATION], 1] == 1:
        return 0
    return _back_and_forth(net, here, head, out)


def test_who_does_not_deliver_is_told_by_the_walk(at_any_size, monkeypatch):
    monkeypatch.setattr(graph_module, "is_foreign", lambda bound: False)
    bound = bind(Routing("lost", _lost, vcs=2), build("dragonfly:2"))
    assert dependencies_by_digits(bound, job_read_of(bound)) is None
    with pytest.raises(JumpnetError, match="says arrived at router"):
        prove(bound)


def test_routings_of_a_users_own_are_not_run_on_sets():
    bound = bind(Routing("own", _back_and_forth, vcs=2), build("dragonfly:2"))
    assert dependencies_by_digits(bound, job_of(bound)) is None


def test_more_lanes_keep_apart_what_is_no_product(monkeypatch):
    """With one set for each STATE this routing seems to have a cycle."""
    bound = bind("rdn.recursive", build("rdn:5x5,k=1"))
    monkeypatch.setattr(graph_module, "SHARE", 0)
    monkeypatch.setattr(graph_module, "LANES", (1,))
    assert dependencies_by_digits(bound, job_of(bound)).cyclic
    monkeypatch.setattr(graph_module, "LANES", (4,))
    found = dependencies_by_digits(bound, job_of(bound))
    assert found is not None and found.exact and found.ends()


def test_where_many_lanes_are_too_many_fewer_are_tried(monkeypatch):
    bound = bind("rdn.recursive", build("rdn:3x3,k=1"))
    monkeypatch.setattr(graph_module, "SHARE", 0)
    many = dependencies_by_digits(bound, job_of(bound))
    assert many is not None and many.exact
    monkeypatch.setattr(spread_module, "MOST_KEYS", 4)  # as many as the routing has STATEs
    few = dependencies_by_digits(bound, job_of(bound))
    assert few is not None and not few.exact and not (many.graph[0] & ~few.graph[0]).any()


def test_packets_that_are_no_product_alone_are_tried_in_one_empty_set(monkeypatch):
    """Pairs of a source and a destination: however many sets there may be, none is begun in vain."""
    bound, tried = bind("dragonfly.booksim", build("dragonfly:2")), []
    monkeypatch.setattr(graph_module, "SHARE", 0)
    grown = Spread._grown
    monkeypatch.setattr(Spread, "_grown", lambda *its, **how: tried.append(its[3]) or grown(*its, **how))
    found = []
    for lanes in (16, 64):
        monkeypatch.setattr(graph_module, "LANES", (lanes,))
        made = dependencies_by_digits(bound, job_of(bound))
        found.append((tried.copy(), made.graph[0].tobytes(), made.number.tobytes()))
        tried.clear()
    assert found[0] == found[1] and len({then.lane for then in found[0][0]}) < 16


@pytest.mark.parametrize("spec", ["dragonfly:2", "fattree:2,n=3", "debruijn:2,n=4", "rdn:3,k=1", "ccc:3"])
def test_digits_make_up_router_numbers_and_coordinates(spec):
    net = build(spec)
    for system in (by_coordinates(net), by_number(net)):
        for _ in range(3):
            d = int(np.argmax(system.radix))
            system = system.refined(d, 2) if system.radix[d] > 2 else system
        assert len(np.unique(system.digit, axis=0)) == net.routers
        if system.number is not None:
            assert (sum(w * system.digit[:, d] for w, d in system.number) == np.arange(net.routers)).all()
        for column, parts in enumerate(system.columns):
            assert (sum(w * system.digit[:, d] for w, d in parts) == net.coord[:, column]).all()


TWO = 2


def _either(net, head, draw, queue):
    head[STATE] = TWO if draw else 5


def _sum(net, head, draw, queue):
    head[STATE] = draw + 1


def _passed_on(net, head, draw, queue):
    _either(net, head, draw, queue)


def _more(net, head, draw, queue):
    head[STATE] += 1


def _both(net, head, draw, queue):
    head[STATE], head[DESTINATION] = 3, draw


def test_what_a_start_hook_may_write_is_read_from_its_source():
    assert constants_written(None, 1, STATE) == {0}
    assert constants_written(_either, 1, STATE) == {0, 2, 5}
    assert constants_written(_both, 1, STATE) == {0, 3}
    assert constants_written(_both, 1, DESTINATION) is None
    for hook in (_sum, _passed_on, _more):
        assert constants_written(hook, 1, STATE) is None


def test_a_function_runs_on_values_as_on_numbers():
    """Conversions by NumPy leave numbers what they are."""
    net = build("rdn:3,k=1")
    bound = bind("rdn.recursive", net)
    head, out, again = np.zeros(8, np.int64), np.zeros((128, 4), np.int64), np.zeros((128, 4), np.int64)
    for destination in range(net.routers):
        head[DESTINATION] = destination
        assert plain(bound.routing.relation)(bound.view, 5, head, out) == bound.routing.relation(
            bound.view, 5, head, again
        )
        assert (out == again).all()


def test_truths_add_up_as_numbers():
    """As in plain Python, not as NumPy's do."""
    begun = Begun([], np.zeros(1, np.int64), [])
    run = Run(np.ones((1, 1), bool), [np.ones((1, 4), bool)], begun, [], Steps(1 << 20))
    digit = Value(run, 0, np.arange(4)[None, :])
    assert ((digit > 0) + (digit > 1)).data.tolist() == [[0, 1, 2, 2]]
    assert ((digit > 0) - (digit > 1) * 3).data.tolist() == [[0, 1, -2, -2]]
    assert (-(digit > 1)).data.tolist() == [[0, 0, -1, -1]]
