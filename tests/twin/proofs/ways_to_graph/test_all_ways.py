"""All ways that hops allow, beside walks over the tables of shortest ones: no dependency is missed, verdicts alike."""

from __future__ import annotations

import numpy as np
import pytest
from tests.naive.dependency import dependency_sets

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.certificates.text import write_certificate
from jumpnet.analysis.deadlock.cycles.checker import accepts_rows
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions import translation as translation_module
from jumpnet.analysis.deadlock.ways_to_graph.shortest import graph as shortest_module
from jumpnet.analysis.deadlock.ways_to_graph.shortest.all_ways import dependencies_of_all_ways
from jumpnet.analysis.deadlock.ways_to_graph.shortest.graph import Legal, legal_ways
from jumpnet.errors import JumpnetError
from jumpnet.networks import from_links
from jumpnet.routings import bind
from jumpnet.routings import up_down as up_down_module
from jumpnet.topology import build

SPECS = [
    "mesh:4x3",
    "torus:5x4",
    "slimfly:5",
    "hypermesh:4,n=2",
    "fattree:2,n=3",
    "tree:3,height=2",
    "complete:6",
    "random:40,d=3,seed=1",
    "chordalring:16,w=5",
]


@pytest.fixture(autouse=True)
def _at_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dependency_module, "SHORTEST_ROUTERS", 0)
    monkeypatch.setattr(shortest_module, "LONG_SECONDS", 0)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(("name", "vcs"), [("up_down", 1), ("up_down:ports=all", 2), ("up_down:root=first", 1)])
def test_the_routing_s_dependencies_are_among_those_of_all_ways(spec, name, vcs) -> None:
    bound = bind(name, build(spec), vcs)
    made, walked = dependencies(bound, beyond=True), dependencies(bound, 1, apart=False)
    assert (made.by, made.whole, walked.by) == ("ways", False, "walks")
    assert not (walked.bits & ~made.bits).any() and not (walked.used & ~made.used & 1).any()
    assert (walked.adaptive, walked.choices) <= (made.adaptive, made.choices)
    assert made.count == sum(int(word).bit_count() for word in made.bits.reshape(-1))
    proof, proved = prove(bound), prove(bound, made=walked)
    assert proof.verdict == proved.verdict == "free" and proof.certificate_checked
    assert accepts_rows(proof.certificate, *walked.rows)
    assert dependencies(bound).by == "shortest" and "all ways that the routing's hops allow" in proof.method


def test_they_are_those_of_the_definition() -> None:
    """Any two legal hops one after the other, of a packet that has gone down or not."""
    bound = bind("up_down", build("random:40,d=3,seed=1"))
    made, net, order = dependencies(bound, beyond=True), bound.network, bound.view.own[1:]
    held = {(r, p): int(s) for r, row in enumerate(net.neighbor) for p, s in enumerate(row) if s >= 0}
    down = {hop: order[to] > order[hop[0]] for hop, to in held.items()}
    turns = {(a, (s, p)) for a, s in held.items() for p in range(net.ports) if (s, p) in held}
    turns = {(a, b) for a, b in turns if down[b] or not down[a]}
    indptr, wanted = made.rows
    found = zip(np.repeat(np.arange(len(indptr) - 1), np.diff(indptr)).tolist(), wanted.tolist(), strict=True)
    assert {(divmod(a, net.ports), divmod(b, net.ports)) for a, b in found} == turns
    assert {(a[:2], b[:2]) for a, b in dependency_sets(bound)[1]} <= turns


def test_a_cycle_of_ways_leaves_the_shortest_to_be_looked_at() -> None:
    """Hops without an order say nothing: verdicts are those of the shortest ways, free or not."""
    cases = ("torus:5x4", "deadlock", "hops"), ("mesh:4x3", "free", "hops"), ("hypermesh:4,n=2", "free", "shortest")
    for spec, verdict, by in cases:
        proof = prove(bind("minimal", build(spec)))
        assert (proof.verdict, proof.by) == (verdict, by)


def _all_ways(bound, change):
    """Those of a routing whose hops are changed."""
    job, sinks = job_of(bound), np.flatnonzero(bound.network.sinks > 0).astype(np.int32)
    legal = legal_ways(bound, job)
    then = change(legal.then.copy())
    states = then.shape[2]
    there = np.where(then >= 0, bound.network.neighbor[:, :, None].astype(np.int64) * states + then, -1)
    there = np.ascontiguousarray(there.transpose(0, 2, 1).reshape(-1, bound.network.ports), np.int32)
    return dependencies_of_all_ways(bound, job, Legal(there, then, legal.every), sinks, 1)


def test_hops_that_are_said_wrongly_prove_nothing() -> None:
    bound = bind("up_down", build("torus:4x3"))
    assert _all_ways(bound, lambda then: then) is not None

    def up_after_down(then):  # a hop up is allowed with STATE 1
        then[:, :, 1] = np.where(then[:, :, 1] < 0, then[:, :, 0], then[:, :, 1])
        return then

    def back_to_0(then):  # where a packet is does not follow from its channel
        r, p = np.argwhere(then[:, :, 1] == 1)[0]
        then[r, p, 0] = 0
        return then

    def cut(then):  # no packet gets down from the root
        then[:, :, 0] = np.where(then[:, :, 0] == 1, -1, then[:, :, 0])
        return then

    assert all(_all_ways(bound, change) is None for change in (up_after_down, back_to_0, cut))


def test_packets_without_a_way_are_seen() -> None:
    """One-way links up to a router with nothing below: pairs have an order, and not every packet a way."""
    net = from_links("halves", "mine", 4, np.array([[0, 1], [2, 3]]))
    bound = bind("minimal", net)
    job = job_of(bound)
    upward = np.where((net.neighbor > np.arange(4)[:, None])[:, :, None], 0, -1)
    there = np.where(upward[:, :, 0] >= 0, net.neighbor, -1).astype(np.int32)
    sinks = np.arange(4, dtype=np.int32)
    assert dependencies_of_all_ways(bound, job, Legal(there, upward, False), sinks, 1) is None
    last = job._replace(sources=sinks[3:])
    assert dependencies_of_all_ways(bound, last, Legal(there, upward, False), sinks[3:], 1) is not None


def test_words_and_certificates_are_of_all_ways(tmp_path) -> None:
    bound = bind("up_down", build("mesh:4x3"))
    proof = prove(bound)
    assert "by all ways that hops allow" in str(explain(proof))
    written = write_certificate(tmp_path / "up.cert", bound, proof)
    assert (written.condition, written.states) == ("acyclic", 0) and written.dependencies == proof.dependencies


def test_a_table_that_is_too_big_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*about):
        raise JumpnetError("a table is too big")

    monkeypatch.setattr(up_down_module, "refuse_table", refuse)
    monkeypatch.setattr(translation_module, "SPREAD_BYTES", 0)  # as on networks with many ports
    for spec in ("hyperx:3x3", "slimfly:5"):
        proof = prove(bind("up_down", build(spec)))
        assert (proof.verdict, proof.by) == ("free", "ways")
