"""Arguments of kernels without Numba: of which kind each is, and the machine words that it is passed as.

A kernel is compiled once for each tuple of kinds. Kinds are told apart as Numba does, which knows more of them: what
has none here goes to Numba (`kinds_of` answers None).
"""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

__all__ = ["Pointed", "address_of", "flat", "kinds_of", "words"]

C_ORDER, F_ORDER, ALIGNED, WRITEABLE = 0x1, 0x2, 0x100, 0x400
"""Flags of arrays, as NumPy's C interface numbers them."""
TOLD = C_ORDER | F_ORDER | ALIGNED | WRITEABLE
PLAIN: dict[type, str] = {
    bool: "bool", int: "int64", float: "float64", np.bool_: "bool",
    **{kind: np.dtype(kind).name for kind in (np.int64, np.int32, np.int16, np.int8, np.uint64, np.uint32, np.uint16,
                                             np.uint8, np.float64, np.float32)},
}  # fmt: skip
"""Numbers, and what Numba calls them."""
ELEMENTS = frozenset("?bBhHiIlLqQfd")
"""Characters of the types of numbers that arrays may be of."""


class Pointed(ABC):
    """A compiled function that is passed by its address; `words` is its signature."""

    words: str

    @property
    @abstractmethod
    def address(self) -> int:
        """Where it is."""


def _kind(value: Any) -> Any:
    kind = type(value)
    if kind is np.ndarray:
        return value.dtype, value.ndim, value.flags.num & TOLD
    if kind is int:
        if -(1 << 63) <= value < 1 << 63:
            return kind
    elif kind in PLAIN:
        return kind
    elif isinstance(value, Pointed):
        return value.words
    elif isinstance(value, tuple) and (kind is tuple or hasattr(kind, "_fields")):
        return (kind, *map(_kind, value))
    raise TypeError


def kinds_of(args: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Of which kind each argument is; None where Numba has to say."""
    try:
        return tuple([_kind(value) for value in args])
    except TypeError:
        return None


def words(kind: Any) -> str | None:
    """A kind in words that are the same in every process; None for arrays of other things than numbers."""
    if isinstance(kind, str):
        return kind
    if isinstance(kind, type):
        return PLAIN[kind]
    if isinstance(kind[0], np.dtype):
        element, dimensions, flags = kind
        if element.char not in ELEMENTS or not element.isnative:
            return None
        order = "C" if flags & C_ORDER else "F" if flags & F_ORDER else "A"
        fixed = "" if flags & WRITEABLE else "readonly "
        return f"{fixed}{element.name}[{dimensions}{order}{'' if flags & ALIGNED else ' unaligned'}]"
    inner = [words(part) for part in kind[1:]]
    if None in inner:
        return None
    return f"{kind[0].__module__}.{kind[0].__qualname__}({', '.join(map(str, inner))})"


HEAD_BYTES = object.__basicsize__
"""Bytes of a Python object before its own fields."""
_word_at = ctypes.c_void_p.from_address


def address_of(array: Any) -> int | None:
    """Where an array's numbers are: the first field that NumPy's C interface gives every array.

    `array.ctypes.data` says the same at twenty times the cost, most of what it costs to call a kernel.
    """
    return _word_at(id(array) + HEAD_BYTES).value


def flat(args: tuple[Any, ...]) -> list[Any]:
    """The machine arguments."""
    made: list[Any] = []
    _flatten(args, made)
    return made


def _flatten(args: tuple[Any, ...], made: list[Any]) -> None:
    for value in args:
        kind = type(value)
        if kind is int:  # most are, and the questions below take twenty times as long
            made.append(value)
        elif kind is np.ndarray:
            made += (None, None, value.size, value.itemsize, address_of(value), *value.shape, *value.strides)
        elif isinstance(value, tuple):
            _flatten(value, made)
        elif isinstance(value, Pointed):
            made += (value.address, None, None)
        elif isinstance(value, np.generic):
            made.append(value.item())
        else:
            made.append(value)
