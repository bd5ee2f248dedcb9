"""Why a user's function does not compile, in one line: where in the user's file, what was found, what is expected.

Numba tells of it in a page for those who know its inside, or with an error of that inside and no word at all. What
users meet is told here in words of Python; of the rest the line stands itself, which is what the user can change.
"""

from __future__ import annotations

import inspect
import linecache
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["why_not_compiled"]

_PACKAGE = str(Path(__file__).parents[1]) + os.sep
_LIBRARIES = (_PACKAGE, sys.base_prefix + os.sep, sys.prefix + os.sep, "<string>")
LONGEST = 160
"""Characters of a reason that are shown."""
LONGEST_LINE = 80
"""Characters of a line of the user's file that are shown."""
NOISE = ("Failed in nopython", "During: ", "- ", "There are ", "* ", "Enabling", "File ", ">>>")
OPCODES = {
    "STORE_GLOBAL": "a global name is set, a result expected",
    "DELETE_GLOBAL": "a global name is set, a result expected",
    "STORE_DEREF": "an outer function's name is set, a result expected",
    "IMPORT_NAME": "an import found, one at the top of the file expected",
    "LOAD_BUILD_CLASS": "a class found, numbers and arrays expected",
    "UNPACK_EX": "a starred name found, an index expected",
    "BEFORE_WITH": "a with block found, plain steps expected",
}
"""Steps of Python's that Numba does not compile, as they are written."""
READ_ONLY = "an array is written that may only be read"
KINDS = "a function, a number, a tuple or an array of numbers expected"
RULES: tuple[tuple[str, str], ...] = (
    (r"(?:setitem|sort|fill)\w*\(readonly|lowering readonly array\S* ?\S*?\.\w+ =", READ_ONLY),
    (r"(a result of type [^\n]* found, a whole number expected)", r"\1"),
    (r"liveness info missing", "a loop without end, a way out of it expected"),
    (r"Exception matching|exception_match", "try with a kind of error found, a look (if) before the step expected"),
    (r"Untyped global name '(\w+)'.*?<class '([\w.]+)'>", rf"\1 found, of type \2: {KINDS}"),
    (r"The use of a (?:reflected )?(\w+).* type, assigned to variable '(\w+)'", rf"\2 found, of type \1: {KINDS}"),
    (r"Can't unify return type from the following types: ([^\n]*)", r"results \1 found, a whole number expected"),
    (r"Cannot unify (.+) and (.+) for '(\w+)", r"\3 found as \1 and as \2: one type expected"),
    (r"variable '(\w+)', have imprecise type", r"\1 found, nothing tells what it holds: a first value expected"),
    (r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'", r"\2.\1 found, which is not compiled"),
    (r"Unknown attribute '(\w+)' of type View", r"Unknown attribute '\1' of the network's view"),
    (r"yield in a closure", "a generator found, a loop expected"),
    (r"Int value is too large: (\S{1,25})", r"\1... found, a number of at most 64 bits expected"),
    (r"re-entrant to the same function|type inference of.*recursi", "a call of itself found, a loop expected"),
)  # fmt: skip
"""What Numba says, as a pattern over all of it, and what is said instead."""
TYPES = (
    (r"Literal\[\w+\]\(([^()]*)\)", r"\1"), (r"readonly array\((\w+), (\d)d, \w\)", r"read-only array of \1"),
    (r"array\((\w+), (\d)d, \w\)", r"array of \1"), (r"(?:reflected )?list\((\w+)\)(?:<iv=[^>]*>)?", r"list of \1"),
    (r"OptionalType\((\w+)\)", r"\1 or None"), (r"View\(.*\)", "the network's view"), (r"unicode_type", "text"),
    (r"<iv=[^>]*>", ""),
)  # fmt: skip
INSIDE = re.compile(r"No impl|object at 0x|^\w*(Error|Exception)$|<|\bNRT\b|out of range|invalid type in signature|\$")
"""Reasons that tell of Numba's inside: the user's line says more."""


def why_not_compiled(error: Exception, function: Callable[..., Any]) -> str:
    """One line for a compiler's refusal: `file:line: what was found, what is expected`.

    The line is in the file of `function` if possible, else in another one of the user's. A compiled function that is
    not `function` itself is named as helper.
    """
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    file, line = _place(error, text, function)
    reason = _reason(error, text, file, line)
    inside = re.search(r"callee type: type\(CPUDispatcher\(<function (\S+) at", text)
    if inside and inside[1].rpartition(".")[2] != function.__name__:
        reason = f"helper {inside[1].rpartition('.')[2]}: {reason}"
    return f"{file or 'the relation'}:{line}: {reason[:LONGEST]}"


def _reason(error: Exception, text: str, file: str, line: int) -> str:
    if opcode := re.search(r"unsupported opcode \((\w+)\)", text):
        return OPCODES.get(opcode[1]) or f"{_line(file, line)} found, which is not compiled: plain steps expected"
    for pattern, words in RULES:
        if found := re.search(pattern, text):
            return _plain_types(found.expand(words))
    lines = (words.strip() for words in text.splitlines())
    reason = next((words for words in lines if words and not words.startswith(NOISE)), type(error).__name__)
    if not INSIDE.search(reason):
        return reason
    call = re.search(r">>> \w[^(\n]*(\(.*\))", text)
    given = f" for {_plain_types(call[1])}"[:LONGEST_LINE] if call else ""
    return f"{_line(file, line)} found, which is not compiled{given}: steps with single numbers expected"


def _plain_types(words: str) -> str:
    """Types as Numba writes them, in words.

    >>> _plain_types("(readonly array(int64, 1d, C), Literal[int](3))")
    '(read-only array of int64, 3)'
    """
    for pattern, plain in TYPES:
        words = re.sub(pattern, plain, words)
    return words


def _line(file: str, number: int) -> str:
    """A line of a user's file, as it stands there."""
    found = " ".join(linecache.getline(file, number).split())
    return found[:LONGEST_LINE] or "a step"


def _place(error: Exception, text: str, function: Callable[..., Any]) -> tuple[str, int]:
    """File and line: what Numba says of both, the deepest first, else where it was when it failed."""
    file = inspect.getsourcefile(function) or ""
    if unknown := re.search(r"name '(\w+)' is not defined", text):
        source, first = inspect.getsourcelines(function)
        for k, words in enumerate(source):
            if re.search(rf"\b{unknown[1]}\b", words):
                return file, first + k
    first_words = re.findall(r"(?:Raised from|During: lowering .* at) (\S+) \((\d+)\)", text)
    others = re.findall(r'(?:at |File ")(\S+?)(?: \(|", line )(\d+)', text)
    places = [*first_words, *others, *_inside(error)]
    for name, line in places:
        if os.path.basename(name) == os.path.basename(file):
            return file, int(line)
    for name, line in places:
        if not os.path.abspath(name).startswith(_LIBRARIES) and linecache.getline(name, 1):
            return name, int(line)
    return file, function.__code__.co_firstlineno


def _inside(error: Exception) -> Iterator[tuple[str, int]]:
    """Places in users' files that Numba was at, the last one first, where its error names none."""
    trace, frames = error.__traceback__, []
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    for frame in reversed(frames):
        for name in ("inst", "constraint", "stmt", "expr", "loc"):
            thing = frame.f_locals.get(name)
            place = thing if name == "loc" else getattr(thing, "loc", None)
            line = getattr(place, "line", None)
            if isinstance(line, int):
                yield str(getattr(place, "filename", "")), line
