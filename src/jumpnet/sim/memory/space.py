"""Space for the arrays of a run: each begins with a cache line, and those of a large run lie together in large pages.

A large run goes through all its arrays in each epoch; in pages of 4 KB it would wait for the tables of pages as well.
NumPy asks the system for large pages (2 MB, where it has them) in blocks of 4 MB and more, so the arrays share one
block. The system gives memory to what is written only. Used by `allocate` and `engine`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import DTypeLike

from jumpnet.terms import Array

__all__ = ["Space", "on_lines", "zeros"]

CACHE_LINE = 64
PAGE = 1 << 21
LARGE = 1 << 23
"""Bytes of a run from which on it pays."""


def zeros(shape: int | tuple[int, ...], dtype: DTypeLike) -> Array:
    """Zeros of a shape and type that begin with a cache line."""
    size = math.prod(shape) if isinstance(shape, tuple) else shape
    bytes_ = np.zeros(size * np.dtype(dtype).itemsize + CACHE_LINE, np.uint8)
    first = -bytes_.ctypes.data % CACHE_LINE
    return bytes_[first : len(bytes_) - CACHE_LINE + first].view(dtype).reshape(shape)


def on_lines(array: Array) -> Array:
    """An array of the same shape and content that begins with a cache line; it itself where it does already."""
    if array.ctypes.data % CACHE_LINE == 0 or not array.size:
        return array
    made = zeros(array.shape, array.dtype)
    made[...] = array
    return made


class Space:
    """One block for the arrays of a run that takes about so many bytes; no block for a small one."""

    def __init__(self, bytes_: int) -> None:
        self._block = np.zeros(bytes_ + PAGE if bytes_ >= LARGE else 0, np.uint8)
        self._next = -self._block.ctypes.data % PAGE

    def zeros(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> Array:
        """Zeros that begin with a cache line; outside the block when it is full."""
        size = math.prod(shape) if isinstance(shape, tuple) else shape
        first, bytes_ = self._next, size * np.dtype(dtype).itemsize
        if first + bytes_ > self._block.size:
            return zeros(shape, dtype)
        self._next += -(-bytes_ // CACHE_LINE) * CACHE_LINE
        return self._block[first : first + bytes_].view(dtype).reshape(shape)
