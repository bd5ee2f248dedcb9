"""Runs a BookSim configuration file and writes its statistics as BookSim does. Used by `jumpnet booksim`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from jumpnet.errors import JumpnetError
from jumpnet.files import read_text
from jumpnet.sim.config import SimConfig
from jumpnet.sim.result import Result
from jumpnet.sim.simulate import simulate
from jumpnet.study.booksim._language import settings
from jumpnet.study.booksim._meaning import meaning
from jumpnet.study.booksim._networks import Target

__all__ = ["Target", "configuration", "run_file", "statistics"]

MAX_FILE_BYTES = 1_000_000


def configuration(path: str | Path, overrides: Mapping[str, str]) -> tuple[Target, SimConfig]:
    """The network with its routing, and the settings, of a file with `key=value` overrides; raises as `run_file`."""
    path = Path(path)
    text = read_text(path, MAX_FILE_BYTES, "a BookSim configuration expected")
    given = settings(text, overrides, str(path))
    try:
        return meaning(given, str(path.parent))
    except JumpnetError as error:
        raise JumpnetError(f"{path}: {error}") from None


def run_file(path: str | Path, overrides: Mapping[str, str]) -> Result:
    """Simulate the configuration in a file, with `key=value` overrides.

    Raises JumpnetError for syntax (line and column), unknown keys, and the one key that is not supported.
    """
    found, config = configuration(path, overrides)
    return simulate(found.network, found.routing, config)


def statistics(result: Result) -> str:
    """The block of overall statistics in BookSim's words; figures that it prints and we do not keep are left out."""
    f, flits = result.figures, result.config.mean_packet_flits
    packets = f["accepted_load"] / flits
    lines = [
        "====== Overall Traffic Statistics ======",
        "====== Traffic class 0 ======",
        f"Packet latency average = {f['packet_latency_mean_cycles']:g} (1 samples)",
        f"\tmaximum = {f['packet_latency_max_cycles']:g} (1 samples)",
        f"Network latency average = {f['network_latency_mean_cycles']:g} (1 samples)",
        f"Flit latency average = {f['flit_latency_mean_cycles']:g} (1 samples)",
        f"Injected packet rate average = {f['offered_load'] / flits:g} (1 samples)",
        f"Accepted packet rate average = {packets:g} (1 samples)",
        f"Injected flit rate average = {f['offered_load']:g} (1 samples)",
        f"Accepted flit rate average = {f['accepted_load']:g} (1 samples)",
        f"Accepted packet size average = {flits:g} (1 samples)",
        f"Hops average = {f['hops_mean']:g} (1 samples)",
    ]
    if f["saturated"]:
        lines.insert(0, "Simulation unstable, ending ...")
    return "\n".join(lines)
