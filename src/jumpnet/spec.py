"""Spec strings: `family:size[,key=value...]`, the one way to name a network, routing or pattern anywhere.

`split` takes a string apart; what its words mean, and how it is spelled again, is in `settings`. Used by the registries
of every layer; knows no family.
"""

from __future__ import annotations

from typing import NewType

from jumpnet.errors import JumpnetError

__all__ = ["Sides", "is_count", "plain", "split"]

Sides = NewType("Sides", tuple)
"""Side lengths, written `16x16x16`; a field of this type is a tuple of positive integers."""

MAX_SPEC_CHARACTERS = 16384
"""Of one spec; a traffic matrix of 64 terminals takes half of it."""
MOST_DIGITS = 18
"""Of a number that 64 bits hold."""


def is_count(word: str) -> bool:
    """Whether a word is a whole number from 0 that 64 bits hold; spaces around it do not count.

    >>> is_count("12"), is_count("-1"), is_count("9" * 5000), is_count("\u0967")
    (True, False, False, False)
    """
    word = word.strip()
    return word.isascii() and word.isdecimal() and len(word) <= MOST_DIGITS


def plain(word: str) -> str:
    """A word that `int` or `float` is to read; raises ValueError for what Python takes besides.

    That is digits of other scripts, and underscores between digits (8_8 is 88 there, and here a slip of 8x8).

    >>> float(plain("0.5"))
    0.5
    """
    if not word.isascii() or "_" in word:
        raise ValueError("digits 0 to 9 expected")
    return word


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
