"""`jumpnet booksim FILE.cfg [key=value ...]`: a BookSim2 configuration as it is, with its statistics block."""

from __future__ import annotations

from pathlib import Path

import typer

from jumpnet.cli._output import JSON_OPTION_HELP, emit_json
from jumpnet.errors import JumpnetError
from jumpnet.study.booksim.run import run_file, statistics

NAME = "booksim"


def run(
    file: Path = typer.Argument(..., help="BookSim2 configuration file."),
    overrides: list[str] = typer.Argument(None, metavar="[KEY=VALUE]...", help="Settings over those of the file."),
    as_json: bool = typer.Option(False, "--json", help=JSON_OPTION_HELP),
) -> None:
    """Run a BookSim2 configuration file; a key that is not supported is named."""
    changes: dict[str, str] = {}
    for word in overrides or []:
        key, equals, value = word.partition("=")
        if not equals:
            raise JumpnetError(f"{word!r} found, key=value expected")
        changes[key.strip()] = value.strip()
    result = run_file(file, changes)
    if as_json:
        emit_json([result.row()])
    else:
        print(statistics(result))
