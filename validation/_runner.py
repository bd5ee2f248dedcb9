"""Runs a BookSim2 binary that the user has, on one configuration, and reads its statistics as a dictionary.

The binary is not part of this project; its path comes from the command line. Used by `booksim` and by `benchmarks`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jumpnet.errors import JumpnetError
from validation._process import run_on

__all__ = ["DEFAULTS", "NETWORKS", "config_text", "parse", "run"]

DEFAULTS: dict[str, Any] = {
    "routing_function": "dim_order",
    "num_vcs": 2,
    "vc_buf_size": 8,
    "packet_size": 16,
    "traffic": "uniform",
    "wait_for_tail_credit": 0,
    "vc_allocator": "separable_input_first",
    "sw_allocator": "separable_input_first",
    "alloc_iters": 1,
    "speculative": 0,
    "hold_switch_for_packet": 0,
    "routing_delay": 1,
    "vc_alloc_delay": 1,
    "sw_alloc_delay": 1,
    "st_prepare_delay": 0,
    "st_final_delay": 1,
    "credit_delay": 0,
    "input_speedup": 1,
    "output_speedup": 1,
    "internal_speedup": 1.0,
    "use_noc_latency": 0,
    "injection_process": "bernoulli",
    "injection_rate_uses_flits": 1,
    "sim_type": "latency",
    "warmup_periods": 3,
}
"""The settings of all recorded series; a run overrides some."""

NETWORKS: dict[str, dict[str, Any]] = {
    "mesh:8x8": {"topology": "mesh", "k": 8, "n": 2, "routing_function": "dor"},
    "torus:8x8": {"topology": "torus", "k": 8, "n": 2},
    "torus:16x16": {"topology": "torus", "k": 16, "n": 2},
    "torus:64x64": {"topology": "torus", "k": 64, "n": 2},
    "torus:16x16x16": {"topology": "torus", "k": 16, "n": 3},
    "torus:8x8x8x8": {"topology": "torus", "k": 8, "n": 4},
    "hypercube:12": {"topology": "mesh", "k": 2, "n": 12, "routing_function": "dor"},
}
"""Each network of the series in BookSim's words; its hypercube is a mesh of side 2."""

_PATTERNS = {
    "packet_latency": r"Packet latency average = (\S+)",
    "network_latency": r"Network latency average = (\S+)",
    "flit_latency": r"Flit latency average = (\S+)",
    "hops": r"Hops average = (\S+)",
    "accepted": r"Accepted flit rate average\s*= (\S+)",
    "injected": r"Injected flit rate average\s*= (\S+)",
}


def config_text(settings: Mapping[str, Any]) -> str:
    """A configuration in BookSim's language.

    >>> config_text({"k": 8})
    'k = 8;\\n'
    """
    return "".join(f"{key} = {value};\n" for key, value in settings.items())


def parse(text: str) -> dict[str, Any]:
    """What a run printed: its overall averages (None where missing, and of several classes those of the last).

    `by_class` has those of each class, `cycles` what was simulated; `stable` is False when the run was given up, and
    `samples` counts the sample periods, warm-up included.
    """
    overall = text[text.rfind("Overall Traffic Statistics") :] if "Overall Traffic Statistics" in text else ""
    figures: dict[str, Any] = {}
    for name, pattern in _PATTERNS.items():
        found = re.findall(pattern, overall)
        figures[name] = float(found[-1]) if found else None
    figures["by_class"] = {
        name: [float(x) for x in re.findall(pattern, overall)] for name, pattern in _PATTERNS.items()
    }
    times = re.findall(r"Time taken is (\d+) cycles", text)
    figures["cycles"] = int(times[-1]) if times else None
    figures["samples"] = len(re.findall(r"^throughput change", text, re.MULTILINE))
    figures["stable"] = "unstable" not in text and figures["packet_latency"] is not None
    return figures


def run(binary: Path, settings: Mapping[str, Any], timeout_s: float = 1800) -> dict[str, Any]:
    """Run BookSim once with settings over DEFAULTS: the figures of `parse`, and the `cpu_seconds` it used.

    Raises JumpnetError when the binary cannot be started or prints no statistics in time.
    """
    done = run_on(binary, "run.cfg", config_text({**DEFAULTS, **settings}), timeout_s)
    figures = parse(done.text)
    if figures["accepted"] is None and figures["cycles"] is None and figures["samples"] == 0:
        raise JumpnetError(f"{binary}: no statistics found in what it printed, those of BookSim 2 expected")
    figures["cpu_seconds"] = done.user_s
    return figures
