"""Arrays that nobody can write any more: compiled code reads them without a look, so they stay as they were checked.

NumPy lets the flag of an array be set again where its memory can be written. It is therefore handed the memory as a
buffer that is read-only. Shape, strides and type of an array are another matter: NumPy sets them in place, of one that
cannot be written too, and whoever else holds that array then reads other numbers. So a class that keeps such arrays
gives a view of its own to everyone who asks (`show_views`), and keeps to itself what was checked.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from jumpnet.terms import Array

__all__ = ["is_locked", "kept", "locked", "read_only", "show_views"]

_locked: WeakValueDictionary[int, Array] = WeakValueDictionary()


def read_only(array: Any) -> Array:
    """The same memory, type and shape as an array that cannot be written, nor made writable.

    >>> read_only(np.zeros(2)).flags.writeable = True
    Traceback (most recent call last):
    ...
    ValueError: cannot set WRITEABLE flag to True of this array
    """
    return np.asarray(memoryview(array).toreadonly())


def locked(array: Array) -> Array:
    """The same memory and shape, read-only and known as such: for arrays that nobody else holds."""
    made = read_only(array)
    _locked[id(made)] = made
    return made


def is_locked(array: Any) -> bool:
    """Whether `locked` has made this very array."""
    return array is not None and _locked.get(id(array)) is array


def kept(array: Any) -> Any:
    """The locked array that an array is a whole view of, as `show_views` gives them; anything else is given back.

    >>> one = locked(np.arange(6))
    >>> kept(one.view()) is one, kept(one[:3]) is one, kept(one.reshape(2, 3)) is one
    (True, False, False)
    """
    base: Any = array.base if type(array) is np.ndarray else None
    if not is_locked(base):
        return array
    same = array.shape == base.shape and array.strides == base.strides and array.dtype == base.dtype
    return base if same else array


def _view(held: Any) -> Any:
    """Arrays as views of their own, also those in a tuple."""
    if isinstance(held, np.ndarray):
        return held.view()
    return type(held)(*map(_view, held)) if isinstance(held, tuple) else held


class _Shown:
    """An attribute of a class that shows the array in each object's `vars` as a new view: nobody changes its shape."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, held_by: Any, owner: type | None = None) -> Any:
        if held_by is None:
            return self
        try:
            held = held_by.__dict__[self.name]
        except KeyError:
            raise AttributeError(f"{type(held_by).__name__!r} object has no attribute {self.name!r}") from None
        return held.view() if type(held) is np.ndarray else _view(held)

    def __set__(self, held_by: Any, value: Any) -> None:
        held_by.__dict__[self.name] = value


def show_views(kind: type, *names: str) -> None:
    """Let `_Shown` show these attributes of a class of frozen data; in its body they would be taken for defaults.

    >>> from dataclasses import make_dataclass
    >>> Kind = make_dataclass("Kind", ["table"], frozen=True)
    >>> show_views(Kind, "table")
    >>> one = Kind(locked(np.zeros((2, 3))))
    >>> one.table.shape = 6
    >>> one.table.shape
    (2, 3)
    """
    for name in names:
        setattr(kind, name, _Shown(name))
