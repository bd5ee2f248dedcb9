"""`--help` in the panels that Typer draws, without what Typer loads to draw them.

Typer's own drawing loads Rich's Markdown parser, its highlighter of source code and its tracebacks, a third of the time
that `jumpnet --help` took, and uses none of them for texts such as ours. Click's hook for help, `format_help`, is what
stands here. `tests/cli/test_panels.py` holds each help against Typer's, byte for byte; a Typer whose options do not
tell what is asked here draws its own. Used by `app`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from typer.core import HAS_RICH, TyperArgument, TyperCommand, TyperGroup, TyperOption

from jumpnet.cli._command.once import refuse_repeats

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    _Command = TyperCommand
else:
    _Command = object

__all__ = ["DRAWN", "VerbHelp", "VerbsHelp", "draw"]

ASKED = ("display_type_rich", "_get_number_range_help_str", "_extract_default_help_str", "_get_default_string")
"""What an option of Typer's tells about itself, in versions that draw help as here."""
DRAWN = HAS_RICH and all(hasattr(kind, name) for kind in (TyperOption, TyperArgument) for name in ASKED)
COLOURED = ("GITHUB_ACTIONS", "FORCE_COLOR", "PY_COLORS")
"""Environment variables that ask for colours where the output is no terminal."""
STYLES = {
    "option": "bold cyan",
    "switch": "bold green",
    "negative_switch": "bold red",
    "negative_option": "bold magenta",
    "types": "bold yellow",
    "types_sep": "dim",
    "usage": "yellow",
}
OPTIONS = r"(^|\W)(?P<switch>\-\w+)(?![a-zA-Z0-9])", r"(^|\W)(?P<option>\-\-[\w\-]+)(?![a-zA-Z0-9])"
WORDS = (*OPTIONS, r"(?P<types>\<[^\>]+\>)", r"(?P<usage>Usage: )")
"""What stands out in a text."""
NEGATIVE = tuple(pattern.replace("<", "<negative_") for pattern in OPTIONS)
"""The other name of an option, by which it is not."""
BRACKETS = r"^(?P<types_sep>(\[|<))", r"(?P<types_sep>\|)", r"(?P<types_sep>(\]|>))(\.\.\.)?$"
"""What is dim in the type of a value."""
TABLE: dict[str, Any] = {"show_header": False, "expand": True, "box": None, "pad_edge": False, "padding": (0, 1)}


def _console() -> Console:
    from rich.console import Console
    from rich.theme import Theme

    width = os.environ.get("TERMINAL_WIDTH")
    forced: bool | None = True if any(map(os.environ.get, COLOURED)) else None
    if os.environ.get("_TYPER_FORCE_DISABLE_TERMINAL"):
        forced = False
    return Console(theme=Theme(STYLES), emoji=False, force_terminal=forced, width=int(width) if width else None)


def _marked(text: Any, patterns: Iterable[str] = WORDS) -> Any:
    """A text with what stands out in it."""
    from rich.text import Text

    made = Text(text) if isinstance(text, str) else text
    for pattern in patterns:
        made.highlight_regex(pattern)
    return made


def _said(text: str, style: str = "") -> Any:
    from rich.text import Text

    return _marked(Text.from_markup(text, style=style, emoji=False))


def _joined(text: str) -> str:
    """Paragraphs, each as one line."""
    return "\n".join(part.replace("\n", " ").strip() for part in text.split("\n\n")).strip()


def _default(param: Any, ctx: Any) -> str:
    """The default as it is shown, empty where none is."""
    value, said = param._extract_default_help_str(ctx=ctx), isinstance(param.show_default, str)
    if said or (value is not None and (param.show_default or ctx.show_default)):
        return str(param._get_default_string(ctx=ctx, show_default_is_str=said, default_value=value))
    return ""


def _about(param: Any, ctx: Any) -> RenderableType:
    """What an option says of itself, its default, and whether it must be there."""
    from rich.columns import Columns
    from rich.text import Text

    parts = [_said(_joined(param.help))] if param.help else []
    if default := _default(param, ctx):
        parts.append(Text(f"[default: {default}]", style="dim"))
    if param.required:
        parts.append(Text("[required]", style="dim red"))
    return Columns(parts)


def _row(param: Any, ctx: Any) -> list[RenderableType]:
    """Name, short name, the names by which it is not, type, words."""
    from rich.text import Text

    kind = Text(param.display_type_rich(ctx=ctx) or "", style="bold yellow", overflow="fold")
    if limits := param._get_number_range_help_str():
        kind.append(f" [{limits}]")
    if isinstance(param, TyperArgument):
        long, short = [], [param.display_name_raw + "..." * (param.metavar is None and param.nargs != 1)]
    else:
        long, short = [o for o in param.opts if "--" in o], [o for o in param.opts if "--" not in o]
    names = [_marked(",".join(long)), _marked(",".join(short)), _marked(",".join(param.secondary_opts), NEGATIVE), ""]
    return [*names, _marked(kind, BRACKETS), _about(param, ctx)]


def _panel(console: Console, title: str, table: Any) -> None:
    from rich.panel import Panel
    from rich.text import Text

    console.print(Panel(table, border_style="dim", title=Text(title), title_align="left"))


def _options(console: Console, title: str, params: list[Any], ctx: Any) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(highlight=True, **TABLE)
    stars = [Text("*", style="red") if param.required else "" for param in params]
    for star, param in zip(stars, params, strict=True):
        table.add_row(*([star] if any(stars) else []), *_row(param, ctx))
    if params:
        _panel(console, title, table)


def _verbs(console: Console, group: TyperGroup, ctx: Any) -> None:
    """The panels of verbs."""
    from rich.table import Table

    listed = [command for name in group.list_commands(ctx) if (command := group.get_command(ctx, name))]
    longest = max(len(command.name or "") for command in listed)
    for title in dict.fromkeys(getattr(command, "rich_help_panel", None) or "Commands" for command in listed):
        table = Table(highlight=False, **TABLE)
        table.add_column(style="bold cyan", no_wrap=True, width=longest)
        table.add_column(justify="left", ratio=10)
        for command in listed:
            if (getattr(command, "rich_help_panel", None) or "Commands") == title:
                table.add_row(command.name, _said((command.help or "").partition("\n\n")[0].strip()))
        _panel(console, title, table)


def draw(obj: Any, ctx: Any) -> None:
    """Print the help of a verb, or of all."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    console = _console()
    console.print(Padding(_marked(obj.get_usage(ctx)), 1), style="bold")
    if obj.help:
        first, _, rest = obj.help.partition("\n\n")
        texts = [_said(first.replace("\n", " ").strip()), *([Text(""), _said(rest, "dim")] if rest else [])]
        console.print(Padding(Group(*texts), (0, 1, 1, 1)))
    shown = [param for param in obj.get_params(ctx) if not getattr(param, "hidden", False)]
    for title, kind in (("Arguments", TyperArgument), ("Options", TyperOption)):
        _options(console, title, [param for param in shown if isinstance(param, kind)], ctx)
    if isinstance(obj, TyperGroup):
        _verbs(console, obj, ctx)
    if obj.epilog:
        console.print(Padding(_said(obj.epilog), 1))


def _plain_flags(params: list[Any]) -> list[Any]:
    """The parameters; in the help an option that is given or not takes no value, where Typer says <bool>."""
    for param in params:
        if getattr(param, "is_flag", False) and param.metavar is None:
            param.metavar = ""
    return params


class _Helped(_Command):
    """What a verb and the list of verbs have in common: how options are read, and help printed."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Arguments and options."""
        return _plain_flags(super().get_params(ctx))

    def make_parser(self, ctx: Any) -> Any:
        """What reads the options: each once."""
        return refuse_repeats(super().make_parser(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        draw(self, ctx) if DRAWN else super().format_help(ctx, formatter)


class VerbHelp(_Helped, TyperCommand):
    """A verb."""


class VerbsHelp(_Helped, TyperGroup):
    """All verbs."""
