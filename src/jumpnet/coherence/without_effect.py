"""Options of a machine that would change nothing: refused, with what they would need, in Python and by `cli` alike.

What each needs is said in `functional.parts` for both machines, and in `machine.timed.together`.
"""

from __future__ import annotations

from jumpnet.errors import JumpnetError

__all__ = ["refuse_unused"]


def refuse_unused(*options: tuple[object, str, object, str]) -> None:
    """Raise JumpnetError for the first option that is given and lacks what it needs.

    options: (whether it is given, what it is, whether there is what it needs, what that is).

    >>> refuse_unused((True, "hints", False, "caches of limited size"))
    Traceback (most recent call last):
        ...
    jumpnet.errors.JumpnetError: hints found without caches of limited size
    """
    for given, what, is_there, needed in options:
        if given and not is_there:
            raise JumpnetError(f"{what} found without {needed}")
