"""Words of progress from long proofs."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Progress", "silent"]

Progress = Callable[[int, int], None]
"""Called with what is done and the whole, now and then."""


def silent(done: int, total: int) -> None:
    """No word of progress."""
