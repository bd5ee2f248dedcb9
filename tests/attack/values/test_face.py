"""What people call from Python: every marked function and every setting with odd values, and what is said of each."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import itertools
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.attack.values import machine_calls
from tests.attack.values.face import attack, marked, wrong

import jumpnet
from jumpnet.analysis.deadlock.cycles.checker import accepts
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.api._fitting import fits
from jumpnet.api.public import MOST_VALUES, public
from jumpnet.coherence.functional.design import FunctionalDesign
from jumpnet.errors import JumpnetError, UnforeseenError
from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed.design import Design
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.workload import Shared, Workload, workload
from jumpnet.routings import bind
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.memory.fields import EventRow
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.topology import Family

MANUAL = sorted((Path(__file__).parents[3] / "docs").glob("*.md"))
COMPILES = {"inlined", "runner"}
"""Decorators of functions that are to be compiled, which are tried when they are."""
NOT_BY_HAND = {EventRow, Family, Shared, Workload}
"""Numbers of columns, what `Space` makes, and classes of whose heirs `settings` makes one from a spec."""


def test_odd_values_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of each in CI, all by name; of 7,090 such calls 282 ended in another exception before there was a mark."""
    monkeypatch.chdir(tmp_path)
    count, wrong = attack(1, 20)
    assert count > 150 and not wrong


def _in_the_manual() -> dict[str, Any]:
    """What its pages import, by name."""
    text = "".join(path.read_text(encoding="utf-8") for path in MANUAL)
    names = [
        (module, word.partition(" as ")[0].strip())
        for module, words in re.findall(r"from (jumpnet[\w.]*) import ([\w ,]+)", text)
        for word in words.split(",")
    ]
    return {name: getattr(importlib.import_module(module), name) for module, name in names}


def test_functions_that_the_manual_imports_are_marked() -> None:
    things = _in_the_manual()
    functions = [name for name, thing in things.items() if inspect.isfunction(thing) and name not in COMPILES]
    assert len(functions) > 30 and not [name for name in functions if not hasattr(things[name], "is_public")]


@public
def called(number: int, several: Any = (), way: Any = None, flag: bool = False, row: tuple[int, ...] = ()) -> Any:
    """What its arguments say."""
    if way is not None:
        return way()
    return number, type(number), flag, row, sum(1 for _ in itertools.islice(several, 5000))


def fails() -> None:
    """Raises an error of the caller's own."""
    raise ZeroDivisionError("two\nlines")


class Fails:
    """An object that raises when it is asked for something."""

    def __call__(self) -> None:
        raise ZeroDivisionError("two\nlines")


def test_plain_values_are_pythons_own() -> None:
    assert called(np.int8(3), flag=1, row=[np.int8(1), 2])[:4] == (3, int, True, (1, 2))
    assert called(1e6)[:2] == (10**6, int) and called(np.array(2))[1] is int
    for value in (2.5, float("nan"), True, "3", 3j, np.timedelta64(3, "s"), np.ma.masked, None, [3]):
        with pytest.raises(JumpnetError, match=r"called: number .* found, a whole number expected"):
            called(value)
    with pytest.raises(JumpnetError, match=r"called: row \(1.5,\) found, a tuple, each a whole number, expected"):
        called(1, row=(1.5,))


def test_what_goes_on_and_on_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jumpnet.api.public.MOST_VALUES", 1000)
    for several in (itertools.count(), itertools.repeat(1), range(10**12), np.broadcast_to(1, (1 << 50,))):
        with pytest.raises(JumpnetError, match=r"an end|at most 1000|of memory"):
            called(1, several)
    assert called(1, iter([1, 2]))[-1] == 2 and called(1, range(1000))[-1] == 1000 and MOST_VALUES > 1000


def test_who_raised_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError, match="two"):  # a function of the caller's own may end the call
        called(1, way=fails)
    with pytest.raises(
        JumpnetError, match=r"ZeroDivisionError: two lines, raised by an object .* \(test_face.py:.* in __call__"
    ) as of:
        called(1, way=Fails())
    assert isinstance(of.value.__cause__, ZeroDivisionError) and not isinstance(of.value, UnforeseenError)
    monkeypatch.setattr("jumpnet.routings._registry", None)
    with pytest.raises(UnforeseenError, match=r"bind\(name='torus.dateline', .*nobody foresaw, AttributeError") as of:
        bind("torus.dateline", jumpnet.network("torus:4x4").net)
    assert isinstance(of.value.__cause__, AttributeError)
    with pytest.raises(JumpnetError, match=r"bind: net='a' found, Network expected \(AttributeError"):
        bind("torus.dateline", "a")  # type: ignore[arg-type]


def test_what_stays_as_it_is() -> None:
    def interrupts() -> None:
        raise KeyboardInterrupt

    def after_an_interruption() -> None:
        try:
            interrupts()
        finally:
            fails()

    with pytest.raises(KeyboardInterrupt):
        called(1, way=interrupts)
    with pytest.raises(ZeroDivisionError):
        called(1, way=after_an_interruption)
    with pytest.raises(TypeError, match="missing 1 required"):
        called()
    with pytest.raises(JumpnetError, match="memory ran out"):
        called(1, way=lambda: np.zeros(1 << 55))
    with pytest.raises(JumpnetError, match="no such file or directory, a file that can be read or written expected"):
        called(1, way=Path("/nowhere/at/all").read_text)


def test_values_behind_names_of_types() -> None:
    assert fits("int", 1) and fits(int, 1) and not fits(int, True) and not fits(float | None, "x")
    assert fits(list[int], [1]) and not fits(list[int], [1, "a"])
    for several in (Iterable[int], Sequence[int]):
        assert fits(several, (1, 2)) and not fits(several, b"12") and not fits(several, "12")
    assert fits(Iterable[int], {1: 2}) and not fits(Iterable[int], {"a": 1})


def test_a_certificate_of_other_arrays_is_not_accepted() -> None:
    """Channels below 0 were counted from the end, and nothing, or texts, were accepted."""
    number, one = np.array([0, 2, 1]), np.array([1])
    assert accepts(number, np.array([0]), one)
    assert not accepts(number, np.array([-3]), one) and not accepts(number, one, np.array([3]))
    with pytest.raises(JumpnetError, match="whole numbers expected"):
        accepts(number, np.array(["a"]), one)


def test_settings_that_are_none() -> None:
    """True was a load of 1, and a complex number its real part."""
    net = jumpnet.network("torus:4x4")
    for name, value, words in (
        ("load", True, "a number"),
        ("load", 1j, "a number"),
        ("vcs", np.bool_(True), "a whole number"),
        ("drain", 2, "true or false"),
        ("exchange_vcs", "torus", "numbers from 0"),
        ("check_every_cycles", 10**5000, "1 to 1000000000"),
        ("more_classes", iter([{}] * 100), "a tuple of at most 7"),
    ):
        with pytest.raises(JumpnetError, match=f"{name} .*found, {words}"):
            net.simulate(**{"load": 0.1, name: value})  # type: ignore[misc]


def test_a_curve_at_no_load_is_shown() -> None:
    short = {"packet_flits": "1", "warmup_cycles": 0, "measure_cycles": 10}
    found = jumpnet.network("torus:4x4").curve(0, **short)  # type: ignore[arg-type]
    assert repr(found) == "torus:4x4, torus.dateline: load 0, no packet" and sum([found, found], 0).points
    with pytest.raises(TypeError, match="unsupported operand"):
        found + 1  # type: ignore[operator]


def test_none_in_place_of_each_parameter_of_the_machine() -> None:
    """`closed_loop(costs=None)` was an error that nobody foresaw; a page of 2**63 bytes another one."""
    things = marked()
    calls = list(machine_calls.calls(things))
    assert len(calls) > 180 and not [name for name, call in calls if wrong(call, "None")]
    found = closed_loop(streams_of(workload(machine_calls.LU).trace()), "torus:2x2")
    assert found.timing.cycles > 0
    for call, words in (
        (lambda: closed_loop(None, "torus:2x2", costs=None), "Streams expected"),  # type: ignore[arg-type]
        (lambda: Design(costs=None), "Design: costs None found, Costs expected"),  # type: ignore[arg-type]
        (lambda: FunctionalDesign(caches=3), "caches 3 found, two whole numbers or None expected"),  # type: ignore[arg-type]
        (lambda: FunctionalDesign(homes=3), "homes 3 found, a mapping or None expected"),  # type: ignore[arg-type]
        (lambda: FunctionalDesign(line_bytes=-1), "line of -1 bytes found, a power of two"),
        (lambda: FunctionalDesign(pruning=-1), "-1 entries found"),
        (lambda: Design(pruning=-1), "-1 entries found"),
        (lambda: SimConfig(load=None), "load None found"),
    ):
        with pytest.raises(JumpnetError, match=words):
            call()


def test_a_record_made_with_a_name_that_it_lacks() -> None:
    """All records that the manual makes, and all others that are marked, say which name was meant."""
    manual = {thing for thing in _in_the_manual().values() if inspect.isclass(thing) and _is_record(thing)}
    records = {thing for thing in marked().values() if inspect.isclass(thing) and _is_record(thing)}
    assert len(records) >= 18 and manual - records == NOT_BY_HAND
    for record in (*records, SimConfig, MulticastConfig, prove):
        last = [*inspect.signature(record).parameters][-1]
        with pytest.raises(JumpnetError) as said:
            record(**{last + "x": 1})
        assert f"did you mean {last!r}?" in str(said.value), record


def _is_record(thing: type) -> bool:
    return dataclasses.is_dataclass(thing) or hasattr(thing, "_fields")
