"""Words of progress from long proofs, and the pieces that long walks are cut into: a word before each.

An interruption ends the piece under way.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Progress", "piece_end", "silent"]

Progress = Callable[[int, int], None]
"""Called with what is done and the whole, now and then."""
LEAST, MOST_PIECES = 16, 1000
"""Walks of a piece at least, and pieces at most: each costs the start of a thread, and arrays."""


def silent(done: int, total: int) -> None:
    """No word of progress."""


def piece_end(at: int, walks: int, progress: Progress) -> int:
    """Where the piece that begins with walk `at` ends.

    >>> piece_end(40, 100, lambda done, whole: None), piece_end(90, 100, lambda done, whole: None)
    (56, 100)
    """
    progress(at, walks)
    return min(walks, at + max(LEAST, walks // MOST_PIECES))
