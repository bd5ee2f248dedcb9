"""`jumpnet compile` covers what the verbs use: every verb is warmed, and what was warmed compiles nothing again."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks import _first_uses as first_uses

from jumpnet.cli import compile as compile_verb
from jumpnet.cli import verbs
from jumpnet.cli._warm_ups import COMMANDS, GROUPS, run_group, steps
from jumpnet.jit.cache import BUILT_IN
from jumpnet.jit.decorator import DISABLED
from jumpnet.routings import routings
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.engine import cycle, engine
from jumpnet.sim.faults import engine as faults_engine
from jumpnet.sim.memory.run_kinds import GRID_SIZES, RUNS
from jumpnet.sim.terminals.injection import sleep_all
from jumpnet.traffic import patterns, processes

WITHOUT_KERNELS_OF_THEIR_OWN = {
    "booksim", "check", "compile", "explore", "export", "list", "new", "paper", "plot", "replay", "results",
    "store", "sweep",
}  # fmt: skip
"""They run what others run, or nothing."""
WARM = """
import sys
from jumpnet.cli import _warm_ups
from jumpnet.routings import routings
from jumpnet.topology import build
for made in _warm_ups.routing_functions(routings()["hypercube.valiant"], build("hypercube:4")):
    made()
_warm_ups.COMMANDS = {"one": ("route mesh:4x4 0 5",)}
sys.exit(_warm_ups.run_group("one"))
"""


def _run(folder: Path, *words: str) -> set[str]:
    """Run Python with a cache of its own; the names of the kernels that are there then."""
    given = os.environ | {"JUMPNET_CACHE_DIR": str(folder)}
    subprocess.run([sys.executable, *words], env=given, capture_output=True, text=True, check=True)
    return {path.name for path in folder.rglob("*.kernel")}


def _kinds(entry: Any) -> set[type]:
    """The kinds of runs that an entry has been loaded for."""
    return {kinds[0][0] for kinds in entry._codes}


def test_every_verb_is_warmed() -> None:
    warmed = {_verb(command) for commands in COMMANDS.values() for command in commands}
    assert warmed - {"new"} == set(verbs()) - WITHOUT_KERNELS_OF_THEIR_OWN


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_runs(
    group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engine, "LOADED", set())
    told: list[str] = []
    assert run_group(group, told.append) == 0, capfd.readouterr().err
    assert len(told) == steps(group)
    if group == "simulator":
        assert {kind for kind, _ in engine.LOADED} == set(RUNS), "every kind of run is warmed"
        assert DISABLED or _kinds(cycle.run_grids) == set(GRID_SIZES), "where sizes are known loops are unrolled"
        assert DISABLED or not _kinds(cycle.run_sets) & set(GRID_SIZES)
        assert DISABLED or len(sleep_all._codes) == 1, "one for all runs, whether packets branch or not"
    if group == "proofs":
        assert DISABLED or len(faults_engine._start_again._codes) == 1, "one code for all kinds of runs"


@pytest.mark.skipif(DISABLED or BUILT_IN.is_dir(), reason="nothing is compiled")
def test_what_was_warmed_compiles_nothing_for_another_network(tmp_path: Path) -> None:
    """Of a registered routing's functions that were asked for, none is merely bound: each is there already."""
    made = _run(tmp_path, "-c", WARM)
    assert len([name for name in made if name.startswith("valiant.")]) == 2, "relation and start hook"
    assert _run(tmp_path, "-m", "jumpnet", "route", "mesh:5x3", "0", "7") == made
    then = _run(tmp_path, "-m", "jumpnet", "route", "hypercube:3", "0", "7", "--routing", "hypercube.valiant")
    assert not [name for name in then - made if name.startswith("valiant.")]


def _verb(command: str) -> str:
    words = shlex.split(command)
    return words[2] if words[0] == "--load" else words[0]


def test_every_verb_is_measured() -> None:
    measured = {_verb(command) for command in (*first_uses.COMMANDS, *first_uses.VERBS)} - {"--help"}
    assert measured == verbs().keys() - {"compile"}
    there = (*first_uses.COMMANDS, *first_uses.VERBS, *first_uses.SETTINGS)
    assert all(any(words in command for command in there) for words in first_uses.BEFORE)


def test_every_name_of_the_simulator_is_measured() -> None:
    there = " ".join((*first_uses.COMMANDS, *first_uses.SETTINGS))
    for field in ("allocator", "vc_allocator", "priority", "selection"):
        names = SimConfig.model_fields[field].annotation.__args__[1:]  # the first is the default
        missing = [name for name in names if f"--set {field}={name}" not in there]
        assert missing == (["class"] if field == "priority" else []), field  # classes are said in studies
    assert [name for name in patterns() if name != "uniform" and f"--traffic {name}" not in there] == []
    assert [name for name in processes() if name != "bernoulli" and f"injection={name}" not in there] == []
    runs = list(first_uses.each_routing())
    assert [run.split("--routing ")[1].split()[0] for run in runs] == sorted(routings())


def test_each_step_of_a_group_is_told_and_what_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = (
        "import sys; print('a step'); print('another'); sys.stderr.buffer.write(b'no such \\xff');"
        "sys.exit(int(sys.argv[1] == 'exact'))"
    )
    monkeypatch.setattr(compile_verb, "_command", lambda group: [sys.executable, "-c", program, group])
    told = list(compile_verb._compiled(2, "", tmp_path))
    assert sorted(name for name, said in told if said is None) == sorted([*GROUPS, *GROUPS])
    assert {name: said for name, said in told if said is not None} == {
        group: "no such \ufffd" if group == "exact" else "" for group in GROUPS
    }
