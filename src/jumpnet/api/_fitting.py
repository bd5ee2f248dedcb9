"""Whether values are what annotations say: before a call where these name plain values, and of all after one failed.

What cannot be told fits: names that only type checkers know, functions, what is behind an iterator.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from inspect import Parameter, signature
from itertools import islice
from numbers import Integral, Real
from typing import Annotated, Any, ForwardRef, Literal, TypeVar, Union, Unpack, get_args, get_origin, get_type_hints

import numpy as np

from jumpnet.errors import JumpnetError, written

__all__ = ["fits", "hints_of", "is_a", "plainly", "words"]

MOST_LOOKED_AT = 1000
"""Of the values of a list, by their types."""
MISSING = object()
SEVERAL = (list, tuple, set, dict, str, bytes, np.ndarray)
TOLD = {int: "a whole number", float: "a number", bool: "true or false", str: "a text", type(None): "None"}
PLAIN = (int, float, bool, str, type(None))


@cache
def hints_of(function: Any) -> dict[str, Any]:
    """The types of a function's parameters by name, those of its keyword settings too."""
    hints: dict[str, Any] = {}
    spaces = {**vars(sys.modules["typing"]), **vars(sys.modules[function.__module__])}
    for key, said in function.__annotations__.items():
        try:
            text = said.__forward_arg__ if isinstance(said, ForwardRef) else said  # of a named tuple
            hint = eval(text, spaces) if isinstance(text, str) else text
            hint = get_args(hint)[0] if get_origin(hint) is Annotated else hint
        except Exception:  # a name for type checkers alone
            continue
        if get_origin(hint) is Unpack:
            hints |= get_type_hints(get_args(hint)[0])
        elif key != "return":
            hints[key] = hint
    return hints


def _parts(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _is_plain(hint: Any) -> bool:
    return all(part in PLAIN or part is None or get_origin(part) is Literal or _row(part) for part in _parts(hint))


def _row(part: Any) -> Any:
    """The plain type of which a part of a hint is a tuple of any length; None where it is none."""
    said = get_args(part)
    return said[0] if get_origin(part) is tuple and len(said) == 2 and said[0] in PLAIN and said[1] is ... else None


@cache
def _plain_of(function: Any) -> tuple[tuple[str, ...], bool, dict[str, tuple[Any, ...]]]:
    """The names of a function's positional parameters, whether the last takes several, parts of hints of plain ones."""
    known = [each for each in signature(function).parameters.values() if each.kind <= Parameter.VAR_POSITIONAL]
    several = any(each.kind is Parameter.VAR_POSITIONAL for each in known)
    return (
        tuple(each.name for each in known),
        several,
        {key: _parts(hint) for key, hint in hints_of(function).items() if _is_plain(hint)},
    )


def plainly(
    name: str, function: Any, given: tuple[Any, ...], named: dict[str, Any], record: bool = False
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments with those that a function takes as plain values as Python's own: no NumPy number of few bits, no class
    of the caller's that answers otherwise.

    record: it makes one, whose other fields must be of the kind that they are to be (`is_like`). Raises JumpnetError
    for one that is no such value.
    """
    order, several, plain = _plain_of(function)
    if not plain and not record:
        return given, named
    names = (*order, *[order[-1] if several else ""] * (len(given) - len(order)))
    if record:
        hints = hints_of(function)
        for key, value in (*zip(names, given, strict=False), *named.items()):
            if key in hints and key not in plain and not is_like(hints[key], value):
                raise JumpnetError(f"{name}: {key} {written(value):.80} found, {words(hints[key])} expected")
    own = [
        value if (parts := plain.get(key)) is None or ((kind := type(value)) in parts and kind in PLAIN)
        else _as_one_of(name, key, parts, value)
        for key, value in zip(names, given, strict=False)
    ]  # fmt: skip
    some = {
        key: value if (parts := plain.get(key)) is None or ((kind := type(value)) in parts and kind in PLAIN)
        else _as_one_of(name, key, parts, value)
        for key, value in named.items()
    }  # fmt: skip
    return (*own, *given[len(own) :]), some


def _as_one_of(name: str, key: str, parts: tuple[Any, ...], value: Any) -> Any:
    """A value as the first part of a hint that takes it."""
    for part in parts:
        try:
            found = _as(part, value)
        except Exception:  # what it is asked for raises
            continue
        if found is not MISSING:
            return found
    raise JumpnetError(f"{name}: {key} {written(value):.80} found, {' or '.join(map(words, parts))} expected")


def _as(part: Any, value: Any) -> Any:
    """A value as a plain type, MISSING where it is none: 1e6 is a whole number, 0 and 1 are false and true."""
    if isinstance(value, np.generic | np.ndarray) and value.shape == () and not isinstance(value, np.ma.MaskedArray):
        value = value.item()
    if get_origin(part) is Literal:
        return str.__str__(value) if is_a(value, str) and str.__str__(value) in get_args(part) else MISSING
    if part in (None, type(None)):
        return value if value is None else MISSING
    if row := _row(part):
        if type(value) in (tuple, list) and all(type(each) is row for each in value):
            return tuple(value)
        found = tuple(_as(row, each) for each in value) if is_a(value, tuple | list | np.ndarray) else (MISSING,)
        return MISSING if MISSING in found else found
    if part is str:
        return str.__str__(value) if is_a(value, str) else MISSING
    if is_a(value, int):
        number: Any = value if type(value) is bool else int.__int__(value)
    elif is_a(value, float):
        number = float.__float__(value)
    else:
        number = float(value) if is_a(value, Real) else None
    if number is None or (type(number) is bool and part is not bool):
        return MISSING
    if part is float:
        return number
    return part(number) if number == (number != 0 if part is bool else int(number)) else MISSING


def fits(hint: Any, value: Any) -> bool:
    """Whether a value may be of a type; True where that cannot be told."""
    if isinstance(hint, TypeVar):
        return any(fits(part, value) for part in hint.__constraints__ or (hint.__bound__ or object,))
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return any(fits(part, value) for part in get_args(hint))
    if origin is Literal:
        return type(value) in (str, int, bool, np.str_) and value in get_args(hint)  # others may say they are equal
    if hint is None or hint is type(None):
        return value is None
    if hint is int or hint is float:
        return is_a(value, Integral if hint is int else Real) and not is_a(value, bool | np.timedelta64)
    kind = origin or hint
    if not isinstance(kind, type) or kind in (object, Any):
        return True
    parts = get_args(hint)
    if is_a(value, SEVERAL) and len(parts) == 1 and issubclass(kind, Iterable):
        return (
            not is_a(value, bytes)
            and is_a(value, kind)
            and all(fits(parts[0], each) for each in islice(value, MOST_LOOKED_AT))
        )
    return is_a(value, kind)


def is_like(hint: Any, value: Any) -> bool:
    """Whether a value is of the kind of a type, whatever is in it: any values do for some, anything for an array.

    >>> is_like(frozenset[int], [1]), is_like(frozenset[int], "1"), is_like(tuple[int, int] | None, 3)
    (True, False, False)
    """
    for part in _parts(hint):
        kind = get_origin(part) or part
        if isinstance(kind, type) and issubclass(kind, np.ndarray):
            return True
        several = isinstance(kind, type) and issubclass(kind, Iterable) and not issubclass(kind, str | bytes | Mapping)
        if (is_a(value, Iterable) and not is_a(value, str | bytes)) if several else fits(part, value):
            return True
    return False


def is_a(value: Any, kind: Any) -> bool:
    """`isinstance`, of what may raise when it is asked for its class."""
    try:
        return isinstance(value, kind)
    except Exception:
        try:
            return issubclass(type(value), kind)
        except TypeError:
            return all(hasattr(type(value), name) for name in _members(kind))


def _members(kind: Any) -> set[str]:
    """What a protocol asks for."""
    parts = (base for base in getattr(kind, "__mro__", ()) if getattr(base, "_is_protocol", False))
    return {name for base in parts for name in vars(base) if not name.startswith("_")}


def words(hint: Any) -> str:
    """A type as it is told."""
    if get_origin(hint) in (Union, types.UnionType):
        return " or ".join(words(part) for part in get_args(hint))
    if get_origin(hint) is Literal:
        return " or ".join(map(repr, get_args(hint)))
    if hint is None:
        return "None"
    if row := _row(hint):
        return f"a tuple, each {words(row)},"
    if get_origin(hint) is tuple and get_args(hint) in ((int, int), (int, int, int)):
        return f"{'two' if len(get_args(hint)) == 2 else 'three'} whole numbers"
    if get_origin(hint) in (Callable, Mapping):
        return "a function" if get_origin(hint) is Callable else "a mapping"
    if len(parts := get_args(hint)) == 1 and parts[0] in TOLD:
        return f"values, each {words(parts[0])},"
    return TOLD.get(hint) or str(getattr(hint, "__name__", hint))
