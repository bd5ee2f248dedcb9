"""What was varied is shown: in tables of results, in forecasts, in rows of a sweep, in the legend of a picture."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib
import pytest

import jumpnet
from jumpnet.cli import run_words
from jumpnet.cli.results import columns_of
from jumpnet.plot.curves import draw_curves
from jumpnet.plot.figure import render
from jumpnet.study.forecast import PROCESS_BYTES
from jumpnet.study.results import rows

STUDY = """
[settings]
packet_flits = 1
warmup_cycles = 20
measure_cycles = 60
[[sweep]]
network = "torus:4x4"
vcs = [2, 4]
injection = ["bernoulli", "onoff"]
traffic = ["uniform", "transpose"]
link_cycles = [1, 2]
load = 0.1
"""
AXES = ["traffic", "injection", "vcs", "link_cycles"]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("varied") / "s.toml"
    path.write_text(STUDY)
    run_words(["sweep", str(path), "--workers", "1"])
    return path


def test_every_setting_that_differs_is_a_column_of_results(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(study)
    columns = columns_of(found)
    assert columns[: len(AXES)] == AXES and len({tuple(row[key] for key in columns[:4]) for row in found}) == 16
    assert {"load", "accepted_load", "packet_latency_mean_cycles", "saturated"} <= set(columns)
    run_words(["results", str(study)])
    shown = capsys.readouterr().out
    assert all(key.replace("_", " ") in shown for key in AXES)
    lines = [line for line in shown.splitlines() if "bernoulli" in line or "onoff" in line]
    assert len(lines) == 16 and len({tuple(line.replace("│", " ").split()[:4]) for line in lines}) == 16


def test_rows_of_a_forecast_differ_and_say_what_a_process_takes(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_words(["sweep", str(study), "--dry-run", "--json"])
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len({tuple(row[key] for key in AXES) for row in told}) == len(told) == 16
    assert all(row["process_bytes"] == row["memory_bytes"] + PROCESS_BYTES for row in told)
    run_words(["sweep", str(study), "--dry-run"])
    table = capsys.readouterr().out
    assert "memory of a process" in table and "link cycles" in table and "onoff" in table


def test_rows_of_a_sweep_in_python_say_what_was_varied() -> None:
    short = {"packet_flits": "1", "warmup_cycles": 20, "measure_cycles": 60}
    found = jumpnet.network("torus:4x4").sweep(load=0.1, link_cycles=[1, 2], workers=1, **short)
    assert [row["link_cycles"] for row in found] == [1, 2]
    picture = found.plot().decode()
    assert "link_cycles=1" in picture and "link_cycles=2" in picture, "two curves, not one"


def test_curves_under_traffic_of_their_own_are_named_by_it() -> None:
    base = {"load": 0.1, "accepted_load": 0.1, "packet_latency_mean_cycles": 9.0, "saturated": False}
    worst = {
        spec: {**base, "spec": spec, "routing": f"{spec}.x", "traffic": f"worst:routing={spec}.x"} for spec in "ab"
    }
    other = {**worst["a"], "traffic": "worst:routing=b.x"}

    def drawn(points: list[dict[str, object]]) -> bytes:
        keys = ("spec", "routing", "traffic")
        return render(lambda figure: draw_curves(figure, points, keys), formats=("svg",))["svg"]

    made = drawn([*worst.values()])
    assert b"a, a.x" in made and b"b, b.x" in made and b"worst:routing" not in made
    made = drawn([*worst.values(), other])
    assert b"worst:routing=a.x" in made and b"worst:routing=b.x" in made


def _sizes(style: dict[str, float]) -> dict[str, float]:
    """Sizes in a picture drawn with a style."""
    found: dict[str, float] = {}
    keys = ("font.size", "axes.labelsize", "legend.fontsize", "axes.titlesize")
    render(lambda figure: found.update({key: matplotlib.rcParams[key] for key in keys}), formats=("svg",), style=style)
    return found


def test_sizes_keep_their_ratio_to_the_font_of_a_style() -> None:
    plain, large = _sizes({}), _sizes({"font.size": 19.0})
    assert large == pytest.approx({key: 2 * size for key, size in plain.items()})
    assert _sizes({"font.size": 19.0, "axes.labelsize": 7.0})["axes.labelsize"] == 7.0


@pytest.mark.parametrize("size", [9.5, 18.0, 24.0])
def test_labels_of_axes_stay_within_the_picture(size: float) -> None:
    base = {"accepted_load": 0.1, "packet_latency_mean_cycles": 9.0, "saturated": False, "load": 0.1}
    points = [{**base, "spec": spec} for spec in ("ring", "mesh")]
    outside = []

    def draw(figure) -> None:  # type: ignore[no-untyped-def]
        draw_curves(figure, points, ("spec",))
        figure.draw_without_rendering()
        for axes in figure.axes:
            for label in (axes.xaxis.label, axes.yaxis.label):
                box = label.get_window_extent()
                inside = box.x0 >= 0 and box.y0 >= 0 and box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1
                outside.append((label.get_text(), inside))

    render(draw, formats=("svg",), size_inches=(7.2, 5.0), style={"font.size": size})
    assert all(inside for _, inside in outside) and len(outside) == 2, outside
