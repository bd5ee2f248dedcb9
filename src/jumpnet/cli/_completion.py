"""The line that a shell asks to complete: for Bash its words made whole again, own files of `JUMPNET_LOAD` loaded.

Bash ends a word at `:`, `=` and `@` too: `torus:8x8` comes as three words, and of an answer it wants what follows the
last of those signs. Other shells hand over their words whole. Used by `run_words`.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress

from jumpnet.errors import JumpnetError

__all__ = ["answering", "asked_line", "whole_words", "words_before"]

COMPLETE = "_JUMPNET_COMPLETE"
"""Set by the shell's completion (`jumpnet --install-completion`)."""
ENDS = re.compile("[:=@]+")
"""Signs that stand for a word of their own."""
PLACE = re.compile("[0-9]{1,9}")
"""How a shell says which word is to be completed; anything else was set by hand."""


def asked_line() -> str:
    """The line that the shell asks about, as far as it is known; empty where none does."""
    if COMPLETE not in os.environ:
        return ""
    return os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")


def words_before() -> list[str]:
    """The words before the one to complete; the option parser forgets them where an option still lacks its value."""
    line = asked_line()
    return (line.split("\n") if "\n" in line else line.split())[:-1]


def whole_words(pieces: Sequence[str], at: int) -> tuple[list[str], int, str]:
    """Words before and with the one to complete, its place, and what Bash holds to be before it.

    >>> whole_words(["jumpnet", "route", "torus", ":", "8x8", "--routing", "tor"], 6)
    (['jumpnet', 'route', 'torus:8x8', '--routing', 'tor'], 4, '')
    >>> whole_words(["jumpnet", "metrics", "rdt", ":", "64,a"], 4), whole_words(["jumpnet", "metrics", "rdt", ":"], 3)
    ((['jumpnet', 'metrics', 'rdt:64,a'], 2, 'rdt:'), (['jumpnet', 'metrics', 'rdt:'], 2, 'rdt:'))
    """
    words: list[str] = []
    before, glued = "", False
    for piece in [*pieces[: at + 1], *[""] * (at >= len(pieces))]:
        sign = ENDS.fullmatch(piece) is not None
        if words and (sign or (glued and piece)):
            words[-1] += piece
            before = words[-1] if sign else before
        else:
            words.append(piece)
            before = ""
        glued = sign
    return words, len(words) - 1, before


@contextmanager
def answering() -> Iterator[None]:
    """While the shell's question is answered; where none has asked, nothing happens."""
    if COMPLETE not in os.environ:
        yield
        return
    if files := [*filter(None, os.environ.get("JUMPNET_LOAD", "").split(os.pathsep))]:
        from jumpnet import own  # what defines something may need much of jumpnet

        for file in files:
            with suppress(JumpnetError):  # said by the command itself
                own.load(file)
    if os.environ[COMPLETE] != "complete_bash":
        yield
        return
    text = os.environ.get("COMP_WORDS", "")
    pieces = text.split("\n") if "\n" in text else text.split()
    place = os.environ.get("COMP_CWORD", "0")
    words, at, before = whole_words(pieces, int(place) if PLACE.fullmatch(place) else 0)
    os.environ.update(COMP_WORDS="\n".join(words), COMP_CWORD=str(at))
    answer = io.StringIO()
    try:
        with redirect_stdout(answer):
            yield
    finally:
        print("\n".join(line.removeprefix(before) for line in answer.getvalue().splitlines()))
