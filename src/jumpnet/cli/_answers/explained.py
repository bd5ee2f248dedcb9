"""What `jumpnet prove --explain` and `--replay` say: why, and the run that ends in a deadlock. Used by `prove`."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jumpnet.analysis.deadlock.changes.changeover import Changeover
from jumpnet.analysis.deadlock.changes.words import explain_changeover
from jumpnet.analysis.deadlock.explain import Explanation, explain
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.cli._command.output import print_rows, progress_bar, progress_line
from jumpnet.cli._options.files import writable
from jumpnet.cli._options.shared import not_with, only_with
from jumpnet.coherence.networks.endpoints import FAMILY as ENDPOINTS
from jumpnet.notices import counted, notice
from jumpnet.routings import BoundRouting
from jumpnet.settings.settings import settings_of
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.traffic import write_packets

if TYPE_CHECKING:
    from jumpnet.replay.deadlock import Replay

__all__ = ["More", "Words"]

MOST_PACKETS = 24
"""Packets of a run that are shown; the file has all."""
HOW = {
    "timed": "each sent once,",
    "repeated": "of few kinds, some of them several times,",
    "traffic": "",
}


def _changed(config: SimConfig) -> dict[str, Any]:
    """The settings that differ from those of the preset `booksim`."""
    known = settings_of(SimConfig)
    return {name: value for name, value in config.model_dump().items() if value != known[name].default}


def _again(replay: Replay, file: Path | None) -> str | None:
    """The command that repeats the run; None where `jumpnet simulate` takes no such run."""
    bound, config = replay.bound, replay.config
    if config is None or _alone(bound) or (replay.packets is not None and file is None):
        return None
    words = ["jumpnet", "simulate", bound.network.spec, "--routing", bound.name]
    words += [] if file is None or replay.packets is None else ["--trace", str(file)]
    for name, value in _changed(config).items():
        words += ["--set", f"{name}={value}"]
    return shlex.join(words)


def _alone(bound: BoundRouting) -> str:
    """Why `simulate` cannot run a routing that was proved, or empty."""
    if bound.network.family == ENDPOINTS:
        return "simulate has no endpoints that wait"
    return f"simulate takes no fewer than {bound.needed} virtual channels" if bound.vcs < bound.needed else ""


def _replay_row(replay: Replay, file: Path | None) -> dict[str, Any]:
    """What `--json` says of the run."""
    net, packets = replay.bound.network, replay.packets
    columns = [] if packets is None else zip(*(column.tolist() for column in packets), strict=True)
    names = ("cycle", "source", "destination", "flits")
    return {
        "found": replay.how is not None,
        "how": replay.how,
        "tries": replay.tries,
        "cycle": replay.cycle if replay.how is not None else None,
        "ring": [{"router": r, "port": p, "vc": v, "to": int(net.neighbor[r, p])} for r, p, v in replay.ring],
        "ring_of_the_proof": replay.same,
        "settings": _changed(replay.config) if replay.config is not None else {},
        "packets": [dict(zip(names, row, strict=True)) for row in columns],
        "command": _again(replay, file),
    }


def _tell_replay(replay: Replay, file: Path | None, cycle: frozenset[tuple[int, int, int]]) -> None:
    """The same for a person; `cycle` is that of the proof: (router, port, vc)."""
    if replay.config is None:
        if replay.waiting.kind in ("cycle", "indirect"):
            why = "its packets have ways round, and there may be none"
        else:
            why = "other packets or times may run into one"
        print(f"replay: no deadlock in {counted(replay.tries, 'run')}; {why}")
        return
    packets, bound, config = replay.packets, replay.bound, replay.config
    if packets is None:
        sent = f"{config.traffic} traffic at load {config.load}, packets of {config.packet_flits} flits,"
    else:
        flits = " to ".join(dict.fromkeys(str(n) for n in (packets.flits.min(), packets.flits.max())))
        sent = f"{counted(len(packets.cycle), 'packet')} of {flits} flits, {HOW[str(replay.how)]}"
    print(f"replay: {sent} run into a deadlock by cycle {replay.cycle} (run {replay.tries} of those tried)")
    print("  settings: " + ", ".join(f"{name}={value}" for name, value in _changed(config).items()))
    if packets is not None and len(packets.cycle) <= MOST_PACKETS:
        rows = zip(*(column.tolist() for column in packets), strict=True)
        print_rows("its packets, between terminals", ["cycle", "source", "destination", "flits"], rows)
    if replay.waiting.kind in ("cycle", "indirect"):
        print("  the proof leaves it open; this run is a deadlock all the same")
    ring = " -> ".join(f"{r}-{bound.network.neighbor[r, p]} (vc {v})" for r, p, v in replay.ring)
    which = "of channels that --explain names" if replay.same else "another one than the proof's"
    which = "of those channels" if replay.same and cycle.issuperset(replay.ring) else which
    print(f"  the simulator's ring, {which}: {ring}")
    command = _again(replay, file)
    if command is not None:
        print(f"  again: {command}")
    elif why := _alone(bound):
        print(f"  again: by this command only; {why}")
    else:
        print("  again: write its packets with --packets FILE, a trace for jumpnet simulate")
    if bound.own:
        print("  the routing is from your own file, which --load names to each command")


@dataclass(frozen=True)
class Words:
    """The options."""

    explained: Annotated[
        bool, typer.Option("--explain", help="Explain in words why it is free, or which packet waits for which.")
    ] = False
    replayed: Annotated[bool, typer.Option("--replay", help="Find a simulation that ends in the deadlock.")] = False
    packets: Annotated[
        Path | None, typer.Option("--packets", help="With --replay: file to write its packets to, as a trace (.csv).")
    ] = None

    def more(self, others: dict[str, object]) -> More:
        """What is asked; refuses what does not go together."""
        more = More(self.explained, self.replayed, self.packets)
        more.check(others)
        return more


@dataclass
class More:
    """What is asked of a proof besides its verdict, and then what was found."""

    explained: bool
    replayed: bool
    packets: Path | None
    words: Explanation | None = None
    run: Replay | None = None
    cycle: frozenset[tuple[int, int, int]] = frozenset()

    def check(self, others: dict[str, object]) -> None:
        """Refuse what does not go together; `others`: options that leave nothing to explain."""
        for option, given in others.items():
            if given:
                not_with(option, {"--explain": self.explained and option != "--then", "--replay": self.replayed})
        if not self.replayed:
            only_with("--replay", {"--packets": self.packets})
        if self.packets is not None:
            writable(self.packets)

    def find_change(self, change: Changeover, proof: Proof) -> None:
        """Put the proof of a change into words, if that is asked."""
        if self.explained:
            with progress_line("proving the change again"):
                self.words = explain_changeover(change, proof)

    def find(self, proof: Proof, made: Dependencies | None = None) -> None:
        """Look for what is asked; `made`: the dependencies that the proof rests on, where they are there."""
        self.cycle = frozenset((hop.router, hop.port, hop.vc) for hop in proof.cycle or ())
        if self.explained:
            with progress_bar("proving again") as progress:
                self.words = explain(proof, made, progress)
        if self.replayed:
            from jumpnet.replay.deadlock import replay_deadlock  # the simulator; most proofs do without

            with progress_bar("runs into the deadlock") as progress:
                self.run = replay_deadlock(proof, made, progress)
            if self.packets is not None and self.run.packets is not None:
                write_packets(self.packets, self.run.packets)
            elif self.packets is not None:
                why = "no run into a deadlock was found" if self.run.config is None else "traffic ran into the deadlock"
                notice(f"{self.packets} is not written: {why}")

    def row(self) -> dict[str, Any]:
        """What `--json` says of it."""
        found = {} if self.words is None else {"explanation": self.words.as_json()}
        return found if self.run is None else {**found, "replay": _replay_row(self.run, self.packets)}

    def say(self) -> None:
        """The same for a person."""
        if self.words is not None:
            print(self.words)
        if self.run is not None:
            _tell_replay(self.run, self.packets, self.cycle)
