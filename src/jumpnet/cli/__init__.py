"""The command line: one file = one verb. `main` turns JumpnetError into one line and exit status 2."""

from __future__ import annotations

import sys

import typer

from jumpnet import __version__
from jumpnet.errors import JumpnetError
from jumpnet.registry import modules

__all__ = ["app", "main"]


def _version(show: bool) -> None:
    if show:
        print(f"jumpnet {__version__}")
        raise typer.Exit


def app() -> typer.Typer:
    """The Typer application with every verb found in this folder: each module has NAME and `run`."""
    made = typer.Typer(
        name="jumpnet",
        help="A laboratory for interconnection networks.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )

    @made.callback()
    def options(
        version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
    ) -> None:
        pass

    for module in modules(__name__):
        made.command(name=module.NAME)(module.run)
    return made


def main() -> None:
    """Entry point of the `jumpnet` command."""
    try:
        app()()
    except JumpnetError as error:
        print(f"jumpnet: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("jumpnet: interrupted", file=sys.stderr)
        sys.exit(130)
