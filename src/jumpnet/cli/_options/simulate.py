"""Options of `jumpnet simulate` as records: the run, what is run instead of one point, faults, checkpoints, output.

Each record checks its own options. Used by `simulate`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jumpnet.cli._options.files import writable
from jumpnet.cli._options.settings import point_words, settings_given
from jumpnet.cli._options.shared import Missing, names_from, not_with, only_with, pattern_names
from jumpnet.errors import JumpnetError

if TYPE_CHECKING:
    from jumpnet.sim.measure.checkpoint import Checkpoint

__all__ = ["Faults", "Instead", "Keeping", "Output", "Run"]

OPTIONS = ("checkpoint", "multicast", "preset", "routing", "threads", "trace")
"""What a run takes beside settings, by options of the same names."""
ONLY_IN_PYTHON = ("cast", "config", "faults", "memory", "name", "network", "progress", "resolution", "trees")
"""What functions take beside settings, and the command by other words or not at all."""


def _in_all(cycles: int | None) -> dict[str, Any]:
    """The settings of a run of so many cycles; none where that is left open."""
    if cycles is None:
        return {}
    if cycles < 2:
        raise JumpnetError(f"--cycles {cycles} found, at least 2 expected")
    half = cycles // 2
    return {"warmup_cycles": half, "measure_cycles": cycles - half, "max_cycles": cycles, "drain": False}


@dataclass(frozen=True)
class Run:
    """The settings of a run."""

    traffic: Annotated[
        str,
        typer.Option(
            "--traffic",
            help="Traffic pattern, e.g. transpose; uniform if left out.",
            autocompletion=pattern_names,
        ),
    ] = ""
    loads: Annotated[
        str,
        typer.Option(
            "--load",
            help="Offered load, flits per terminal and cycle (0 to 1). For a curve: 0.1,0.2 (these loads), 0.05..0.9 "
            "(up to saturation, densest there) or 0.05..0.9/20 (20 loads).",
        ),
    ] = ""
    packet_flits: Annotated[
        str, typer.Option("--packet-flits", help="Packet lengths, e.g. 16, 1*0.8+5*0.2 or 4..16.")
    ] = ""
    cycles: Annotated[
        int | None, typer.Option("--cycles", help="Cycles in all: half to warm up, half measured, no drain.")
    ] = None
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            help="Router and measurement: booksim, yang2001 or jump1.",
            autocompletion=names_from("jumpnet.sim.config", "PRESETS"),
        ),
    ] = "booksim"
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of every random draw.")] = None
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", help="Any other setting, key=value; may be repeated.", autocompletion=point_words),
    ] = None
    threads: Annotated[
        int | None, typer.Option("--threads", help="Threads that share one run; chosen by its size if left out.")
    ] = None

    @property
    def load(self) -> float | None:
        """The one load that is given, if any. Raises JumpnetError for several."""
        if not self.loads:
            return None
        try:
            return float(self.loads)
        except ValueError:
            raise JumpnetError(f"--load {self.loads!r} found, a number expected") from None

    def settings(self, load: float | None) -> dict[str, Any]:
        """The settings of `--set`, of `--cycles`, and of the options that are settings, where they are given."""
        found: dict[str, Any] = {
            key: None if value.lower() == "none" else value for key, value in settings_given(self.sets or []).items()
        }
        for key, value in found.items():
            if key in OPTIONS:
                raise JumpnetError(f"--set {key}={value} found, --{key} {value} expected")
            if key in ONLY_IN_PYTHON:
                raise JumpnetError(f"--set {key}={value} found, a setting expected, see `jumpnet list setting`")
        if self.threads is not None and self.threads < 1:
            raise JumpnetError(f"--threads {self.threads} found, at least 1 expected")
        in_all = _in_all(self.cycles)
        not_with("--cycles", {f"--set {key}": key in found for key in in_all})
        options = {
            "traffic": self.traffic, "packet_flits": self.packet_flits, "load": load, "seed": self.seed,
            "threads": self.threads,
        }  # fmt: skip
        given = {key: value for key, value in options.items() if value not in ("", None)}
        for key in [*given, *(["load"] if self.loads else [])]:
            not_with("--" + key.replace("_", "-"), {f"--set {key}": key in found})
        return found | in_all | given


@dataclass(frozen=True)
class Instead:
    """What is run instead of one point under a traffic pattern: recorded packets, multicasts, a search."""

    trace: Annotated[
        str, typer.Option("--trace", help="Replay the packets of this file instead (.csv, .parquet, or netrace .bz2).")
    ] = ""
    dependences: Annotated[
        bool, typer.Option("--dependences", help="Packets of --trace wait for those that they depend on.")
    ] = False
    gap: Annotated[
        int,
        typer.Option(
            "--gap-cycles", help="With --dependences: cycles from an arrival to the packets that wait for it."
        ),
    ] = 0
    multicast: Annotated[
        str,
        typer.Option(
            "--multicast",
            help="Send multicasts down trees: paths, or chip (RDTs). `jumpnet list setting multicast` has their "
            "settings.",
        ),
    ] = ""
    compare: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="With --multicast: compare packets that branch, the same answered one by one, and single packets.",
        ),
    ] = False
    saturation: Annotated[bool, typer.Option("--find-saturation", help="Search for the saturation load.")] = False
    fresh: Annotated[
        bool,
        typer.Option(
            "--fresh", help="With --find-saturation or curves: run every point, also those kept from earlier runs."
        ),
    ] = False

    def options(self) -> dict[str, Any]:
        """What was given, by name, but for `--fresh`."""
        return {
            "--trace": self.trace, "--multicast": self.multicast, "--compare": self.compare,
            "--find-saturation": self.saturation, "--dependences": self.dependences, "--gap-cycles": self.gap,
        }  # fmt: skip

    def check(self, run: Run) -> None:
        """Refuse options that change nothing without another one, and those of traffic beside a trace."""
        if not self.multicast:
            only_with("--multicast", {"--compare": self.compare})
        if not self.dependences:
            only_with("--dependences", {"--gap-cycles": self.gap})
        if not self.saturation or self.multicast:
            only_with("--find-saturation", {"--fresh": self.fresh})
        if self.trace:
            options = {"load": run.loads, "traffic": run.traffic, "packet_flits": run.packet_flits, "injection": ""}
            not_with("--trace", {"--" + key.replace("_", "-"): given for key, given in options.items()})
            found = settings_given(run.sets or [])
            not_with("--trace", {f"--set {key}": key in found for key in options})


@dataclass(frozen=True)
class Faults:
    """Links and routers that are missing, or fail during the run."""

    missing: Missing = None

    faults: Annotated[
        list[str] | None,
        typer.Option("--fault", help="What fails and when, e.g. cycle=1000,link=3-7,router=5; may be repeated."),
    ] = None
    reroute: Annotated[str, typer.Option("--reroute", help="With --fault: the routing after the first fault.")] = ""
    retry: Annotated[
        int | None, typer.Option("--retry-cycles", help="With --fault: cycles until a lost packet is sent again.")
    ] = None
    flush: Annotated[bool, typer.Option("--flush", help="With --fault: remove all packets, not only broken ones.")] = (
        False
    )
    on_ring: Annotated[
        str,
        typer.Option("--on-ring", help="With --fault, if packets can then deadlock: watch for it, or drop packets."),
    ] = ""

    def settings(self) -> dict[str, Any]:
        """Arguments of the run; empty without faults."""
        if not self.faults:
            others = {"--reroute": self.reroute, "--retry-cycles": self.retry, "--flush": self.flush}
            only_with("--fault", {**others, "--on-ring": self.on_ring})
            return {}
        found = {"faults": self.faults, "reroute": self.reroute or None, "retry_cycles": self.retry}
        return {**found, "flush": self.flush, "on_ring": self.on_ring or "watch"}


@dataclass(frozen=True)
class Keeping:
    """Checkpoints of a long run."""

    file: Annotated[
        Path | None,
        typer.Option("--checkpoint", help="File that keeps the state of a long run, which resumes from it."),
    ] = None
    every: Annotated[
        float | None,
        typer.Option("--checkpoint-every", help="With --checkpoint: CPU seconds between two, 60 if left out."),
    ] = None

    def checkpoint(self) -> Checkpoint | None:
        """The checkpoint, if any."""
        if self.file is None:
            only_with("--checkpoint", {"--checkpoint-every": self.every is not None})
            return None
        from jumpnet.sim.measure.checkpoint import Checkpoint

        return Checkpoint(self.file) if self.every is None else Checkpoint(self.file, self.every)


@dataclass(frozen=True)
class Output:
    """What is written and printed."""

    plot: Annotated[str, typer.Option("--plot", help="Picture of latency over load to write: .svg, .png or .pdf.")] = ""
    events: Annotated[str, typer.Option("--events", help="File to write the events of every flit to (CSV).")] = ""
    channels: Annotated[
        str, typer.Option("--channels", help="File to write load and buffers of every channel to (CSV).")
    ] = ""
    batches: Annotated[
        str,
        typer.Option(
            "--batches", help="File to write packets and latencies to, a line for every batch_cycles of the run (CSV)."
        ),
    ] = ""
    distribution: Annotated[
        bool, typer.Option("--distribution", help="With --json: the whole latency histograms too.")
    ] = False
    whole: Annotated[bool, typer.Option("--all", help="Show every figure, by its name in Python and --json.")] = False
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line instead of a table.")] = False

    def files(self) -> dict[str, Path]:
        """The files to write, by option. Raises JumpnetError for one that cannot be written, or is named twice."""
        named = {"--events": self.events, "--channels": self.channels, "--batches": self.batches}
        found = dict[str, Path]()
        for name, file in named.items():
            if file:
                path = writable(file)
                for other, same in found.items():
                    if same.resolve() == path.resolve():
                        raise JumpnetError(f"{name} {file} found, which {other} writes too; another file expected")
                found[name] = path
        return found
