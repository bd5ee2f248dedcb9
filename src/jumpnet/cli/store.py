"""`jumpnet store check|repair FILE`: whether every point of a store is as it was written, and a new store of those."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from jumpnet.cli._command.output import emit_json, printable
from jumpnet.cli._options.shared import AsJson, only_with
from jumpnet.notices import counted
from jumpnet.study.repair import check, repair

NAME = "store"
PANEL = "Housekeeping"
EXAMPLE = "jumpnet store check small.sqlite"

SHOWN = 20
"""Points that are named, damaged ones first."""


class Action(StrEnum):
    """What to do with a store."""

    check = "check"
    repair = "repair"


def run(
    action: Action = typer.Argument(
        ..., help="Check every point, or also repair: rebuild the store from the undamaged ones."
    ),
    file: Path = typer.Argument(..., help="Store of a study, e.g. small.sqlite."),
    force: bool = typer.Option(False, "--force", help="Repair a store although a sweep seems to use it."),
    as_json: AsJson = False,
) -> None:
    """Check the digest of every point in a store; repair drops damaged ones, so that the next sweep runs them."""
    only_with("repair", {"--force": force and action is not Action.repair})
    found, kept = repair(file, force) if action is Action.repair else (check(file), None)
    unsure = found.unsure
    if as_json:
        about = {"store": str(file), "version": found.version, "whole": len(found.points)}
        emit_json(
            [{**about, "damaged": found.damaged, "unsure": unsure, "file": found.file, "kept": kept and str(kept)}]
        )
    else:
        digests = "" if found.version not in ("1", "2") else f", which has no digests (version {found.version})"
        open_ones = f", {len(unsure)} do not say what the network was" if unsure else ""
        said = f"{counted(len(found.points), 'point')} whole, {len(found.damaged)} damaged"
        print(printable(f"{file}: {said}{digests}{open_ones}"))
        lines = [*found.file, *found.damaged, *unsure]
        for line in lines[:SHOWN]:
            print(printable(f"  {line}"))
        if len(lines) > SHOWN:
            print("  and more: --json has all")
        if kept is not None:
            print(printable(f"rebuilt from what is whole; the old file is {kept}"))
    if action is Action.check and not found.whole:
        raise typer.Exit(1)
