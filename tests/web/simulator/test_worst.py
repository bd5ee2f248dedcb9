"""Worst traffic that the page finds is what Python finds, to the last destination; so are its matchings SciPy's."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching
from tests.web.simulator.in_node import answers, evaluated, node_here, runs_of

from jumpnet.explore.packed import pack, unpack
from jumpnet.routings import bind
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build
from jumpnet.traffic.worst import worst_case

CASES = (
    ("torus:5x4", "torus.dateline"), ("torus:4x4", "torus.valiant"), ("torus:6x6", "torus.romm"),
    ("mesh:5x3", "mesh.o1turn"), ("mesh:4x4", "mesh.valiant"), ("hypercube:4", "hypercube.ugal"),
    ("rdt:8", "rdt.floating"), ("prdt:8", "prdt.vector"), ("cmesh:4x4", "mesh.dimension_order"),
    ("fly:2,n=3", "fly.destination_tag"), ("fattree:4", "fattree.nca"), ("torus:9x7", "dfsssp"), ("torus:9x7", "lash"),
    ("torus:9x7", "nue"), ("debruijn:2,n=4", "debruijn.shift"), ("dragonfly:2", "dragonfly.minimal"),
)  # fmt: skip


def _without_worst(text: str) -> str:
    given = unpack(text)
    return pack({**given, "traffic": [row for row in given["traffic"] if not row["traffic"].startswith("worst:")]})


def _job(spec: str, routing: str) -> dict[str, Any]:
    page = runs_of(build(spec))
    return {**page, "runs": _without_worst(page["runs"]), "worst": routing}


def test_worst_traffic_is_pythons() -> None:
    node_here()
    for (spec, routing), got in zip(CASES, answers([_job(*case) for case in CASES]), strict=True):
        assert got["worst"] == worst_case(bind(routing, build(spec))).destinations.tolist(), (spec, routing)


def test_worst_traffic_of_a_size_by_rule_runs_as_in_python() -> None:
    phases: dict[str, Any] = {"warmup_cycles": 200, "measure_cycles": 400, "drain": False}
    which = {"routing": "torus.romm", "vcs": 4, "traffic": "worst:routing=torus.romm"}
    page = {**runs_of(build("torus:4x4")), "by": "torus:7x5", "worst": "torus.romm"}
    (got,) = answers([{**page, "phases": phases, "which": which, "set": {"load": 0.2, "packet_flits": 3}}])
    settings = {"vcs": 4, "traffic": "worst:routing=torus.romm", "load": 0.2, "packet_flits": "3"}
    result = simulate("torus:7x5", "torus.romm", **settings, **phases)
    for name in ("packets", "flit_hops", "accepted_load", "packet_latency_mean_cycles", "channel_load_max"):
        assert got["figures"][name] == result.figures[name], name


def test_routes_that_are_too_many_are_refused_in_one_line() -> None:
    page = {**runs_of(build("torus:4x4")), "by": "torus:32x32", "worst": "torus.valiant"}
    (got,) = answers([page])
    said = "1,073,741,824 routes found, at most 16,777,216 expected in a page"
    assert got["refused"] == f"worst traffic for torus.valiant on torus:32x32: {said}"


def _tables() -> list[np.ndarray[Any, Any]]:
    random = np.random.default_rng(7)
    sizes = [(1, 1), (2, 5), (5, 2), (6, 6), (9, 13), (13, 9), (24, 24)]
    return [random.integers(0, most, size) for size in sizes for most in (2, 3, 5, 40) for _ in range(6)]


@pytest.mark.parametrize("kind", ["heaviest", "largest"])
def test_matchings_are_those_of_scipy(kind: str) -> None:
    tables = _tables()
    given = json.dumps([[*table.shape, table.ravel().tolist()] for table in tables])
    programs = {
        "heaviest": f"part => {given}.map(([r, c, w]) => [...part.heaviest(Float64Array.from(w), r, c)])",
        "largest": f"""part => {given}.map(([r, c, w]) => {{
          const rows = Array.from({{length: r}}, (_, k) => [...Array(c).keys()].filter((j) => w[k * c + j]));
          const first = Int32Array.from([0, ...rows.map((_, k) => rows.slice(0, k + 1).flat().length)]);
          return [...part.largest({{first, to: Int32Array.from(rows.flat())}}, c)];
        }})""",
    }
    found = evaluated('{ heaviest, largest } from "./src/sim/matching"', programs[kind])
    for table, got in zip(tables, found, strict=True):
        if kind == "largest":
            wanted = maximum_bipartite_matching(csr_array(table), perm_type="column")
        else:
            wanted = np.full(table.shape[0], -1)
            rows, columns = linear_sum_assignment(table, maximize=True)
            wanted[rows] = columns
        assert got == wanted.tolist(), (kind, table.shape)
