"""Relations of one's own that nothing reaches from outside end in one line, by time, by Ctrl-C and by SIGTERM."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from tests.attack.command_line.command import HANGS

from jumpnet.own.bounded import LONGEST_S
from jumpnet.own.trial import Fault, Trial

DEAF = """
    import ctypes, jumpnet

    @jumpnet.routing("own.deaf", summary="x", source="x")
    def deaf(net, here, head, out):
        lock = ctypes.create_string_buffer(64)
        ctypes.PyDLL(None).pthread_mutex_lock(lock)
        print("here", flush=True)
        ctypes.PyDLL(None).pthread_mutex_lock(lock)  # as 10**10**8 does, it holds all of Python up
"""
MAIN = "import sys, jumpnet.own.bounded as b, jumpnet.cli as cli; b.LONGEST_S = float(sys.argv.pop()); cli.main()"
SOON_S = 0.5
"""By then it is deaf; where it is not yet, it ends by itself."""


@pytest.mark.parametrize(
    ("sent", "seconds", "line"),
    [
        (None, 0.5, "own.deaf: {file}:4: 0.5 s in plain Python, an end expected"),
        (signal.SIGINT, LONGEST_S, "jumpnet: interrupted"),
        (signal.SIGTERM, LONGEST_S, "jumpnet: terminated"),
    ],
)
def test_one_step_that_holds_python_up_is_ended(
    tmp_path: Path, sent: signal.Signals | None, seconds: float, line: str
) -> None:
    """It heard neither signal, and nobody said a word."""
    file = tmp_path / "deaf.py"
    file.write_text(textwrap.dedent(DEAF))
    words = ["--load", str(file), "prove", "torus:4x4", "--routing", "own.deaf"]
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, *words, str(seconds)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"JUMPNET_QUIET": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as run:  # fmt: skip
        assert run.stdout is not None and run.stdout.readline() == "here\n"
        if sent is not None:
            time.sleep(SOON_S)
            run.send_signal(sent)
        _, said = run.communicate(timeout=HANGS)
    assert run.returncode in (-signal.SIGKILL, 128 + (sent or 0))
    assert line.format(file=file) in said and said.count("\n") == 1


def swallows(kept: list[int]) -> None:
    while True:
        try:
            while True:
                kept[0] += 1
        except:  # noqa: E722
            kept[1] += 1


def test_who_catches_the_word_to_end_is_told_again() -> None:
    """It ran on, as Python traces no more once that word is raised."""
    kept = [0, 0]
    with pytest.raises(Fault, match=r"test_deaf\.py:\d+: 500000 lines run in one call, an end expected"):
        Trial(swallows)(kept)
    assert kept[0] > 0
    assert sys.gettrace() is None or "Trial" not in repr(sys.gettrace())
