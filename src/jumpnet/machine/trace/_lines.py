"""Kernel that reads the lines of the text formats from bytes. Naive twin: tests/naive/traces.py. Called by `text`."""

import numpy as np

from jumpnet.jit.decorator import jit
from jumpnet.jit.linked import entry, kernel

__all__ = ["COLUMNS", "CSV", "DIN", "DIN_PROC", "FULL", "LACKEY", "LONGEST_LINE", "MORE", "WRONG", "parse_lines"]

LACKEY, DIN, DIN_PROC, CSV = 0, 1, 2, 3
COLUMNS = ("proc", "address", "size", "is_write", "kind")
"""Of a CSV, by the numbers that follow."""
PROC, ADDRESS, SIZE, IS_WRITE, KIND = 0, 1, 2, 3, 4
MORE, FULL, WRONG = 0, 1, 2
"""Why the kernel stopped: the bytes, or the room for records, ran out, or the next line is not of the format."""
LONGEST_LINE = 4096
MOST_BYTES = 1 << 14
"""As `records.MOST_BYTES`: bytes of one access."""
MOST_KIND = 255
"""More has no room in a record."""
WORD_BYTES = 4
"""Bytes of an access where the format does not say them."""
MOST_DECIMAL = (2**63 - 1) // 10
"""Another digit after so much may not fit."""
NONE, LOAD, STORE, BOTH, BAD = 0, 1, 2, 3, 4
"""Accesses of a line: none, one, a load and then a store, or not a line of the format."""
NEWLINE, SPACE, TAB, RETURN, COMMA, QUOTE = 10, 32, 9, 13, 44, 34
ZERO, NINE, LOWER_A, LOWER_F, LOWER_X = 48, 57, 97, 102, 120
EQUALS, MINUS = 61, 45
LETTER_I, LETTER_L, LETTER_S, LETTER_M = 73, 76, 83, 77
TRUE, FALSE = np.frombuffer(b"true", np.uint8), np.frombuffer(b"false", np.uint8)


@jit(inline="always")
def _blank(c):
    """Whether a byte is a blank."""
    return c in (SPACE, TAB, RETURN)


@jit(inline="always")
def _after_blanks(data, i, stop):
    """The place of the first byte from i on that is no blank; stop where there is none."""
    while i < stop and _blank(data[i]):
        i += 1
    return i


@kernel
def _number(data, i, stop, base):
    """(number, place after it); the place is i where there is no digit, or one of more than 64 bits (decimal: 63).

    A hexadecimal number from 2**63 on comes out negative, as an int64 holds its bits.
    """
    start = i
    if base == 16 and i + 2 < stop and data[i] == ZERO and data[i + 1] | 32 == LOWER_X:
        i += 2
    digits = i
    value = np.int64(0)
    while i < stop:
        c = np.int64(data[i])
        if ZERO <= c <= NINE:
            digit = c - ZERO
        elif base == 16 and LOWER_A <= c | 32 <= LOWER_F:
            digit = (c | 32) - LOWER_A + 10
        else:
            break
        if value >> 60 != 0 if base == 16 else value >= MOST_DECIMAL:
            return value, start
        value = value << 4 | digit if base == 16 else value * 10 + digit
        i += 1
    return value, i if i > digits else start


@kernel
def _lackey(data, i, stop):
    """(accesses, processor, address, bytes) of the line data[i:stop]: ` L addr,size`, or a line of Valgrind's own."""
    if stop - i >= 2 and data[i] == data[i + 1] and (data[i] == EQUALS or data[i] == MINUS):
        return NONE, 0, 0, 0
    i = _after_blanks(data, i, stop)
    if i == stop:
        return NONE, 0, 0, 0
    mark = data[i]
    start = _after_blanks(data, i + 1, stop)
    address, comma = _number(data, start, stop, 16)
    if start == i + 1 or comma in (start, stop) or data[comma] != COMMA:
        return BAD, 0, 0, 0
    size, end = _number(data, comma + 1, stop, 10)
    if end == comma + 1 or not 0 < size <= MOST_BYTES or _after_blanks(data, end, stop) < stop:
        return BAD, 0, 0, 0
    if mark == LETTER_L:
        return LOAD, 0, address, size
    if mark == LETTER_S:
        return STORE, 0, address, size
    if mark == LETTER_M:
        return BOTH, 0, address, size
    return NONE if mark == LETTER_I else BAD, 0, 0, 0


@kernel
def _din(data, i, stop, has_processor):
    """The same of `LABEL HEXADDRESS`, then a processor where there is one, then a comment."""
    i = _after_blanks(data, i, stop)
    if i == stop:
        return NONE, 0, 0, 0
    label = data[i] - ZERO
    start = _after_blanks(data, i + 1, stop)
    address, end = _number(data, start, stop, 16)
    right = start > i + 1 and end > start and (end == stop or _blank(data[end]))
    proc = np.int64(0)
    if has_processor:
        start = _after_blanks(data, end, stop)
        proc, end = _number(data, start, stop, 10)
        right = right and end > start and (end == stop or _blank(data[end]))
    if not right or label > 2:
        return BAD, 0, 0, 0
    return (LOAD if label == 0 else STORE if label == 1 else NONE), proc, address, WORD_BYTES


@kernel
def _is_word(data, i, stop, word):
    """Whether a word, in letters small or large, begins at a place."""
    same = i + len(word) <= stop
    for k in range(len(word)):
        same = same and data[i + k] | 32 == word[k]
    return same


@kernel
def _bare(data, i, stop, column):
    """As `_cell`, of what has no quotation marks."""
    if column == IS_WRITE and _is_word(data, i, stop, TRUE):
        return np.int64(1), i + len(TRUE)
    if column == IS_WRITE and _is_word(data, i, stop, FALSE):
        return np.int64(0), i + len(FALSE)
    hexadecimal = column == ADDRESS and i + 1 < stop and data[i] == ZERO and data[i + 1] | 32 == LOWER_X
    return _number(data, i, stop, 16 if hexadecimal else 10)


@kernel
def _cell(data, i, stop, column):
    """(number, place after it) of a cell: of an address that begins with 0x its hexadecimal one, of `is_write` 1 for
    true; with quotation marks around it or not."""
    if i < stop and data[i] == QUOTE:
        number, end = _bare(data, i + 1, stop, column)
        closed = i + 1 < end < stop and data[end] == QUOTE
        return number, end + 1 if closed else i
    return _bare(data, i, stop, column)


@kernel
def _csv(data, i, stop, order, cells):
    """Accesses of a line with commas between its cells, as of `_lackey`; order: the column of each, -1 for others.

    cells: (len(COLUMNS),) gets their numbers, but for columns that there are none of.
    """
    if _after_blanks(data, i, stop) == stop:
        return NONE
    for c in range(len(order)):
        i = _after_blanks(data, i, stop)
        if order[c] < 0:
            quotes, inside = i < stop and data[i] == QUOTE, False
            while i < stop and (inside or data[i] != COMMA):
                inside ^= quotes and data[i] == QUOTE
                i += 1
        else:
            cells[order[c]], end = _cell(data, i, stop, order[c])
            if end == i:
                return BAD
            i = _after_blanks(data, end, stop)
        if (i == stop) != (c + 1 == len(order)) or (i < stop and data[i] != COMMA):
            return BAD
        i += 1
    if cells[IS_WRITE] > 1 or cells[KIND] > MOST_KIND:
        return BAD
    return STORE if cells[IS_WRITE] else LOAD


@entry
def parse_lines(data, form, order, cells, proc, address, size, is_write, kind):
    """Accesses of the whole lines at the head of some bytes; (records, bytes used, lines used, why it stopped).

    data: (n,) uint8. form: LACKEY, DIN, DIN_PROC or CSV; order, cells: as of `_csv`. The other arrays, of one length,
    get the records.
    """
    k = at = lines = 0
    while True:
        stop = at
        while stop < len(data) and stop - at < LONGEST_LINE and data[stop] != NEWLINE:
            stop += 1
        if stop - at == LONGEST_LINE:
            return k, at, lines, WRONG
        if stop == len(data):
            return k, at, lines, MORE
        if k + 2 > len(proc):
            return k, at, lines, FULL
        if form == CSV:
            what = _csv(data, at, stop, order, cells)
        else:
            what, cells[PROC], cells[ADDRESS], cells[SIZE] = (
                _lackey(data, at, stop) if form == LACKEY else _din(data, at, stop, form == DIN_PROC)
            )
        if what == BAD:
            return k, at, lines, WRONG
        for store in range(2):
            if what & (LOAD << store):
                proc[k], address[k], size[k] = cells[PROC], cells[ADDRESS], cells[SIZE]
                is_write[k], kind[k] = store == 1, cells[KIND]
                k += 1
        at, lines = stop + 1, lines + 1
