"""What a user's own function may not name, as neither plain Python nor a compiled version of ours checks it.

Numba's checked indices cover `array[index]`. What is listed here reads or writes arrays in other ways, hands on one
that may only be read as one that may be written, or is compiled without us. Used by `own.trial.rebuilt`.
"""

from __future__ import annotations

import ctypes
import dis
from functools import lru_cache
from types import CodeType
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.jit.sources import names_of

__all__ = ["globals_of", "must_be_checkable"]

_C_FUNCTION = type(ctypes.pythonapi.Py_IsInitialized).__mro__[1]
"""What all functions of `ctypes` are."""
COMPILED_ELSEWHERE = ("CFunc", "DUFunc", "ExternalFunction", "GUFunc", "JitClassType", "StencilFunc", "_Intrinsic")
"""Types of Numba that are compiled without checks, or call code by address."""
NAMES = (
    "as_strided", "ascontiguousarray", "asfortranarray", "carray", "farray", "fill_diagonal", "flat",
    "getitem_unchecked", "isinstance", "nditer", "objmode", "take_along_axis",
)  # fmt: skip
"""Functions and attributes of arrays and lists by which compiled code leaves an array, or writes one that it may only
read, or code that is not compiled; `isinstance`, as numbers are of other types in plain Python. What else a function
may call is looked at when types are known (`jit.allowed`)."""


@lru_cache(maxsize=1 << 10)  # a proof rebuilds the same relation for every case, and each time its code was read again
def globals_of(code: CodeType) -> frozenset[str]:
    """Global names alone in a function and those within it: no attribute that happens to be called as one.

    >>> sorted(globals_of((lambda x: abs(x.size)).__code__))
    ['abs']
    """
    inner = (globals_of(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    here = (str(step.argval) for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
    return frozenset(here).union(*inner)


def must_be_checkable(thing: Any) -> None:
    """Refuse what a function names, or the code of a function, for indices that nothing checks."""
    if isinstance(thing, CodeType):
        for name in sorted(names_of(thing).intersection(NAMES)):
            place = f"{thing.co_filename}:{thing.co_firstlineno}"
            raise JumpnetError(f"{place}: {name} found, which is not checked: array[index] expected")
        return
    kind, name = type(thing).__name__, getattr(thing, "__name__", "")
    if isinstance(thing, _C_FUNCTION) or kind in COMPILED_ELSEWHERE:
        raise JumpnetError(f"{name or kind} is compiled outside of jumpnet ({kind}), a function of numba.njit expected")
    if callable(thing) and name in NAMES:
        raise JumpnetError(f"{name} found, which is not checked: array[index] expected")
