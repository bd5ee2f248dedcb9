"""Words of specs, and values from Python, as the type that a setting has. Used by `settings`.

Types are int, float, bool, str, Sides (or `tuple[int, ...]`), Literal[...], unions of them, and any class that can be
called with a word.
"""

from __future__ import annotations

import inspect
import numbers
import types
from collections.abc import Iterable
from typing import Any, Literal, Union, get_args, get_origin

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.spec import Sides, plain

__all__ = [
    "FLAGS",
    "WORD",
    "choices_of",
    "fits_word",
    "from_value",
    "is_readable",
    "parts_of",
    "refuse_unknown",
    "wanted",
    "with_sides",
]

FLAGS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
"""Words for true and false."""
EXPECTED = {int: "a whole number", float: "a number", bool: "True or False", str: "a string", type(None): "None"}
"""What messages call the types of values."""

WORD = "a whole number of at most 64 bits with its sign"
"""What is expected where a larger one was found."""


def fits_word(value: Any) -> bool:
    """Whether arrays and compiled code take a whole number, or each of several; true of what is none.

    >>> fits_word(-(2**63)), fits_word(2**63), fits_word((8, 2**64)), fits_word(1e300)
    (True, False, False, True)
    """
    if isinstance(value, tuple):
        return all(map(fits_word, value))
    return not isinstance(value, numbers.Integral) or -(1 << 63) <= int(value) < 1 << 63


def parts_of(kind: Any) -> tuple[Any, ...]:
    """The types of a union, or the one type.

    >>> parts_of(int | None), parts_of(str)
    ((<class 'int'>, <class 'NoneType'>), (<class 'str'>,))
    """
    return get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)


def choices_of(kind: Any) -> tuple[Any, ...]:
    """The values of a Literal; none for other types."""
    return get_args(kind) if get_origin(kind) is Literal else ()


def is_readable(kind: Any) -> bool:
    """Whether a word can be read as a type; a field of another one would get the word itself.

    >>> is_readable(bool | None), is_readable(list[int])
    (True, False)
    """
    return all(get_origin(part) in (None, Literal) for part in parts_of(kind))


def with_sides(kind: Any) -> Any:
    """The type of a field as the reader knows it: `tuple[int, ...]` is Sides.

    >>> with_sides(tuple[int, ...]) is Sides, with_sides(bool)
    (True, <class 'bool'>)
    """
    return Sides if get_origin(kind) is tuple and get_args(kind) == (int, ...) else kind


def from_value(where: str, kind: Any, value: Any) -> Any:
    """A word, or a value from Python, as a type. Whole numbers may stand for fractions, and numbers for words.

    Raises JumpnetError with what was found and expected.

    >>> from_value("load", float, "0.5"), from_value("load", float, 1), from_value("lengths", str, 16)
    (0.5, 1.0, '16')
    """
    if isinstance(value, str):
        return _from_word(where, kind, value)
    if choices_of(kind):
        return _from_word(where, kind, str(value))
    number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if kind is str and number:
        return str(value)
    expected = wanted(kind, value)
    if expected and kind not in EXPECTED and isinstance(kind, type):
        return _called(where, kind, value)
    if expected:
        raise JumpnetError(f"{where} {value!r} found, {expected} expected")
    return kind(value) if number and kind in (int, float) else value


def _from_word(where: str, kind: Any, word: str) -> Any:
    """One word as a type."""
    *others, kind = [part for part in parts_of(kind) if part not in (None, type(None))] or [type(None)]
    for other in others:
        try:
            return _from_word(where, other, word)
        except JumpnetError:
            continue
    if choices_of(kind):
        known = {str(choice): choice for choice in choices_of(kind)}
        if word not in known:
            raise unknown_name(f"value of {where}", word, known)
        return known[word]
    if kind is Sides:
        return _sides(where, word)
    if kind is bool:
        if word.lower() not in FLAGS:
            raise JumpnetError(f"{where} {word!r} found, true or false expected")
        return FLAGS[word.lower()]
    return _called(where, kind, word) if isinstance(kind, type) and kind is not str else word


def _called(where: str, kind: type, value: Any) -> Any:
    """What a class makes of a word or value."""
    try:
        made = kind(plain(value) if kind in (int, float) and isinstance(value, str) else value)
    except (TypeError, ValueError, ArithmeticError):
        raise JumpnetError(f"{where} {value!r} found, {EXPECTED.get(kind, kind.__name__)} expected") from None
    if not fits_word(made):
        raise JumpnetError(f"{where} {value!r} found, {WORD} expected")
    return made


def _sides(where: str, word: str) -> tuple[int, ...]:
    try:
        sides = tuple(int(plain(side)) for side in word.split("x"))
    except ValueError:
        raise JumpnetError(f"{where} {word!r} found, sides such as 8x8 expected") from None
    if any(side <= 0 for side in sides):
        raise JumpnetError(f"{where} {word!r} found, positive sides expected")
    if not fits_word(sides):
        raise JumpnetError(f"{where} {word!r} found, each side {WORD} expected")
    return sides


def wanted(kind: Any, value: Any) -> str:
    """What a type expects instead of a value from Python, which is taken as it is; empty when the value will do."""
    if len(parts_of(kind)) > 1:
        each = [wanted(part, value) for part in parts_of(kind)]
        return "" if "" in each else " or ".join(each)
    if choices_of(kind):
        fits = any(isinstance(value, type(choice)) and value == choice for choice in choices_of(kind))
        return "" if fits else " or ".join(map(str, choices_of(kind)))
    if kind is Sides:
        whole = isinstance(value, tuple) and not any(wanted(int, side) for side in value)
        return "" if whole and value and min(value) > 0 else "a tuple of positive sides such as (8, 8)"
    if kind is int or kind is float:
        number = numbers.Integral if kind is int else numbers.Real
        if not isinstance(value, number) or isinstance(value, bool):
            return EXPECTED[kind]
        return "" if kind is float or fits_word(value) else WORD
    fits = not isinstance(kind, type) or isinstance(value, kind)
    return "" if fits else EXPECTED.get(kind, kind.__name__)


def refuse_unknown(made: type, given: Iterable[str], own: Iterable[str] = (), besides: Iterable[str] = ()) -> None:
    """Raise JumpnetError for a name among `given` that is no parameter of a class, or one of the caller's own.

    besides: names that the caller takes itself, which may be what was meant.

    >>> refuse_unknown(complex, ["real"])
    >>> refuse_unknown(complex, ["rael"])
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: unknown setting 'rael'; did you mean 'real'?
    """
    known = (inspect.signature(made).parameters.keys() - set(own)) | set(besides)
    for name in given:
        if name not in known:
            raise unknown_name("setting", name, known)
