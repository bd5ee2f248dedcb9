"""Numbers that compiled code would have otherwise than Python: powers below 0 and floats beyond whole numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED, open_i64
from jumpnet.jit.linked import pointer
from jumpnet.own.strict import RAISED, frozen, strict, whole_number
from jumpnet.routings._compiled import compiled
from jumpnet.routings._guarded import guard_relation

INTEGERS = {3: np.int32, 4: np.uint64}
"""Types that the function below makes of a float, by the way it is asked for."""


def several(given):
    """A power or a rounding of the kind asked for."""
    kind, base, number = given[0], given[1], given[2]
    made = 1e18 * base * number
    if kind == 0:
        return base**number
    if kind == 1:
        base **= number
        return base
    if kind == 2:
        return math.floor(made) if base > 3 else round(made)
    if kind == 3:
        return int(np.int32(number / base))
    if kind == 4:
        return int(np.uint64(number / base) // 2)
    if kind == 5:
        return int(made - made * 1e308 * 1e308)
    return int(made) + base**3 + 2**4


def in_python(given: list[int]) -> int:
    """The same in plain Python; RAISED where it has no whole number of the type."""
    if given[0] in INTEGERS:
        value, limits = given[2] / given[1], np.iinfo(INTEGERS[given[0]])
        if not limits.min <= math.trunc(value) <= limits.max:
            return RAISED
        return math.trunc(value) // (2 if given[0] == 4 else 1)
    try:
        found = several(given)
    except (ValueError, OverflowError, ZeroDivisionError):
        return RAISED
    return found if isinstance(found, int) and -(2**63) <= found < 2**63 else RAISED


CASES = [
    *([kind, base, number] for kind in (0, 1) for base in (-2, 0, 1, 2, 3) for number in (-3, -1, 0, 1, 5)),
    *([kind, base, number] for kind in (2, 6) for base in (-5, 2, 4) for number in (-3, 0, 1, 2, 100)),
    *([3, base, number] for base in (1, 3, -2) for number in (2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**62, 7)),
    *([4, base, number] for base in (1, 3, -2) for number in (2**62, 5, 0, -1, 1)),
    [5, 1, 1],
]  # fmt: skip


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
def test_numbers_are_those_of_python_or_an_error() -> None:
    """2 ** -1 was 0, and int(1e19) the least number there is."""
    compiled = strict(several)

    def enter(address, length):
        try:
            return whole_number(compiled(frozen(open_i64(address, length))))
        except Exception:
            return RAISED

    made = pointer("int64(int64, int64)", enter, several)
    arrays = [np.array(given, np.int64) for given in CASES]
    found = [made.ctypes(array.ctypes.data, len(array)) for array in arrays]
    expected = [in_python(given) for given in CASES]
    assert found == expected
    assert 20 < expected.count(RAISED) < len(CASES) - 30


def of_arrays(net, here, head, out):
    return int((net.coord[here] ** head[1])[0] * 0)


def called(net, here, head, out):
    return pow(here, head[1]) * 0


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("relation", "words"),
    [(of_arrays, "a whole number to a power below 0 found"), (called, r"pow found: a \*\* b expected")],
)
def test_powers_that_are_not_looked_at_when_they_run_are_refused(relation: Any, words: str) -> None:
    with pytest.raises(JumpnetError, match=rf"does not compile: .*\.py:\d+: {words}"):
        compiled(guard_relation, relation, "own.x")
