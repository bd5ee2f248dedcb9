"""Runs a CNSim binary that the user has (Yinxiao-Feng/chiplet-network-sim) on a square mesh, and reads what it printed.

CNSim moves packets, not flits: virtual cut-through with input buffers, first come first served. It raises the load by
`injection_increment` until it finds saturation. `timeout_threshold = 2` makes the first load the last one: a packet
counts as late when it waits in a router for its third stage, so there are more late packets than arrived ones.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any, NamedTuple

from validation._process import run_on

from jumpnet.errors import JumpnetError

__all__ = ["Setting", "config_text", "parse", "run"]

_PATTERNS = {"packets": r"Arrived:\s*(\S+)", "latency": r"Average latency:\s*(\S+)"}


class Setting(NamedTuple):
    """A mesh under uniform traffic; half as many cycles of warm-up go before those measured."""

    side: int
    load: float
    cycles: int
    flits: int
    vcs: int
    buffers: int
    """Flits of a virtual channel's buffer; it takes packets whole."""


def config_text(setting: Setting) -> str:
    """A configuration in CNSim's language: three stages a router, one cycle a link, one thread."""
    sections: dict[str, dict[str, Any]] = {
        "Network": {
            "topology": "SingleChipMesh",
            "scale": setting.side,
            "routing_algorithm": "XY",
            "buffer_size": setting.buffers,
            "vc_number": setting.vcs,
            "router_stages": "ThreeStage",
            "processing_time": 0,
        },
        "Workload": {"traffic": "uniform", "packet_length": setting.flits},
        "Simulation": {
            "injection_increment": setting.load,
            "simulation_time": setting.cycles,
            "timeout_threshold": 2,
            "timeout_limit": 2**31 - 1,
            "threads": 1,
        },
        "Files": {"output_file": "output.csv", "log_file": "log.txt"},
    }
    return "".join(
        f"[{section}]\n" + "".join(f"{key} = {value}\n" for key, value in settings.items())
        for section, settings in sections.items()
    )


def parse(text: str) -> dict[str, float]:
    """What a run of one load printed: packets arrived in the measured cycles, and their mean latency."""
    found = {name: re.findall(pattern, text) for name, pattern in _PATTERNS.items()}
    counts = {len(values) for values in found.values()}
    if counts != {1}:
        raise JumpnetError(f"statistics of {max(counts)} loads found, those of one load of CNSim expected")
    try:
        figures = {name: float(values[0]) for name, values in found.items()}
    except ValueError as error:
        raise JumpnetError(f"{error} found in what CNSim printed, a number expected") from None
    if not all(map(math.isfinite, figures.values())):
        raise JumpnetError("no packet arrived in CNSim, a longer run expected")
    return figures


def _start(binary: Path, setting: Setting, timeout_s: float) -> tuple[str, float]:
    """What CNSim printed, and the CPU seconds of the whole process."""
    done = run_on(binary, "run.ini", config_text(setting), timeout_s)
    if done.status:
        raise JumpnetError(f"{binary}: ended with status {done.status}")
    return done.text, done.user_s + done.system_s


def run(binary: Path, setting: Setting, timeout_s: float = 600) -> dict[str, float]:
    """Run CNSim once: the figures of `parse`, its `cpu_seconds`, and `loop_seconds` without those of a start alone.

    A start alone is a run of three cycles with as many packets as the load 1 gives.
    """
    _, start = _start(binary, setting._replace(load=1, cycles=2), timeout_s)
    text, whole = _start(binary, setting, timeout_s)
    return {**parse(text), "cpu_seconds": whole, "loop_seconds": max(whole - start, 1e-9)}
