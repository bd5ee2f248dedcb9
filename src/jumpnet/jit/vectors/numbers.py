"""Machine vectors for kernels: sixteen int32 or int64 numbers, or a row of four uint64 words; in Python, NumPy arrays.

`&`, `|` and `^` work on all members of two vectors at once, `+` and `-` number by number (they wrap), shifts and `*`
with a plain number. Sixteen numbers are sixteen sets of lanes (`sim.sets.switch_allocation`); a row is one
set of 256 (`graph._bfs_all`). Explicit, because LLVM turns plain loops over the words into gathers, 2.4 to 5.7 times
slower.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from jumpnet.jit.decorator import DISABLED
from jumpnet.jit.later import in_compiled_code
from jumpnet.jit.vectors.sizes import NUMBERS, WORDS

__all__ = ["BITS", "WORDS", "at", "choose", "count", "found", "load", "splat", "store", "total", "zero"]

BITS = 64 * WORDS
"""Members that a row can hold."""

if DISABLED:

    def at(array: Any, index: int) -> Any:
        """array[index], without the test for a negative index."""
        return array[index]

    def load(cells: Any, first: int) -> Any:
        """Numbers first..first+15 of some cells, or row `first` of a table (R, WORDS) of rows."""
        return (cells[first] if cells.ndim == 2 else cells[first : first + NUMBERS]).copy()

    def store(cells: Any, first: int, vector: Any) -> None:
        """Write them back."""
        cells[first if cells.ndim == 2 else slice(first, first + NUMBERS)] = vector

    def splat(cells: Any, number: int) -> Any:
        """Sixteen times the same number, of the size of those of some cells."""
        return np.full(NUMBERS, number, np.int64).astype(cells.dtype)

    def zero() -> Any:
        """A row of zeros."""
        return np.zeros(WORDS, np.uint64)

    def found(vector: Any) -> int:
        """Bit k: whether number or word k is not 0."""
        return sum(1 << int(k) for k in np.flatnonzero(vector))

    def choose(which: Any, one: Any, other: Any) -> Any:
        """Number k of `one` where number k of `which` is not 0, else of `other`."""
        return np.where(which != 0, one, other)

    def count(row: Any) -> Any:
        """Members, counted word by word."""
        return np.bitwise_count(row).astype(np.uint64)

    def total(row: Any) -> int:
        """Sum of the words, as int64."""
        return int(row.sum())

else:

    def _code() -> ModuleType:
        from jumpnet.jit.vectors import code as _vector_code

        return _vector_code

    at, load, store, splat, zero, found, choose, count, total = in_compiled_code(
        _code, "at", "load", "store", "splat", "zero", "found", "choose", "count", "total"
    )
