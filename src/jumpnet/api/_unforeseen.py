"""What is said of an exception that ended a call from Python: what was given and what was expected. Loaded by need."""

from __future__ import annotations

import re
import sysconfig
import traceback
from collections.abc import Iterable, Iterator, Mapping
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from jumpnet.api._fitting import fits, hints_of, is_a, words
from jumpnet.errors import JumpnetError, UnforeseenError, file_error, of_interruption, unknown_name, written

__all__ = ["refuse_unknown_name", "say"]

HERE = str(Path(__file__).parents[1])
"""The package."""
LIBRARIES = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
OURS = ("jumpnet", "builtins", "numpy", "pathlib", "fractions")
"""Where types come from that are no caller's own."""
SURROGATE = re.compile("[\ud800-\udfff]")
MOST_LETTERS = 80
"""Of a value in a line."""


def say(error: Exception, function: Any, name: str, given: Any, named: Mapping[str, Any]) -> NoReturn:
    """Raise what is to be said of an error in a call; called where it is handled."""
    if of_interruption(error):
        raise error
    try:
        bound = signature(function).bind(*given, **named).arguments
    except TypeError:
        refuse_unknown_name(function, name, named)
        raise error from None  # a call without its arguments, or with too many: Python's own words are right
    reason = _reason(error)
    if isinstance(error, MemoryError):
        raise JumpnetError(f"{name}: memory ran out") from error
    for key, value, expected in _misfits(function, bound):
        raise JumpnetError(f"{name}: {key}={_short(value)} found, {expected} expected ({reason})") from error
    if isinstance(error, OSError) and error.strerror:
        raise file_error(error.filename or name, error, "a file that can be read or written expected") from error
    last = traceback.extract_tb(error.__traceback__)[-1]
    if not last.filename.startswith((HERE, *LIBRARIES, "<")):
        if not last.name.startswith("__"):  # a function of the caller's own, as `progress`, ends the call as it wants
            raise error
        where = f"{Path(last.filename).name}:{last.lineno} in {last.name}"
        raise JumpnetError(
            f"{name}: {reason}, raised by an object that was passed in ({where}); another one expected"
        ) from error
    for key, value in _flat(function, bound):
        if _or(True, _is_odd, value):
            told = f"{key}={_short(value)} of the type {type(value).__name__} found"
            raise JumpnetError(
                f"{name}: {told}, which does not work here ({reason}); another value expected"
            ) from error
    said = ", ".join(f"{key}={_short(value)}" for key, value in _flat(function, bound) if key != "self")
    raise UnforeseenError(f"{name}({said}): an error that nobody foresaw, {reason}") from error


def refuse_unknown_name(function: Any, name: str, named: Iterable[str]) -> None:
    """Raise JumpnetError for a name that is no parameter of a function, which is called `name`."""
    known = signature(function).parameters
    if not any(each.kind is Parameter.VAR_KEYWORD for each in known.values()):
        for key in (key for key in named if key not in known):
            raise unknown_name(f"setting of {name}", key, known.keys() - {"self", "_cls"}) from None


def _or(without: bool, ask: Any, *given: Any) -> bool:
    """What is found of a value, or what to take where that raises: a value may whenever it is asked."""
    try:
        return bool(ask(*given))
    except Exception:
        return without


def _reason(error: BaseException) -> str:
    """The error's name and words, on one line."""
    try:
        words = " ".join(str(error).split())
    except Exception:
        words = ""
    return f"{type(error).__name__}: {words[:200]}" if words else type(error).__name__


def _is_odd(value: Any) -> bool:
    """Whether a value is none of Python's, NumPy's or ours; an array or function of the caller's own; a text that no
    file has for a name; or one that Python does not write, as it has too many digits or levels."""
    if is_a(value, str):
        return "\0" in value or (not value.isascii() and bool(SURROGATE.search(value)))
    if not type(value).__module__.startswith(OURS) or issubclass(type(value), Iterator):
        return True
    if is_a(value, np.generic) and value.dtype.kind not in "iufb":
        return True
    if is_a(value, np.ndarray) or callable(value):
        return not getattr(value, "__module__", "").startswith("jumpnet")
    try:
        repr(value)
    except Exception:
        return True
    return False


def _short(value: Any) -> str:
    text = written(value)
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}..."


def _flat(function: Any, bound: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every argument by its name, those of `**settings` by theirs."""
    kinds = signature(function).parameters
    for key, value in bound.items():
        if kinds[key].kind is Parameter.VAR_KEYWORD:
            yield from value.items()
        elif kinds[key].kind is Parameter.VAR_POSITIONAL:
            yield from ((key, each) for each in value)
        else:
            yield key, value


def _misfits(function: Any, bound: Mapping[str, Any]) -> Iterator[tuple[str, Any, str]]:
    """Arguments that are not what their annotations say, with these in words."""
    hints = hints_of(function)
    for key, value in _flat(function, bound):
        if key in hints and not _or(False, fits, hints[key], value):
            yield key, value, words(hints[key])
