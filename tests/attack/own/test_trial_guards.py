"""Each guard of a function's trial in plain Python by itself: what it says where the function does that one thing."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba.typed import List

from jumpnet.errors import JumpnetError
from jumpnet.own import trial
from jumpnet.own.trial import Fault, Trial, guarded, rebuilt, shown
from jumpnet.own.whose import made_outside

TABLE = np.arange(6).reshape(2, 3)
PAIR = (TABLE, 7)
NAMES = np.array(["a", None], dtype=object)
DAYS = np.array(["2026-11-26"], dtype="M8[D]")
reader = np.nditer


def _said(function: Callable[..., Any], *given: Any, compiled: bool = True) -> str:
    """What a trial says of a function, in one line without its place."""
    tried = Trial(function, compiled=compiled)
    before = sys.gettrace()
    with pytest.raises(Fault, match=r"test_trial_guards\.py:\d+: ") as told:
        tried(*given)
    assert sys.gettrace() is before and tried.lines > 0
    return str(told.value).partition(": ")[2]


def _one(way: Callable[[Any], Any], writable: bool = False) -> str:
    return _said(way, guarded(np.arange(6).reshape(2, 3), "t", writable))


def test_indices() -> None:
    assert _one(lambda t: t[2, 0]) == "index 2 of t found, 0 to 1 expected"
    assert _one(lambda t: t[0, -1]) == "index -1 of t found, 0 to 2 expected"
    assert _one(lambda t: t[0][3]) == "index 3 of t found, 0 to 2 expected"
    assert _one(lambda t: t[:0][0]) == "index 0 of t found, but it is empty"


def _write(t: Any) -> None:
    t[1, 0] = 5


def _write_beyond(t: Any) -> None:
    t[1, -1] = 5


def _write_a_part(t: Any) -> None:
    t[1, 0] = 0.5


def _write_a_table(t: Any) -> None:
    TABLE[0, 0] = 5


def test_writes() -> None:
    assert _one(_write) == "t[1, 0] is written, which may only be read"
    assert _one(_write_beyond, True) == "index -1 of t found, 0 to 2 expected"
    assert _one(_write_a_part, True) == "0.5 is written to t[1, 0], a whole number expected"
    assert _one(lambda t: t.setflags(write=True)) == "the flags of t are set, which may only be read"
    assert _one(_write_a_table) == "TABLE[0, 0] is written, which may only be read"
    assert TABLE[0, 0] == 0


def test_what_is_read_are_numbers_of_python() -> None:
    """Compiled code has 64 bits; NumPy's numbers of 8 bits would wrap round in plain Python alone."""
    small = guarded(np.full((2, 2), 100, np.int8), "t")
    assert Trial(lambda t: t[0, 0] + t[1, 1])(small) == 200
    assert Trial(lambda t: sum([one + one for row in t for one in row]))(small) == 800


def _by_default(t: Any, table: Any = TABLE) -> Any:
    return table[9]


def _by_name(t: Any, *, table: Any = TABLE) -> Any:
    return table[9]


def test_arrays_that_a_function_names_are_guarded_wherever_it_has_them() -> None:
    held = np.arange(3)
    assert _one(lambda t: TABLE[9]) == "index 9 of TABLE found, 0 to 1 expected"
    assert _one(lambda t: held[9]) == "index 9 of held found, 0 to 2 expected"
    assert _one(lambda t: PAIR[0][9]) == "index 9 of PAIR found, 0 to 1 expected"
    assert _one(_by_default) == "index 9 of a default found, 0 to 1 expected"
    assert _one(_by_name) == "index 9 of table found, 0 to 1 expected"


def _spins(t: Any) -> None:
    while True: pass  # fmt: skip  # noqa: E701


def _goes_on(t: Any) -> None:
    while True:
        try:
            while True:
                t[0, 0]
        except BaseException:
            continue


def _turns(t: Any) -> int:
    return sum(1 for _ in iter(int, 1))


@pytest.mark.parametrize("way", [_spins, _goes_on, _turns])
def test_ends(way: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "MOST_LINES", 1000)
    assert _one(way) == "1000 lines run in one call, an end expected"


def _again(t: Any) -> Any:
    return _again(t)


def test_calls_of_itself() -> None:
    with pytest.raises(JumpnetError, match=r"^it: .*calls itself, which own functions may not"):
        Trial(_again, "it")
    with pytest.raises(JumpnetError, match="calls itself, which own functions may not"):
        rebuilt(_again, lambda plain: plain)
    assert _said(_again, 1, compiled=False) == "calls itself without end"


def _closed_over(names: Any) -> Any:
    return lambda t: names[0]


def test_what_cannot_be_checked() -> None:
    for way, words in (
        (_closed_over(NAMES), "names is an array of object, numbers expected"),
        (lambda t: NAMES[0], "NAMES is an array of object, numbers expected"),
        (lambda t: DAYS[0], r"DAYS is an array of datetime64\[D\], numbers expected"),
        (lambda t: reader(t), "nditer found, which is not checked"),
        (lambda t: t.flat[9], "flat found, which is not checked"),
    ):
        with pytest.raises(JumpnetError, match=words):
            Trial(way)


class Odd:
    """A value that cannot be shown."""

    def __repr__(self) -> str:
        """Fails."""
        raise ValueError


def test_values_are_shown_on_one_short_line() -> None:
    assert shown(Odd()) == "a value of type Odd"
    assert shown("a\nb" * 100) == repr("a\nb" * 100)[:60] + "..."
    assert shown(np.zeros((2, 2))) == "array([[0., 0.], [0., 0.]])"


def _interrupted(t: Any) -> None:
    raise KeyboardInterrupt


def test_an_interruption_is_no_fault() -> None:
    with pytest.raises(KeyboardInterrupt):
        Trial(_interrupted)(1)


def _lists(t: Any) -> Any:
    made = List()
    made.append((1.5, t, 2.5, True))
    return made[0][1]


def test_what_numba_does_to_compile_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "MOST_LINES", 1000)
    assert Trial(_lists)(7) == 7


def test_who_makes_a_dataclass() -> None:
    asked: list[bool] = []

    @dataclasses.dataclass(frozen=True)
    class Asks:
        number: int

        def __post_init__(self) -> None:
            asked.append(made_outside())

    dataclasses.replace(Asks(1), number=2)
    exec(compile("Asks(3)", trial.__file__, "exec"), {"Asks": Asks})
    assert asked == [True, True, False]
