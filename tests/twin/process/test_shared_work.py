"""Work in threads: the same answers as one after the other, the first error, and an interruption that is heard."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.process.threads import processors, share

LONG = """
import signal, threading
from jumpnet.process.threads import interruptible
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start what runs behind it without
print("ready", flush=True)
interruptible(threading.Event().wait)  # never set
"""


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_results_are_in_the_order_of_the_items(threads: int) -> None:
    assert share(lambda x: x * x, range(50), threads) == [x * x for x in range(50)]


def test_an_error_is_raised_and_begins_nothing_more() -> None:
    begun = []

    def work(x: int) -> None:
        begun.append(x)
        if x == 3:
            raise ValueError("three")

    with pytest.raises(ValueError, match="three"):
        share(work, range(100), 1)
    assert begun == [0, 1, 2, 3]


def test_an_interruption_does_not_wait_for_the_work() -> None:
    with subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        child.send_signal(signal.SIGINT)
        try:
            _, told = child.communicate(timeout=60)
        finally:
            child.kill()
    assert b"KeyboardInterrupt" in told


def test_processors_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUMPNET_THREADS", "3")
    assert (processors(), processors(2), processors(threads=5)) == (3, 2, 5)
    monkeypatch.setenv("JUMPNET_THREADS", "none")
    with pytest.raises(JumpnetError, match="JUMPNET_THREADS='none' found"):
        processors()
    monkeypatch.delenv("JUMPNET_THREADS")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(6), raising=False)
    assert (processors(), processors(4)) == (6, 4)
