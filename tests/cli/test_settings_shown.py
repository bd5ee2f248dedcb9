"""Settings at the command line: shown by `list` and `help`, and wrong ones refused alike, of whatever they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jumpnet.cli import main, run_words
from jumpnet.registry import users

POINT = ["simulate", "torus:4x4", "--load", "0.1"]
UNKNOWN = {
    "family": ["metrics", "rdt:16,assignmnt=none"],
    "routing": [*POINT, "--routing", "up_down:rot=first"],
    "pattern": [*POINT, "--traffic", "hotspot:cuont=2"],
    "process": [*POINT, "--set", "injection=onoff:alfa=0.1"],
    "workload": ["workload", "lu:blok=8"],
    "kind of point": ["sweep", 'kind = "yield"\nnetwork = "torus:8x8"\nbuffer_flits = 4'],
    "simulation": [*POINT, "--set", "bufer_flits=4"],
    "multicast": ["simulate", "rdt:8", "--multicast", "paths", "--load", "0.1", "--set", "ack_flts=2"],
    "chip": ["chip", "load", "rdt:8", "--set", "entrys=2"],
}
WRONG = {
    "family": (["metrics", "cmesh:4x4,c=four"], "cmesh c 'four' found, a whole number expected"),
    "routing": (
        [*POINT, "--routing", "up_down:root=frist"],
        "unknown value of up_down root 'frist'; did you mean 'first'?",
    ),
    "pattern": ([*POINT, "--traffic", "hotspot:count=two"], "hotspot count 'two' found, a whole number expected"),
    "process": ([*POINT, "--set", "injection=onoff:alpha=x"], "onoff alpha 'x' found, a number expected"),
    "workload": (["workload", "lu:block=x"], "lu block 'x' found, a whole number expected"),
    "kind of point": (
        ["sweep", 'kind = "yield"\nnetwork = "torus:8x8"\nwafers = "few"'],
        "kind yield wafers 'few' found, a whole number expected",
    ),
    "simulation": ([*POINT, "--set", "buffer_flits=x"], "buffer_flits 'x' found, a whole number expected"),
    "multicast": (
        ["simulate", "rdt:8", "--multicast", "paths", "--load", "0.1", "--set", "ack_flits=0"],
        "ack_flits '0' found, 1 to 1000000 expected",
    ),
    "chip": (["chip", "load", "rdt:8", "--set", "early=x"], "chip early 'x' found, true or false expected"),
}


def _refused(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The one line of a command that ends with status 2; a study is written to a file first."""
    if words[0] == "sweep":
        (tmp_path / "study.toml").write_text(f"[[sweep]]\n{words[1]}\n")
        words = ["sweep", str(tmp_path / "study.toml"), "--workers", "1"]
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as stop:
        patch.setattr("sys.argv", ["jumpnet", *words])
        main()
    said = capsys.readouterr()
    assert stop.value.code == 2 and not said.out
    lines = [line for line in said.err.splitlines() if line.startswith("jumpnet: ")]
    assert len(lines) == 1 and "Traceback" not in said.err
    return lines[0]


@pytest.mark.parametrize("what", UNKNOWN)
def test_an_unknown_setting_is_refused_in_one_line(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = _refused(UNKNOWN[what], tmp_path, capsys)
    assert "unknown setting" in line and ("did you mean" in line or "expected one of" in line)


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_word_is_refused_in_one_line(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words, says = WRONG[what]
    assert says in _refused(words, tmp_path, capsys)


def _shown(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, str]]:
    run_words([*words, "--json"])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("verb", ["list", "help"])
def test_the_settings_of_one_thing_are_shown(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = _shown(capsys, verb, "routing", "up_down")
    assert [(row["name"], row["range"], row["default"]) for row in rows] == [
        ("ports", "one, all", "one"),
        ("root", "center, first", "center"),
    ]
    assert [row["name"] for row in _shown(capsys, verb, "workload", "lu")] == ["processors", "n", "block"]
    assert {row["name"]: row["range"] for row in _shown(capsys, verb, "setting", "chip")}["turn_round"] == "0 to 1"
    assert _shown(capsys, verb, "routing", "torus.dateline") == []


def test_what_has_none_says_so_and_the_table_has_the_meanings(capsys: pytest.CaptureFixture[str]) -> None:
    run_words(["list", "routing", "torus.dateline"])
    assert capsys.readouterr().out == "torus.dateline has no settings\n"
    run_words(["list", "traffic", "uniform"])
    assert "as in BookSim" in capsys.readouterr().out


def test_workloads_and_kinds_of_points_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    rows = _shown(capsys, "list")
    assert {"workload", "point"} <= {row["kind"] for row in rows}
    assert [row["name"] for row in rows if not row["summary"] and row["name"] not in users.origins] == []
