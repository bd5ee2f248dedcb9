"""The simulator's benchmark with a stand-in for BookSim: rates, ratio, refusals; no time is judged."""

from __future__ import annotations

import pytest
from benchmarks import simulator
from benchmarks.simulator import Case, booksim_rate, main, measure

from jumpnet.errors import JumpnetError

STAND_IN = """#!/bin/sh
echo 'throughput change = 0.1'
echo 'Time taken is 1000 cycles'
echo '====== Overall Traffic Statistics ======'
echo 'Packet latency average = 30 (1 samples)'
echo 'Accepted flit rate average = 0.1 (1 samples)'
echo 'Hops average = 5 (1 samples)'
i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done
"""


def test_ratio_is_that_of_the_rates(tmp_path):
    program = tmp_path / "booksim"
    program.write_text(STAND_IN)
    program.chmod(0o755)
    row = measure(Case("torus:8x8", "torus.booksim", 0.1, 600), 1, program)
    assert row["ratio"] == row["jumpnet_flit_hops_per_cpu_s"] / row["booksim_flit_hops_per_cpu_s"]
    assert row["loop_flit_hops_per_cpu_s"] > row["jumpnet_flit_hops_per_cpu_s"] > 0


def test_cycles_in_which_booksim_runs_empty_carry_no_load(monkeypatch):
    found = {"accepted": 0.1, "hops": 5.0, "samples": 6, "cycles": 920, "cpu_seconds": 2.0, "stable": True}
    monkeypatch.setattr(simulator, "run", lambda binary, settings: found)
    assert booksim_rate(Case("torus:8x8", "torus.booksim", 0.1, 603), 1, None) == 0.1 * 64 * 600 * 5.0 / 2.0


def test_without_a_binary_there_is_no_ratio(monkeypatch):
    monkeypatch.delenv("JUMPNET_BOOKSIM", raising=False)
    row = measure(Case("mesh:8x8", "mesh.dimension_order", 0.1, 600), 1, None)
    assert row["ratio"] is None and "booksim_flit_hops_per_cpu_s" not in row
    with pytest.raises(JumpnetError, match="no_such"):
        main(["--only", "no_such"])
