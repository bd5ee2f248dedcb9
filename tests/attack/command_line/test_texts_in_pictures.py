"""Texts of pictures that are no formula, no XML, or very many hops."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure
from tests.attack.command_line.verbs import say

from jumpnet.plot.curves import draw_curves, panel_count, shared_name
from jumpnet.plot.draw import drawer
from jumpnet.plot.figure import render
from jumpnet.topology import build

MEAN = "packet_latency_mean_cycles"
HOSTILE = "$\\frac{$ \x1b[2J <svg> ]]> & \x01 \uffff $$"


@pytest.mark.parametrize("layout", ["plane", "line"])
@pytest.mark.parametrize("ending", ["svg", "pdf"])
def test_a_title_is_shown_as_it_is(layout: str, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{ending}"
    said = say(["draw", "mesh:2x2", "--layout", layout, "--title", HOSTILE, "--out", str(path)])
    assert (said.status, said.err) == (0, ""), said
    if ending == "svg":
        ElementTree.parse(path)


@pytest.mark.parametrize(
    "words",
    ["degrade file:NAME --faults 0,1 --seeds 1 --no-simulate --draw OUT",
     "draw file:NAME --out OUT"],
)  # fmt: skip
def test_a_name_of_a_file_is_no_formula(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = "$\\frac{$.edges"
    Path(name).write_text("0 1\n1 2\n2 3\n3 0\n")
    said = say(words.replace("NAME", name).replace("OUT", "a.svg").split())
    assert (said.status, said.err) == (0, ""), said


def test_curves_without_a_point_are_drawn() -> None:
    """No packet arrived in so few cycles: it was status 70."""
    rows = [{"spec": "torus:4", "load": load, "accepted_load": 0.0, "saturated": False, MEAN: None} for load in (1, 2)]
    assert render(lambda figure: draw_curves(figure, rows, ["spec"]), formats=("svg",))


def test_curves_of_a_large_matrix_are_drawn_and_two_of_them_told_apart() -> None:
    """One of 64 terminals has thousands of characters: a picture of it was refused, or had them across its title."""
    rows = "1-" * 60 + "1/"
    point = {"spec": "mesh:8x8", "load": 0.1, "accepted_load": 0.1, "saturated": False, MEAN: 9.0}
    many = [f"matrix:rows={rows * 30}{middle}{rows * 30}" for middle in ("2/", "3/")]
    points = [{**point, "traffic": name} for name in many]
    assert render(lambda figure: draw_curves(figure, points, ["traffic"]), formats=("svg",))
    figure = Figure()
    draw_curves(figure, points, ["traffic"])
    titles = [axes.get_title() for axes in figure.axes]
    assert panel_count(points, ["traffic"]) == len({*titles}) == 2 and max(map(len, titles)) < 65
    assert all(title.startswith("matrix:rows=1-1") for title in titles) and titles[1].endswith("(2)")
    assert len(shared_name(points[:1])) < 90


def _collections(path: list[int]) -> int:
    figure = Figure()
    drawer(build("torus:4x4"), path)(figure)
    return len(figure.axes[0].collections)


def test_a_link_of_a_path_is_drawn_once(count: Callable[[list[int]], int] = _collections) -> None:
    """A highlight of 2,000 hops took half a minute."""
    assert count([0, 1] * 1000) == count([0, 1]) == count([0]) + 1
    assert count([0, 1, 2, 1, 2, 3]) == count([0]) + 3
