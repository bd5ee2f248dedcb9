"""`network(...).sweep(...)` in whatever script: its workers do not run the script again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import jumpnet
print("once")
short = {"packet_flits": "1", "warmup_cycles": 20, "measure_cycles": 50}
print(len(jumpnet.network("torus:3x3").sweep(load=[0.05, 0.1], workers=WORKERS, **short)))
"""


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("way", ["file", "stdin"])
def test_a_script_without_a_guard_runs_once(tmp_path: Path, way: str, workers: int) -> None:
    text = SCRIPT.replace("WORKERS", str(workers))
    (tmp_path / "mine.py").write_text(text)
    words, given = (["mine.py"], None) if way == "file" else (["-"], text)
    done = subprocess.run(
        [sys.executable, *words], cwd=tmp_path, input=given, capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "once\n2\n", "")
