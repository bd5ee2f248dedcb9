"""Spec strings: `family:size[,key=value...]`, the one way to name a network, routing or pattern anywhere.

`split` takes a string apart; `fields_from` turns its words into the typed fields of a frozen dataclass;
`spell` is the inverse. Used by the registries of every layer; knows no family.
"""

from __future__ import annotations

import dataclasses
import numbers
import types
import typing
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NewType

from jumpnet.errors import JumpnetError, unknown_name

__all__ = ["Sides", "by_key", "check_types", "chosen_options", "fields_from", "is_count", "spell", "split"]

Sides = NewType("Sides", tuple)
"""Side lengths, written `16x16x16`; a field of this type is a tuple of positive integers."""

MAX_SPEC_CHARACTERS = 4096
MOST_DIGITS = 18
"""Of a number that 64 bits hold."""


def is_count(word: str) -> bool:
    """Whether a word is a whole number from 0 that 64 bits hold; spaces around it do not count.

    >>> is_count("12"), is_count("-1"), is_count("9" * 5000)
    (True, False, False)
    """
    word = word.strip()
    return word.isdecimal() and len(word) <= MOST_DIGITS


def split(text: str) -> tuple[str, list[str], dict[str, str]]:
    """Take `family:size,key=value` apart into (family, positional words, keyed words).

    >>> split("rdt:64,R=3")
    ('rdt', ['64'], {'R': '3'})
    """
    if not isinstance(text, str):
        raise JumpnetError(f"{type(text).__name__} found, a spec string such as rdt:64 expected")
    if len(text) > MAX_SPEC_CHARACTERS:
        raise JumpnetError(f"spec of {len(text)} characters found, at most {MAX_SPEC_CHARACTERS} expected")
    name, _, rest = text.strip().partition(":")
    positional: list[str] = []
    keyed: dict[str, str] = {}
    for word in filter(None, (w.strip() for w in rest.split(","))):
        key, equals, value = word.partition("=")
        if not equals:
            if keyed:
                raise JumpnetError(f"{word!r} found after key=value words in {text!r}; sizes come first")
            positional.append(word)
        elif key in keyed:
            raise JumpnetError(f"key {key!r} found twice in {text!r}")
        else:
            keyed[key] = value
    return name, positional, keyed


def _convert(where: str, hint: Any, word: str) -> Any:
    """One word as the field's type; raises with what was found and expected."""
    origin = typing.get_origin(hint)
    if origin is Literal:
        choices = typing.get_args(hint)
        for choice in choices:
            if word == str(choice):
                return choice
        raise unknown_name(where, word, [str(c) for c in choices])
    if origin in (typing.Union, types.UnionType):
        kinds = [k for k in typing.get_args(hint) if k is not type(None)]
        for kind in kinds[:-1]:
            try:
                return _convert(where, kind, word)
            except JumpnetError:
                continue
        return _convert(where, kinds[-1], word)
    if hint is Sides:
        try:
            sides = tuple(int(s) for s in word.split("x"))
        except ValueError:
            raise JumpnetError(f"{where} {word!r} found, sides such as 8x8 expected") from None
        if any(s <= 0 for s in sides):
            raise JumpnetError(f"{where} {word!r} found, positive sides expected")
        return sides
    if hint is bool:
        if word.lower() in ("1", "true", "yes", "0", "false", "no"):
            return word.lower() in ("1", "true", "yes")
        raise JumpnetError(f"{where} {word!r} found, true or false expected")
    if hint is int or hint is float:
        try:
            return hint(word)
        except ValueError:
            kind = "a whole number" if hint is int else "a number"
            raise JumpnetError(f"{where} {word!r} found, {kind} expected") from None
    return word


def by_key(
    name: str, keys: Collection[str], positional: Sequence[Any], keyed: Mapping[str, Any], what: str = "option"
) -> dict[str, Any]:
    """The words of a spec by key; those without one are for the keys in their order.

    Raises JumpnetError for unknown keys (nearest one named), more words than keys, and what is given twice.

    >>> by_key("local", ["sigma", "seed"], ["2"], {"seed": "1"})
    {'sigma': '2', 'seed': '1'}
    """
    if len(positional) > len(keys):
        raise JumpnetError(f"{name}: {len(positional)} {what}s found, at most {len(keys)} expected")
    words = dict(zip(keys, positional, strict=False))
    for key, word in keyed.items():
        if key not in keys:
            raise unknown_name(f"{'key' if what == 'size' else what} of {name}", key, keys)
        if key in words:
            raise JumpnetError(f"{name}: {key} is given twice, as {words[key]} and as {key}={word}")
        words[key] = word
    return words


def fields_from(cls: type, name: str, positional: list[str], keyed: dict[str, str]) -> dict[str, Any]:
    """The keyword arguments of dataclass `cls` written in a spec; positional words fill fields in order.

    Raises JumpnetError for unknown keys (nearest one named), missing sizes, and words of the wrong type.
    """
    fields = {f.name: f for f in dataclasses.fields(cls) if f.init}
    hints = _hints(cls)
    words = by_key(name, fields, positional, keyed, "size")
    for key, field in fields.items():
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if required and key not in words:
            raise JumpnetError(
                f"{name}: no {key} found, {f'{key}=NUMBER' if field.kw_only else f'{name}:{key}'} expected"
            )
    return {key: _convert(f"{name} {key}", hints[key], word) for key, word in words.items()}


@cache
def _hints(cls: type) -> dict[str, Any]:
    """The types of a dataclass's fields."""
    return typing.get_type_hints(cls)


def _wanted(hint: Any, value: Any) -> str:
    """What a field of this type expects instead of a value; empty when the value will do."""
    origin, kinds = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        fits = any(isinstance(value, type(kind)) and value == kind for kind in kinds)
        wanted = " or ".join(map(str, kinds))
    elif origin in (typing.Union, types.UnionType):
        each = [_wanted(kind, value) for kind in kinds]
        fits, wanted = "" in each, " or ".join(each)
    elif hint is Sides:
        whole = isinstance(value, tuple) and not any(_wanted(int, side) for side in value)
        fits, wanted = whole and len(value) > 0 and min(value) > 0, "a tuple of positive sides such as (8, 8)"
    elif hint is bool:
        fits, wanted = isinstance(value, bool), "True or False"
    elif hint is int or hint is float:
        kind = numbers.Integral if hint is int else numbers.Real
        fits = isinstance(value, kind) and not isinstance(value, bool)
        wanted = "a whole number" if hint is int else "a number"
    else:
        fits = not isinstance(hint, type) or isinstance(value, hint)
        wanted = "a string" if hint is str else getattr(hint, "__name__", "")
    return "" if fits else wanted


def check_types(cls: type, name: str, positional: Sequence[Any], keyed: Mapping[str, Any]) -> None:
    """Refuse arguments of dataclass `cls` that its fields do not take; one that is missing is left to Python.

    Raises JumpnetError for unknown keys (nearest one named), too many values, and values of the wrong type.

    >>> from jumpnet.topology import family
    >>> type(family("torus:8x8"))("8x8")
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: torus sides '8x8' found, a tuple of positive sides such as (8, 8) expected
    """
    fields = sorted((f for f in dataclasses.fields(cls) if f.init), key=lambda f: f.kw_only is True)
    unnamed = sum(not f.kw_only for f in fields)
    if len(positional) > unnamed:
        raise JumpnetError(f"{name}: {len(positional)} sizes without a key found, at most {unnamed} expected")
    for key, value in by_key(name, [f.name for f in fields], positional, keyed, "size").items():
        wanted = _wanted(_hints(cls)[key], value)
        if wanted:
            raise JumpnetError(f"{name} {key} {value!r} found, {wanted} expected")


def _spell_value(value: Any) -> str:
    if isinstance(value, tuple):
        return "x".join(str(v) for v in value)
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def spell(name: str, thing: Any) -> str:
    """The canonical spec of a dataclass instance: required fields first, then keys that differ from their default.

    Required fields declared `kw_only` are written with their key: `debruijn:2,n=12`.

    >>> from jumpnet.topology import family
    >>> family("torus:8x8").spec
    'torus:8x8'
    """
    words = []
    for field in dataclasses.fields(thing):
        if not field.init:
            continue
        value = getattr(thing, field.name)
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            words.append(f"{field.name}={_spell_value(value)}" if field.kw_only else _spell_value(value))
        elif value != field.default:
            words.append(f"{field.name}={_spell_value(value)}")
    return f"{name}:{','.join(words)}" if words else name


def chosen_options(name: str, defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a pattern or process: defaults, replaced by what is given, each read as its default's type.

    >>> chosen_options("hotspot", {"nodes": 1, "share": 0.5}, {"nodes": "128"})
    {'nodes': 128, 'share': 0.5}
    """
    chosen = dict(defaults)
    for key, value in given.items():
        if key not in chosen:
            raise unknown_name(f"option of {name}", key, chosen)
        try:
            chosen[key] = type(chosen[key])(value)
        except ValueError:
            kind = type(chosen[key]).__name__
            raise JumpnetError(f"{name}: {key}={value!r} found, {kind} expected") from None
    return chosen
