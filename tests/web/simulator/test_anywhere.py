"""Routings and traffic of sizes that the page makes by rule are those that Python says of them; so are their runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.web.conftest import Shown
from tests.web.simulator.in_node import answers, runs_of

from jumpnet.explore.gallery import SIZED
from jumpnet.explore.packed import unpack
from jumpnet.explore.runs import runs_text, sized_text
from jumpnet.routings import default_routing, routings
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build

SPECS = (
    "torus:5", "torus:9", "torus:2x2", "torus:2x5", "torus:9x9", "torus:6x3", "torus:5x4x3", "torus:3x3x3x3",
    "torus:64", "mesh:2", "mesh:7", "mesh:2x2", "mesh:1x5", "mesh:5x7", "mesh:5x4x3", "mesh:3x3x3x3", "mesh:32x32",
    "hypercube:1", "hypercube:2", "hypercube:5", "hypercube:9", "rdt:4", "rdt:24", "prdt:12",
)  # fmt: skip
MODELS = ("torus:4x4", "mesh:4x4", "mesh:4x4x4", "hypercube:4", "rdt:8", "prdt:8")


def _model(spec: str) -> str:
    family, size = spec.split(":")
    grid = "mesh:4x4x4" if size.count("x") != 1 else "mesh:4x4"
    return {"mesh": grid, "torus": "torus:4x4", "hypercube": "hypercube:4"}.get(family, f"{family}:8")


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [*map(str, value.tolist())] if value.dtype == np.int64 else value.tolist()
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def test_what_is_known_of_a_size_is_what_python_says() -> None:
    models = {spec: runs_text(build(spec)) for spec in MODELS}
    sized = {spec: sized_text(build(spec)) for spec in SPECS if spec in SIZED}
    jobs = [{"asked": spec, "runs": models[_model(spec)], "sized": sized.get(spec, "")} for spec in SPECS]
    for spec, got in zip(SPECS, answers(jobs), strict=True):
        assert got["model"] == _model(spec)
        net, given = build(spec), got["given"]
        wanted = _plain(unpack(runs_text(net)))
        there = {row["routing"]: row for row in wanted["routings"]}
        for row in given["routings"]:
            expected = dict(there[row["routing"]])
            if "made" in row and spec not in SIZED:  # one for all counts of channels
                assert row["made"][0]["own"] == expected["made"][0]["own"], (spec, row["routing"])
                row, expected = ({**each, "made": len(each["made"])} for each in (row, expected))
            assert row == expected, (spec, row["routing"])
        named = [row["routing"] for row in given["routings"]]
        assert set(named) == set(there), spec
        assert given["default"] == (named[0] == default_routing(net)), spec
        traffic = {row["traffic"]: row for row in wanted["traffic"] if not row["traffic"].startswith("worst:")}
        assert {row["traffic"]: row for row in given["traffic"]} == traffic, spec


@pytest.mark.parametrize(
    ("spec", "routing", "vcs", "traffic"),
    [("torus:9x5", "torus.romm", 5, "tornado"), ("mesh:5x7", "mesh.odd_even", 2, "neighbor"),
     ("hypercube:5", "hypercube.ugal", 8, "shuffle"), ("rdt:24", "rdt.duato", 4, "uniform"),
     ("prdt:12", "prdt.vector", 2, "hotspot:nodes=3-17"), ("prdt:12", "rdt.fault_tolerant", 1, "uniform"),
     ("mesh:3x4x5", "nue", 2, "neighbor"), ("torus:9x7", "lash", 3, "uniform"), ("torus:9x7", "dfsssp", 4, "tornado"),
     ("hypercube:5", "dfsssp", 1, "shuffle"), ("torus:18x18", "lash", 4, "uniform"),
     ("torus:19x17", "dfsssp", 5, "neighbor"),
     ("hypercube:9", "nue", 2, "uniform"), ("mesh:20x20", "dfsssp", 1, "uniform")],
)  # fmt: skip
def test_a_run_of_a_size_by_rule_is_that_of_simulate(spec: str, routing: str, vcs: int, traffic: str) -> None:
    phases = {"warmup_cycles": 200, "measure_cycles": 400, "drain": False}
    which = {"routing": routing, "vcs": vcs, "traffic": traffic}
    page = {**runs_of(build(_model(spec))), "by": spec, "sized": sized_text(build(spec)) if spec in SIZED else ""}
    (got,) = answers([{**page, "phases": phases, "which": which, "set": {"load": 0.1, "packet_flits": 3}}])
    result = simulate(spec, routing, vcs=vcs, traffic=traffic, load=0.1, packet_flits="3", **phases)
    for name in ("packets", "flit_hops", "accepted_load", "packet_latency_mean_cycles", "channel_load_max"):
        assert got["figures"][name] == result.figures[name], name


def test_a_size_by_rule_routes_and_runs_in_the_page(shown: Any) -> None:
    it: Shown = shown("net=torus:9x5&panel=route&picked=3.40")
    it.page.get_by_title("Take first candidates to the end").click()
    it.page.wait_for_selector("xpath=//h3[starts-with(., 'Arrived after')]")
    it.go("net=torus:9x5&panel=simulate&routing=torus.duato&load=0.1&vcs=4&traffic=tornado")
    it.page.get_by_role("button", name="This load alone").click()
    row = it.page.locator("xpath=//th[starts-with(., 'Latency')]/ancestor::table//tbody/tr")
    row.wait_for(timeout=60_000)
    settings = {"vcs": 4, "traffic": "tornado", "packet_flits": "4", "warmup_cycles": 1000, "measure_cycles": 3000}
    result = simulate("torus:9x5", "torus.duato", load=0.1, **settings)
    assert row.locator("td").nth(2).text_content() == f"{result.packet_latency_mean_cycles:.2f}"
    it.go("net=torus:17x17&panel=route&picked=3.200&routing=dfsssp")  # its layers are found in the page
    it.page.get_by_title("Take first candidates to the end").click()
    it.page.wait_for_selector("xpath=//h3[starts-with(., 'Arrived after')]")
    assert "routing=dfsssp" in it.part() and routings()["dfsssp"].summary[1:] in it.page.inner_text("#panel")
    it.go("net=rdt:24&panel=simulate")  # a network whose own routings Python has prepared
    it.page.wait_for_selector("text=Cycle")
    assert "routing=" not in it.part() and it.page.get_by_label("Routing").input_value() == "rdt.deadlock_free"
    assert it.errors == []
