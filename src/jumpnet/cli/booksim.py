"""`jumpnet booksim FILE.cfg [key=value ...]`: a BookSim2 configuration as it is, with its statistics block."""

from __future__ import annotations

from pathlib import Path

import typer

from jumpnet.cli._options import AsJson
from jumpnet.cli._output import emit_json
from jumpnet.errors import JumpnetError
from jumpnet.study.booksim.run import run_file, statistics

NAME = "booksim"
PANEL = "Simulation and studies"
EXAMPLE = "jumpnet booksim mesh88_lat injection_rate=0.1"


def run(
    file: Path = typer.Argument(..., metavar="FILE", help="BookSim2 configuration file."),
    overrides: list[str] = typer.Argument(None, metavar="KEY=VALUE", help="Settings over those of the file."),
    as_json: AsJson = False,
) -> None:
    """Run a BookSim2 configuration file; a key that is not supported is named."""
    changes: dict[str, str] = {}
    for word in overrides or []:
        key, equals, value = word.partition("=")
        if not equals:
            raise JumpnetError(f"{word!r} found, key=value expected")
        if key.strip() in changes:
            raise JumpnetError(f"{word!r} found, one value of each key expected")
        changes[key.strip()] = value.strip()
    result = run_file(file, changes)
    if as_json:
        emit_json([result.row()])
    else:
        print(statistics(result))
