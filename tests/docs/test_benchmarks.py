"""The benchmarks start: they are listed, refuse bad words, and measure a small network; no time is judged."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from benchmarks._longest_path import longest_path
from tests.docs.as_main import Done, run_as_main

from jumpnet.process.threads import share

ROOT = Path(__file__).parents[2]


def benchmarks(*words: str) -> Done:
    """What `python -m benchmarks WORDS` gives."""
    return run_as_main("benchmarks", *words)


def test_list():
    """In a process of its own, as a user has it."""
    done = subprocess.run([sys.executable, "-m", "benchmarks"], cwd=ROOT, capture_output=True, text=True)
    names = {path.stem for path in (ROOT / "benchmarks").glob("[!_]*.py")}
    assert done.returncode == 0
    assert {line.split()[0] for line in done.stdout.splitlines()} == names


def test_unknown_benchmark_and_bad_spec():
    for words, says in [(["distance"], "did you mean 'distances'"), (["memory", "rdt:63"], "multiple of 2n")]:
        done = benchmarks(*words)
        assert done.returncode == 2
        assert says in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", [path.stem for path in (ROOT / "benchmarks").glob("[!_]*.py")])
def test_help_and_unknown_options_are_answered_without_a_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for measures in ("find_saturation", "simulate", "_row", "rows", "measure", "first_and_second"):
        monkeypatch.setattr(f"benchmarks.{name}.{measures}", None, raising=False)  # one that begins fails at once
    done = benchmarks(name, "--help")
    about = (import_module(f"benchmarks.{name}").__doc__ or "").splitlines()[0]
    assert done.returncode == 0 and f"usage: benchmarks {name}" in done.stdout
    assert " ".join(about.split()) in " ".join(done.stdout.split())
    done = benchmarks(name, "--no-such-option")
    assert done.returncode == 2 and done.stdout == "" and "--no-such-option" in done.stderr


@pytest.mark.parametrize("name", ["bubble", "dragonfly"])
def test_a_benchmark_without_words_refuses_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"benchmarks.{name}.find_saturation", None)
    done = benchmarks(name, "torus:4x4")
    assert done.returncode == 2 and done.stdout == "" and "torus:4x4" in done.stderr


def test_memory_of_a_small_network():
    done = benchmarks("memory", "torus:4x4")
    assert done.returncode == 0
    row = done.stdout.splitlines()[1].split()
    assert row[:3] == ["torus:4x4", "16", "4"]


def test_distances_of_a_small_network(tmp_path):
    done = benchmarks("distances", "--routers", "64", "--degree", "4", "--rounds", "1", "--sample", "2")
    assert done.returncode == 0
    names = [line.split()[0] for line in done.stdout.splitlines()[2:]]
    assert names[0] == "jumpnet" and "SciPy" in names


def test_receivers_on_a_small_network():
    done = benchmarks("multicast", "prdt:16", "--sets", "300", "--rounds", "1", "--sigma", "1")
    assert done.returncode == 0
    assert [line.split()[:2] for line in done.stdout.splitlines()[1:]] == [
        ["prdt:16", s] for s in ("LARP", "LARP:path", "LPRA", "REMAKE", "SM", "full")
    ]


def test_multicast_simulator_on_small_networks():
    done = benchmarks("multicast", "torus:4x4", "--simulator", "--rounds", "1")
    assert done.returncode == 0, done.stderr
    rates = [float(word) for word in done.stdout.splitlines()[1].split()[1:]]
    assert len(rates) == 4 and min(rates) > 0


def test_coherence_of_a_small_program():
    done = benchmarks("coherence", "workload:lu,processors=4,n=32", "--rounds", "1", "--sample", "100")
    assert done.returncode == 0, done.stderr
    rows = {line[:20].strip(): line[20:].split()[0] for line in done.stdout.splitlines()[2:]}
    assert rows["no encoding"] == rows["SM"] == rows["streamed"]
    assert rows["naive twin"] == "100"


def test_trace_readers_on_small_files():
    done = benchmarks("traces", "--records", "2000")
    assert done.returncode == 0, done.stderr
    rows = [line.split()[:2] for line in done.stdout.splitlines()[1:]]
    assert {count for name, count in rows[:-1]} == {"2,000"} and rows[-1] == ["trace.tra.bz2", "200"]


def test_wafers_of_a_small_array():
    done = benchmarks(
        "wafers", "--side", "16", "--wafer-side", "8", "--wafers", "20", "--rounds", "1", "--threads", "1"
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split()[:3] for line in done.stdout.splitlines()]
    assert [row for row in rows if row[0] in ("16x16", "8x8")] == [
        [size, str(n), str(n)] for size, most in (("16x16", 3), ("8x8", 2)) for n in (1, 2, 4)[:most]
    ]


def test_threads_of_small_works():
    done = benchmarks("threads", "--small", "--rounds", "1")
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == [
        "torus:4x4,",
        "torus:4x4/torus.dateline,",
        "mesh:3x3/mesh.duato,",
        "msi,",
    ]
    assert "did you mean 'proofs'" in benchmarks("threads", "proof").stderr


def test_longest_path_of_threads_is_that_of_the_longest_of_each_crew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock of each thread that goes on only where work says so: no time is judged."""
    clock = threading.local()

    def crew(*each: tuple[float, Callable[[], None]]) -> None:
        """A thread for each: seconds, and what it does then. They meet, so that none takes two."""
        meet = threading.Barrier(len(each))

        def one(of: tuple[float, Callable[[], None]]) -> None:
            clock.now = of[0]  # begins at nought in each thread
            of[1]()
            meet.wait()

        share(one, each, len(each))

    def nothing() -> None:
        pass

    def work() -> float:
        clock.now = 1.0
        crew((2.0, nothing), (5.0, nothing))
        crew((10.0, nothing), (20.0, lambda: crew((3.0, nothing), (4.0, nothing))))
        return 7.0

    monkeypatch.setattr(time, "thread_time", lambda: getattr(clock, "now", 0.0))
    assert longest_path(work) == (7.0, 1.0 + 5.0 + 20.0 + 4.0)
