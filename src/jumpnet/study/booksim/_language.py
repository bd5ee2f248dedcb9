"""BookSim2's configuration language: `key = value;` statements, `//` comments, later assignments win.

A value is a number or a word; words may hold `-/.+(){},`, so `hotspot({3,17},{2,1})` is one word.
Source: the behaviour of BookSim2, commit 28f4329. Files are parsed, never executed. Called by `run`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.sim.config.parameters import BOOKSIM
from jumpnet.study.booksim._keys import DEFAULTS, Value

__all__ = ["Assignment", "assignments", "settings"]

MAX_FILE_CHARACTERS = 1_000_000

_TOKENS = re.compile(
    r"""(?P<skip>[ \t\r\f\v]+|//[^\n]*)
    |(?P<newline>\n)
    |(?P<list>\{[A-Za-z0-9_\-.(){},]+\})
    |(?P<number>-?(?:\d*\.)?\d+(?:[eE][+-]?\d+)?(?![A-Za-z_]))
    |(?P<word>[A-Za-z_\-/.][A-Za-z0-9_\-/.+(){},]*)
    |(?P<mark>[=;])
    |(?P<other>.)""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"-?([0-9]{1,300}|(?P<real>([0-9]*\.)?[0-9]+([eE][+-]?[0-9]+)?))")
_EXPECTED: Mapping[type[Value], str] = {
    int: "a whole number expected",
    float: "a number with a point or an exponent expected, as BookSim2 does",
    str: "a word expected",
}


class Assignment(NamedTuple):
    """One statement of a file."""

    key: str
    word: str
    line: int
    column: int


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    column: int


def _tokens(text: str, name: str) -> list[_Token]:
    found: list[_Token] = []
    line, start = 1, 0
    for match in _TOKENS.finditer(text):
        kind = match.lastgroup or "other"
        column = match.start() - start + 1
        if kind == "newline":
            line, start = line + 1, match.end()
        elif kind == "other":
            raise JumpnetError(f"{name}:{line}:{column}: character {match.group()!r} found, a key or value expected")
        elif kind != "skip":
            found.append(_Token(kind, match.group(), line, column))
    return found


def assignments(text: str, name: str = "configuration") -> list[Assignment]:
    """The statements of a configuration in order; `name` is the file's, for messages.

    Raises JumpnetError with `name:line:column` for anything that is not `key = value;`.

    >>> assignments("k = 8; // radix")
    [Assignment(key='k', word='8', line=1, column=1)]
    """
    if len(text) > MAX_FILE_CHARACTERS:
        raise JumpnetError(f"{name}: {len(text)} characters found, at most {MAX_FILE_CHARACTERS} expected")
    tokens = _tokens(text, name)
    shape = (("word", "a key"), ("=", "="), ("value", "a value"), (";", ";"))
    statements = []
    for first in range(0, len(tokens), 4):
        group = tokens[first : first + 4]
        for place, (want, expected) in enumerate(shape):
            if place >= len(group):
                last = group[-1]
                raise JumpnetError(
                    f"{name}:{last.line}:{last.column}: end found after {last.text!r}, {expected} expected"
                )
            token = group[place]
            fits = token.kind != "mark" if want == "value" else want in (token.kind, token.text)
            if not fits:
                raise JumpnetError(f"{name}:{token.line}:{token.column}: {token.text!r} found, {expected} expected")
        statements.append(Assignment(group[0].text, group[2].text, group[0].line, group[0].column))
    return statements


def _kind(word: str) -> type[Value]:
    """What BookSim reads a value as: a whole number, one with a point or an exponent, or a word."""
    number = _NUMBER.fullmatch(word)
    return str if number is None else float if number["real"] else int


def _value(statement: Assignment, where: str) -> Value:
    """The value of a key, which has a number as a word where it may be a list too.

    Raises JumpnetError for a number of the other kind than the key's, which BookSim refuses too, and for a word.
    """
    default = DEFAULTS[statement.key]
    found, kind = _kind(statement.word), _kind(str(default))
    if found is not kind and (found is not str or not isinstance(default, str)):
        raise JumpnetError(f"{where}: {statement.key} = {statement.word} found, {_EXPECTED[kind]}")
    return statement.word if isinstance(default, str) else kind(statement.word)


def settings(text: str, overrides: Mapping[str, str] | None = None, name: str = "configuration") -> dict[str, Value]:
    """The keys that a configuration and `key=value` overrides set, with values of the key's own type.

    Raises JumpnetError for syntax (line and column), unknown keys (that of the setting here, or the nearest one) and
    values of the wrong type.

    >>> settings("k = 4; injection_rate = 0.5;", {"k": "8"})
    {'k': 8, 'injection_rate': '0.5'}
    """
    result: dict[str, Value] = {}
    extra = [Assignment(key, word, 0, 0) for key, word in (overrides or {}).items()]
    for statement in [*assignments(text, name), *extra]:
        where = f"{name}:{statement.line}:{statement.column}" if statement.line else "override"
        if statement.key not in DEFAULTS:
            ours = BOOKSIM.get(statement.key)
            nearest = f"unknown BookSim key {statement.key!r}; did you mean {ours!r}?" if ours else ""
            raise JumpnetError(f"{where}: {nearest or unknown_name('BookSim key', statement.key, DEFAULTS)}")
        result[statement.key] = _value(statement, where)
    return result
