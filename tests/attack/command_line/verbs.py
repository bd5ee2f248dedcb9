"""Every verb run in this process as `main` runs it: what it says, its status, and why that would be a fall."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Sequence
from typing import NamedTuple
from unittest import mock

from jumpnet import cli
from jumpnet.cli._command import ending

__all__ = ["STATUSES", "Said", "fall_of", "say"]

STATUSES = (0, 2)
"""What a command may end with: an answer, or one line about what was given."""


OUTPUT = "taken for an error of the output"
"""Here the output takes all, so such an error is one of a file that the verb has not answered for."""


class Said(NamedTuple):
    """What a command gave."""

    status: int
    out: str
    err: str


def say(words: Sequence[str]) -> Said:
    """Run `jumpnet WORDS` here; `main` as a process has it, but for its signals."""
    out, err = io.BytesIO(), io.BytesIO()
    texts = [io.TextIOWrapper(stream, "utf-8", write_through=True) for stream in (out, err)]
    texts[1].reconfigure(errors="backslashreplace")
    status = 0
    with (
        contextlib.redirect_stdout(texts[0]),
        contextlib.redirect_stderr(texts[1]),
        mock.patch.object(cli.WATCH, "start"),
        mock.patch.object(cli.WATCH, "heard"),
        mock.patch.object(ending, "_write_no_more", lambda: texts[1].write(f"{OUTPUT}\n")),
    ):
        before, sys.argv = sys.argv, ["jumpnet", *words]
        try:
            cli.main()
        except SystemExit as end:
            status = int(end.code or 0)
        finally:
            sys.argv = before
    return Said(status, out.getvalue().decode(), err.getvalue().decode())


def fall_of(said: Said) -> str:
    """Why a command's end is a fall; empty when it is none."""
    if "Traceback" in said.err or "Traceback" in said.out:
        return f"a traceback: {said.err[-300:]}"
    if OUTPUT in said.err:
        return " ".join(said.err.split())
    if said.status not in STATUSES:
        return f"status {said.status}: {' '.join(said.err.split())[-300:]}"
    lines = [line for line in said.err.splitlines() if not line.startswith("jumpnet: compiling")]
    if said.status == 2 and not (lines and lines[-1].startswith("jumpnet: ")):
        return f"status 2 without a line: {said.err[-300:]!r}"
    if said.status == 2 and len(lines) > 1:
        return f"several lines: {said.err[-300:]!r}"
    return ""
