"""`--help` as `cli._command.help` draws it is what Typer draws, byte for byte, and loads less for it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import Any

import pytest
import typer
from typer import rich_utils

from jumpnet.cli import app, verbs
from jumpnet.cli._command import help as help_drawn
from jumpnet.cli._command.help import DRAWN

UNUSED = {"rich.markdown", "markdown_it", "rich.traceback", "rich.syntax", "typer.rich_utils", "rich._emoji_codes",
          "numpy", "hashlib", "json"}  # fmt: skip
"""What the list of verbs does without."""


class Terminal(io.StringIO):
    """An output, on a screen or not."""

    encoding = "utf-8"

    def __init__(self, screen: bool) -> None:
        super().__init__()
        self.screen = screen

    def isatty(self) -> bool:
        return self.screen


def _contexts() -> list[tuple[Any, Any]]:
    """The list of verbs, and each verb."""
    listed = typer.main.get_command(app(contents=True))
    every: Any = typer.main.get_command(app())
    top = every.make_context("jumpnet", [], resilient_parsing=True)
    each = [
        command.make_context(name, [], parent=top, resilient_parsing=True) for name, command in every.commands.items()
    ]
    return [
        (context.command, context) for context in (listed.make_context("jumpnet", [], resilient_parsing=True), *each)
    ]


def _as_typer(command: Any, context: Any) -> None:
    rich_utils.rich_format_help(obj=command, ctx=context, markup_mode="rich")


@pytest.mark.skipif(not DRAWN, reason="this Typer draws its own")
@pytest.mark.parametrize("width", [60, 80, 120])
def test_help_is_what_typer_draws(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each verb on a screen or not in turn: at 60 columns the other way than at 80 and 120."""
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm-256color")
    contexts = _contexts()
    assert len(contexts) == len(verbs()) + 1
    for place, (command, context) in enumerate(contexts):
        drawn, screen = [], bool((place + width // 20) % 2)
        for draw in (help_drawn.draw, _as_typer):
            output = Terminal(screen)
            with monkeypatch.context() as here:
                here.setattr("sys.stdout", output)
                draw(command, context)
            drawn.append(output.getvalue())
        assert drawn[0] == drawn[1], command.name
        assert ("\x1b[" in drawn[0]) is screen and "╭─ Options ─" in drawn[0].replace("\x1b[2m", "").replace(
            "\x1b[0m", ""
        )


def _after(words: list[str], code: str, **given: str) -> str:
    """What the error stream has when a command, and then some code, has run."""
    names = ("OPENBLAS_NUM_THREADS", "OPENBLAS_DEFAULT_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")
    kept = {name: value for name, value in os.environ.items() if name not in names}
    script = f"import sys, os; from jumpnet.__main__ import start\ntry: start()\nexcept SystemExit: pass\n{code}"
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=True,
                          env=kept | given)  # fmt: skip
    return done.stderr


@pytest.mark.parametrize("words", [["--help"], []], ids=" ".join)
def test_the_list_of_verbs_is_drawn_with_little(words: list[str]) -> None:
    loaded = set(_after(words, "print(*sys.modules, file=sys.stderr)").split())
    assert "rich.panel" in loaded or not DRAWN
    assert not loaded & UNUSED or not DRAWN


ASKED = "print(os.environ.get('OPENBLAS_NUM_THREADS'), file=sys.stderr)"


def test_a_command_asks_for_one_thread_of_blas() -> None:
    assert _after(["--version"], ASKED) == "1\n"


@pytest.mark.parametrize(("given", "found"), [("OPENBLAS_NUM_THREADS", "3"), ("OMP_NUM_THREADS", "None")])
def test_the_number_of_threads_that_the_user_asks_for_stays(given: str, found: str) -> None:
    assert _after(["--version"], ASKED, **{given: "3"}) == f"{found}\n"


def test_a_program_that_imports_jumpnet_keeps_its_own() -> None:
    code = "import os; before = dict(os.environ); import jumpnet, jumpnet.sim.config; print(dict(os.environ) == before)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "True\n"
