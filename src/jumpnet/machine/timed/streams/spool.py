"""Rows in order, and references sorted by processor: in memory while they are few, else in a file without a name.

So that a trace of any length takes the same memory: what `streams` reads it leaves here, and a running machine takes
from here some references of a processor at a time. The file lies where the system keeps temporary files, and is gone
when nobody has it open any more. Used by `streams`, `objects` and `machine`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import numpy as np

from jumpnet.errors import file_error
from jumpnet.terms import I64, Array

__all__ = ["MOST_HELD", "References", "Spool"]

MOST_HELD = 1 << 22
"""Rows of a spool, and references of all processors, that are held in memory."""
PIECE = 1 << 16
"""Rows that are taken up at a time."""
WINDOW = 1 << 20
"""References in memory, of all processors together, where the others lie in a file."""


@contextmanager
def _on_disk() -> Iterator[None]:
    """Raise JumpnetError where the disk fails."""
    try:
        yield
    except OSError as error:
        raise file_error(tempfile.gettempdir(), error, "room for the references of a trace expected") from None


class Spool:
    """Rows that are written once, in order, and read as often as is wanted."""

    def __init__(self, dtype: Any, most: int = MOST_HELD, piece: int = PIECE) -> None:
        """most: rows in memory; piece: rows that are taken up at a time."""
        self.rows = 0
        self._most, self._piece = most, piece
        self._next, self._filled = np.empty(piece, dtype), 0
        self._held: list[Array] = []
        self._file: IO[bytes] | None = None

    def append(self, rows: Array) -> None:
        """Rows of the type. Raises JumpnetError when the disk has no room for them."""
        self.rows += len(rows)
        while len(rows):
            part = rows[: self._piece - self._filled]
            self._next[self._filled : self._filled + len(part)] = part
            self._filled, rows = self._filled + len(part), rows[len(part) :]
            if self._filled == self._piece:
                self._put(self._next.copy())
                self._filled = 0

    def _put(self, piece: Array) -> None:
        self._held.append(piece)
        if self._file is None and len(self._held) * self._piece <= self._most:
            return
        with _on_disk():
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix="jumpnet-")  # noqa: SIM115 - open as long as the spool is
            for each in self._held:
                self._file.write(each.data.cast("B"))
        self._held.clear()

    def pieces(self) -> Iterator[Array]:
        """All rows, in order, some at a time. Raises JumpnetError where the file can no more be read."""
        if self._file is not None:
            size = self._piece * self._next.itemsize
            with _on_disk():
                self._file.seek(0)
                for place in range(0, (self.rows - self._filled) // self._piece * size, size):
                    self._file.seek(place)  # another reader may have been here since
                    yield np.frombuffer(self._file.read(size), self._next.dtype)
        yield from self._held
        if self._filled:
            yield self._next[: self._filled]


class References:
    """The references of all processors, each in its order, put here in the order of the trace.

    >>> found = References(np.array([0, 1, 3]), 9, most=0)
    >>> found.put(np.array([1, 0, 1]), np.array([7, 8, 9]))
    >>> found.take(1, 0, 5).tolist(), found.take(1, 1, 1).tolist()
    ([7, 9], [9])
    """

    def __init__(self, first: I64, largest: int, most: int = MOST_HELD, window: int = 0) -> None:
        """first: (P + 1,) processor p's are numbers first[p] up to first[p + 1]. largest: no reference is more.

        most: references that are held in memory. window: references of a processor that a machine takes at a time.
        """
        self.first, self.window = first, window or max(1, WINDOW // max(1, len(first) - 1))
        self._at = first[:-1].copy()
        self._dtype = np.dtype(np.uint32 if 0 <= largest < 1 << 32 else np.int64)
        self._file: IO[bytes] | None = None
        self.held: I64 | None = None
        """(K,) all references, unless they lie in a file."""
        self.arrays: tuple[I64, ...] = ()
        """Of the streams to which these belong."""
        if first[-1] <= most:
            self.held = np.empty(int(first[-1]), np.int64)
            return
        with _on_disk():
            self._file = tempfile.TemporaryFile(prefix="jumpnet-")  # noqa: SIM115 - open as long as this is

    def put(self, proc: Array, code: I64) -> None:
        """The next references (K,) of the trace, and whose they are."""
        order = np.argsort(proc, kind="stable")
        proc, code = proc[order], code[order]
        count = np.bincount(proc, minlength=len(self._at))
        if self.held is not None:
            begin = np.cumsum(count) - count
            self.held[np.arange(len(proc)) + (self._at - begin)[proc]] = code
        elif self._file is not None:
            end, code = np.cumsum(count), code.astype(self._dtype)
            with _on_disk():
                for p in np.flatnonzero(count).tolist():
                    self._file.seek(int(self._at[p]) * self._dtype.itemsize)
                    self._file.write(code[end[p] - count[p] : end[p]].data.cast("B"))
        self._at += count

    def take(self, processor: int, start: int, most: int) -> I64:
        """References of a processor from its start-th on, as many as there are but no more than `most`."""
        begin = int(self.first[processor]) + start
        end = min(begin + most, int(self.first[processor + 1]))
        if self.held is not None:
            return self.held[begin:end]
        assert self._file is not None
        with _on_disk():
            self._file.seek(begin * self._dtype.itemsize)
            data = self._file.read((end - begin) * self._dtype.itemsize)
        return np.frombuffer(data, self._dtype).astype(np.int64)
