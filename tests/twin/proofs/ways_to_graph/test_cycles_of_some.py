"""Shortest cycles from packets to some destinations, against those of all packets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.naive.dependency import dependency_sets

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock import kept as kept_module
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.progress import silent
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.rows.blank import blank
from jumpnet.analysis.deadlock.waiting.who_waits import who_waits
from jumpnet.analysis.deadlock.walks.counters import counters_of
from jumpnet.analysis.deadlock.walks.shared import SharedWalks
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.bounds import partial_graph as partial_graph_module
from jumpnet.analysis.deadlock.ways_to_graph.bounds.named import graph_of_named
from jumpnet.analysis.deadlock.ways_to_graph.bounds.partial_graph import partial_graph_as_short
from jumpnet.analysis.deadlock.ways_to_graph.digits.graph import GraphByDigits
from jumpnet.errors import JumpnetError
from jumpnet.replay import deadlock as deadlock_replay
from jumpnet.replay.deadlock import replay_deadlock
from jumpnet.routings import BoundRouting, bind
from jumpnet.topology import build

CASES = [
    ("srt1d:128", "srt.hierarchical", 4, True),
    ("srt2d:16,variant=ls", "srt.hierarchical", 4, True),
    ("rdt:32", "rdt.partitioned", 4, False),  # two channels are not reached, so all packets are followed
    ("srt1d:64", "srt.hierarchical:layers=least", None, False),
    ("dragonfly:2,arrangement=palmtree", "dragonfly.ugal_booksim", 6, True),
    ("dragonfly:2,p=1,a=3,g=4", "dragonfly.ugal_booksim", 4, False),  # two links between groups: it names no packets
]


@pytest.mark.parametrize(("spec", "name", "length", "some"), CASES)
def test_cycles_are_as_short_as_those_of_all_packets(spec, name, length, some, monkeypatch):
    bound = bind(name, build(spec))
    plain = prove(bound)
    monkeypatch.setattr(dependency_module, "LONG_WALKS", 0)
    proof, all_of = prove(bound), dependencies(bound)
    assert all_of.to is None and all_of.whole
    assert (proof.method != plain.method, proof.states < plain.states) == (some, some)
    assert (proof.verdict, plain.verdict) == (("deadlock",) * 2 if length else ("free",) * 2)
    if length is None:
        assert proof.certificate is not None and proof.cycle is plain.cycle is None
        return
    assert len(proof.cycle) == len(plain.cycle) == length
    slots = bound.network.ports * bound.vcs
    channel = [hop.router * slots + hop.port * bound.vcs + hop.vc for hop in proof.cycle]
    indptr, indices = all_of.rows
    for held, wanted in zip(channel, channel[1:] + channel[:1], strict=True):
        assert wanted in indices[indptr[held] : indptr[held + 1]]


@pytest.mark.parametrize("name", ["dragonfly.ugal", "dragonfly.ugal_g", "dragonfly.minimal", "dragonfly.valiant"])
@pytest.mark.parametrize("vcs", [1, 2])
def test_a_cycle_of_some_is_as_short_as_among_sets(name, vcs, monkeypatch):
    """With fewer channels than are needed; where the cycle is of sets alone, all packets are followed."""
    bound = bind(name, build("dragonfly:2"), vcs)
    plain, all_of = prove(bound), dependencies(bound)
    monkeypatch.setattr(dependency_module, "LONG_WALKS", 0)
    made = dependencies(bound, beyond=True)
    proof = prove(bound, made=made)
    assert made.to is not None or made.whole
    assert (proof.verdict, len(proof.cycle or ())) == (plain.verdict, len(plain.cycle or ()))
    if name in ("dragonfly.ugal", "dragonfly.ugal_g"):
        assert len(made.to) == 3 == len(proof.cycle) and not made.whole and "to 3 of the 36" in proof.method
        assert not (made.bits & ~all_of.bits).any() and made.count < all_of.count


def _sets(*graph):
    return GraphByDigits(graph, False, lambda: True)


def test_a_cycle_that_sets_alone_have_is_not_shown():
    bound = bind("dragonfly.ugal", build("dragonfly:2"), 1)
    sets, sinks = blank(bound), np.arange(36, dtype=np.int32)
    walks = SharedWalks(bound, job_of(bound), sinks, 1, silent)
    assert partial_graph_as_short(bound, sinks, walks.to_some, _sets(*sets, counters_of(0)), False) is None  # no cycle
    net, (bits, used, escape) = bound.network, sets
    port = int(np.flatnonzero(net.neighbor[0] == 1)[0]), int(np.flatnonzero(net.neighbor[1] == 0)[0])
    # There and back, which no packet does.
    bits[port[0], 0], bits[net.ports + port[1], 0] = 1 << port[1], 1 << port[0]
    assert partial_graph_as_short(bound, sinks, walks.to_some, _sets(bits, used, escape, counters_of(0)), False) is None


@pytest.mark.parametrize(("vcs", "destinations"), [(1, 4), (2, 3), (3, None)])
def test_where_packets_choose_some_must_be_able_to_wait_in_a_knot(vcs, destinations, monkeypatch):
    """With three channels sets have a cycle of five, and packets none shorter than six: all are followed."""
    bound = bind("dragonfly.par", build("dragonfly:2"), vcs)
    plain, all_of = prove(bound), dependencies(bound)
    monkeypatch.setattr(dependency_module, "LONG_WALKS", 0)
    made = dependencies(bound, beyond=True)
    proof = prove(bound, made=made)
    assert (proof.verdict, proof.may_circle) == (plain.verdict, plain.may_circle) == ("deadlock", False)
    assert len(proof.cycle) == len(plain.cycle) and proof.adaptive
    assert (None if made.to is None else len(made.to)) == destinations
    assert not (made.bits & ~all_of.bits).any() and made.whole == (destinations is None)


def test_a_cycle_that_may_not_be_a_shortest_is_shown_as_such_where_walks_take_minutes(monkeypatch):
    bound = bind("dragonfly.par", build("dragonfly:2"), 3)
    all_of = dependencies(bound)
    monkeypatch.setattr(dependency_module, "LONG_WALKS", 0)
    assert prove(bound).basis.at_least is None
    monkeypatch.setattr(dependency_module, "MINUTES_OF_WALKS", 0)
    made = dependencies(bound, beyond=True)
    proof = prove(bound, made=made)
    assert (proof.verdict, len(proof.cycle), proof.basis.at_least, made.at_least) == ("deadlock", 6, 5, 5)
    assert (
        "of packets to 22 of the 36 destinations; a shortest of theirs, and none of any packets has fewer than 5"
        in (proof.method)
    )
    assert not (made.bits & ~all_of.bits).any() and "packets to 22 of the 36" in explain(proof, made).followed


@pytest.mark.parametrize("vcs", [1, 2])
def test_with_too_few_channels_any_cycle_is_shown_where_walks_take_minutes(vcs, monkeypatch):
    """Sets do not serve `dragonfly.ugal_booksim`, and the packets that it names need all their channels."""
    bound = bind("dragonfly.ugal_booksim", build("dragonfly:2,p=1,a=4,g=9"), vcs)
    plain, all_of = prove(bound), dependencies(bound)
    monkeypatch.setattr(dependency_module, "LONG_WALKS", 0)
    assert dependencies(bound, beyond=True).to is None
    monkeypatch.setattr(dependency_module, "MINUTES_OF_WALKS", 0)
    made = dependencies(bound, beyond=True)
    proof = prove(bound, made=made)
    assert proof.verdict == plain.verdict == "deadlock" and len(proof.cycle) >= len(plain.cycle)
    assert len(made.to) == 16 and made.at_least == proof.basis.at_least == (None if len(proof.cycle) == 2 else 2)
    assert not (made.bits & ~all_of.bits).any() and "packets to 16 of the 36 destinations" in proof.method
    with monkeypatch.context() as patched:
        patched.setattr(partial_graph_module, "MOST_TRIPLES", 0)
        assert dependencies(bound, beyond=True).to is None
    ring = bind("torus.valiant", build("torus:5x3"), vcs)  # two phases, soon followed apart
    assert dependencies(ring, beyond=True).to is None
    whole = bind("dragonfly.ugal_booksim", bound.network)
    assert (
        dependencies(whole, beyond=True).at_least is None
    )  # with all its channels the packets that it names are shown


IN_TWO_PHASES = [
    ("torus:6x6", "torus.ugal", 2, 16),
    ("torus:6x6", "torus.romm", 2, 16),
    ("mesh:6x5", "mesh.romm", 1, 16),
    ("hypercube:5", "hypercube.ugal", 1, 16),
]


@pytest.mark.parametrize(("spec", "name", "vcs", "destinations"), IN_TWO_PHASES)
def test_any_cycle_of_some_comes_before_all_ways_in_two_phases(spec, name, vcs, destinations, monkeypatch):
    """All ways close a cycle too, which may be of no packet, and then all packets were followed on large grids."""
    bound, enough = bind(name, build(spec), vcs), bind(name, build(spec))
    plain, all_of = prove(bound), dependencies(bound, apart=False)
    for threshold in ("GRID_ROUTERS", "MANY_WALKS", "LONG_WALKS", "MINUTES_OF_WALKS"):
        monkeypatch.setattr(dependency_module, threshold, 0)
    free = dependencies(enough, beyond=True)
    assert free.by == "dimensions" and not free.whole and free.to is None
    assert dependencies(bound).whole  # all packets are still followed where no others will do
    monkeypatch.delattr(dependency_module, "by_walks")  # not for a proof, nor for its words
    proof = prove(bound)
    assert proof.verdict == plain.verdict == "deadlock" and plain.basis.whole and not proof.basis.whole
    assert f"of packets to {destinations} of the" in proof.method and len(proof.cycle) >= len(plain.cycle)
    assert f"packets to {destinations} of the" in explain(proof).followed
    indptr, indices = all_of.rows
    channel = [(hop.router * bound.network.ports + hop.port) * vcs + hop.vc for hop in proof.cycle]
    for held, wanted in zip(channel, channel[1:] + channel[:1], strict=True):
        assert wanted in indices[indptr[held] : indptr[held + 1]]


def _shortest(depends) -> int:
    """Hops of a shortest cycle of dependencies, by breadth-first search from each channel."""
    after: dict = {}
    for held, wanted in depends:
        after.setdefault(held, []).append(wanted)
    found = []
    for first in after:
        depth, todo = {first: 0}, [first]
        for at in todo:
            if first in after.get(at, ()):
                found.append(depth[at] + 1)
                break
            for there in after.get(at, ()):
                if there not in depth:
                    depth[there] = depth[at] + 1
                    todo.append(there)
    return min(found)


OF_FEW = [
    ("torus:6x6", "torus.ugal", 2, True),
    ("torus:6x6", "torus.romm", 2, False),
    ("hypercube:5", "hypercube.ugal", 1, True),
]


@pytest.mark.parametrize(("spec", "name", "vcs", "queues"), OF_FEW)
def test_packets_from_a_few_sources_by_a_few_draws_come_first(spec, name, vcs, queues, monkeypatch):
    """Their dependencies and their shortest cycle are those of the same packets followed one by one in plain Python."""
    bound = bind(name, build(spec), vcs)
    for threshold in ("GRID_ROUTERS", "MANY_WALKS", "LONG_WALKS", "MINUTES_OF_WALKS"):
        monkeypatch.setattr(dependency_module, threshold, 0)
    for few, many in (("A_FEW_SOURCES", 20), ("A_FEW_DRAWS", 18), ("DRAWS_AND_ROUTERS", 0)):
        monkeypatch.setattr(partial_graph_module, few, many)
    monkeypatch.setattr(
        partial_graph_module, "MOST_TRIPLES", bound.draws * 20 * 4 * (6 if queues else 1)
    )  # all are too many
    made = dependencies(bound, beyond=True)
    assert (len(made.begun.sources), made.begun.draws, made.whole) == (20, 18, False)
    used, depends = dependency_sets(bound, queues, sources=made.begun.sources, sinks=made.to, draws=18)
    assert (made.channels, made.count) == (len(used), len(depends))
    proof = prove(bound)
    assert proof.verdict == "deadlock" and len(proof.cycle) == _shortest(depends) and not proof.may_circle
    for packet in who_waits(proof, made).packets:  # and those named in words are among them
        near = packet.holds // (bound.network.ports * vcs)
        assert packet.source in (*made.begun.sources, near) and packet.destination in made.to and packet.draw < 18
    whose = f"packets to {len(made.to)} of the {bound.network.routers} destinations from 20 of the"
    assert whose in proof.method and f"by 18 of the {bound.draws} draws" in proof.method
    assert whose in explain(proof).followed


def followed_for_any_cycle(bound):
    """(sources, draws, first destination, how many) of each search that is made where none finds a cycle."""
    asked = []

    def follow(to, job):
        asked.append((job.sources.tolist(), job.draws, int(to[0]), len(to)))
        return [(*blank(bound), counters_of(0))]

    sinks = np.arange(bound.network.routers, dtype=np.int32)
    assert partial_graph_module.partial_graph(bound, sinks, follow, longer=True) is None
    return asked


def test_which_packets_are_looked_at_for_any_cycle():
    """First of the 64 sources nearest to router 0: one at distance 0, 4 at 1, 8 at 2 and so on are 61 to distance 5. By
    2^22 / (64 sources, 16 destinations, 4 queues that may be long or none) draws.

    Of 4,096 sources 16 at equal distances, 256, and 48 at multiples of the golden section, 0.618 and so on of all (0
    is there); of draws 2^23 for all routers, 2^11 each. To 4 destinations, and 12 more.
    Then those between the first 128 routers, by 2^22 / (128 sources, 128 destinations, 5 queues or none) draws. Then
    all packets."""
    near, *searches = followed_for_any_cycle(bind("torus.ugal", build("torus:64x64"), 2))
    ball = [64 * y + x for y in range(64) for x in range(64) if min(x, 64 - x) + min(y, 64 - y) <= 5]
    assert near == (sorted([*ball, 6, 58, 64 + 5]), 819, 0, 16)
    sources, every = searches[0][0], list(range(4096))
    golden = sorted(int(k * 0.6180339887498949 % 1 * 4096) for k in range(1, 49))
    assert golden[:3] == [53, 141, 194]  # of 34, 13 and 47 times
    assert sources == sorted({*range(0, 4096, 256), *golden}) and len(sources) == 64
    assert [search[1:] for search in searches] == [
        (2048, 0, 4), (2048, 4 * 256, 12), (51, 0, 128), (4096, 0, 4), (4096, 4 * 256, 12),
    ]  # fmt: skip
    assert [search[0] for search in searches] == [sources, sources, every[:128], every, every]


def test_all_packets_to_a_few_destinations_are_not_followed_for_long(monkeypatch):
    """12 sources, 4 destinations, 12 draws, and a queue busy at each of 4 ports or none: 2,880 triples. So many are of
    the 3 sources nearest to the first, to 16 destinations if there were so many; of 3 to 4 destinations 720."""
    bound = bind("torus.ugal", build("torus:4x3"), 1)
    monkeypatch.setattr(partial_graph_module, "A_FEW_SOURCES", 3)
    for most, expected in ((2880, [3, 3, 3, 12, 12]), (2879, [3, 3]), (720, [3, 3]), (719, [])):
        monkeypatch.setattr(partial_graph_module, "MOST_TRIPLES", most)
        searches = followed_for_any_cycle(bound)
        assert [(len(sources), draws) for sources, draws, _, _ in searches] == [(many, 12) for many in expected]


def test_draws_are_256_where_routers_are_many():
    searches = followed_for_any_cycle(bind("hypercube.ugal", build("hypercube:16"), 1))
    assert [(len(sources), draws) for sources, draws, _, _ in searches] == [(64, 240), (64, 256), (64, 256), (128, 15)]


def test_no_cycle_of_some_counts_where_packets_have_ways_round_it():
    """`mesh.duato` is free, though its dependencies have cycles: every packet has an escape channel.

    By shortest ways on a torus packets have choices too, and those of a ring of five wait for each other.
    """
    for name, spec, can in (("mesh.duato", "mesh:3x3", False), ("minimal:ports=all", "torus:5x5", True)):
        bound = bind(name, build(spec))
        made, sinks = dependencies(bound), np.arange(bound.network.routers, dtype=np.int32)
        assert made.choices
        counters = counters_of(made.states, choices=True)
        sets = _sets(made.bits, made.used, made.escape, counters)
        follow = SharedWalks(bound, job_of(bound), sinks, 1, silent).to_some
        found = partial_graph_as_short(bound, sinks, follow, sets, False)
        assert (found is not None) == can
        assert (
            partial_graph_as_short(bound, sinks, follow, sets._replace(ends=bool), False) is None
        )  # some might circle
        any_cycle = partial_graph_module.partial_graph(bound, sinks, follow, longer=True)
        assert (any_cycle is not None) == can


@pytest.mark.parametrize("vcs", [1, 2])
def test_any_cycle_of_packets_that_choose_counts_where_these_wait_in_a_knot(vcs, monkeypatch):
    """Where sets of destinations do not serve."""
    monkeypatch.setattr(dependency_module, "dependencies_by_digits", lambda *_: None)
    bound = bind("dragonfly.par", build("dragonfly:2,p=1,a=3,g=4"), vcs)
    plain, all_of = prove(bound), dependencies(bound)
    for threshold in ("LONG_WALKS", "MINUTES_OF_WALKS"):
        monkeypatch.setattr(dependency_module, threshold, 0)
    made = dependencies(bound, beyond=True)
    proof = prove(bound, made=made)
    assert plain.verdict == proof.verdict == "deadlock" and made.to is not None and not proof.may_circle
    assert not (made.bits & ~all_of.bits).any() and len(proof.cycle) >= len(plain.cycle)


def test_escapes_are_not_asked_for_where_some_packets_wait_in_a_knot(monkeypatch):
    """The extended graph would have room for escape channels of the packets followed, and be made of all packets."""
    bound = bind("torus.duato", build("torus:5x4"), 1)
    plain, all_of = prove(bound), dependencies(bound, apart=False)
    sets = _sets(all_of.bits, all_of.used, all_of.escape, counters_of(all_of.states, choices=True))
    sinks = np.arange(bound.network.routers, dtype=np.int32)
    follow = SharedWalks(bound, job_of(bound), sinks, 1, silent).to_some
    monkeypatch.setattr(partial_graph_module, "DESTINATIONS", (1, 2))
    some = partial_graph_as_short(bound, sinks, follow, sets, False)
    _, used, escape, _ = some.graph
    assert escape.sum() < all_of.escape.sum() and len(some.to) < len(sinks)
    made = replace(all_of, bits=some.graph[0], used=used, escape=escape, to=some.to, whole=False)
    proof = prove(bound, made=made)
    assert plain.verdict == proof.verdict == "deadlock" and proof.escape_dependencies is None
    assert f"packets to {len(some.to)} of the 20 destinations" in proof.method


def test_the_packets_of_a_knot_are_among_those_followed(monkeypatch):
    monkeypatch.setattr(dependency_module, "LONG_WALKS", 0)
    proof = prove(bind("dragonfly.par", build("dragonfly:2"), 1))
    said = explain(proof)
    to = dependencies(proof.bound, beyond=True).to.tolist()
    assert {packet.destination for packet in said.waiting.packets} <= set(to) and len(to) == 4
    assert str(said).count("packet from") == len(said.waiting.packets) >= 2


def test_an_explanation_follows_the_same_packets(monkeypatch):
    monkeypatch.setattr(dependency_module, "LONG_WALKS", 0)
    monkeypatch.setattr(kept_module, "MOST_BYTES", 0)
    proof = prove(bind("srt.hierarchical", build("srt1d:64")))
    assert "no cycle can be shorter" in str(proof.explain()) and str(proof.explain()).count("packet from") == 4
    assert "Followed: packets to 16 of the 64 destinations; " in str(proof.explain())


def _named(bound, packets, least):
    routing = bound.routing.changed(closing=lambda net: packets, least_cycle=lambda net, vcs: least)
    return graph_of_named(BoundRouting(routing, bound.network, bound.vcs, bound.options))


def test_named_packets_count_only_with_the_channels_that_they_need_and_where_they_close_a_cycle():
    bound = bind("dragonfly.ugal_booksim", build("dragonfly:2"))
    assert graph_of_named(bind("dragonfly.ugal_booksim", bound.network, 2)) is None
    packets = bound.routing.closing(bound.network)
    assert _named(bound, packets, 6) is not None and _named(bound, packets, 2) is None
    calm = packets.copy()
    calm[:, 3] = -1  # no queue is long, so nobody makes a detour
    assert _named(bound, packets[:2], 6) is _named(bound, calm, 6) is _named(bound, None, 6) is None


def test_named_packets_have_no_choice():
    bound = bind("minimal:ports=all", build("torus:5x5"))
    ring = [(s, (s + 2) % 5, 0, -1) for s in range(5)]
    named = _named(bound, np.array([*ring, (5, 0, 0, -1)]), 5)
    (bits, used, _, _), to = named.graph, named.to
    assert named.sources.tolist() == list(range(6))
    assert (int(np.bitwise_count(bits).sum()), int(used.sum()), to.tolist()) == (5, 6, list(range(5)))
    assert _named(bound, np.array([*ring, (0, 6, 0, -1)]), 5) is None


def test_a_replay_looks_at_the_packets_that_close_the_cycle(monkeypatch):
    monkeypatch.setattr(dependency_module, "LONG_WALKS", 0)
    monkeypatch.setattr(kept_module, "MOST_BYTES", 0)
    proof, asked = prove(bind("srt.hierarchical", build("srt1d:64"))), []

    def noted(*about, **more):
        asked.append(dependencies(*about, **more))
        return asked[-1]

    monkeypatch.setattr(deadlock_replay, "dependencies", noted)
    found = replay_deadlock(proof)
    assert [made.to is not None for made in asked] == [True]  # all packets were not followed
    assert found.how is not None and found.same and len(found.ring) == 4
    assert {packet.destination for packet in found.waiting.packets} <= set(asked[0].to.tolist())


def test_what_says_how_short_cycles_can_be_is_a_function():
    with pytest.raises(JumpnetError, match="least_cycle 4 found, a function or None expected"):
        bind("srt.hierarchical", build("srt1d:16")).routing.changed(least_cycle=4)
