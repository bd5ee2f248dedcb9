"""Options of `jumpnet protocol` as records: the model, what is asked, how states are kept. Used by `protocol`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from jumpnet._seal import EVERY_CPU_SECONDS
from jumpnet.cli._options.shared import not_with, only_with
from jumpnet.coherence.check import SearchCheckpoint, model_of
from jumpnet.coherence.protocol import protocol
from jumpnet.errors import JumpnetError

__all__ = ["Asked", "Keeping", "Modelled"]


@dataclass(frozen=True)
class Modelled:
    """How many caches there are, and what their network does."""

    caches: Annotated[int, typer.Option("--caches", help="Caches that share the line, 1 to 11.")] = 3
    order: Annotated[
        str,
        typer.Option(
            "--order",
            help="Order of messages: any, or fifo: a cache's requests, its answers, what the home sends it and what "
            "caches send it each stay in order.",
        ),
    ] = "any"
    acknowledges: Annotated[
        str, typer.Option("--acknowledges", help="Acknowledges: single, or combined in the network.")
    ] = "single"

    @property
    def words(self) -> dict[str, str]:
        """What the network does, as the checkers take it."""
        return {"order": self.order, "acknowledges": self.acknowledges}


@dataclass(frozen=True)
class Asked:
    """What is shown and asked besides the search."""

    rows: Annotated[bool, typer.Option("--rows", help="Show the transition tables too.")] = False
    states: Annotated[bool, typer.Option("--states", help="Show the reachable states of home and caches too.")] = False
    liveness: Annotated[
        bool,
        typer.Option(
            "--liveness",
            help="Check too that every request ends. Caches are then told apart: four at most in practice.",
        ),
    ] = False
    networks: Annotated[
        bool,
        typer.Option(
            "--networks",
            help="Show too the least number of virtual networks, and which kinds of messages may share one.",
        ),
    ] = False
    replay: Annotated[
        bool,
        typer.Option(
            "--replay",
            help="If a fault is found, drive the machine with time to it by the same messages; show each cycle.",
        ),
    ] = False
    draw: Annotated[
        Path | None,
        typer.Option(
            "--draw", help="Picture of the way to a fault to write, a message sequence chart: .svg, .png or .pdf."
        ),
    ] = None
    export: Annotated[
        str,
        typer.Option(
            "--export",
            metavar="FILE",
            help="Write a model for Murphi or Rumur instead of a check; - is standard output.",
        ),
    ] = ""


@dataclass(frozen=True)
class Keeping:
    """How a search keeps its states."""

    compact: Annotated[
        int,
        typer.Option(
            "--compact",
            metavar="BITS",
            help="Save memory: keep 8 to 62 bits of a hash of each state, and the states on disk; the answer says how "
            "likely a state was missed.",
        ),
    ] = 0
    checkpoint: Annotated[
        Path | None,
        typer.Option("--checkpoint", metavar="FOLDER", help="Folder to keep a long search in, and to go on from."),
    ] = None
    every: Annotated[float, typer.Option("--checkpoint-every", help="CPU seconds between two checkpoints.")] = (
        EVERY_CPU_SECONDS
    )

    def folder(self, name: str, model: Modelled, asked: Asked) -> SearchCheckpoint | None:
        """Where a search is kept, if anywhere; nothing is made for one that is refused. Raises JumpnetError."""
        if self.checkpoint is None:
            only_with("--checkpoint", {"--checkpoint-every": self.every != EVERY_CPU_SECONDS and f"{self.every}"})
            return None
        not_with("--checkpoint", {"--liveness": asked.liveness})
        if not name:
            raise JumpnetError("--checkpoint without a protocol found, one expected: a folder holds one search")
        model_of(protocol(name), model.caches, model.order, model.acknowledges)
        return SearchCheckpoint(self.checkpoint, self.every)
