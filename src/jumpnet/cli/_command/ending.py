"""How a command ends: by an error, an interruption or an output that nobody reads, in one line and an exit status."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Sequence

import typer

from jumpnet._bytecode import removed_damage
from jumpnet.cli._command.called import EndOfFile
from jumpnet.cli._command.output import printable, say
from jumpnet.cli._command.surroundings import OUTPUT
from jumpnet.cli._command.usage import meant, usage
from jumpnet.cli._command.watch import INTERRUPTED, TERMINATED, WATCH
from jumpnet.errors import JumpnetError, UnforeseenError, file_error, of_interruption

__all__ = ["ReaderLeft", "ended_by"]


def _write_no_more() -> None:
    """Drop what is still to be written, so that Python does not try once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class ReaderLeft(BrokenPipeError):
    """The reader of the output has closed it."""


def _reader_left() -> bool:
    """Whether the reader of the output has closed it, as `head` does in `jumpnet list | head`."""
    look = select.poll()
    for number in (OUTPUT, OUTPUT + 1):
        look.register(number, select.POLLOUT)
    return any(event & select.POLLERR for _, event in look.poll(0))


def _forget_interruption() -> None:
    """Python remembers one that comes within `exec` of a text, as where dataclasses are made, and ends by that signal,
    with its own status; until the next text."""
    exec("")


def _interrupted() -> int:
    """Say that the command was ended; its exit status."""
    WATCH.heard()
    _forget_interruption()
    say("terminated" if WATCH.terminated else "interrupted")
    return TERMINATED if WATCH.terminated else INTERRUPTED


def _other(error: BaseException, words: Sequence[str]) -> tuple[str, int]:
    """The line and the exit status for an error of the option parser, of a user's file, or an unforeseen one.

    The line is empty when the parser has printed its help instead.
    """
    if hasattr(error, "format_message"):
        return usage(error, words), 2
    own = sys.modules.get("jumpnet.own")
    if own is not None and (place := own.where(error)):
        return place, 2
    if line := removed_damage(error):
        return line, 2
    if not isinstance(error, Exception):  # the end of the program, which nobody but ourselves has asked for
        raise error
    from jumpnet.cli._command.report import UNFORESEEN, told  # not needed but for this

    return told(error, words), UNFORESEEN


def _not_written(error: OSError) -> int:
    """Say that the output, or a file of a name that no file has, cannot be written; the exit status.

    A reader that has left has what it wanted: nothing is said.
    """
    left = isinstance(error, ReaderLeft) or _reader_left()
    if error.filename is None:
        _write_no_more()
    if left and isinstance(error, BrokenPipeError):
        return 0
    expected = "room to write expected" if error.filename is None else "the name of a file expected"
    say(printable(str(file_error(error.filename or "output", error, expected))))
    return 2


def ended_by(error: BaseException) -> int:
    """Say in one line what ended the command; its exit status."""
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return _interrupted()
    if isinstance(error, OSError):
        return _not_written(error)
    if isinstance(error, JumpnetError) and not isinstance(error, UnforeseenError):
        message, status = printable(meant(" ".join(str(error).split()))), 2
    elif isinstance(error, RuntimeWarning):  # of `check_compiler`
        message, status = printable(f"{str(error).splitlines()[0]} Another value, or none, expected"), 2
    elif isinstance(error, MemoryError):
        message, status = "memory ran out", 2
    else:
        behind = error.__cause__ if isinstance(error, UnforeseenError | EndOfFile) else None
        came = behind or error
        if of_interruption(came):
            return _interrupted()
        message, status = _other(came, sys.argv[1:])
    if message:
        say(message)
    return status
