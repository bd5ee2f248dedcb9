"""Path figures of the RDT routings against figures computed elsewhere, and the printed rows in the report's section."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from jumpnet.analysis.routes.paths import path_figures
from jumpnet.routings import bind
from jumpnet.topology import build

ROUTES = tomllib.loads((Path(__file__).parents[2] / "golden" / "rdt_routes.toml").read_text(encoding="utf-8"))["route"]


@pytest.mark.parametrize("known", ROUTES, ids=lambda k: f"{k['spec']} {k['routing']}")
def test_longest_and_average(known):
    found = path_figures(bind(known["routing"], build(known["spec"])))
    assert found.maximum == known.get("longest", found.maximum)
    if "average" in known:
        digits = len(known["average"].partition(".")[2])
        assert abs(float(found.average) - float(known["average"])) <= 0.5 * 10**-digits


def test_defaults_are_the_shortest_readings():
    net = build("rdt:32")
    for name, option in [("rdt.floating", "ties=zero"), ("rdt.floating", "moves=near")]:
        assert path_figures(bind(name, net)).average < path_figures(bind(f"{name}:{option}", net)).average
    best = path_figures(bind("rdt.deadlock_free", net)).average
    for option in ("ties=zero", "moves=near", "moves=x"):
        assert best <= path_figures(bind(f"rdt.deadlock_free:{option}", net)).average
