"""Compiled Python that a full disk has cut short: Python keeps it, and fails on it in every process from then on.

Called by the command line, before and after it is loaded; so it loads nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["removed_damage"]

READER = "_compile_bytecode"
"""The function of Python's import system that reads such a file; its variable `bytecode_path` names it."""


def removed_damage(error: BaseException) -> str:
    """Remove the damaged file that an error comes from, so that Python makes it anew; a line about it, else empty.

    >>> removed_damage(EOFError("marshal data too short"))
    ''
    """
    last: TracebackType | None = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None or last.tb_frame.f_code.co_name != READER or "importlib" not in last.tb_frame.f_code.co_filename:
        return ""
    path = last.tb_frame.f_locals.get("bytecode_path")
    if not isinstance(path, str):
        return ""
    import os

    try:
        os.unlink(path)
    except OSError as refused:
        return f"{path}: damaged, as a full disk leaves such a file, and not removed ({refused.strerror}): remove it"
    return f"{path}: damaged, as a full disk leaves such a file, and removed; the same command once more expected"
