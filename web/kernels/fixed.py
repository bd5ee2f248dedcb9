"""What stays as it is during a run, as constants of its code, which the page writes in.

Kernels read a run's sizes and addresses from its record. LLVM and browsers cannot know them, nor what they rule out. So
each such read, in entries that simulate cycles, becomes a call of a function of the field's own (`FIELD` and its name).
A call takes six bytes in the module, as `i64.const` does: the page has the record, writes the constants over the calls,
and has that compiled (`web/src/sim/fixed.ts`). The functions themselves are never called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from jumpnet.jit.records import record_types
from jumpnet.sim.memory.record import FIELDS

__all__ = ["FIELD", "as_calls", "fields_named", "first_pages", "linked"]

FIELD = "jumpnet.field."
MOVING = (
    "seed", "packed", "bubble", "packet_rows", "batches_rows", "packet", "flit", "batches", "class_calls",
    "relation", "start", "entry_lanes", "first_lanes", "last_lanes", "other_lanes",
)  # fmt: skip
"""Fields that the page changes between two calls, places in the module's table, which are those of one instance, and
sets of lanes, which may have more digits than there is room for."""
READ = re.compile(rf'^  (%"?{re.escape(FIELD)}(\w+)\.[\w.]*"?) = load i64, [^\n]*\n', re.MULTILINE)
PURE = "nounwind willreturn speculatable nofree nosync memory(none)"
CALL, FUNCTION_INDEX = 0x10, 0
"""The opcode of a call, and the kind of a relocation that is the number of a function."""
LENGTHENED = [128, 128, 0]
"""The last of the five bytes that the linker writes a function's number in."""
CUSTOM, IMPORTS, CODE, SYMBOL_TABLE = 0, 2, 10, 8
"""Sections of a WebAssembly module, and a part of its section `linking`."""
WITH_ADDENDS = {3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23, 25}
"""Kinds of relocations that have a number more."""
SYMBOLS_AS_DATA, SYMBOLS_OF_SECTIONS, UNDEFINED, NAMED = 1, 3, 0x10, 0x40
"""Kinds of symbols that are told otherwise than functions, and flags of a symbol."""


@contextmanager
def fields_named() -> Iterator[None]:
    """Reads of a run's record are values named by their field, in the code that is made meanwhile."""
    read = record_types._read

    def named(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
        found = read(context, builder, kind, value, name)
        if kind.name.startswith("SimulatorMemory"):
            word = found.operands[0] if name in kind.arrays else found
            word.name = f"{FIELD}{name}."
        return found

    with patch.object(record_types, "_read", named):
        yield


def as_calls(text: str) -> str:
    """The code with calls instead of reads."""
    asked = set()

    def call(found: re.Match[str]) -> str:
        if found[2] in MOVING:
            return found[0]
        asked.add(found[2])
        return f"  {found[1]} = call i64 @{FIELD}{found[2]}()\n"

    text = READ.sub(call, text)
    return text + "".join(f"declare i64 @{FIELD}{name}() {PURE}\n" for name in sorted(asked))


def _number(words: bytes, at: int) -> tuple[int, int]:
    """The number that begins there, and where it ends."""
    value = shift = 0
    while True:
        byte = words[at]
        at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
        if byte < 128:
            return value, at


def _sections(words: bytes) -> Iterator[tuple[int, str, int, int, int]]:
    """Each section: its kind, its name if it has one, where it begins, where what it says begins and ends."""
    at = 8
    while at < len(words):
        kind, (size, first) = words[at], _number(words, at + 1)
        name, content = "", first
        if kind == CUSTOM:
            length, here = _number(words, first)
            name, content = words[here : here + length].decode(), here + length
        yield kind, name, at, content, first + size
        at = first + size


def _symbols(words: bytes, at: int, end: int) -> list[str]:
    """Names of the symbols in a section `linking`, in their order; of those that are functions alone."""
    _, at = _number(words, at)  # its version
    while words[at] != SYMBOL_TABLE:
        size, here = _number(words, at + 1)
        at = here + size
    _, at = _number(words, at + 1)
    count, at = _number(words, at)
    names = []
    for _ in range(count):
        kind, (flags, at) = words[at], _number(words, at + 1)
        name = ""
        if kind not in (SYMBOLS_AS_DATA, SYMBOLS_OF_SECTIONS):
            _, at = _number(words, at)
        if kind == SYMBOLS_OF_SECTIONS:
            _, at = _number(words, at)
        elif kind == SYMBOLS_AS_DATA or not flags & UNDEFINED or flags & NAMED:
            length, at = _number(words, at)
            name, at = words[at : at + length].decode(), at + length
        if kind == SYMBOLS_AS_DATA and not flags & UNDEFINED:
            for _ in range(3):
                _, at = _number(words, at)
        names.append(name)
    assert at <= end
    return names


def _relocations(words: bytes, at: int) -> Iterator[tuple[int, int]]:
    """Functions named in the code: where, from its first byte on, and by which symbol."""
    _, at = _number(words, at)  # the section that they are of
    count, at = _number(words, at)
    for _ in range(count):
        kind, (place, at) = words[at], _number(words, at + 1)
        symbol, at = _number(words, at)
        if kind in WITH_ADDENDS:
            _, at = _number(words, at)
        if kind == FUNCTION_INDEX:
            yield place, symbol


def _calls(words: bytes, functions: range) -> list[int]:
    """Where words stand that are a call of one of the functions, as the page finds them (`web/src/sim/fixed.ts`)."""
    found, at = [], words.find(CALL)
    while at >= 0:
        low, high, *rest = words[at + 1 : at + 6].ljust(5, b"\0")
        if low & high & 128 and rest == LENGTHENED and (low & 127 | (high & 127) << 7) in functions:
            found.append(at)
        at = words.find(CALL, at + 1)
    return found


def linked(words: bytes) -> tuple[bytes, dict[str, Any]]:
    """A module linked with its relocations: the same without them, and which functions are those of fields.

    They follow each other from number `first` on, by the numbers of their `fields` in the record. Words that are a call
    of one of them are nothing else.
    """
    sections = list(_sections(words))
    told = {name: (content, end) for _, name, _, content, end in sections if name}
    (code,) = [content for kind, _, _, content, _ in sections if kind == CODE]
    symbols = _symbols(words, *told["linking"])
    places, called = [], {}
    for place, symbol in sorted(_relocations(words, told["reloc.CODE"][0])):
        if not symbols[symbol].startswith(FIELD):
            continue
        places.append(code + place - 1)
        called[_number(words, code + place)[0]] = FIELDS.index(symbols[symbol].removeprefix(FIELD))
    kept = words[:8] + b"".join(words[at:end] for kind, _, at, _, end in sections if kind != CUSTOM)
    first = min(at for kind, _, at, _, _ in sections if kind == CUSTOM)
    assert first > code  # what is left out lies behind
    functions = range(min(called), max(called) + 1)
    assert sorted(called) == list(functions) and _calls(kept, functions) == places
    return kept, {"first": functions.start, "fields": [called[number] for number in functions]}


def first_pages(words: bytes) -> int:
    """Pages of memory that the module asks for where it imports it, as its only import."""
    (at,) = [content for kind, _, _, content, _ in _sections(words) if kind == IMPORTS]
    count, at = _number(words, at)
    assert count == 1
    for _ in range(2):
        length, at = _number(words, at)
        at += length
    assert words[at] == 2  # a memory
    return _number(words, at + 2)[0]
