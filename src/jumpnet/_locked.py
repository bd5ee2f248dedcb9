"""Arrays that nobody can write any more: compiled code reads them without a look, so they stay as they were checked.

NumPy lets the flag of an array be set again where its memory can be written. It is therefore handed the memory as a
buffer that is read-only.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from jumpnet.terms import Array

__all__ = ["is_locked", "locked", "read_only"]

_locked: WeakValueDictionary[int, Array] = WeakValueDictionary()


def read_only(array: Any) -> Array:
    """The same memory as an array that cannot be written, nor made writable.

    >>> read_only(np.zeros(2)).flags.writeable = True
    Traceback (most recent call last):
    ...
    ValueError: cannot set WRITEABLE flag to True of this array
    """
    return np.asarray(memoryview(array).toreadonly())


def locked(array: Array) -> Array:
    """The same memory, read-only and known as such: for arrays that nobody else holds."""
    made = read_only(array)
    _locked[id(made)] = made
    return made


def is_locked(array: Any) -> bool:
    """Whether `locked` has made this very array."""
    return _locked.get(id(array)) is array
