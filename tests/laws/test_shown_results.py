"""Every result of the Python face is a table, a frame, a picture and a line in a notebook; a new one is asked too."""

from __future__ import annotations

import inspect
import pickle
import pydoc
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx
import pytest
from matplotlib.figure import Figure

import jumpnet
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.api.shown import PLAIN, POINT, Shown, ShownCurves
from jumpnet.errors import JumpnetError
from jumpnet.lab import network as lab
from jumpnet.plot.results import drawing
from jumpnet.sim.multicast.simulate import CAST, find_multicast_saturation, simulate_multicasts
from jumpnet.sim.saturation import find_saturation

SHORT = {"packet_flits": "1", "warmup_cycles": 50, "measure_cycles": 300}
NO_RESULTS = {"add_graph", "net", "nodes", "to_networkx", "draw"}
"""What gives a network, its nodes, a graph or a picture."""
MADE: dict[str, Callable[[lab.LabNetwork], Any]] = {
    "metrics": lambda net: net.metrics(),
    "bisection": lambda net: net.bisection(),
    "symmetry": lambda net: net.symmetry(),
    "route": lambda net: net.route("0,0", "1,2"),
    "paths": lambda net: net.paths(),
    "prove": lambda net: net.prove("torus.dimension_order"),
    "prove_all_sizes": lambda net: net.prove_all_sizes(),
    "simulate": lambda net: net.simulate(load=0.1, **SHORT),
    "curve": lambda net: net.curve([0.1, 0.2], **SHORT),
    "find_saturation": lambda net: net.find_saturation(resolution=0.4, **SHORT),
    "sweep": lambda net: net.sweep(load=[0.1, 0.2], workers=1, **SHORT),
    "degrade": lambda net: net.degrade([0, 1], seeds=[1]),
    "paper": lambda net: next(lab.paper("li2009rdn")),
    "proof without a cycle": lambda net: net.prove(),
    "multicast": lambda net: simulate_multicasts(net.net, load=0.03, destinations=3, **SHORT),
    "multicast saturation": lambda net: find_multicast_saturation(net.spec, destinations=3, resolution=0.4, **SHORT),
}


def test_no_result_of_the_face_is_left_out() -> None:
    methods = {name for name in vars(lab.LabNetwork) if not name.startswith("_")}
    functions = {name for name in lab.__all__ if inspect.isfunction(getattr(lab, name))} - {"network"}
    assert (methods | functions) - NO_RESULTS <= set(MADE)


@pytest.mark.parametrize("name", MADE)
def test_a_result_shows_itself(name: str, tmp_path: Path) -> None:
    result = MADE[name](jumpnet.network("torus:4x4"))
    assert isinstance(result, Shown) and len(repr(result)) < 1200
    rows = result.rows()
    frame = result.to_pandas()
    assert len(frame) == len(rows) > 0 and set(frame.columns) == {key for row in rows for key in row}
    told = pydoc.plain(pydoc.render_doc(type(result))).partition("Columns:")[2]
    also = (CAST,) if name == "multicast saturation" else ()
    assert set(frame.columns) <= {word for text in (told, *map(str, also)) for word in re.findall(r"\w+", text)}
    table = result._repr_html_()
    assert table.startswith("<table><tr><th>") and table.count("<tr>") >= 2
    assert "<svg" in result.plot().decode()
    assert result.plot(tmp_path / "a.png").startswith(b"\x89PNG") and (tmp_path / "a.png").stat().st_size > 1000
    with pytest.raises(JumpnetError, match="unknown picture format 'gif'"):
        result.plot("a.gif")


def test_figures_of_a_result_are_those_of_its_rows() -> None:
    net = jumpnet.network("torus:4x4")
    (row,) = net.metrics().rows()
    assert row["diameter"] == 4 and row["average_distance"] == float(net.metrics().average_distance or 0)
    assert [hop["router"] for hop in net.route("0,0", "1,2").rows()] == [hop.router for hop in net.route("0,0", "1,2")]
    cycle = net.prove("torus.dimension_order")
    assert cycle.rows()[0]["cycle"] == len(cycle.cycle or ()) > 0 and "certificate" not in cycle.rows()[0]
    (whole, broken) = net.degrade([0, 1], seeds=[1]).rows()
    assert (whole["endpoints"], broken["endpoints"], broken["proofs"]) == (16.0, 15.0, "1 free")
    found = find_saturation("torus:4x4", resolution=0.4, **SHORT)
    assert [row["load"] for row in found.rows()] == [point.config.load for point in found.points]


def test_names_are_no_markup() -> None:
    class Odd(Shown):
        def rows(self) -> list[dict[str, Any]]:
            return [{"<b>": "<i>&", "n": 1}, {"n": None}]

    assert Odd()._repr_html_() == (
        "<table><tr><th>&lt;b&gt;</th><th>n</th></tr><tr><td>&lt;i&gt;&amp;</td><td>1</td></tr>"
        "<tr><td></td><td></td></tr></table>"
    )
    assert "<svg" in Odd().plot().decode()


@pytest.mark.parametrize("made", ["curve", "find_saturation"])
def test_curves_take_the_axes_of_the_verb(made: str) -> None:
    net = jumpnet.network(networkx.circulant_graph(8, [1, 2]))
    found = net.curve([0.1, 0.2], **SHORT) if made == "curve" else net.find_saturation(resolution=0.4, **SHORT)
    assert isinstance(found, ShownCurves)
    plain, shared = found.plot(), found.plot(over="offered", per="link", log=True)
    assert b"accepted load (flits per terminal" in plain and b"offered load (flits per link" in shared
    with pytest.raises(JumpnetError, match="unknown unit of load 'tile'"):
        found.plot(per="tile")
    with pytest.raises(JumpnetError, match="unknown load to draw over 'x'"):
        found.plot(over="x")
    with pytest.raises(JumpnetError, match="unknown latency 'x'"):
        found.plot(latency="x")


def test_pictures_of_the_smallest_and_of_long_tails() -> None:
    net = jumpnet.network("torus:4x4")
    assert "<svg" in net.route("0,0", "0,0").plot().decode()
    ring = jumpnet.network("torus:600")
    assert len(ring.metrics().distance_counts) > 200 and len(ring.metrics().plot()) < 200_000


def test_bars_stand_at_whole_numbers() -> None:
    figure = Figure()
    drawing(jumpnet.network("complete:6").metrics()).fill(figure)
    (axes,) = figure.axes
    assert all(float(at).is_integer() for at in axes.get_xticks())


def test_a_notebook_shows_the_columns_that_tell_points_apart() -> None:
    net = jumpnet.network("torus:4x4")
    points = net.sweep("torus.dateline", workers=1, load=[0.1, 0.2], vcs=[2, 4], **SHORT)
    for shown, also in ((points, ["vcs"]), (net.curve([0.1, 0.2], **SHORT), [])):
        rows = shown.rows()
        table = shown._repr_html_()
        heads = re.findall(r"<th>(\w+)</th>", table)
        wanted = [key for key in (*POINT[:3], *also, *POINT[3:]) if any(row.get(key) is not None for row in rows)]
        assert heads == [key for key in wanted if key != "offered_load"]  # `load` says it
        assert {"spec", "routing", *also, "accepted_load", "saturated"} < set(heads) and len(heads) < 11
        plain = {key for row in rows for key, value in row.items() if value is not None and isinstance(value, PLAIN)}
        assert f"<p>{len(plain) - len(heads)} more columns: <code>to_pandas()</code></p>" in table and len(plain) > 40


def test_results_come_back_from_other_processes() -> None:
    """As from `ProcessPoolExecutor.map`: with all that they say, and a network and a routing that work."""
    net = jumpnet.network("torus:4x4")
    short = {"packet_flits": "1", "warmup_cycles": 20, "measure_cycles": 100}
    made = (net.simulate(load=0.1, **short), net.prove(), net.curve([0.1], **short), net.find_saturation(**short))
    for result in made:
        back = pickle.loads(pickle.dumps(result))
        assert back.rows() == result.rows()
    proof = pickle.loads(pickle.dumps(made[1]))
    assert proof.bound is not None and prove(proof.bound).verdict == made[1].verdict
