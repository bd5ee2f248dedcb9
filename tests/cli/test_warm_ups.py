"""`jumpnet compile` covers what the verbs use: every verb is warmed, and what was warmed compiles nothing again."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from jumpnet.cli import verbs
from jumpnet.cli._warm_ups import COMMANDS, GROUPS, run_group
from jumpnet.jit.cache import BUILT_IN
from jumpnet.jit.decorator import DISABLED
from jumpnet.sim.engine import engine
from jumpnet.sim.memory.run_kinds import KNOWN

WITHOUT_KERNELS_OF_THEIR_OWN = {
    "booksim", "check", "compile", "explore", "export", "list", "new", "paper", "plot", "replay", "results",
    "store", "sweep",
}  # fmt: skip
"""They run what others run, or nothing."""
WARM = """
import sys
from jumpnet.cli import _warm_ups
_warm_ups.COMMANDS = {"one": ("route mesh:4x4 0 5",)}
sys.exit(_warm_ups.run_group("one"))
"""
FUNCTIONS = """
from jumpnet.cli._warm_ups import routing_functions
from jumpnet.routings import routings
from jumpnet.topology import build
for made in routing_functions(routings()["hypercube.valiant"], build("hypercube:4")):
    made()
"""


def _run(folder: Path, *words: str) -> set[str]:
    """Run Python with a cache of its own; the names of the kernels that are there then."""
    given = os.environ | {"JUMPNET_CACHE_DIR": str(folder)}
    subprocess.run([sys.executable, *words], env=given, capture_output=True, text=True, check=True)
    return {path.name for path in folder.rglob("*.kernel")}


def test_every_verb_is_warmed() -> None:
    warmed = {shlex.split(command)[0] for commands in COMMANDS.values() for command in commands}
    assert warmed == set(verbs()) - WITHOUT_KERNELS_OF_THEIR_OWN


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_runs(
    group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engine, "LOADED", set())
    assert run_group(group) == 0, capfd.readouterr().err
    if group == "simulator":
        assert {kind for kind, _ in engine.LOADED} == set(KNOWN), "every kind of run is warmed"


@pytest.mark.skipif(DISABLED or BUILT_IN.is_dir(), reason="nothing is compiled")
def test_what_was_warmed_compiles_nothing_for_another_network(tmp_path: Path) -> None:
    made = _run(tmp_path, "-c", WARM)
    assert made
    assert _run(tmp_path, "-m", "jumpnet", "route", "mesh:5x3", "0", "7") == made


@pytest.mark.skipif(DISABLED or BUILT_IN.is_dir(), reason="nothing is compiled")
def test_registered_routings_are_compiled_not_only_bound(tmp_path: Path) -> None:
    made = _run(tmp_path, "-c", FUNCTIONS)
    assert len([name for name in made if name.startswith("hypercube_valiant")]) == 2, "relation and start hook"
    then = _run(tmp_path, "-m", "jumpnet", "route", "hypercube:3", "0", "7", "--routing", "hypercube.valiant")
    assert not [name for name in then - made if name.startswith("hypercube")]
