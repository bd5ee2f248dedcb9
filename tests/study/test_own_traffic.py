"""Points with a pattern or an injection process of one's own: named by the file's hash, whoever asks first."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from jumpnet.cli import run_words
from jumpnet.own import OwnFile

STEADY = """
import numpy as np
from jumpnet.traffic import Process

EVERY = 20

def advance(own, memory, key):
    memory[0] += own[0]
    return memory[0]

STEADY = Process(
    name="steady", advance=advance, prepare=lambda rate, options: np.array([EVERY], np.int64), options={},
    source="this test", summary="a packet every so many cycles",
)
"""
STUDY = """
[study]
load = ["halfway.py", "steady.py"]
[settings]
packet_flits = 1
warmup_cycles = 20
measure_cycles = 50
load = 0.05
network = "torus:3x3"
[[sweep]]
traffic = "halfway"
[[sweep]]
injection = "steady"
[[sweep]]
traffic = "uniform"
"""
NAMES = """
import json, sys
from jumpnet.own import load
from jumpnet.study.point import MODEL, resolve
from jumpnet.study.names import point_hash
for name in ("halfway.py", "steady.py"):
    load(name)
if sys.argv[1] == "bound":
    from jumpnet.topology import build
    from jumpnet.traffic import bind, process
    bind("halfway", build("torus:3x3")), process("steady")
for setting in ({"traffic": "halfway"}, {"injection": "steady"}, {}):
    config = resolve({"network": "torus:3x3", **setting}, 0.1)
    print(json.dumps([config.get("own"), point_hash(config, MODEL)]))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert run_words(["new", "pattern", "halfway", "--out", str(tmp_path)]) == 0
    (tmp_path / "steady.py").write_text(STEADY)
    (tmp_path / "s.toml").write_text(STUDY)
    return tmp_path


def _lines(folder: Path, *words: str) -> list[str]:
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_names_are_the_same_before_and_after_anything_was_bound(folder: Path) -> None:
    fresh = _lines(folder, "-c", NAMES, "fresh")
    own = [OwnFile(name, (folder / name).read_text()) for name in ("halfway.py", "steady.py")]
    assert [json.loads(line)[0] for line in fresh] == [*({file.name: file.hash} for file in own), None]
    assert fresh == _lines(folder, "-c", NAMES, "bound")


def test_results_shows_what_sweep_has_run_and_an_edited_file_makes_new_points(folder: Path) -> None:
    def ran() -> int:
        return int(json.loads(_lines(folder, "-m", "jumpnet", "sweep", "s.toml", "--json", "--workers", "1")[0])["run"])

    def shown() -> list[str]:
        return [json.loads(line)["hash"] for line in _lines(folder, "-m", "jumpnet", "results", "s.toml", "--json")]

    assert ran() == 3
    first = shown()
    assert len(first) == 3
    steady = folder / "steady.py"
    steady.write_text(STEADY.replace("EVERY = 20", "EVERY = 30"))
    assert shown() == [first[0], first[2]]
    assert ran() == 1 and len(shown()) == 3


def test_a_package_that_is_looked_for_late_names_its_points(folder: Path) -> None:
    about = folder / "mine-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[jumpnet]\nhalfway = halfway\n")
    asked = (
        "from jumpnet.study.point import resolve\n"
        "print(*resolve({'network': 'torus:3x3', 'traffic': 'halfway'}, 0.1)['own'])"
    )
    assert _lines(folder, "-c", asked) == ["halfway"]
