"""Calls of Python hooks that a user may have written: an exception becomes one line, and results are range-checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.own.trial import place, read_only, reason_of, shown, whole
from jumpnet.own.whose import is_own

__all__ = ["call_hook", "number_of", "reason_or_none", "table_of"]

MOST = 1 << 40
"""Largest number that a hook may give, far beyond the draws that can be followed."""


def call_hook(who: str, what: str, function: Any, *args: Any, own: bool = False) -> Any:
    """The result of a hook; an exception in a user's hook becomes one line, in one of ours it is raised unchanged.

    own: it is called for an object of a user's, and one line is right whoever wrote the hook.
    """
    try:
        return function(*args)
    except (JumpnetError, KeyboardInterrupt):
        raise
    except BaseException as error:  # SystemExit too: a hook that ends the program gives no result
        if not own and not is_own(function):
            raise
        raise JumpnetError(f"{who}: {what}: {place(function, error)}: {reason_of(error)}") from None


def number_of(who: str, what: str, value: Any, least: int = 1) -> int:
    """A number that a hook returns.

    >>> number_of("routing x", "draws", 4)
    4
    """
    if not whole(value) or not least <= value <= MOST:
        raise JumpnetError(f"{who}: {what} gives {shown(value)}, a whole number of at least {least} expected")
    return int(value)


def reason_or_none(who: str, what: str, value: Any) -> str | None:
    """Why something is not fit, as a hook returns it, or None; a bare True or False could be taken for the opposite.

    >>> reason_or_none("routing x", "fits", None), reason_or_none("routing x", "fits", "it needs a ring")
    (None, 'it needs a ring')
    >>> reason_or_none("routing x", "fits", " ")
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: routing x: fits gives ' ', None or a text that says why not expected
    """
    if value is None or (isinstance(value, str) and value.strip()):
        return value
    raise JumpnetError(f"{who}: {what} gives {shown(value)}, None or a text that says why not expected")


def table_of(who: str, what: str, value: Any, dimensions: int, kind: type[np.signedinteger[Any]]) -> Any:
    """A table that a hook has prepared, as a copy that nobody can write."""
    try:
        found = np.asarray(value)
    except (ValueError, OverflowError):
        raise JumpnetError(f"{who}: {what} is no table, rows of one length expected") from None
    if found.dtype.kind not in "iub" and found.size:
        raise JumpnetError(f"{who}: {what} is an array of {found.dtype}, whole numbers expected")
    if found.ndim != dimensions:
        raise JumpnetError(f"{who}: {what} has {found.ndim} dimensions, {dimensions} expected")
    bound = np.iinfo(kind)
    for worst in (int(found.min()), int(found.max())) if found.size else ():
        if not bound.min <= worst <= bound.max:
            raise JumpnetError(f"{who}: {what} holds {worst}, {bound.min} to {bound.max} expected")
    return read_only(np.array(found, kind, order="C"))
