"""Steps that Numba takes quicker in our kernels: the same variables, the same code, the same words of an error."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jumpnet.jit.decorator import DISABLED
from jumpnet.jit.linked import kernel

pytestmark = pytest.mark.skipif(DISABLED, reason="nothing is compiled")


def _walks(rows, out, n):
    """Loops, branches, tuples, slices, calls and variables that end in several places."""
    found, pair = 0, (n, n + 1)
    for i in range(n):
        here = rows[i]
        while here > 0:
            here = abs(here) // 2 - 1 if here % 3 else here - pair[1]
            found += min(here, pair[0])
        if found > 100:
            break
        out[i : i + 1] = found
    return found if found else out[0] + pair[0]


def _unlike(n):
    return n + "x"


def _compiled(function: Any, *args: Any) -> Any:
    import numba

    made = numba.njit(function, error_model="numpy")
    made.compile(tuple(map(numba.typeof, args)))
    return made


def _told(code: str) -> str:
    """Compiled code without names, in which Numba counts functions, and without the bytes that hold such names."""
    names = r"(v|_)\d+|0x[0-9a-f]+|i64 \d{9,}|\[\d+ x i8\]|[A-Za-z0-9_$.]*_walks[^ (,\"]*"
    return re.sub(names, "", "\n".join(line for line in code.splitlines() if not line.startswith("@")))


def test_the_code_is_the_same_as_by_numbas_own_steps() -> None:
    from jumpnet.jit.quick_steps import STEPS, quick_steps

    args = np.arange(9), np.zeros(9, np.int64), 8
    before = [getattr(owner, name) for owner, name, _ in STEPS]
    theirs = _compiled(_walks, *args)
    with quick_steps():
        assert [getattr(owner, name) for owner, name, _ in STEPS] == [ours for *_, ours in STEPS]
        mine = _compiled(_walks, *args)
    assert [getattr(owner, name) for owner, name, _ in STEPS] == before
    assert theirs(*args) == mine(*args) == _walks(*args)
    one, other = (_told(next(iter(made.inspect_llvm().values()))) for made in (theirs, mine))
    assert one.count("\n") > 100 and one == other


def test_the_variables_of_an_instruction_are_those_that_numba_finds() -> None:
    from numba.core import compiler, ir

    from jumpnet.jit.quick_steps import _of_expression, _of_statement

    seen = 0
    for block in compiler.run_frontend(_walks).blocks.values():
        for statement in block.body:
            assert _of_statement(statement) == statement.list_vars()
            value = getattr(statement, "value", None)
            if isinstance(value, ir.Expr):
                assert _of_expression(value) == value.list_vars()
                seen += len(value.list_vars())
    assert seen > 20


def test_an_error_says_where_it_was_in_the_same_words() -> None:
    from numba.core.errors import NumbaError

    from jumpnet.jit.quick_steps import quick_steps

    with pytest.raises(NumbaError) as theirs:
        _compiled(_unlike, 1)
    with quick_steps(), pytest.raises(NumbaError) as mine:
        _compiled(_unlike, 1)
    said, expected = (str(error.value).split() for error in (mine, theirs))  # Numba indents each time by more
    assert said == expected and "During: typing of" in " ".join(said)


def test_what_numba_is_taught_meanwhile_is_known() -> None:
    from numba.extending import overload

    from jumpnet.jit.quick_steps import quick_steps

    def asked(n):
        """Compiled code only."""

    def asks(n):
        return asked(n) + 1

    with quick_steps():
        assert _compiled(lambda n: n + 1, 1)(1) == 2  # all that was taught before is known now
        overload(asked)(lambda n: lambda n: 2 * n)
        assert _compiled(asks, 3)(3) == 7


def test_who_listens_to_numba_is_told() -> None:
    from numba.core import event

    from jumpnet.jit.quick_steps import quick_steps

    kinds = "numba:run_pass", "numba:llvm_lock"
    with quick_steps(), event.install_recorder(kinds[0]) as passes, event.install_recorder(kinds[1]) as calls:
        _compiled(_third, 3)
    for recorder in (passes, calls):
        told = [one for _, one in recorder.buffer]
        assert sum(one.is_start for one in told) == sum(one.is_end for one in told) > 10


def _third(n):
    return n // 3


def _halved(n, loc=None):
    return n // 2


def test_an_argument_for_the_place_is_found() -> None:
    from functools import partial, wraps

    from numba.core import base

    from jumpnet.jit.quick_steps import _takes_place

    def last(a, *, loc):
        """By name."""

    def inside(**named):
        loc = named
        return loc

    @wraps(last)
    def around(*args, **named):
        """It says that it takes what another takes."""

    for function in (_halved, last, inside, around, partial(_halved, 1), partial(inside), int.bit_length):
        assert _takes_place(function) == base._has_loc(function)
    assert _takes_place(last) and _takes_place(around) and not _takes_place(inside)


def test_a_place_in_a_source_is_told_from_the_folder_where_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from numba.core import ir

    from jumpnet.jit.quick_steps import _path

    for folder in (Path.cwd(), tmp_path):
        monkeypatch.chdir(folder)
        places = [ir.Loc(name, 3) for name in (__file__, __file__, "<string>", str(tmp_path / "own.py"))]
        assert [_path(place) for place in places] == [place._get_path() for place in places]


def test_numbas_settings_are_read_once_for_an_entry_and_all_its_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba.core import config

    from jumpnet.jit.bodies import entry_code

    third, asked = kernel(_third), []
    monkeypatch.setattr(config._env_reloader, "update", lambda: asked.append("environment"))

    def sixth(x: int) -> int:
        return third(x) // 2

    for times in (1, 2):
        entry_code(sixth, (9,))
        assert asked == ["environment"] * times
