"""Heads that are routed anew: the kernel beside the plain walk, dependency by dependency, whatever room there is."""

from __future__ import annotations

import numpy as np
import pytest
from tests.naive.meeting import follow

from jumpnet.analysis.deadlock.changes.meeting import Flight, followed, meeting
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.walks import one_by_one
from jumpnet.networks import from_links
from jumpnet.routings import bind
from jumpnet.routings.view import INTERMEDIATE, STATE, new_head
from jumpnet.topology import build

CASES = [
    ("torus:4x3", "torus.duato"),
    ("mesh:4x4", "mesh.west_first"),
    ("torus:4x3", "torus.booksim"),
    ("hyperx:3x3", "hyperx.adaptive"),
    ("rdt:8", "rdt.duato"),
    ("random:20,d=3,seed=1", "up_down:ports=all"),
    ("debruijn:2,n=4", "debruijn.shift"),
    ("mesh:3x3", "mesh.valiant"),
]


def _heads(bound, many: int, seed: int):
    """Packets that stand in a channel, or at their source: routed anew, each begins with the STATE of its start."""
    draw, net, heads = np.random.default_rng(seed), bound.network, []
    linked = np.argwhere(net.neighbor >= 0)
    for row in range(many):
        source, to = draw.choice(np.flatnonzero(net.terminals > 0)), draw.choice(np.flatnonzero(net.sinks > 0))
        r, p = draw.choice(linked)
        vc, inside = int(draw.integers(bound.vcs)), draw.random() < 0.8
        here = int(net.neighbor[r, p]) if inside else int(source)
        head = new_head(here, int(to))
        if bound.routing.start is not None:
            queue = np.zeros(bound.view.queues, np.int64)
            bound.routing.start(bound.view, head, int(draw.integers(bound.draws)), queue)
        head[3:5] = (net.far_port[r, p], vc) if inside else (-1, -1)
        head[6] = row  # what its carrier keeps there
        heads.append((int((r * net.ports + p) * bound.vcs + vc) if inside else -1, here, head, 100 + row))
    return heads


def _sets(found, heads) -> list[set[tuple[int, int]]]:
    return [set(map(tuple, found[found[:, 2] == k, :2].tolist())) for k in range(len(heads))]


@pytest.mark.parametrize(("spec", "name"), CASES)
def test_heads_have_the_dependencies_of_the_plain_walk(spec, name, monkeypatch: pytest.MonkeyPatch) -> None:
    bound = bind(name, build(spec))
    heads = _heads(bound, 25, 3)
    expected = [follow(bound, *head[:3]) for head in heads]
    assert None not in expected and any(expected)
    for states, edges, together in ((1 << 12, 1 << 16, 1 << 10), (2, 2, 3), (256, 16, 1), (2, 1 << 12, 100)):
        monkeypatch.setattr(one_by_one, "FEW_STATES", states)
        monkeypatch.setattr(one_by_one, "FEW_EDGES", edges)
        monkeypatch.setattr(one_by_one, "TOGETHER", together)
        assert _sets(followed(bound, heads), heads) == expected
    assert followed(bound, []).shape == (0, 3)


def test_a_head_without_a_route_is_seen() -> None:
    bound = bind("minimal", from_links("halves", "mine", 5, np.array([[0, 1], [1, 2], [3, 4]])))
    stands = [(-1, 0, new_head(0, to), 0) for to in (1, 2, 4)]
    assert followed(bound, stands[:2]) is not None and followed(bound, stands) is None
    assert [follow(bound, *head[:3]) is None for head in stands] == [False, False, True]


def test_the_packets_of_a_ring_are_those_whose_ways_close_it() -> None:
    """Two heads that turn where the new routing never does, a third that does not matter, and what a packet holds."""
    bound = bind("mesh.dimension_order", build("mesh:2x2"))
    made, net = dependencies(bound), bound.network
    assert meeting(made, Flight([], [])).verdict == "proved"
    channel = {
        (r, int(s)): r * net.ports + p for r, row in enumerate(net.neighbor) for p, s in enumerate(row) if s >= 0
    }
    ring = [channel[hop] for hop in ((0, 1), (1, 3), (3, 2), (2, 0))]
    edges = list(zip(ring, [*ring[1:], *ring[:1]], strict=True))
    wrong = [(edge, 7 + k) for k, edge in enumerate(edges)]  # held by four packets, of which two turn as the rest do
    found = meeting(made, Flight(wrong, [(-1, 0, new_head(0, 3), 99)]))
    turns = {row for edge, row in wrong if edge not in _plain(made)}
    assert found.verdict == "ring" and set(found.ring) == set(ring) and found.packets == turns and len(turns) == 2
    one = [(edge, row) for edge, row in wrong if row != min(turns)]
    assert meeting(made, Flight(one, [])).verdict == "proved"
    assert meeting(dependencies(bind("torus.dimension_order", build("torus:4"))), Flight([], [])).verdict == "unproved"


def _plain(made) -> set[tuple[int, int]]:
    indptr, wanted = made.rows
    held = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    return set(zip(held.tolist(), wanted.tolist(), strict=True))


def test_states_and_middle_routers_tell_packets_apart() -> None:
    """The same place with another STATE or middle router leads elsewhere."""
    bound = bind("mesh.valiant", build("mesh:3x3"))
    heads = []
    for state, middle in ((0, 8), (0, 2), (1, 2)):
        head = new_head(4, 0)
        head[STATE], head[INTERMEDIATE] = state, middle
        heads.append((-1, 4, head, 0))
    ways = _sets(followed(bound, heads), heads)
    assert ways == [follow(bound, *head[:3]) for head in heads] and len({frozenset(way) for way in ways}) == 3
