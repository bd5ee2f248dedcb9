"""The picture of a cycle: names of routers lie off its arrows, numbers off each other."""

from __future__ import annotations

from dataclasses import replace

import networkx
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Annotation

import jumpnet
from jumpnet.plot.cycle import INCHES, _along, _places, cycle_drawer
from jumpnet.plot.draw import drawer
from jumpnet.plot.styles import places
from jumpnet.topology import build

RING = [f"node {letter}" for letter in "abcdefg"]


@pytest.mark.parametrize(
    ("network", "routing"),
    [
        ("torus:4x4", "torus.dimension_order"),
        ("rdt:8", "rdt.floating"),
        ("srt1d:16", "srt.hierarchical"),
        ("dragonfly:2", "minimal"),
        (networkx.relabel_nodes(networkx.cycle_graph(7), dict(enumerate(RING))), "minimal"),
    ],
)
def test_no_arrow_runs_over_a_name_and_no_number_over_another(network: object, routing: str) -> None:
    net = jumpnet.network(network)  # type: ignore[arg-type]
    proof = net.prove(routing)
    assert proof.cycle is not None
    figure = Figure(figsize=(INCHES, INCHES), layout="constrained")
    cycle_drawer(net.net, proof)(figure)
    figure.draw_without_rendering()
    said = [child for child in figure.axes[0].get_children() if isinstance(child, Annotation) and child.get_text()]
    names = [text.get_window_extent() for text in said if "(vc" not in text.get_text()]
    numbers = [text.get_window_extent() for text in said if "(vc" in text.get_text()]
    assert len(numbers) == len(proof.cycle) and len(names) == len({h.router for h in proof.cycle})
    place, parts = _places(net.net), np.linspace(0, 1, 200)
    for hop in proof.cycle:
        arrow = np.array([_along(place[hop.router], place[hop.to], part) for part in parts])
        for name in names:
            assert not any(name.contains(*point) for point in figure.axes[0].transData.transform(arrow))
    for boxes in (names, numbers):
        assert not any(one.overlaps(other) for k, one in enumerate(boxes) for other in boxes[:k])


def test_a_family_with_coordinates_is_drawn_by_them_as_draw_does() -> None:
    net = replace(build("mesh:4x3"), family="own", position=None)
    place = _places(net)
    assert np.array_equal(place, places(net).position * (1, -1))
    along = np.linalg.norm(
        place[net.neighbor[net.neighbor >= 0]] - np.repeat(place, (net.neighbor >= 0).sum(1), 0), axis=1
    )
    assert np.allclose(along, along[0])  # on a circle the links of a mesh are not alike


@pytest.mark.parametrize("spec", ["torus:4x3", "rdt:8", "mesh:4x3", "tree:2,height=2"])
def test_router_0_is_above_where_draw_has_it_above(spec: str) -> None:
    net = build(spec)
    figure = Figure()
    drawer(net)(figure)
    (axes,) = figure.axes
    upward = -1 if axes.yaxis_inverted() else 1
    drawn, place = places(net).position[:, 1], _places(net)[:, 1]
    assert np.array_equal(np.sign(np.subtract.outer(drawn, drawn)) * upward, np.sign(np.subtract.outer(place, place)))


def test_routers_have_the_names_of_their_nodes() -> None:
    net = jumpnet.network(networkx.relabel_nodes(networkx.cycle_graph(7), dict(enumerate(RING))))
    figure = Figure(figsize=(INCHES, INCHES))
    cycle_drawer(net.net, net.prove("minimal"))(figure)
    assert {text.get_text() for text in figure.axes[0].texts} >= set(RING)
