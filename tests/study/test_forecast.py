"""`jumpnet sweep --dry-run`: nothing is written; points and memory follow from the study, time from short runs."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from jumpnet.cli import run_words
from jumpnet.sim.config import config_from
from jumpnet.study.forecast import _left
from jumpnet.study.plan import AdaptiveLoads, Curve
from jumpnet.study.point import memory_bytes, resolve
from jumpnet.study.store import Store
from jumpnet.study.trial_run import DRAIN_CYCLES, Tried, cycles_of, tried

STUDY = """
[[sweep]]
network = ["torus:4x4", "mesh:4x4"]
packet_flits = 1
warmup_cycles = 100
measure_cycles = 300
load = [0.05, 0.1, 0.2]
[[sweep]]
network = "torus:4x4"
packet_flits = 2
load = { adaptive = true, points = 4 }
[[sweep]]
kind = "yield"
network = "torus:4x4"
wafers = 10
"""


def hashes(study: Path) -> list[str]:
    """Of all points in the store of a study."""
    return [name for (name,) in sqlite3.connect(study.with_suffix(".sqlite")).execute("SELECT hash FROM results")]


def _told(study: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    run_words(["sweep", str(study), "--dry-run", "--json"])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_study_is_told_before_it_runs_and_on_the_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = tmp_path / "s.toml"
    study.write_text(STUDY)
    before = _told(study, capsys)
    assert [path.name for path in tmp_path.iterdir()] == ["s.toml"]
    assert [(row["network"], row["points"], row["finished"]) for row in (*before[:2], before[3])] == [
        ("torus:4x4", 3, 0), ("mesh:4x4", 3, 0), ("torus:4x4", 1, 0),
    ]  # fmt: skip
    assert before[2]["network"] == "torus:4x4" and 4 < before[2]["points"] < 20 and before[2]["finished"] == 0
    config = resolve({"network": "torus:4x4", "packet_flits": 1, "warmup_cycles": 100, "measure_cycles": 300}, 0.05)
    assert before[0]["memory_bytes"] == memory_bytes(config)
    assert all(row["cpu_seconds_left"] > 0 and row["process_cpu_seconds"] > 0 for row in before[:3])
    assert before[3]["memory_bytes"] is None and before[3]["cpu_seconds_left"] is None
    study.write_text(STUDY.split('[[sweep]]\nnetwork = "torus:4x4"\npacket_flits')[0])
    run_words(["sweep", str(study), "--workers", "1"])
    capsys.readouterr()
    study.write_text(STUDY.replace("[0.05, 0.1, 0.2]", "[0.05, 0.1, 0.2, 0.3]"))
    after = _told(study, capsys)
    assert [(row["points"], row["finished"]) for row in after[:2]] == [(4, 3), (4, 3)]
    with Store(study.with_suffix(".sqlite")) as store:
        rows = [row for row in store.rows(hashes(study)) if row.config["network"] == "torus:4x4"]
        spent = [row.provenance["cpu_seconds"] for row in rows]
    assert len(spent) == 3 and after[0]["cpu_seconds_left"] == pytest.approx(sum(spent) / 3)


def test_a_table_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = tmp_path / "s.toml"
    study.write_text(STUDY)
    run_words(["sweep", str(study), "--dry-run"])
    told = capsys.readouterr().out
    assert "CPU seconds left" in told and "not known" in told and "mesh.dimension_order" in told
    assert re.search(
        r"^about [\d.]+ CPU seconds in all, [\d.]+ of them the start of \d+ processes, and those", told, re.M
    )


@pytest.mark.parametrize(("load", "saturated"), [(0.1, False), (1.0, True)])
def test_a_short_run_says_whether_a_network_carries_a_load_and_the_cycles_follow(load: float, saturated: bool) -> None:
    config = resolve({"network": "torus:4", "packet_flits": 2, "max_cycles": 30000}, load)
    found = tried(config)
    assert found.saturated == saturated and found.cpu_seconds > 0
    whole = cycles_of(config_from({"packet_flits": 2, "max_cycles": 30000, "load": load}), 4, saturated)
    assert whole == (30000 if saturated else 30000 + DRAIN_CYCLES)  # 10,000 packets at 0.2 a cycle: more than there are


def test_replies_are_no_sign_that_a_network_carries_a_load() -> None:
    heavy = {"network": "mesh:4x4", "packet_flits": "1*0.8+5*0.2", "reply_flits": 4, "max_cycles": 30000}
    assert tried(resolve(heavy, 0.6)).saturated and not tried(resolve(heavy, 0.1)).saturated


@pytest.mark.parametrize(("load", "steps", "saturated"), [(0.9, "300:0.1", False), (0.1, "450:1.0", True)])
def test_a_short_run_knows_that_the_load_changes_in_it(load: float, steps: str, saturated: bool) -> None:
    phases = {"warmup_cycles": 2000, "measure_cycles": 18000, "load_steps": steps}
    assert tried(resolve({"network": "torus:4", "packet_flits": 2, **phases}, load)).saturated == saturated


def test_loads_that_are_not_tried_are_like_their_neighbors(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def run(config: dict[str, Any]) -> Tried:
        asked.append(config["load"])
        return Tried(config["load"] > 0.5, 0.0, 1.0)

    monkeypatch.setattr("jumpnet.study.forecast.tried", run)
    given = Curve({"network": "torus:4"}, tuple(k / 20 for k in range(1, 20)))
    assert len(_left(given, {})) == 19 and asked == [0.05, 0.25, 0.4, 0.6, 0.75, 0.95]
    asked.clear()
    searched = _left(Curve({"network": "torus:4"}, AdaptiveLoads(points=4)), {})
    assert asked[:4] == [0.0625, 0.125, 0.25, 0.5] and len(asked) == 6 and 0.5 <= max(searched) <= 1.0
