"""Kernels that count no references: the numbers of plain Python, and arrays still end."""

from __future__ import annotations

from pathlib import Path
from types import FunctionType

import numpy as np
import pytest

from jumpnet.jit.decorator import DISABLED
from jumpnet.jit.linked import entry, inlined, kernel

compiled_only = pytest.mark.skipif(DISABLED, reason="nothing is compiled")


@inlined
def _least(a, b):
    found = a
    if b < found:
        found = b
    return found


def _steps(rows, n, limit):
    """Variables that begin in a branch, end in a loop, and are other ones afterwards."""
    found, last = 0, (n, limit)
    for i in range(n):
        here = rows[i]
        while here > 0:
            if here % 3 == 0:
                last = here, i
                step = here // 3
            else:
                step = _least(here, last[0] + 1)
            here -= step
            found += step * last[1]
        if found > limit:
            found -= limit
            continue
        rows[i] = found
    return found, last[0] + last[1]


_walk = kernel(_steps)


def _both(rows, n, limit):
    found, last = _walk(rows, n, limit)
    return found * 1000 + last + rows[n - 1]


_made = entry(_both)


@kernel(allocates=True)
def _kept(n):
    made = np.zeros(n, np.int64)
    for i in range(n):
        made = np.append(made, i) if i % 2 else made
    return made


@entry(allocates=True)
def _sizes(n):
    total = 0
    for i in range(n):
        total += _kept(i).size
    return total


@compiled_only
def test_numbers_are_those_of_plain_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUMPNET_CACHE_DIR", str(tmp_path))  # an entry that is on the disk lowers nothing
    for n, limit in ((1, 5), (7, 100), (20, 3)):
        one, other = (np.arange(n) * 7 % 23 for _ in range(2))
        assert _made(one, n, limit) == _in_python(other, n, limit)
        assert one.tolist() == other.tolist()


def _in_python(rows, n, limit):
    """The same functions, run by Python."""
    walk = FunctionType(_steps.__code__, globals() | {"_least": min})
    return FunctionType(_both.__code__, globals() | {"_walk": walk})(rows, n, limit)


@compiled_only
def test_only_what_counts_no_references_is_lowered_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUMPNET_CACHE_DIR", str(tmp_path))
    from numba.core.lowering import Lower

    from jumpnet.jit import kernel_lowering

    asked = []

    def lower_of(flags):
        asked.append((flags.nrt, kernel_lowering.lower_of(flags)))
        return asked[-1][1]

    monkeypatch.setattr("jumpnet.jit.bodies.lower_of", lower_of)
    assert _sizes(6) == sum(n + n // 2 for n in range(6))
    assert asked and all((lower is Lower) == counts for counts, lower in asked)
    assert {counts for counts, _ in asked} >= {True}
