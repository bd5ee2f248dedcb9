"""Digests of a store's rows: what was written comes back, or the row is said to be damaged. Used by `study/store.py`.

They tell flipped bits and edits by hand; they are no signature, and whoever edits a row can make its digest anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["is_whole", "long_digests", "object_of", "text_digest"]


def text_digest(*texts: str) -> str:
    """The digest of some texts without newlines, in this order.

    >>> text_digest("ab", "c") == text_digest("a", "bc")
    False
    """
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def is_whole(row: Sequence[Any]) -> bool:
    """Whether a row says what it said when it was written; its last column is the digest of the others.

    >>> is_whole(("a", "{}", text_digest("a", "{}"))), is_whole(("b", "{}", text_digest("a", "{}"))), is_whole((1, 2))
    (True, False, False)
    """
    try:
        return text_digest(*row[:-1]) == row[-1]
    except (TypeError, UnicodeEncodeError):  # a column of another type, or no text
        return False


def long_digests(long: Mapping[str, str]) -> dict[str, str]:
    """The digest of each long figure by its name; the row of the point has them."""
    return {name: text_digest(text) for name, text in long.items()}


def object_of(text: str) -> dict[str, Any] | None:
    """What a text of JSON says by name; None when it says anything else, or is no JSON.

    >>> object_of('{"a": 1}'), object_of('[1]'), object_of('{'), object_of("[" * 10000)
    ({'a': 1}, None, None, None)
    """
    try:
        found = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
