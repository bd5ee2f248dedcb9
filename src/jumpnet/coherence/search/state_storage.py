"""Storage of the states by number, and of the state from which each was found: in memory, or in two files of a folder.

Files are mapped into memory, so the kernels see the same arrays; the system writes and reads pages as it sees fit.
Their blocks are allocated before anything is written, so a full disk is reported in time. Called by `states`.
"""

from __future__ import annotations

import mmap
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np

from jumpnet.errors import JumpnetError, file_error
from jumpnet.memory import readable, require
from jumpnet.notices import notice
from jumpnet.terms import I32, Array

try:
    import fcntl
except ImportError:  # not a system of the Unix family: two that use one folder go unnoticed
    fcntl = None  # type: ignore[assignment]

__all__ = ["FILES", "FIRST_CAPACITY", "StateStorage"]

FIRST_CAPACITY = 1 << 10
FILES = ("states", "parents")
DISK_STEP = 1 << 14
"""Least number of states for which a file is made longer."""
PIECE = 1 << 20


class StateStorage:
    """Arrays for N states of W words, which grow."""

    def __init__(self, what: str, words: int, folder: Path | None = None) -> None:
        """what: names the job when there is not enough; folder: where its two files stand, else it is memory."""
        self._what, self._words, self.folder = what, words, folder
        self._files: list[int] = []
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self.states: Array = np.zeros((0, words), np.uint64)
        self.parent: I32 = np.zeros(0, np.int32)
        if folder is not None:
            self._open(folder)
        self.extend(FIRST_CAPACITY)

    def __del__(self) -> None:
        for file in self._files:
            os.close(file)

    def extend(self, least: int) -> None:
        """Make it hold at least so many states. Raises JumpnetError where neither memory nor the disk has it."""
        have = len(self.parent)
        if least <= have:
            return
        if least > np.iinfo(np.int32).max:
            raise JumpnetError(f"more than {have:,} states found, fewer expected")
        if self.folder is not None:
            return self._extend_files(max(least, have + max(have // 4, DISK_STEP)))
        room = max(least, 2 * have)
        try:
            require(room * (8 * self._words + 4), self._what)
        except JumpnetError as error:
            self.to_disk()
            notice(f"{error}; its states go to {self.folder} instead")
            return self.extend(least)
        states, parent = np.zeros((room, self._words), np.uint64), np.zeros(room, np.int32)
        states[:have], parent[:have] = self.states, self.parent
        self.states, self.parent = states, parent

    def to_disk(self) -> None:
        """Move all to files in a folder that goes with this object."""
        self._temporary = tempfile.TemporaryDirectory(prefix="jumpnet-states-")
        states, parent = self.states, self.parent
        self.folder = Path(self._temporary.name)
        self._open(self.folder)
        self._extend_files(max(1, len(parent)))
        self.states[: len(parent)], self.parent[: len(parent)] = states, parent

    def _open(self, folder: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        for name in FILES:
            try:
                self._files.append(os.open(folder / name, flags, 0o600))
                if fcntl is not None:
                    fcntl.flock(self._files[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise JumpnetError(f"{folder}: another search is under way there, one at a time expected") from None
            except OSError as error:
                raise file_error(folder / name, error, "a folder for states expected") from None

    def _extend_files(self, room: int) -> None:
        assert self.folder is not None
        sizes = (room * 8 * self._words, room * 4)
        more = sum(size - os.fstat(file).st_size for size, file in zip(sizes, self._files, strict=True))
        left = shutil.disk_usage(self.folder).free
        if more > left:
            raise JumpnetError(f"{self._what} needs {readable(more)} more in {self.folder}, {readable(left)} available")
        try:
            for size, file in zip(sizes, self._files, strict=True):
                _take(file, size)
            states, parents = (mmap.mmap(file, size) for size, file in zip(sizes, self._files, strict=True))
        except OSError as error:
            raise file_error(self.folder, error, f"{readable(more)} more for {self._what} expected") from None
        self.states = np.frombuffer(states, np.uint64).reshape(room, self._words)
        self.parent = np.frombuffer(parents, np.int32)

    def flush(self) -> None:
        """Wait until the disk has all that was written."""
        for file in self._files:
            os.fsync(file)


def _take(file: int, size: int) -> None:
    """Make a file longer, with its blocks."""
    have = os.fstat(file).st_size
    if size <= have:
        return
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, have, size - have)
        return
    for begin in range(have, size, PIECE):
        os.pwrite(file, bytes(min(PIECE, size - begin)), begin)
