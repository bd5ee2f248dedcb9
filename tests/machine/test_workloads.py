"""The programs that ship: results, deterministic tapes equal to plain Python's, counts argued by hand, refusals."""

from __future__ import annotations

import hashlib
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from jumpnet.cli import app
from jumpnet.errors import JumpnetError
from jumpnet.machine.trace import open_trace
from jumpnet.machine.trace.parquet_writer import write_parquet
from jumpnet.machine.workload import workload, workloads
from jumpnet.machine.workload.grid import relaxed

SMALL = {name: cls.small for name, cls in workloads().items() if cls.small}


def _columns(spec):
    blocks = list(workload(spec).program().blocks())
    return tuple(np.concatenate(column) for column in zip(*blocks, strict=True))


def _digests():
    return {name: hashlib.sha256(b"".join(c.tobytes() for c in _columns(s))).hexdigest() for name, s in SMALL.items()}


def test_tapes_are_those_of_plain_python() -> None:
    # The naive twin is the program itself without a compiler: same references, same order, same values.
    code = "from tests.machine import test_workloads as t; import json; print(json.dumps(t._digests()))"
    there = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(there.stdout) == _digests()


@pytest.mark.parametrize("name", SMALL)
def test_result_and_structure(name) -> None:
    chosen = workload(SMALL[name])
    program = chosen.program()
    if name != "water":  # whose energies are not there yet
        assert program.error() > chosen.tolerance
    blocks = list(program.blocks())
    assert program.error() <= chosen.tolerance
    proc = np.concatenate([b.proc for b in blocks])
    kind = np.concatenate([b.kind for b in blocks])
    assert set(proc.tolist()) == set(range(chosen.processors))
    assert proc[kind == 4].tolist() == list(range(chosen.processors)) * program.phases
    address = np.concatenate([b.address for b in blocks])
    for first, last in zip(np.flatnonzero(kind == 2), np.flatnonzero(kind == 3), strict=True):
        # What is done under a lock is in one piece.
        assert first < last and len(set(proc[first : last + 1].tolist())) == 1 and address[first] == address[last]


def test_a_wrong_result_is_refused(monkeypatch) -> None:
    chosen = workload(SMALL["water"])
    monkeypatch.setattr(type(chosen), "tolerance", 0.0)
    with pytest.raises(JumpnetError, match=r"water:.* at most 0 expected"):
        list(chosen.trace().blocks())


def test_counts_of_references() -> None:
    _, _, size, write, kind = _columns("fft:processors=4,m=8")
    n, stages = 256, 2 * 4
    swaps = 2 * 16 * sum(int(f"{i:04b}"[::-1], 2) > i for i in range(16))
    data = kind == 0
    assert int((data & write).sum()) == 3 * n + 2 * swaps + stages * n
    assert int((data & ~write).sum()) == 3 * n + n + 2 * swaps + stages * (n + n // 2)
    assert set(size[data].tolist()) == {16}

    for n, bits, processors in ((500, 4, 5), (32768, 8, 1)):  # the keys of one processor are many pieces of work
        radix, spec = 1 << bits, f"radix:processors={processors},n={n},bits={bits},passes=1"
        _, _, _, write, kind = _columns(spec)
        assert int(((kind == 0) & write).sum()) == processors * radix * 3 + n + radix + 2 * n

    for n in (12, 13):
        columns = _columns(f"water:processors=3,molecules={n},steps=1")
        phase = np.cumsum(columns[4] == 4) // 3
        assert int(((phase == 1) & (columns[4] == 0)).sum()) == 6 * math.comb(n, 2)


def test_grid_finds_the_analytic_solution() -> None:
    n = 14
    x = np.linspace(-1.0, 1.0, n + 2)
    expected = x[None, :] ** 2 - x[:, None] ** 2
    start = expected.copy()
    start[1:-1, 1:-1] = 0.0
    omega = 2.0 / (1.0 + math.sin(math.pi / (n + 1)))
    assert np.abs(relaxed(start, omega, 60) - expected).max() < 1e-8
    program = workload("grid:processors=6,n=14,sweeps=60").program()
    list(program.blocks())
    assert np.abs(program.arrays.u.data.reshape(n + 2, n + 2) - expected).max() < 1e-8


def test_water_with_one_processor_moves_alike() -> None:
    # Who computes a pair changes the order of additions only.
    places = []
    for processors in (1, 5):
        program = workload(f"water:processors={processors},molecules=12,steps=4").program()
        list(program.blocks())
        places.append(program.arrays.molecule.data)
    assert np.abs(places[0] - places[1]).max() < 1e-9


def test_the_tree_of_barnes_holds_each_body_once_in_its_eighth() -> None:
    chosen = workload("barnes:processors=8,bodies=64,steps=1")
    program = chosen.program()
    list(program.blocks())
    cell, body = (a.data.reshape(-1, 16) for a in (program.arrays.cell, program.arrays.body))
    place = body[:, 1:4] - 0.025 * body[:, 4:7]  # before they moved

    def below(c, middle, half):
        found = []
        for o, child in enumerate(cell[c, :8].astype(int).tolist()):
            here = middle + half / 2 * (2 * np.array([o >> 2 & 1, o >> 1 & 1, o & 1]) - 1)
            found += below(child - 1, here, half / 2) if child > 0 else [-1 - child] * (child < 0)
            if child < 0:
                assert (np.abs(place[-1 - child] - here) <= half / 2 + 1e-12).all()
        assert cell[c, 9:12] == pytest.approx(place[found].mean(axis=0)) and cell[c, 8] == pytest.approx(
            len(found) / 64
        )
        return found

    assert sorted(below(0, np.zeros(3), np.abs(place).max())) == list(range(64))


def test_written_and_read_again(tmp_path) -> None:
    pytest.importorskip("pyarrow")
    trace = open_trace("workload:gas,processors=8,molecules=64,steps=6,side=3")
    path = tmp_path / "gas.parquet"
    records = write_parquet(trace, path)
    again = open_trace(path)
    assert again.processors == trace.processors == 8
    one, two = ([np.concatenate(column) for column in zip(*made.blocks(), strict=True)] for made in (trace, again))
    assert records == len(one[0])
    for a, b in zip(one, two, strict=True):
        assert np.array_equal(a, b)


def test_verb(tmp_path) -> None:
    def run(*words):
        return CliRunner().invoke(app("workload"), ["workload", *words])

    result = run("water:molecules=12,steps=4", "--processors", "6", "--json")
    row = json.loads(result.stdout)
    assert row["workload"] == "water:processors=6,molecules=12,steps=4" and row["barriers"] == 16
    assert row["error"] <= row["tolerance"]
    rows = {row["name"]: row for row in map(json.loads, run("--json").stdout.splitlines())}
    assert sorted(rows) == sorted(workloads())
    assert rows["lu"]["sizes"] == "processors=32,n=128,block=8"
    for words, match in (
        (("watr",), "did you mean 'water'"),
        (("fft", "--processors", "128"), "processors 128 found, at most 64"),
        (("lu:n=100",), "n 100 found, a multiple of 8"),
        (("lu:8",), "'8' found, key=value expected"),
        (("water", "--processors", "0"), "processors 0 found, at least 1"),
    ):
        refused = run(*words).exception
        assert isinstance(refused, JumpnetError) and match in str(refused)
