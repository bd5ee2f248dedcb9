"""Two numbers for each link of a list: its ends, or its cycles there and back. Used by `networks`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.arrays.checks import whole_numbers
from jumpnet.errors import JumpnetError
from jumpnet.terms import Array

__all__ = ["pairs"]


def pairs(what: str, values: Any, low: int, high: int, links: int | None = None) -> Array:
    """(L, 2) whole numbers of links, two each; of so many links, if they are known.

    Numbers are not rounded, and a third column is not read as more links: both raise JumpnetError.

    >>> pairs("ring: ends", [[0, 1, 5], [1, 0, 5]], 0, 9)
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: ring: ends has shape (2, 3), (links, 2) expected
    """
    found = whole_numbers(what, values, low, high, np.int64)
    if (found.size and (found.ndim == 1 or found.shape[-1] != 2)) or links not in (None, found.size // 2):
        expected = "links" if links is None else links
        raise JumpnetError(f"{what} has shape {found.shape}, ({expected}, 2) expected")
    return found.reshape(-1, 2)
