"""How a verb's `run` is called: with whole numbers that a machine word holds, and errors that Typer leaves alone."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.process.threads import asked_threads

__all__ = ["EndOfFile", "called_verb", "guarded"]

LONG = 64
"""Bits, without its sign, of a whole number that is too large."""


class EndOfFile(Exception):
    """An `EOFError`, its cause, which Typer would take for an interruption."""


def guarded(run: Callable[..., None]) -> Callable[..., None]:
    """A verb's `run` as Typer gets it.

    No number beyond 64 bits, which arrays and compiled code do not take, gets in: that raises JumpnetError. An
    `EOFError`, as of a file that is cut short, comes out as `EndOfFile`.
    """

    @wraps(run)
    def called(**given: Any) -> None:
        for name, value in given.items():
            if isinstance(value, int) and value.bit_length() >= LONG:
                from jumpnet.settings.typed import WORD  # the list of verbs does with little

                raise JumpnetError(f"{_option(run, name)} {value} found, {WORD} expected")
        try:
            run(**given)
        except EOFError as error:
            raise EndOfFile from error

    return called


def called_verb(run: Callable[..., None]) -> Callable[..., None]:
    """`guarded`, and a JUMPNET_THREADS that is no number refused now, not in the midst of a verb that comes to need it.

    Help and version, which call no verb, do without.
    """

    @wraps(run)
    def called(**given: Any) -> None:
        asked_threads()
        run(**given)

    return guarded(called)


def _option(run: Callable[..., None], name: str) -> str:
    """What the command line calls a parameter."""
    parameter = inspect.signature(run).parameters[name]
    about = [parameter.default, *getattr(parameter.annotation, "__metadata__", ())]
    named = [getattr(one, "default", None) for one in about[1:]]  # where `Annotated` has an option's first name
    named += [word for one in about for word in getattr(one, "param_decls", None) or ()]
    words = [word for word in named if isinstance(word, str) and word.startswith("--")]
    return words[0] if words else "--" + name.replace("_", "-")
