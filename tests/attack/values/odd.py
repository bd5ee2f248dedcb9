"""Values that a caller's own program may hand over by mistake: of odd types, without end, or that raise or lie."""

from __future__ import annotations

import datetime
import decimal
import fractions
import io
import itertools
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FunctionType
from typing import Any
from unittest import mock

import numpy as np

__all__ = ["ODD"]

ASKED = (
    "iter", "next", "float", "index", "int", "complex", "str", "repr", "format", "eq", "ne", "lt", "le", "gt",
    "ge", "hash", "len", "getitem", "contains", "bool", "array", "call", "fspath", "bytes", "add", "radd",
    "mul", "rmul", "mod", "floordiv", "truediv", "rtruediv", "sub", "rsub", "neg", "abs", "round", "trunc",
    "enter", "exit", "reversed", "copy", "deepcopy", "reduce_ex", "sizeof",
)  # fmt: skip
"""What Python asks of objects."""


def _raises(error: Callable[[], BaseException], asked: Iterable[str] = ASKED, base: type = object) -> type:
    def fails(self: object, *given: object, **named: object) -> Any:
        raise error()

    def named(name: str) -> Any:
        code = fails.__code__.replace(co_name=f"__{name}__")  # as if it had been written so
        return FunctionType(code, globals(), closure=fails.__closure__)

    return type("Raises", (base,), {f"__{name}__": named(name) for name in asked})


def _answers(answer: Any, asked: Iterable[str] = ASKED, base: type = object) -> type:
    return type("Lies", (base,), {f"__{name}__": lambda self, *given, **named: answer for name in asked})


class NoAttributes:
    """Any attribute that is asked for raises."""

    def __getattribute__(self, name: str) -> Any:
        """Fails."""
        raise ZeroDivisionError("an attribute")


def _fails_late() -> Any:
    yield 1
    raise ZeroDivisionError("in the middle")


def _closed() -> Any:
    file = io.StringIO("1")
    file.close()
    return file


def _nested() -> Any:
    made: Any = []
    for _ in range(100_000):
        made = [made]
    return made


def _recursive() -> Any:
    made: list[Any] = []
    made.append(made)
    return made


class SubArray(np.ndarray):
    """An array of a class of one's own, that shows itself badly."""

    def __repr__(self) -> str:
        """Fails."""
        raise ZeroDivisionError("an array")

    __str__ = __repr__


def _objects() -> Any:
    made = np.empty(2, dtype=object)
    made[0] = _raises(ZeroDivisionError)()
    return made


TEXTS = ("repr", "str", "format")
ODD: dict[str, Callable[[], Any]] = {
    "raises": lambda: _raises(lambda: ZeroDivisionError("of the caller's own"))(),
    "raises without words": lambda: _raises(RuntimeError)(),
    "raises StopIteration": lambda: _raises(StopIteration)(),
    "recursion": lambda: _raises(RecursionError)(),
    "no attributes": NoAttributes,
    "answers a text": lambda: _answers("x")(),
    "answers None": lambda: _answers(None)(),
    "answers -1": lambda: _answers(-1)(),
    "answers an array": lambda: _answers(np.zeros(3))(),
    "int that raises when shown": lambda: _raises(ZeroDivisionError, TEXTS, int)(2),
    "int that raises": lambda: _raises(ZeroDivisionError, ASKED, int)(2),
    "int that answers a text": lambda: _answers("x", ASKED, int)(2),
    "float that raises": lambda: _raises(ZeroDivisionError, ASKED, float)(0.1),
    "float that answers None": lambda: _answers(None, ASKED, float)(0.1),
    "text that raises when shown": lambda: _raises(ZeroDivisionError, TEXTS, str)("torus"),
    "text that raises": lambda: _raises(ZeroDivisionError, ASKED, str)("torus"),
    "text that answers -1": lambda: _answers(-1, set(ASKED) - {"hash"}, str)("torus"),
    "list that raises": lambda: _raises(ZeroDivisionError, ASKED, list)([0.1]),
    "dict that raises": lambda: _raises(ZeroDivisionError, ASKED, dict)(a=1),
    "tuple of what raises": lambda: (_raises(ZeroDivisionError)(),),
    "path that raises": lambda: _raises(ZeroDivisionError, ("fspath",))(),
    "path of a number": lambda: _answers(3, ("fspath",))(),
    "mock": mock.MagicMock,
    "type that raises": lambda: type("Meta", (type,), {"__call__": lambda self: 1 // 0, "__repr__": lambda self: 1})(
        "T", (), {}
    ),
    "nan": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "minus infinity": lambda: float("-inf"),
    "minus zero": lambda: -0.0,
    "zero": lambda: 0,
    "minus one": lambda: -1,
    "tiny": lambda: 5e-324,
    "large": lambda: 1e308,
    "2**31": lambda: 2**31,
    "2**63": lambda: 2**63,
    "many digits": lambda: 10**5000,
    "minus many digits": lambda: -(10**5000),
    "true": lambda: True,
    "complex": lambda: 1j,
    "decimal": lambda: decimal.Decimal("0.1"),
    "signalling": lambda: decimal.Decimal("sNaN"),
    "fraction": lambda: fractions.Fraction(1, 3),
    "int8": lambda: np.int8(2),
    "uint64": lambda: np.uint64(2**64 - 1),
    "float16": lambda: np.float16(0.1),
    "longdouble": lambda: np.longdouble("0.1"),
    "numpy bool": lambda: np.bool_(True),
    "numpy complex": lambda: np.complex64(1j),
    "numpy text": lambda: np.str_("torus:4x4"),
    "numpy bytes": lambda: np.bytes_(b"x"),
    "datetime64": lambda: np.datetime64("2020-01-01"),
    "timedelta64": lambda: np.timedelta64(3, "s"),
    "void": lambda: np.void(b"abc"),
    "record": lambda: np.zeros(1, [("a", "i4")])[0],
    "zero dimensions": lambda: np.array(1),
    "zero size": lambda: np.zeros((0, 3)),
    "zero columns": lambda: np.zeros((3, 0), np.int64),
    "not contiguous": lambda: np.arange(20)[::3],
    "big-endian": lambda: np.arange(3, dtype=">i4"),
    "array of objects": _objects,
    "masked": lambda: np.ma.array([1, 2], mask=[1, 0]),
    "masked number": lambda: np.ma.masked,
    "array of nan": lambda: np.full(3, np.nan),
    "array of bools": lambda: np.array([True, False]),
    "array of texts": lambda: np.array(["a", "b"]),
    "array of its own class": lambda: np.arange(3).view(SubArray),
    "read-only": lambda: np.broadcast_to(np.int64(1), (3,)),
    "huge array without memory": lambda: np.broadcast_to(np.int64(1), (1 << 40,)),
    "generator": lambda: (k for k in (1, 2)),
    "generator that raises": _fails_late,
    "without end": itertools.count,
    "the same without end": lambda: itertools.repeat(0.1),
    "long range": lambda: range(10**12),
    "bytes": lambda: b"torus:4x4",
    "bytearray": lambda: bytearray(b"1"),
    "memoryview": lambda: memoryview(b"12"),
    "surrogate": lambda: "\ud800",
    "NUL": lambda: "a\0b",
    "two lines": lambda: "one\ntwo",
    "long text": lambda: "a" * 10**6,
    "empty text": lambda: "",
    "spec": lambda: "torus:4x4",
    "empty list": list,
    "nested": _nested,
    "recursive": _recursive,
    "list of lists": lambda: [[1, 2], [3]],
    "list of None": lambda: [None],
    "mixed list": lambda: [1, "a", None, 2.5],
    "dict": lambda: {"load": 1},
    "set": lambda: {1, "a"},
    "None": lambda: None,
    "function": lambda: lambda *given: 1 // 0,
    "type": lambda: int,
    "module": lambda: np,
    "ellipsis": lambda: ...,
    "closed file": _closed,
    "path": lambda: Path("/dev/null/at/all"),  # where nobody can make a folder
    "folder": lambda: Path("/proc"),
    "device": lambda: "/dev/full",
    "date": lambda: datetime.date(2020, 1, 1),
    "not implemented": lambda: NotImplemented,
}
"""By name, each made anew: many can be read only once."""
