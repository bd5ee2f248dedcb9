"""What a command loads before it works: libraries that it does not need would double the time until the first cycle."""

from __future__ import annotations

import inspect
import os
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

import jumpnet
from jumpnet.cli import app, verbs
from jumpnet.graph.exchange import write_edgelist
from jumpnet.jit.decorator import DISABLED
from jumpnet.topology import build

CODE = "import sys; from jumpnet.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
SLOW = {
    "dask", "matplotlib", "networkx", "pandas", "rich", "scipy.linalg", "scipy.sparse", "scipy.special",
    "jumpnet.analysis.deadlock.prove", "jumpnet.fault.random_faults", "jumpnet.machine.trace",
    "jumpnet.sim.faults.engine", "concurrent.futures",
}  # fmt: skip
"""What takes a twentieth of a second or more to load and is not for a plain run; Rich is for tables."""


def _loaded(*words: str | Path) -> set[str]:
    """The modules that a command has loaded when it ends; it must end well."""
    command, loaded = [sys.executable, "-c", CODE, *map(str, words)], {"numba"}
    for _ in range(2):
        if "numba" in loaded:  # the first may compile, and that needs more
            loaded = set(subprocess.run(command, capture_output=True, text=True, check=True).stderr.split())
    return loaded


def test_a_simulation_loads_no_masked_arrays() -> None:
    """NumPy's `unique` and `ma` do, a thirtieth of a start."""
    words = ["simulate", "torus:4x4", "--load", "0.1", "--set", "warmup_cycles=100", "--set", "measure_cycles=1000"]
    loaded = _loaded(*words)
    assert "jumpnet.sim.engine" in loaded and "numpy.ma" not in loaded


def test_a_plain_run_loads_what_it_needs(tmp_path: Path) -> None:
    place = tmp_path / "torus.edges"
    write_edgelist(build("torus:4x4"), place)
    short = ["--load", "0.1", "--set", "warmup_cycles=100", "--set", "measure_cycles=1000", "--json"]
    for spec, routing, others in (
        ("torus:4x4", "torus.dateline", {"jumpnet.routings.up_down", "jumpnet.topology.mesh"}),
        (f"file:{place}", "lash", {"jumpnet.routings.torus.dateline", "jumpnet.topology.torus"}),
    ):
        loaded = _loaded("simulate", spec, *short)
        assert {"jumpnet.sim.engine", f"jumpnet.routings.{routing}"} <= loaded
        assert not loaded & (SLOW | others | {"jumpnet.traffic.hotspot"})


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize(
    "command",
    ["prove rdt:8", "route rdt:64 1,2 5,9",
     "simulate rdt:8 --load 0.1 --set warmup_cycles=100 --set measure_cycles=1000"],
)  # fmt: skip
def test_what_was_compiled_before_loads_no_numba(command: str) -> None:
    """With an RDT's table of plans and a proof's walks in it."""
    assert "numba" not in _loaded(*command.split())


@pytest.mark.parametrize("words", [["--help"], ["--version"], []], ids=" ".join)
def test_the_list_of_verbs_loads_none(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", CODE, *words], capture_output=True, text=True, check=False)
    loaded = set(done.stderr.split())
    assert "jumpnet.cli" in loaded and done.stdout
    assert not loaded & {"numpy", "numba", *verbs().values()}


def test_next_to_nothing_is_loaded_before_interruptions_are_silent() -> None:
    """What is loaded before `start` has Python's own traceback when an interruption comes."""
    code = "import sys; before = set(sys.modules); import jumpnet.__main__; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, env=_bare())
    assert set(done.stdout.split()) == {"__future__", "jumpnet", "jumpnet.above", "jumpnet.__main__"}


def _bare() -> dict[str, str]:
    """Without the site's own modules, which are others everywhere."""
    return os.environ | {"PYTHONPATH": str(Path(jumpnet.__path__[0]).parent)}


@pytest.mark.parametrize("where", ["jumpnet.cli.run_words", "jumpnet.cli.gc.set_threshold", "jumpnet.cli.sys.exit"])
def test_an_interruption_anywhere_ends_in_no_traceback(where: str) -> None:
    """At work, before it, and at the end."""
    code = f"""
import sys
from unittest import mock
from jumpnet.__main__ import start
with mock.patch("{where}", side_effect=[KeyboardInterrupt, SystemExit(130)]):
    start()
"""
    words = [sys.executable, "-c", code, "list", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, preexec_fn=hear)
    said = "jumpnet: interrupted\n" if where.endswith("words") else ""
    assert (done.returncode, done.stderr) == (130, said)


def hear() -> None:
    """Hear interruptions, whatever the shell of the tests does."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_the_list_of_verbs_says_what_each_says() -> None:
    listed = typer.main.get_command(app(contents=True)).commands  # type: ignore[attr-defined]
    assert listed.keys() == verbs().keys()
    for verb, module in verbs().items():
        assert listed[verb].help == inspect.getdoc(import_module(module).run)


def test_a_list_of_figures_loads_no_eigenvalues() -> None:
    for words in (["metrics", "torus:4x4"], ["list"]):
        assert not _loaded(*words) & {"scipy.linalg", "scipy.sparse", "matplotlib", "jumpnet.sim.engine"}
