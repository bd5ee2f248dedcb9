"""Linked kernels: what an entry knows as a constant is its own, and no other compiled code is touched by it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from jumpnet.jit.arguments import address_of
from jumpnet.jit.decorator import DISABLED

PROGRAM = """
import numpy as np
from jumpnet.jit.decorator import intrinsic, jit, types
from jumpnet.jit.linked import entry, inlined, kernel
from jumpnet.jit.records.record import RecordMemory
from jumpnet.jit.records.record_types import RecordType, tell_known
from typing import NamedTuple

class Known(NamedTuple):
    address: int

class Asked(NamedTuple):
    address: int

PLACE = {"factor": 0, "shift": 1}
RECORD = RecordType("Tried", PLACE, {}, {"factor"})

class Memory(RecordMemory):
    PLACE = PLACE

@intrinsic
def memory_at(typingctx, address):
    values = {"factor": 10} if address.instance_class is Known else {}

    def codegen(context, builder, signature, args):
        tell_known(context, builder.module, RECORD, values)
        return builder.extract_value(args[0], 0)

    return RECORD(address), codegen

@jit
def shared(x, rows):
    for k in range(len(rows)):
        x += rows[k]
    return x

@kernel
def mixed(m, x):
STEPS
    return x

@inlined
def moved(m, x):
    return mixed(m, x) + mixed(m, -x) + m.shift

@entry
def run(address, x, rows):
    m = memory_at(address)
    return moved(m, shared(x, rows))

@jit
def plain(x, rows):
    return 2 * shared(x, rows)

@entry
def twice(x):
    return 2 * halved(x)

@kernel
def halved(x):
    return x // 2

rows = np.arange(4)
memory = Memory(factor=3, shift=1)
told = [run(kind(memory.address), 5, rows) for kind in (ORDER)]
told += [plain(5, rows), twice(9), halved(9), len(halved.overloads)]
print(told)
"""


STEPS = 40 * ["    x = (x * m.factor + 1) % 1009"]
"""So many that the compiler keeps a function of its own."""


def _run(factor: int, shift: int) -> int:
    """What `run` says for 5 and rows 0 to 3, whose sum is 11."""

    def mixed(x: int) -> int:
        for _ in STEPS:
            x = (x * factor + 1) % 1009
        return x

    return mixed(11) + mixed(-11) + shift


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize("order", ["Known, Asked", "Asked, Known"])
def test_each_entry_has_its_own_constants_in_shared_kernels(order: str) -> None:
    program = PROGRAM.replace("ORDER", order).replace("STEPS", "\n".join(STEPS))
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    runs = [_run(10, 1) if kind == "Known" else _run(3, 1) for kind in order.split(", ")]
    assert made.stdout.strip() == str([*runs, 22, 8, 4, 1]), made.stderr


MIXED = """
import numpy as np
from jumpnet.jit.decorator import jit, types
from jumpnet.jit.linked import entry, kernel, pointer

@kernel
def halved(x):
    return x // 2

@kernel
def quarter(x):
    return halved(halved(x))

@kernel(allocates=True)
def squares(x):
    return (np.arange(x) ** 2).sum()

@jit
def outside(x):
    return quarter(x) + squares(x)

@entry(allocates=True)
def whole(x):
    rows = np.zeros(x, np.int64)
    for k in range(x):
        rows[k] = quarter(k) + outside(k)
    return rows.sum()

def wrapper(x):
    return outside(x) + squares(quarter(x))

@jit
def called(function, x):
    return function(x)

made = pointer("int64(int64)", wrapper, wrapper)
print([outside(9), whole(9), called(made, 9), outside(9)])

@jit
def wrong(x):
    return whole(x)

try:
    wrong(9)
except RuntimeError as error:
    print(error)
"""


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
def test_kernels_are_called_by_functions_of_any_kind(tmp_path: Path) -> None:
    def outside(x: int) -> int:
        return x // 4 + sum(k * k for k in range(x))

    (tmp_path / "mixed.py").write_text(MIXED)
    expected = [outside(9), sum(k // 4 + outside(k) for k in range(9)), outside(9) + 1, outside(9)]
    for _ in range(2):  # compiled, then from the disk
        made = subprocess.run(
            [sys.executable, "mixed.py"], capture_output=True, text=True, check=False, cwd=tmp_path,
            env=os.environ | {"JUMPNET_CACHE_DIR": str(tmp_path / "cache")},
        )  # fmt: skip
        assert made.returncode == 0, made.stderr
        said, refused = made.stdout.splitlines()
        assert said == str(expected), made.stderr
        assert refused.endswith("is an entry, which Python calls: a kernel calls kernels")


def test_an_array_is_passed_by_the_address_of_its_first_number() -> None:
    """Of views, arrays of nothing, arrays that may not be written, and those of memory that is not NumPy's."""
    whole = np.arange(24, dtype=np.int32).reshape(4, 6)
    fixed = whole[1:]
    fixed.setflags(write=False)
    given = (whole, whole[2:, 3:], whole[::-1], whole.T, fixed, np.zeros((3, 0)), np.frombuffer(b"\x00" * 16, np.int64))
    for array in given:
        assert address_of(array) == array.ctypes.data
    assert address_of(whole[2:, 3:]) == address_of(whole) + 4 * 15


SHORT_LOOPS = """
import numpy as np
from jumpnet.jit.linked import entry

def summed(x, rows):
    for k in range(len(rows)):
        x += rows[k]
    return x

rows, asked = np.arange(40), []
for made in (entry(summed), entry(summed, sort="short loops"), entry(summed, sort="seldom")):
    asked += [made(3, rows), len(next(iter(made._codes.values())).object_file)]
print(asked[0] == asked[2] == asked[4], asked[3] < asked[1] and len({*asked[1::2]}) == 3, asked)
"""


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
def test_entries_of_three_sorts_are_compiled_in_three_ways(tmp_path: Path) -> None:
    """None of three entries of one function finds the other's code on the disk."""
    (tmp_path / "short.py").write_text(SHORT_LOOPS)
    made = subprocess.run(
        [sys.executable, "short.py"], capture_output=True, text=True, check=False, cwd=tmp_path,
        env=os.environ | {"JUMPNET_CACHE_DIR": str(tmp_path / "cache")},
    )  # fmt: skip
    assert made.stdout.startswith("True True"), made.stdout + made.stderr


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
def test_what_a_call_of_a_kernel_is_to_numba_is_made_once_for_the_kinds_that_it_takes() -> None:
    from numba import types

    from jumpnet.jit.bodies import kernel_of

    def shifted(x: int, by: int = 1) -> int:
        return x * by

    made = kernel_of(shifted, False, False)
    whole, *_, given, _ = made.get_call_template((types.int32,), {"by": types.int64})
    again, *_, same, _ = made.get_call_template((types.literal(3), types.int64), {})
    other, *_ = made.get_call_template((types.float64, types.int64), {})
    assert whole is again and given == same == (types.int64, types.int64) and other is not whole
    assert [sig.args for sig in whole.cases] == [given] and len(other.cases) == 2
