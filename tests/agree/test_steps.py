"""The timed machine's steps are steps of the tables of its protocol: `steps` in a process that compiles nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.agree.steps import PROTOCOLS

OWNED = {"msi", "mesi", "moesi", "mixed", "dragon", "limited", "chained"}
OF_TESTS = {"mesif", "firefly", "write-back-around", "mesi-around", "last", "last-owner", "last-late"}
LONE = "single"
"""One node at a time reads: its home fetches lines back in the tables, and tells their owners in the machine."""


@pytest.fixture(scope="module")
def checked():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.agree.steps", "--examples", "12"]
    done = subprocess.run(
        command, env=environment, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_timed_machine_goes_by_the_tables(checked, name) -> None:
    found = checked[name]
    assert found["difference"] == ""
    assert found["undetected"] == []
    assert found["told"] > 50 and found["answered"] > 100
    assert (found.get("fetched", 0) > 0) == (name in OWNED | OF_TESTS)
    assert (found.get("gives", 0) > 0) == (name in {*OWNED, *OF_TESTS, LONE})
    assert (found.get("at home", 0) > 0) == (name in ("update", "mixed", "passing", "around"))
