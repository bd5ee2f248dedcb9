"""What a command loads before it works: libraries that it does not need would double the time until the first cycle."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

from jumpnet.cli import app, verbs
from jumpnet.graph.exchange import write_edgelist
from jumpnet.topology import build

CODE = "import sys; from jumpnet.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
SLOW = {
    "dask", "matplotlib", "networkx", "pandas", "rich", "scipy.linalg", "scipy.sparse", "scipy.special",
    "jumpnet.analysis.prove", "jumpnet.fault.random_faults", "jumpnet.machine.trace", "jumpnet.sim.faults.strike",
}  # fmt: skip
"""What takes a twentieth of a second or more to load and is not for a plain run; Rich is for tables."""


def _loaded(*words: str | Path) -> set[str]:
    """The modules that a command has loaded when it ends; it must end well."""
    for _ in range(2):  # the first may compile, and that needs more
        done = subprocess.run(
            [sys.executable, "-c", CODE, *map(str, words)], capture_output=True, text=True, check=True
        )
    return set(done.stderr.split())


def test_a_plain_run_loads_what_it_needs(tmp_path: Path) -> None:
    place = tmp_path / "torus.edges"
    write_edgelist(build("torus:4x4"), place)
    short = ["--load", "0.1", "--set", "warmup_cycles=100", "--set", "measure_cycles=1000", "--json"]
    for spec, routing, others in (
        ("torus:4x4", "torus_dateline", {"jumpnet.routing.up_down", "jumpnet.topology.mesh"}),
        (f"file:{place}", "lash", {"jumpnet.routing.torus_dateline", "jumpnet.topology.torus"}),
    ):
        loaded = _loaded("simulate", spec, *short)
        assert {"jumpnet.sim.engine", f"jumpnet.routing.{routing}"} <= loaded
        assert not loaded & (SLOW | others | {"jumpnet.traffic.hotspot"})


@pytest.mark.parametrize("words", [["--help"], ["--version"], []], ids=" ".join)
def test_the_list_of_verbs_loads_none(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", CODE, *words], capture_output=True, text=True, check=False)
    loaded = set(done.stderr.split())
    assert "jumpnet.cli" in loaded and done.stdout
    assert not loaded & {"numpy", "numba", *verbs().values()}


def test_the_list_of_verbs_says_what_each_says() -> None:
    listed = typer.main.get_command(app(contents=True)).commands  # type: ignore[attr-defined]
    assert listed.keys() == verbs().keys()
    for verb, module in verbs().items():
        assert listed[verb].help == inspect.getdoc(import_module(module).run)


def test_a_list_of_figures_loads_no_eigenvalues() -> None:
    for words in (["metrics", "torus:4x4"], ["list"]):
        assert not _loaded(*words) & {"scipy.linalg", "scipy.sparse", "matplotlib", "jumpnet.sim.engine"}
