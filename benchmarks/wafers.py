"""Wafers: one big array reconfigured and verified, and wafers a minute with their yield, by the clock and in CPU time.

Kernels warm. The clock of one array is the best of `--rounds`; every wafer of a yield is drawn, reconfigured, traced.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.fault.array import WaferArray
from jumpnet.fault.defects import random_defects
from jumpnet.fault.method import method
from jumpnet.fault.yields import wafer_yield

LAYOUTS = ((1, 1), (2, 2), (4, 4))
"""Spare lines a side, tracks."""


def _timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """What some work gives, seconds by the clock, CPU seconds of all threads."""
    clock, cpu = time.perf_counter(), time.process_time()
    return work(), time.perf_counter() - clock, time.process_time() - cpu


def main(words: list[str]) -> None:
    """Parse the options, measure the arrays and then the yields, print two tables."""
    parser = argparse.ArgumentParser(prog="benchmarks wafers", description=__doc__)
    parser.add_argument("--side", type=int, default=256)
    parser.add_argument("--density", type=float, default=0.01)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--wafer-side", type=int, default=64)
    parser.add_argument("--wafers", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=2)
    chosen = parser.parse_args(words)
    if chosen.rounds < 1 or chosen.threads < 1:
        raise JumpnetError("rounds or threads below 1 found, positive numbers expected")
    local = method("local")
    print(f"{'array':10}{'spares':>7}{'tracks':>7}{'faults':>8}{'repaired':>9}{'clock s':>9}{'CPU s':>8}")
    for spares, tracks in LAYOUTS:
        array = WaferArray(chosen.side, chosen.side, spares, spares, spares, spares, tracks)
        bad = random_defects(array, chosen.density, 1)
        local(array, bad)
        runs = [_timed(lambda array=array, bad=bad: local(array, bad)) for _ in range(chosen.rounds)]  # type: ignore[misc]
        made, clock, cpu = min(runs, key=lambda run: run[1])
        name = f"{chosen.side}x{chosen.side}"
        print(f"{name:10}{spares:>7}{tracks:>7}{len(made.faults):>8}{made.verified!s:>9}{clock:>9.3f}{cpu:>8.3f}")
    print(f"{'wafers':10}{'spares':>7}{'tracks':>7}{'number':>8}{'yield':>9}{'clock s':>9}{'CPU s':>8}{'a minute':>12}")
    for spares, tracks in LAYOUTS[:2]:
        side = chosen.wafer_side
        array = WaferArray(side, side, spares, spares, spares, spares, tracks)
        wafer_yield(array, chosen.density, 1, threads=chosen.threads)
        point, clock, cpu = _timed(
            lambda array=array: wafer_yield(array, chosen.density, chosen.wafers, threads=chosen.threads)  # type: ignore[misc]
        )
        row = f"{side}x{side}", spares, tracks, point.wafers, point.fraction, clock, cpu, 60 * point.wafers / clock
        print("{:10}{:>7}{:>7}{:>8}{:>9.4f}{:>9.2f}{:>8.2f}{:>12,.0f}".format(*row))
