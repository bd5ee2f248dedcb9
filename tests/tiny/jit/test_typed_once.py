"""Kernels are typed once for what means the same to them: numbers of any size, records that they do not tell apart."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from jumpnet.jit.decorator import DISABLED
from jumpnet.jit.linked import entry, kernel
from jumpnet.jit.records.reach import names_reached

compiled_only = pytest.mark.skipif(DISABLED, reason="nothing is compiled")


@kernel
def _less(x, by):
    return (x << 2) - by


@kernel
def _halved(x, flag):
    return x // 2 if flag else x


@entry
def _asks(x, rows):
    return _less(x, 3) + _less(rows[0], rows[1]) + _less(-7, x) + _halved(rows[0], True) + _halved(0.5, False)


@compiled_only
def test_whole_numbers_of_any_size_are_one_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUMPNET_CACHE_DIR", str(tmp_path))  # an entry that is on the disk types nothing
    rows = np.array([2**31 - 1, -(2**31)], np.int32)
    assert _asks(5, rows) == _asks.py_func(5, rows.astype(np.int64))
    assert len(_less.overloads) == 1
    assert len(_halved.overloads) == 2  # one of them for a number that is none


def _deep(m):
    return m.sets


def _by_global(m):
    return _deep(m)


_module = ModuleType("module")
_module.inside = _by_global  # type: ignore[attr-defined]
_several = (len, _by_global)


def _by_module(m):
    return _module.inside(m)


def _by_tuple(m):
    return _several[1](m)


def _around(m, function):
    return function(m)


def test_names_are_found_through_all_that_a_function_calls() -> None:
    def closed(m):
        return given(m)

    given = _by_module
    for function in (_deep, _by_global, _by_module, _by_tuple, closed):
        assert "sets" in names_reached([function])
    assert "sets" not in names_reached([_around])
    assert "sets" in names_reached([_around, _by_tuple])


@compiled_only
def test_kernels_of_the_simulator_take_records_as_what_they_ask_of_them() -> None:
    from jumpnet.jit.later import compiler
    from jumpnet.sim.engine import cycle
    from jumpnet.sim.memory.record import _memory_type
    from jumpnet.sim.memory.run_kinds import SetsWide
    from jumpnet.sim.router.switch_allocation import choose

    compiler()
    wide, plain = _memory_type(SetsWide), _memory_type(None)
    go, sets = cycle.go.py_func, cycle.epoch_of_sets.py_func
    assert wide.taken_as((go,)) == plain
    assert wide.taken_as((go, sets)) == wide
    assert wide.taken_as((choose.py_func,)) == plain == plain.taken_as((sets,))
