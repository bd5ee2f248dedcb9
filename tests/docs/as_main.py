"""`python -m NAME WORDS` without another process: what starts in a second is then done at once."""

from __future__ import annotations

import contextlib
import io
import os
import runpy
from typing import NamedTuple
from unittest import mock


class Done(NamedTuple):
    """What is known of a process that has ended, by the same names."""

    returncode: int
    stdout: str
    stderr: str


def run_as_main(name: str, *words: str) -> Done:
    """The package `name`, run as the main program; what it raises beside an end is raised."""
    printed, said, status = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch("sys.argv", [name, *words]),
        mock.patch.dict(os.environ),  # what it sets there is gone with it
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(said),
    ):
        try:
            runpy.run_module(name, run_name="__main__")
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
    return Done(status, printed.getvalue(), said.getvalue())
