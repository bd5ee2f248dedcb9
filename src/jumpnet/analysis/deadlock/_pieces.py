"""Long walks are cut into pieces: a word of progress before each, and an interruption ends the one under way.

Used by the searches that follow every packet again: `duato`, `knots`, `bubble`.
"""

from __future__ import annotations

from jumpnet.analysis.deadlock.uniform import Progress

__all__ = ["piece_end"]

LEAST, MOST_PIECES = 16, 1000
"""Walks of a piece at least, and pieces at most: each costs the start of a thread, and arrays."""


def piece_end(at: int, walks: int, progress: Progress) -> int:
    """Where the piece that begins with walk `at` ends.

    >>> piece_end(40, 100, lambda done, whole: None), piece_end(90, 100, lambda done, whole: None)
    (56, 100)
    """
    progress(at, walks)
    return min(walks, at + max(LEAST, walks // MOST_PIECES))
