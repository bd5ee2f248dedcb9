"""Products of axes against the searches and eigenvalues of the whole network; and networks that are none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jumpnet.graph import distances, spectrum
from jumpnet.graph._product import axes_of
from jumpnet.graph.distances import distance_counts
from jumpnet.graph.metrics import metrics
from jumpnet.graph.spectrum import fiedler, laplacian
from jumpnet.networks import Network
from jumpnet.terms import Array
from jumpnet.topology import build, family

PRODUCTS = (
    "mesh:3x4",
    "mesh:5x1x2",
    "mesh:2x2x2x2",
    "torus:5x3",
    "torus:2x4",
    "hypercube:4",
    "hyperx:4x3",
    "torus:4x1",
)
OTHERS = ("mesh:5", "rdt:8", "srt2d:8", "star:4", "debruijn:2,n=4", "fattree:2,n=3")


def _without(net: Network, gone: Array) -> Network:
    """A network without the links where `gone` (R, P) holds, for both of their ends."""
    arrays = {name: np.where(gone, -1, getattr(net, name)) for name in ("neighbor", "far_port", "link_class")}
    return replace(net, **arrays, orbits=None)


@pytest.mark.parametrize("spec", PRODUCTS)
def test_a_product_has_the_figures_that_searches_give(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    net = replace(build(spec), orbits=None)
    searched = distance_counts(net)
    monkeypatch.setattr(distances, "SMALL", 0)
    summed = distance_counts(net)
    assert summed.searches < searched.searches
    assert (summed.counts, summed.terminal_counts) == (searched.counts, searched.terminal_counts)
    assert summed.eccentricity.tolist() == searched.eccentricity.tolist()


@pytest.mark.parametrize("spec", OTHERS)
def test_other_networks_are_none(spec: str) -> None:
    assert axes_of(build(spec)) is None


@pytest.mark.parametrize("spec", ["mesh:3x4", "torus:5x3", "hyperx:4x3"])
def test_one_link_less_is_no_product(spec: str) -> None:
    net = build(spec)
    for router in range(net.routers):
        for port in np.flatnonzero(net.neighbor[router] >= 0).tolist():
            gone = np.zeros(net.neighbor.shape, bool)
            gone[router, port] = gone[net.neighbor[router, port], net.far_port[router, port]] = True
            assert axes_of(_without(net, gone)) is None


def test_an_axis_in_two_pieces_has_pairs_without_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """All links between the two middle rows of a mesh are taken."""
    net = build("mesh:3x4")
    row = net.coord[:, 1]
    net = _without(net, (net.neighbor >= 0) & (row[:, None] + row[net.neighbor] == 3))
    searched = distance_counts(net)
    monkeypatch.setattr(distances, "SMALL", 0)
    summed = distance_counts(net)
    assert axes_of(net) is not None and not summed.connected
    assert (summed.counts, summed.eccentricity.tolist()) == (searched.counts, searched.eccentricity.tolist())


def test_terminals_that_differ_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    net = build("mesh:3x4")
    some = np.arange(12, dtype=np.int32) % 2
    net = replace(net, terminals=some, sinks=some, orbits=None)
    monkeypatch.setattr(distances, "SMALL", 0)
    assert distance_counts(net).searches == 12


@pytest.mark.parametrize("spec", ["mesh:3x4", "mesh:5x4x2", "mesh:1x7", "hyperx:4x3"])
def test_the_eigenvalue_of_a_product_is_that_of_an_axis(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    net = build(spec)
    values = np.linalg.eigvalsh(laplacian(net).toarray())
    monkeypatch.setattr(spectrum, "DENSE_ROUTERS", 4)
    monkeypatch.setattr(spectrum, "period", lambda net, grid: None)
    monkeypatch.setattr(spectrum, "_by_lanczos", None)
    found = fiedler(net)
    assert abs(found.value - values[1]) < 1e-12 and found.residual < 1e-12


def test_a_long_thin_mesh_has_the_claimed_figures() -> None:
    member = family("mesh:2x20000")
    found = metrics(member)
    assert found.searches == 3
    assert {name: getattr(found, name) for name in member.claims()} == member.claims()
