"""Studies of yield and of degradation: resolved, swept, resumed and replayed like simulations."""

from __future__ import annotations

import json

import pytest

from jumpnet.cli import main
from jumpnet.errors import JumpnetError
from jumpnet.fault.array import WaferArray
from jumpnet.fault.yields import wafer_yield
from jumpnet.study.point import evaluate, resolve

STUDY = """
[[sweep]]
kind = "yield"
network = "torus:8x8"
wafers = 50
density = [0.02, 0.08]
method = ["local", "exact"]

[[sweep]]
kind = "degrade"
network = "torus:4x4"
routing = "up_down"
simulate = false
faults = [0, 2]
seed = [1, 2]
"""


def _run(words, capsys, monkeypatch) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["jumpnet", *map(str, words)])
    with pytest.raises(SystemExit) as stop:
        main()
    said = capsys.readouterr()
    return int(stop.value.code or 0), said.out, said.err


def test_a_study_of_yield_and_degradation_is_swept_once(tmp_path, capsys, monkeypatch) -> None:
    (tmp_path / "faults.toml").write_text(STUDY)
    sweep = ["sweep", tmp_path / "faults.toml", "--workers", 1, "--json"]
    assert json.loads(_run(sweep, capsys, monkeypatch)[1])["run"] == 8
    assert json.loads(_run(sweep, capsys, monkeypatch)[1])["run"] == 0
    out = _run(["results", tmp_path / "faults.toml", "--json"], capsys, monkeypatch)[1]
    rows = [json.loads(line) for line in out.splitlines()]
    found = {(r["density"], r["method"]): r["repaired"] for r in rows if r["kind"] == "yield"}
    for (density, method), repaired in found.items():
        assert repaired == wafer_yield(WaferArray(8, 8), density, 50, method=method).repaired
    assert [r["endpoints"] for r in rows if r["kind"] == "degrade"] == [16, 16, 14, 14]
    replay = ["replay", rows[-1]["hash"], "--store", tmp_path / "faults.sqlite", "--json"]
    assert json.loads(_run(replay, capsys, monkeypatch)[1])["equal"]


def test_points_of_other_kinds_take_no_load_and_run_the_same_twice() -> None:
    config = resolve({"kind": "degrade", "network": "torus:4x4", "faults": 1, "packet_flits": 2}, 0.7)
    assert "load" not in config and config["packet_flits"] == "2"
    assert evaluate(config)["result"] == evaluate(config)["result"]
    assert evaluate(config)["result"]["saturation_load"] > 0


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ({"kind": "yeild"}, "did you mean 'yield'"),
        ({"kind": "yield", "buffer_flits": 4}, "unknown setting of kind yield"),
        ({"kind": "yield", "method": "lokal"}, "did you mean 'local'"),
        ({"kind": "yield", "track_density": 1.5}, "density 1.5 found, 0 or more and less than 1 expected"),
        ({"kind": "yield", "density": "much"}, "density 'much' found, a number expected"),
        ({"kind": "yield", "network": "hypercube:4"}, "two-dimensional"),
        ({"kind": "degrade", "faults": 17}, "17 faulty nodes found"),
        ({"kind": "degrade", "faults": True}, "faults True found, a whole number expected"),
        ({"kind": "degrade", "routing": "rdt.floating"}, "does not fit"),
    ],
)
def test_bad_points_are_refused_before_they_start(point, message) -> None:
    with pytest.raises(JumpnetError, match=message):
        resolve({"network": "torus:4x4", **point}, 0.1)


def test_other_kinds_are_plotted_a_panel_each(tmp_path, capsys, monkeypatch) -> None:
    """The first study has kinds without curves; the second has a curve too, which is what is drawn then."""
    (tmp_path / "kinds.toml").write_text(STUDY)
    curve = '[[sweep]]\nnetwork = "mesh:3"\nload = [0.1]\nmeasure_cycles = 200\nwarmup_cycles = 50\n'
    (tmp_path / "both.toml").write_text(STUDY + curve)
    for name, says in (("kinds", "8 points in"), ("both", "1 point in")):
        study, picture = tmp_path / f"{name}.toml", tmp_path / f"{name}.svg"
        _run(["sweep", study, "--workers", 1, "--json"], capsys, monkeypatch)
        status, out, _ = _run(["plot", study], capsys, monkeypatch)
        assert (status, out.startswith(says)) == (0, True)
        drawn = picture.read_text()
        assert all((f"<!-- {word} -->" in drawn) == (name == "kinds") for word in ("average route", "method=exact"))
    assert out.rstrip().endswith("; 8 of other kinds left out")
