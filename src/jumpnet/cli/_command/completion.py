"""The line that a shell asks to complete: for Bash its words made whole again, own files that it names loaded.

Bash ends a word at `:`, `=` and `@` too: `torus:8x8` comes as three words, and of an answer it wants what follows the
last of those signs. Other shells hand over their words whole. Used by `run_words`.
"""

from __future__ import annotations

import io
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from itertools import pairwise

from jumpnet.cli._command.usage import LOAD
from jumpnet.errors import JumpnetError
from jumpnet.notices import be_quiet

__all__ = ["answering", "asked_line", "own_files", "whole_words", "words_before"]

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
    if "\n" in line:
        return line.split("\n")[:-1]
    with suppress(ValueError):  # a quote that is still open
        return shlex.split(f"{line}.")[:-1]
    return line.split()[:-1]


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


def own_files(words: Sequence[str]) -> list[str]:
    """The Python files that words of a line name by `--load`; after `simulate` it may be an offered load instead.

    >>> own_files(["jumpnet", "--load", "king.py", "simulate", "king:8", "--load=my\\\\ nets/x.py", "--load", "0.1"])
    ['king.py', 'my nets/x.py']
    """
    values = [after for word, after in pairwise(words) if word == LOAD]
    values += [word.removeprefix(f"{LOAD}=") for word in words if word.startswith(f"{LOAD}=")]
    return [os.path.expanduser(file) for value in values if (file := _unquoted(value)).endswith(".py")]


def _unquoted(word: str) -> str:
    """A word of a line as the shell takes it; as it is where a quote is open."""
    with suppress(ValueError):
        return " ".join(shlex.split(word))
    return word


def _ask_for_a_file(words: list[str]) -> list[str]:
    """The words, the last of which is to be completed; where it follows `--load`, that option alone, as no verb but
    `simulate` has it: nothing of ours is an answer, and the shell offers its files.

    >>> _ask_for_a_file(["jumpnet", "metrics", "torus:8x8", "--load", "to"])
    ['jumpnet', '--load', 'to']
    """
    asks = len(words) > 1 and (words[-2] == LOAD or words[-1].startswith(f"{LOAD}="))
    return [words[0], LOAD, words[-1].removeprefix(f"{LOAD}=")] if asks else words


def _load_files(words: Sequence[str]) -> None:
    """Load the files of `JUMPNET_LOAD` and of words; what they say is no answer, and errors the command says itself."""
    files = [*filter(None, os.environ.get("JUMPNET_LOAD", "").split(os.pathsep)), *own_files(words)]
    if not files:
        return
    from jumpnet import own  # what defines something may need much of jumpnet

    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        for file in files:
            with suppress(JumpnetError):
                own.load(file)


@contextmanager
def answering() -> Iterator[None]:
    """While the shell's question is answered; where none has asked, nothing happens."""
    if COMPLETE not in os.environ:
        yield
        return
    be_quiet()  # what is said would stand in the middle of the line
    if os.environ[COMPLETE] != "complete_bash":
        given = words_before()
        _load_files(given)
        line = [*given, asked_line().rpartition(" ")[2]]
        if _ask_for_a_file(line) != line:
            os.environ["_TYPER_COMPLETE_ARGS"] = f"{given[0]} {LOAD} "
        yield
        return
    text = os.environ.get("COMP_WORDS", "")
    pieces = text.split("\n") if "\n" in text else text.split()
    place = os.environ.get("COMP_CWORD", "0")
    words, at, before = whole_words(pieces, int(place) if PLACE.fullmatch(place) else 0)
    _load_files(words[:at])
    words = _ask_for_a_file(words)
    os.environ.update(COMP_WORDS="\n".join(words), COMP_CWORD=str(len(words) - 1))
    answer = io.StringIO()
    try:
        with redirect_stdout(answer):
            yield
    finally:
        print("\n".join(line.removeprefix(before) for line in answer.getvalue().splitlines()))
