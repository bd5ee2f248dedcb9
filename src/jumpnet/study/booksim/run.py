"""Runs a BookSim configuration file and writes its statistics as BookSim does. Used by `jumpnet booksim`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from jumpnet.errors import JumpnetError, UnforeseenError
from jumpnet.files import read_text
from jumpnet.sim.batches import Batches, send_batches
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.sim.result.point import Result
from jumpnet.sim.simulate import simulate
from jumpnet.study.booksim._deadlocks import can_deadlock
from jumpnet.study.booksim._keys import DEFAULTS, Value
from jumpnet.study.booksim._language import settings
from jumpnet.study.booksim._meaning import meaning, with_key
from jumpnet.study.booksim._networks import Target

__all__ = ["Target", "configuration", "run_file", "statistics"]

MAX_FILE_BYTES = 1_000_000


def configuration(path: str | Path, overrides: Mapping[str, str]) -> tuple[Target, SimConfig]:
    """The network with its routing, and the settings, of a file with `key=value` overrides; raises as `run_file`."""
    return _read(Path(path), overrides)[1:]


def _read(path: Path, overrides: Mapping[str, str]) -> tuple[dict[str, Value], Target, SimConfig]:
    """The keys that a file and the overrides set, the network with its routing, and the settings."""
    text = read_text(path, MAX_FILE_BYTES, "a BookSim configuration expected")
    given = settings(text, overrides, str(path))
    try:
        return (given, *meaning(given, str(path.parent)))
    except JumpnetError as error:
        raise JumpnetError(f"{path}: {error}") from None


def run_file(
    path: str | Path, overrides: Mapping[str, str], tell: Callable[[str], None] = lambda why: None
) -> Result | Batches:
    """Simulate the configuration in a file, with `key=value` overrides; batches where it says so.

    `tell` is called before the run with a line on why its packets can deadlock, where they can, as in BookSim2.
    Raises JumpnetError for syntax (line and column), unknown keys, and the one key that is not supported.
    """
    given, found, config = _read(Path(path), overrides)
    if why := can_deadlock(found, config):
        tell(f"{path}: {why}")
    try:
        return _run({**DEFAULTS, **given}, found, config)
    except UnforeseenError:
        raise
    except JumpnetError as error:
        raise JumpnetError(f"{path}: {with_key(str(error))}") from None


def _run(settings: Mapping[str, Value], found: Target, config: SimConfig) -> Result | Batches:
    """The points or batches of complete settings."""
    if settings["sim_type"] != "batch":
        return simulate(found.network, found.routing, config)
    packets, count, most = (int(settings[k]) for k in ("batch_size", "batch_count", "max_outstanding_requests"))
    return send_batches(found.network, found.routing, config, packets=packets, count=count, outstanding=max(0, most))


def mean_flits(result: Result) -> float:
    """Mean length of all packets: of classes by what they send, of reads and writes with their replies."""
    c = result.config
    if c.exchange_flits:
        _, weights = packet_lengths(c.packet_flits)
        return 0.5 * (c.mean_packet_flits + float(weights @ np.array(c.exchange_lengths)))
    packets = sum(one.load / one.mean_packet_flits for one in c.all_classes)
    return result.offered_load / packets if c.more_classes and packets else c.mean_packet_flits


def class_lines(result: Result, c: int, flits: float) -> list[str]:
    """The lines of one of several classes."""
    kinds = {kind: result.figures[f"class_{c}_{kind}_latency_mean_cycles"] for kind in ("packet", "network", "flit")}
    accepted = result.figures[f"class_{c}_accepted_load"]
    return [
        *(f"{kind.capitalize()} latency average = {mean:g} (1 samples)" for kind, mean in kinds.items()),
        f"Accepted packet rate average = {accepted / flits:g} (1 samples)",
        f"Accepted flit rate average = {accepted:g} (1 samples)",
    ]


def batch_lines(result: Batches) -> str:
    """The durations of batches in BookSim's words."""
    f = result.figures
    lines = [f"Batch {k + 1} duration = {cycles}" for k, cycles in enumerate(f["batch_cycles"])]
    lines += [
        f"{word} batch duration = {f[f'batch_{name}_cycles']:g}"
        for word, name in (("Minimum", "min"), ("Average", "mean"), ("Maximum", "max"))
    ]
    return "\n".join([*lines, f"Accepted flit rate average = {f['accepted_load']:g} (1 samples)"])


def statistics(result: Result | Batches) -> str:
    """The block of overall statistics in BookSim's words; figures that it prints and we do not keep are left out."""
    if isinstance(result, Batches):
        return batch_lines(result)
    f, flits = result.figures, mean_flits(result)
    packets = f["accepted_load"] / flits
    offered = f["offered_load"]
    rates = {"packet": offered / flits, "flit": offered}
    injected = [f"Injected {what} rate average = {rate:g} (1 samples)" for what, rate in rates.items()]
    if result.config.exchange_flits or f["saturated"]:
        injected = []  # of the replies it is not known, and beyond saturation less enters than is offered
    lines = [
        "====== Overall Traffic Statistics ======",
        "====== All classes ======" if result.config.more_classes else "====== Traffic class 0 ======",
        f"Packet latency average = {f['packet_latency_mean_cycles']:g} (1 samples)",
        f"\tmaximum = {f['packet_latency_max_cycles']:g} (1 samples)",
        f"Network latency average = {f['network_latency_mean_cycles']:g} (1 samples)",
        f"Flit latency average = {f['flit_latency_mean_cycles']:g} (1 samples)",
        *injected,
        f"Accepted packet rate average = {packets:g} (1 samples)",
        f"Accepted flit rate average = {f['accepted_load']:g} (1 samples)",
        f"Accepted packet size average = {flits:g} (1 samples)",
        f"Hops average = {f['hops_mean']:g} (1 samples)",
    ]
    for c, one in enumerate(result.config.all_classes if result.config.more_classes else ()):
        lines += [f"====== Traffic class {c} ======", *class_lines(result, c, one.mean_packet_flits)]
    if f["saturated"]:
        lines.insert(0, "Simulation unstable, ending ...")
    if f["deadlocked"]:
        lines.insert(0, "WARNING: Possible network deadlock.")
    return "\n".join(lines)
