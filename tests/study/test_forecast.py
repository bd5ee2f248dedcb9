"""`jumpnet sweep --dry-run`: nothing is run and nothing written; points, memory and time follow from the study."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jumpnet.cli import run_words
from jumpnet.study.point import memory_bytes, resolve

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


def _told(study: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    run_words(["sweep", str(study), "--dry-run", "--json"])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_study_is_told_before_it_runs_and_on_the_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = tmp_path / "s.toml"
    study.write_text(STUDY)
    before = _told(study, capsys)
    assert [path.name for path in tmp_path.iterdir()] == ["s.toml"]
    assert [(row["network"], row["points"], row["finished"]) for row in before] == [
        ("torus:4x4", 3, 0), ("mesh:4x4", 3, 0), ("torus:4x4", 14, 0), ("torus:4x4", 1, 0),
    ]  # fmt: skip
    config = resolve({"network": "torus:4x4", "packet_flits": 1, "warmup_cycles": 100, "measure_cycles": 300}, 0.05)
    assert before[0]["memory_bytes"] == memory_bytes(config)
    # Mean load, terminals, cycles, mean distance and the last router, 100 ns, points
    assert before[0]["cpu_seconds_left"] == pytest.approx(0.35 / 3 * 16 * 400 * (32 / 15 + 1) * 1e-7 * 3)
    assert before[3]["memory_bytes"] is None and before[3]["cpu_seconds_left"] is None
    study.write_text(STUDY.split('[[sweep]]\nnetwork = "torus:4x4"\npacket_flits')[0])
    run_words(["sweep", str(study), "--workers", "1"])
    capsys.readouterr()
    study.write_text(STUDY.replace("[0.05, 0.1, 0.2]", "[0.05, 0.1, 0.2, 0.3]"))
    after = _told(study, capsys)
    assert [(row["points"], row["finished"]) for row in after[:2]] == [(4, 3), (4, 3)]
    left = after[0]["cpu_seconds_left"]
    assert isinstance(left, float) and left != pytest.approx(0.3 * 16 * 400 * (32 / 15 + 1) * 1e-7)


def test_a_table_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = tmp_path / "s.toml"
    study.write_text(STUDY)
    run_words(["sweep", str(study), "--dry-run"])
    told = capsys.readouterr().out
    assert "CPU seconds left" in told and "not known" in told and "mesh.dimension_order" in told
