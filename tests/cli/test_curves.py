"""`jumpnet simulate` with several networks or loads: points up to saturation, kept and drawn; one line for errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from jumpnet.cli import main, run_words
from jumpnet.cli._answers.curves import is_curve, loads_of
from jumpnet.study.loads import next_loads
from jumpnet.study.plan import RisingLoads

SHORT = ["--packet-flits", "1", "--set", "warmup_cycles=100", "--set", "measure_cycles=400"]
WRONG = [
    (["torus:4x4", "mesh:4x4"], "no --load found, loads such as 0.05..0.9 expected"),
    (["torus:4x4", "--load", "0.9..0.1"], "--load '0.9..0.1' found, loads such as 0.1,0.2 or 0.05..0.9"),
    (["torus:4x4", "--load", "0.1,high"], "--load '0.1,high' found"),
    (["torus:4x4", "--load", "0.1..0.5/1"], "--load '0.1..0.5/1' found"),
    (["torus:4x4", "--load", "0..0.5"], "above 0 and up to 1"),
    (["torus:4x4", "mesh:4x4", "--load", "0.1", "--multicast", "paths"], "--multicast together with several points"),
    (["torus:4x4", "--load", "0.1", "--plot", "x.gif"], "unknown picture format 'gif'"),
    (["torus:4x4@mesh.duato", "--load", "0.1"], "routing mesh.duato does not fit torus:4x4"),
    (["torus:4x4", "tours:4x4", "--load", "0.1"], "did you mean 'torus'?"),
    (["torus:4x4", "--load", "0.1,0.2", "--preset", "boksim"], "did you mean 'booksim'?"),
    (["torus:4x4", "--load", "0.1,0.2", "--log"], "--log without --plot"),
    (["torus:4x4", "--load", "0.1", "--per", "link"], "--per without --plot"),
    (["torus:4x4", "--load", "0.1", "--plot", "x.svg", "--per", "tile"], "unknown unit of load 'tile'"),
    (["torus:4x4", "--load", "0.1", "--plot", "x.svg", "--over", "all"], "unknown load to draw over 'all'"),
]


@pytest.mark.parametrize(("words", "said"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_what_is_wrong_is_one_line(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["jumpnet", "simulate", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    told = capsys.readouterr().err
    assert stop.value.code == 2 and said in told and told.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_loads_in_words() -> None:
    assert loads_of("0.05..0.95") == tuple(round(0.05 + 0.1 * k, 6) for k in range(10))
    assert loads_of("0.2,0.1,0.2") == (0.1, 0.2)
    assert not is_curve(["torus:4x4"], "0.1", "") and is_curve(["torus:4x4"], "0.1", "a.svg")
    assert is_curve(["torus:4x4@torus.duato"], "", "") and is_curve(["a", "b"], "", "")


def test_rising_loads_stop_at_the_first_that_saturates() -> None:
    rising, seen = RisingLoads(loads=(0.1, 0.2, 0.3, 0.4, 0.5)), {}
    while wanted := next_loads(rising, seen):
        seen |= {load: load > 0.25 for load in wanted}
    assert seen == {0.1: False, 0.2: False, 0.3: True, 0.4: True}
    assert next_loads(rising, {0.3: True}) == [0.1, 0.2], "those below are run, whichever came first"


def test_a_range_without_a_number_closes_in_on_saturation() -> None:
    rising, seen = RisingLoads(loads=(0.1, 0.2, 0.3, 0.4, 0.5), points=6), {}
    while wanted := next_loads(rising, seen):
        assert not seen.keys() & set(wanted), "no load is asked for twice"
        seen |= {load: load > 0.23 for load in wanted}
    held, over = ([load for load, full in seen.items() if full == which] for which in (False, True))
    assert max(held) == 0.225 and min(over) == 0.25, "a quarter of the distance of two rising loads"
    assert sorted(held) == [0.1, 0.125, 0.15, 0.175, 0.2, 0.225]
    assert next_loads(rising, {load: load > 0.05 for load in (0.1, 0.2)}) == [], "nothing below the range"
    assert next_loads(rising, dict.fromkeys(rising.loads, False)) == []


def test_curves_are_the_points_of_single_runs_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first run in a process of its own, what comes after in this one."""
    monkeypatch.chdir(tmp_path)

    def again(*more: str) -> str:
        assert run_words(["simulate", *more, *SHORT]) == 0
        return capsys.readouterr().out

    words = ["torus:4x4", "torus:4x4@torus.duato", "--load", "0.1,0.3", "--plot", "curves.svg", "--json"]
    command = [sys.executable, "-m", "jumpnet", "simulate", *words, *SHORT]
    first = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for line in first.splitlines()]
    assert [(row["routing"], row["load"]) for row in rows] == [
        (routing, load) for routing in ("torus.dateline", "torus.duato") for load in (0.1, 0.3)
    ]
    assert again(*words) == first
    alone = json.loads(again("torus:4x4", "--load", "0.3", "--json"))
    same = {key for key in rows[1].keys() & alone.keys() if key != "hash"}
    assert "packet_latency_mean_cycles" in same
    assert {key: rows[1][key] for key in same} == {key: alone[key] for key in same}
    assert again(*words, "--fresh") == first
    picture = (tmp_path / "curves.svg").read_text()
    assert picture.startswith("<?xml") and "<!-- torus:4x4, torus.duato, vcs=3 -->" in picture
    assert "<!-- accepted load (flits per terminal and cycle) -->" in picture
    axes = ["--over", "offered", "--per", "link", "--log"]
    assert again(*words, *axes) == first
    assert "<!-- offered load (flits per link and cycle) -->" in (tmp_path / "curves.svg").read_text()
