"""Kernels from the disk run without Numba, with the same answers as the Python that they were compiled from."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jumpnet.jit import loaded as _loaded
from jumpnet.jit.decorator import DISABLED

compiled_only = pytest.mark.skipif(DISABLED, reason="nothing is compiled")

PROGRAM = """
import sys
from typing import NamedTuple
import numpy as np
from jumpnet.jit.linked import entry, kernel, pointer

class Pair(NamedTuple):
    rows: object
    step: int

@kernel
def halved(x):
    return x // 2

@entry
def several(x, y, flag, rows, table, pair, shift=3):
    rows[1] = halved(x)
    return rows[0] + rows[2], y * table[1, 0] + pair.rows[pair.step], flag and x > 2, shift

@entry
def nothing(rows):
    rows[0] += 1

@entry
def mean(rows):
    if len(rows) == 0:
        raise ValueError("no rows", 7)
    return rows.sum() / len(rows)

def make(factor):
    def enter(x):
        return factor * halved(x)
    return pointer("int64(int64)", enter, halved.py_func)

@entry
def called(function, x):
    return function(x) + 1

table = np.arange(6.0).reshape(2, 3).T  # columns first
fixed = np.arange(4)
fixed.flags.writeable = False
told = []
for rows in (np.arange(3), np.arange(9)[::3], np.arange(3, dtype=np.int32)):
    plain, given = rows.copy(), rows
    arguments = (np.int32(5), 0.5, np.bool_(True))
    found = several(*arguments, given, table, Pair(fixed, 2))
    assert found == several.py_func(*arguments, plain, table, Pair(fixed, 2)), found
    assert given.tolist() == plain.tolist()
    told.append(found)
assert several(5, 0.5, False, np.arange(3), table, Pair(fixed, 1), shift=2**40)[2:] == (False, 2**40)
told.append(nothing(given))
told.append([type(x).__name__ for x in found])
told.append(mean(np.arange(4)))
try:
    mean(np.arange(0))
except ValueError as error:
    told.append(error.args)
told += [make(4).ctypes(9), halved(9)]
loaded = "numba" in sys.modules
told.append(called(make(3), 9))  # what asks Numba how to call a function that is none of C
print(told, loaded)
"""


def _run(folder: Path, program: str, *words: str) -> str:
    (folder / "own.py").write_text(program)
    environment = os.environ | {"JUMPNET_CACHE_DIR": str(folder / "cache")}
    made = subprocess.run(
        [sys.executable, "own.py", *words], capture_output=True, text=True, check=False, cwd=folder, env=environment
    )
    assert made.returncode == 0 and not made.stderr, made.stderr
    return made.stdout.strip()


@compiled_only
def test_what_is_on_the_disk_runs_without_numba(tmp_path: Path) -> None:
    first, second = _run(tmp_path, PROGRAM), _run(tmp_path, PROGRAM)
    assert first.endswith(" True") and second.endswith(" False")
    assert first.removesuffix(" True") == second.removesuffix(" False")
    assert "None, ['int', 'float', 'bool', 'int'], 1.5, ('no rows', 7), 16, 4, 13]" in second


ARRAYS = """
import resource, sys
import numpy as np
from jumpnet.jit.linked import entry, kernel, pointer

@kernel(allocates=True)
def turned(rows):
    return rows[::-1].copy()

@entry(allocates=True)
def asked(function, rows, found):
    made = np.zeros(len(rows), np.int64)
    for _ in range(2):
        made += turned(rows)
    for k in range(len(rows)):
        found[k] = function(made[k])
    if found[0] == 0:
        raise ValueError("nothing", 7)
    return made.ctypes.data % 32

@entry(allocates=True)
def often(times, size):
    total = 0
    for k in range(times):
        made = np.full(size, k)
        total += made[size - 1]
    return total

def make(factor):
    def enter(x):
        return factor * x
    return pointer("int64(int64)", enter, turned.py_func)

before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # the most of who started this process counts too
rows, found = np.arange(5), np.zeros(5, np.int64)
told = [asked(make(3), rows, found), found.tolist(), often(3000, 1 << 17)]
try:
    asked(make(0), rows, found)
except ValueError as error:
    told.append(error.args)
print(told, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1 << 20, "numba" in sys.modules)
"""


@compiled_only
def test_arrays_that_an_entry_makes_are_its_own(tmp_path: Path) -> None:
    """Functions that it is given are called without Numba; 3 GB of arrays in turn do not add up to one."""
    first, second = _run(tmp_path, ARRAYS), _run(tmp_path, ARRAYS)
    assert first == "[0, [24, 18, 12, 6, 0], 4498500, ('nothing', 7)] True True"
    assert second == first.removesuffix("True") + "False"


@compiled_only
@pytest.mark.parametrize(
    "module", ["jumpnet.sim.simulate", "jumpnet.analysis.deadlock.prove", "jumpnet.machine", "jumpnet.chip"]
)
def test_modules_do_not_load_numba(module: str) -> None:
    words = f"import sys, {module}; print('numba' in sys.modules)"
    made = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert made.stdout.strip() == "False"


CLOSURES = """
import sys
from jumpnet.jit.linked import pointer

def source():
    pass

def make(factor):
    def enter(x):
        return factor * x
    return pointer("int64(int64)", enter, source)

print([make(factor).ctypes(5) for factor in map(int, sys.argv[1:])], "numba" in sys.modules)
"""


@compiled_only
def test_closures_that_were_compiled_apart_are_told_apart(tmp_path: Path) -> None:
    """Each is the first that its process compiles, so that Numba gives both the same name."""
    for factor in "23":
        _run(tmp_path, CLOSURES, factor)
    kept = [file.read_bytes() for file in (tmp_path / "cache").rglob("*.kernel")]
    names = {json.loads(data[data.index(b'["') :].partition(b"\n")[0])[0] for data in kept}
    assert len(kept) == 2 and len(names) == 1
    assert _run(tmp_path, CLOSURES, *"232") == "[10, 15, 10] False"


@compiled_only
def test_kernels_are_named_for_the_processor_that_numba_compiles_for() -> None:
    from numba.core.registry import cpu_target

    assert _loaded.processor() == cpu_target.target_context.codegen().magic_tuple()


@compiled_only
def test_code_that_needs_what_is_not_there_is_refused() -> None:
    asked: list[int] = []
    data = json.dumps(["f", [], [], False, ["no_such_function_of_jumpnet"]]).encode() + b"\n"
    with pytest.raises(ValueError, match="no_such_function_of_jumpnet"):
        _loaded.load(data, lambda: asked.append(1))
    assert asked == [1]
