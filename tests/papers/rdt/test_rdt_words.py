"""Measures that the report gives to words of the RDT paper: each can say no."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from jumpnet.analysis.mesh_stretch import place_mesh
from jumpnet.fault.degraded import degraded
from jumpnet.graph.distances import distances_from
from jumpnet.report._measures import NOISE, against
from jumpnet.report.yang2001rdt import near_optimal, table_4
from jumpnet.report.yang2001rdt.bypass import best, diameter
from jumpnet.report.yang2001rdt.closed_partitioning import _within
from jumpnet.report.yang2001rdt.congestion import _severe
from jumpnet.report.yang2001rdt.fault_tolerance import lost_pairs
from jumpnet.report.yang2001rdt.mesh_embedding import holds, least_stretch, squares
from jumpnet.report.yang2001rdt.near_optimal import Lengths, near
from jumpnet.report.yang2001rdt.table_4 import switching
from jumpnet.routings import bind
from jumpnet.topology import build


def test_a_load_is_above_before_it_is_severe() -> None:
    assert [(against(load, 1.0, NOISE), _severe(load, 1.0)) for load in (0.9, 1.02, 1.1, 1.2)] == [
        ("below", "not severe"), ("alike", "not severe"), ("above", "not severe"), ("above", "severe"),
    ]  # fmt: skip


def test_near_optimal_is_a_tenth_at_most() -> None:
    least = Lengths(5, Fraction(10))
    assert [near(Lengths(9, Fraction(hops)), least) for hops in (10, 11, 12)] == ["near-optimal"] * 2 + ["further"]
    one = Fraction(10)
    assert [near_optimal._increased(Fraction(n), one) for n in (11, 12)] == ["not so increased", "increased"]
    assert [near_optimal._improved(one, Fraction(n)) for n in (10, 11, 12)] == [
        "not improved", "improved", "greatly improved",
    ]  # fmt: skip


def test_steps_lie_in_the_printed_range_or_not() -> None:
    assert [_within(steps) for steps in ((2, 3, 4), (2, 5, 2), (1, 2))] == ["within", "not within", "not within"]


@pytest.mark.parametrize(
    ("settings", "name"),
    [({}, "wormhole"), ({"buffer_flits": 4}, "wormhole"),
     ({"flow_control": "cut_through", "buffer_flits": 16}, "virtual cut-through")],
)  # fmt: skip
def test_the_switching_is_seen_on_a_blocked_packet(settings: dict[str, object], name: str) -> None:
    assert switching(**settings) == name


def test_squares_are_counted_as_by_hand() -> None:
    assert squares(build("mesh:4x5")) == 3 * 4
    assert squares(build("hypercube:4")) == 24
    assert squares(build("torus:5x5")) == 25
    assert holds(build("torus:8x8"), build("mesh:8x8")) and not holds(build("mesh:8x8"), build("torus:8x8"))


def test_bypass_links_of_the_prdt_are_searched_like_the_prdt() -> None:
    from jumpnet.report._figures import figures

    assert diameter(16, 2, 2) == figures("prdt:16,R=1").diameter
    assert diameter(16, 1, 0) == figures("torus:16x16").diameter
    found = best(16)
    assert found["any"] <= min(found["diagonal"], found["straight"])


def test_pairs_that_lose_a_router_are_counted() -> None:
    """A routing whose tables know nothing of the fault does lose packets: the count can be other than none."""
    followed, lost = lost_pairs(bind("rdt.floating", degraded(build("rdt:16"), [100])), 1)
    assert 0 < lost < followed


def test_the_least_stretch_of_a_mesh() -> None:
    """A ring of 4 is a mesh; in a ring of 6 two rows of 3 need 2, as the middle ones have three neighbors."""
    meshes = (("torus:4", 2, 2), ("torus:6", 3, 2), ("hypercube:4", 4, 4))
    assert [least_stretch(*mesh) for mesh in meshes] == ["1", "2", "1"]


@pytest.mark.parametrize(("spec", "width", "height"), [("debruijn:2,n=5", 4, 8), ("pradhan:6", 8, 8)])
def test_a_placed_mesh_has_its_neighbors_near(spec: str, width: int, height: int) -> None:
    net = build(spec)
    place = np.array(place_mesh(net, width, height, 2)).reshape(height, width)
    assert sorted(place.flat) == list(range(net.routers))
    a = np.concatenate([place[:, 1:].ravel(), place[1:].ravel()])
    b = np.concatenate([place[:, :-1].ravel(), place[:-1].ravel()])
    away = np.array([distances_from(net, r) for r in range(net.routers)])
    assert np.minimum(away[a, b], away[b, a]).max() == 2


def test_uniform_traffic_is_told_from_other_traffic(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but the source, once each; then all with the source, only two others, and one of them twice."""

    class Drawn:
        def __init__(self, choices: list[int]) -> None:
            self.choices, self.draws = choices, len(choices)

        def __call__(self, source: int, draw: int) -> int:
            return (source + self.choices[draw]) % 16

    others = list(range(1, 16))
    found = []
    for choices in (others, [0, *others], [1, 2], [1, *others]):
        drawn = Drawn(choices)
        monkeypatch.setattr(table_4, "pattern", lambda name, net, drawn=drawn: drawn)
        found.append(table_4._uniform("torus:4x4"))
    assert found == ["equally often"] + ["not equally often"] * 3
