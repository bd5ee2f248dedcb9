"""Options that several verbs share, each with one description, and which go together. Used by every verb."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from jumpnet.cli._command.completion import words_before
from jumpnet.cli._options.settings import routing_words, spec_words
from jumpnet.errors import JumpnetError

__all__ = [
    "WITHOUT", "AsJson", "Digits", "Missing", "OwnFiles", "Quiet", "RoutingName", "Spec", "StoreFile", "StudyFile",
    "Vcs",
    "curve_names", "family_names", "names_from", "not_with", "only_with", "pattern_names", "routing_names",
    "workload_names",
]  # fmt: skip


def family_names(incomplete: str) -> list[str]:
    """Families and their settings for a shell's completion; sizes are the user's."""
    return spec_words("family", incomplete)


def routing_names(incomplete: str) -> list[str]:
    """Routings that fit the networks named already, and their settings, for a shell's completion."""
    return routing_words(incomplete, words_before())


def curve_names(incomplete: str) -> list[str]:
    """Families and their settings, behind an `@` the routings that fit, for a shell's completion."""
    spec, at, routing = incomplete.partition("@")
    return [f"{spec}@{name}" for name in routing_words(routing, [spec])] if at else family_names(spec)


def names_from(module: str, name: str) -> Callable[[str], list[str]]:
    """A shell's completion from the names that a module holds, or a function of it gives; loaded when a shell asks.

    >>> names_from("jumpnet.plot.axis", "UNITS")("l")
    ['link', 'length']
    """

    def found(incomplete: str) -> list[str]:
        known: Any = getattr(import_module(module), name)
        names: Iterable[str] = known() if callable(known) else known
        return [each for each in names if each.startswith(incomplete)]

    return found


def workload_names(incomplete: str) -> list[str]:
    """Parallel programs and their sizes for a shell's completion."""
    return spec_words("workload", incomplete)


def pattern_names(incomplete: str) -> list[str]:
    """Traffic patterns and their settings for a shell's completion."""
    return spec_words("traffic", incomplete)


Spec = Annotated[
    str, typer.Argument(metavar="SPEC", help="Network, e.g. rdt:64 or torus:8x8.", autocompletion=family_names)
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object per line instead of a table.")]
RoutingName = Annotated[
    str,
    typer.Option(
        "--routing",
        help="Routing, e.g. torus.dateline; the family's default if left out.",
        autocompletion=routing_names,
    ),
]
Vcs = Annotated[
    int | None,
    typer.Option("--vcs", show_default=False, help="Virtual channels of a port; what the routing needs if left out."),
]
WITHOUT = "lash"
"""Routing of networks that lack something, where none is named."""
Missing = Annotated[
    list[str] | None,
    typer.Option(
        "--without",
        help="What the network lacks from the start, e.g. link=3-7,router=5 (link=3@1: the one at port 1 of router 3); "
        f"may be repeated. The default routing is then {WITHOUT}.",
    ),
]
OwnFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--load", metavar="FILE.py", help="Python file with topologies, routings and patterns of your own; repeatable."
    ),
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", help="Only the answer: no progress, notices or hints; anywhere in the command."),
]
Digits = Annotated[
    int | None,
    typer.Option(
        "--digits",
        metavar="N",
        help="Significant digits of numbers in tables, 4 or as many as the table chooses if left out; anywhere.",
    ),
]
StudyFile = Annotated[Path, typer.Argument(metavar="STUDY", help="Study file (TOML).")]
StoreFile = Annotated[
    Path | None, typer.Option("--store", help="Store; the study file's name with .sqlite if left out.")
]


def at_least_one(option: str, given: int | None) -> None:
    """Refuse a number of things, of which there must be one, that is none."""
    if given is not None and given < 1:
        raise JumpnetError(f"{option} {given} found, at least 1 expected")


def not_with(option: str, others: dict[str, Any]) -> None:
    """Refuse what does not go together with an option."""
    for name, given in others.items():
        if given:
            raise JumpnetError(f"{name} together with {option} found, one of them expected")


def only_with(option: str, others: dict[str, Any]) -> None:
    """Refuse what says nothing without an option that was not given."""
    for name, given in others.items():
        if given not in ("", None, False, 0):
            words = " ".join(map(str, given)) if isinstance(given, list) else given
            shown = name if given is True or isinstance(given, str) else f"{name} {words}"
            raise JumpnetError(f"{shown} without {option} found, both expected")
