"""The reference of the command line: every verb with its example and options, from the program itself."""

from __future__ import annotations

from pathlib import Path

import typer.main
from docstrings import plain
from modules import heading, save

from jumpnet.cli import app, verbs
from jumpnet.cli._command.verbs import PANELS, in_panels, panel_of


def option_rows(command) -> list[tuple[str, str]]:
    """What may follow a verb: its spelling, and what it means."""
    rows = []
    for part in command.params:
        option = part.param_type_name == "option"
        meaning = part.help or ""
        if option and isinstance(part.default, str | int | float) and part.default not in (False, True, ""):
            meaning += f" Default: {part.default}."
        if part.name != "help":
            rows.append((", ".join(part.opts) if option else part.name.upper(), meaning))
    return rows


def verb_text(name: str) -> list[str]:
    """One verb."""
    command = typer.main.get_command(app(name)).commands[name]
    lines = [*heading(f"jumpnet {name}", "~"), plain((command.help or "").strip()), ""]
    if command.epilog:
        lines += ["::", "", f"    {command.epilog.removeprefix('Example: ').strip()}", ""]
    lines += [".. list-table::", "   :widths: 25 75", ""]
    for spelling, meaning in option_rows(command):
        lines += [f"   * - ``{spelling}``", f"     - {plain(meaning)}"]
    return [*lines, ""]


def write(folder: Path) -> None:
    """The page `commands.rst`."""
    about = "Every verb has ``--help``, which prints the same, and ``--json`` for one object a line."
    lines = [*heading("Command line", "="), about, ""]
    for panel in PANELS:
        lines += heading(panel, "-")
        for name in in_panels():
            lines += verb_text(name) if panel_of(verbs()[name]) == panel else []
    folder.mkdir(parents=True, exist_ok=True)
    save(folder / "commands.rst", "\n".join(lines))
