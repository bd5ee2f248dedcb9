"""A command says once that it compiles, when that takes long, and nothing where kernels are quickly there."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from jumpnet.jit import announced as module
from jumpnet.jit import cache as _kernel_cache
from jumpnet.jit.announced import AFTER_S, WORDS, Announced
from jumpnet.jit.cache import Codec, KernelCache


class Clock:
    """Stands for `time` and `threading.Timer`."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waiting: list[tuple[float, Callable[[], None]]] = []
        self.daemon = False

    def monotonic(self) -> float:
        return self.now

    def timer(self, seconds: float, call: Callable[[], None]) -> Clock:
        self.waiting = [(self.now + seconds, call)]
        return self

    def start(self) -> None:
        assert self.daemon, "no command waits for it"

    def cancel(self) -> None:
        self.waiting = []

    def passes(self, seconds: float) -> None:
        self.now += seconds
        due = [call for at, call in self.waiting if at <= self.now]
        self.waiting = [each for each in self.waiting if each[0] > self.now]
        for call in due:
            call()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


def test_one_line_once_compiling_has_taken_long_altogether(clock: Clock) -> None:
    said: list[str] = []
    announced = Announced(said.append, clock.timer)
    for kernel in range(2):  # neither takes as long by itself
        assert said == []
        announced.begins(kernel)
        clock.passes(0.4 * AFTER_S)
        announced.ended(kernel)
        clock.passes(100 * AFTER_S)
    announced.begins(2)
    announced.begins(3)  # one that it calls
    announced.ended(3)
    clock.passes(0.1 * AFTER_S)
    assert said == []
    clock.passes(0.2 * AFTER_S)
    assert said == [WORDS]
    announced.ended(2)
    announced.begins(4)
    clock.passes(10 * AFTER_S)
    announced.ended(4)
    announced.ended("never begun")
    assert said == [WORDS]


def test_kernels_of_the_package_are_told_of_from_the_miss_until_they_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    said: list[str] = []
    monkeypatch.setattr(_kernel_cache, "COMPILING", Announced(said.append, clock.timer))
    monkeypatch.setattr(_kernel_cache, "BUILT_IN", tmp_path / "none")
    codec = Codec(lambda: "1", pickle.dumps, str, lambda context, it: it, lambda it: True, lambda: "", tuple)
    own, ours = (KernelCache("f", lambda: "", codec, lambda: tmp_path / "kept", shared) for shared in (False, True))
    assert own.load_overload("(i8,)", None) is None  # compiled anew whenever a user's file is
    clock.passes(2 * AFTER_S)
    assert said == []
    assert ours.load_overload("(i8,)", None) is None
    ours.save_overload("(i8,)", "code")
    clock.passes(2 * AFTER_S)
    assert said == [] and ours.load_overload("(i8,)", None) == "code"
    clock.passes(2 * AFTER_S)
    assert said == [] and ours.load_overload("(f8,)", None) is None
    clock.passes(2 * AFTER_S)
    assert said == [WORDS]
    ours.save_overload("(f8,)", "code")
