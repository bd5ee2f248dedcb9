"""Shortest ways where routers have more ports than a word has bits, and some take or send no packets: as walks go."""

from __future__ import annotations

import numpy as np
import pytest
from tests.twin.proofs.ways_to_graph.walked import assert_equal, drawn_links, walked_unless_refused

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.ways_to_graph.shortest import graph as graph_module
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network, from_links, from_neighbors
from jumpnet.routings import bind
from jumpnet.routings import minimal as minimal_module
from jumpnet.terms import NO_ROUTER
from jumpnet.topology import build


@pytest.fixture(autouse=True)
def _by_sets_at_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dependency_module, "SHORTEST_ROUTERS", 0)
    monkeypatch.setattr(dependency_module, "dependencies_of_two_hops", lambda *about: None)


def drawn(seed: int) -> Network | None:
    """A small network, one-way or both ways, with ports that lie among up to 140 and routers that are no ends."""
    draw = np.random.default_rng(seed)
    routers = int(draw.integers(3, 13))
    if (found := drawn_links(draw, routers)) is None:
        return None
    directed, links = found
    dense = from_links(f"drawn{seed}", "mine", routers, links, directed=directed).neighbor
    ports = int(draw.choice([dense.shape[1], 70, 128, 140]))
    spread = np.full((routers, ports), NO_ROUTER, np.int32)
    for r in range(routers):
        spread[r, np.sort(draw.permutation(ports)[: dense.shape[1]])] = dense[r, draw.permutation(dense.shape[1])]
    ends = [np.where(draw.random(routers) < draw.choice([0.4, 0.7, 1.0]), 1, 0) for _ in range(2)]
    if not all(some.any() for some in ends):
        return None
    sinks = ends[int(draw.integers(2))]
    return from_neighbors(f"drawn{seed}", "mine", spread, terminals=ends[0], sinks=sinks, directed=directed)


def agree(net: Network, name: str, vcs: int) -> str | None:
    """The verdict, where graph and verdict are those of the walk; None where the walk refuses, or is all there is."""
    bound = bind(name, net, vcs)
    if (walked := walked_unless_refused(bound)) is None:
        return None
    made = dependencies(bound)
    if made.by == "walks":  # more candidates than may be written
        assert name.endswith("all") and net.ports * vcs > 128
        return None
    assert made.by == "shortest"
    assert_equal(made, walked, (net.spec, name, vcs))
    old, proof = prove(bound, made=walked), prove(bound, made=made)
    assert (proof.verdict, len(proof.cycle or ())) == (old.verdict, len(old.cycle or ()))
    return proof.verdict


def test_any_number_of_ports_and_routers_that_are_no_ends() -> None:
    said = [agree(net, ("minimal", "minimal:ports=all")[k % 2], 1 + k % 3 % 2) for k in range(240) if (net := drawn(k))]
    assert said.count("free") > 20 and said.count("deadlock") > 20 and said.count(None) < 150


@pytest.mark.parametrize("spec", ["fattree:34,n=2", "hypermesh:17,n=2", "clos:m=5,n=2,r=70", "fly:70,n=2"])
def test_families_whose_switches_are_no_ends(spec: str) -> None:
    """Of a word of ports and more, and more destinations than a row has bits."""
    assert agree(build(spec), "minimal", 1) in ("free", "deadlock")


def test_no_table_is_made_for_a_network_of_many_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = bind("minimal", build("fattree:34,n=2"))
    plain = prove(bound)

    def refuse(*about: object) -> None:
        raise JumpnetError("a table is too big")

    monkeypatch.setattr(minimal_module, "refuse_table", refuse)
    again = prove(bind("minimal", build("fattree:34,n=2")))
    assert (again.verdict, again.by, again.dependencies) == ("free", "shortest", plain.dependencies)


def test_a_word_left_out_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison with the walk has teeth: with the ports of the first word alone, and with a sink left out."""
    bound = bind("minimal", build("clos:m=5,n=2,r=70"))
    walked, every, follow = (
        dependencies(bound, 1, apart=False),
        graph_module.every_channel,
        graph_module.follow,
    )

    def first_word(waits, *more):
        waits[:, 1:] = 0
        return every(waits, *more)

    def one_sink_fewer(arcs, sets, sources, sinks, *more):
        return follow(arcs, sets, sources, sinks[1:], *more)

    for name, broken in (("every_channel", first_word), ("follow", one_sink_fewer)):
        with monkeypatch.context() as patch:
            patch.setattr(graph_module, name, broken)
            with pytest.raises(AssertionError):
                assert_equal(dependencies(bound), walked, "broken")
    assert_equal(dependencies(bound), walked, "as it is")
