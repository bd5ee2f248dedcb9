"""Text formats, read in pieces, whose lines a kernel parses: Valgrind's lackey, Dinero's din, and CSV.

lackey, of `--trace-mem=yes`: `I  addr,size`, ` L addr,size`, ` S addr,size`, ` M addr,size`. Addresses are hexadecimal,
sizes decimal; M is a load and then a store. There is no thread id: one processor. Lines of Valgrind's own
(`==pid== ...`) and instruction fetches are left out.

din: `LABEL HEXADDRESS` a line, 0 read, 1 write, 2 instruction fetch, which is left out; the rest of a line is a
comment. The format has no processor field: `din` is the trace of one processor, `din-proc` has the processor (decimal)
as third column. Nor has it a size: an access counts as one word of 4 bytes.

CSV: the first line names the columns, those of a Parquet trace in any order: `proc`, `address` (decimal, or hexadecimal
from `0x` on) and `is_write` (1, 0, true or false), and maybe `size` (4 bytes without it) and `kind` (0, data). Others
are passed over, but for one whose name is almost that of a column that is missing. Cells may stand in quotation marks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from csv import reader
from pathlib import Path
from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError, nearest
from jumpnet.machine.records import (
    BLOCK,
    CONDITION,
    MOST_BYTES,
    MOST_PROCESSORS,
    SPACE_BITS,
    Block,
    Format,
    Trace,
    block_of,
    checked,
)
from jumpnet.machine.trace import _lines as of_line
from jumpnet.machine.trace._lines import parse_lines
from jumpnet.terms import I64

__all__ = ["csv", "din", "din_proc", "lackey"]

REQUIRED = {"proc", "address", "is_write"}
"""Columns of every CSV."""
ALIKE = 0.7
"""As of `nearest`: a column named so much alike is one with a slip in its name."""
ALLOWED = {
    "proc": f"below {MOST_PROCESSORS}", "address": f"below 2**{SPACE_BITS}", "size": f"1 to {MOST_BYTES}",
    "is_write": "0 or 1", "kind": f"0 to {CONDITION}",
}  # fmt: skip
"""Numbers of each column of a CSV."""
CHUNK = 1 << 20
"""Bytes read at a time."""


class Layout(NamedTuple):
    """What the lines of a file are."""

    form: int
    """One of `_lines`."""
    expected: str
    """A line, in words."""
    processors: int | None = None
    """Of the trace, None where its lines say it."""
    order: tuple[int, ...] = ()
    """Of a CSV: the place in COLUMNS of each column, -1 for others."""
    head: int = 0
    """Bytes of the line that says so."""


def _blocks(path: Path, of: Layout) -> Iterator[Block]:
    """Blocks of a text file. Cost: some 0.05 microseconds a line.

    Raises JumpnetError for an empty file, and with line number and byte offset for a line that is too long or not of
    the format.
    """
    offset, number, record = of.head, int(of.head > 0), 0
    data, last, order = b"", False, np.array(of.order, np.int64)
    cells: I64 = np.array([0, 0, of_line.WORD_BYTES, 0, 0])
    columns = *(np.empty(BLOCK, np.int64) for _ in range(3)), np.empty(BLOCK, np.bool_), np.empty(BLOCK, np.int64)
    with path.open("rb") as file:
        file.seek(offset)
        while not last:
            more = file.read(CHUNK)
            last = not more
            # The last line may lack its end.
            data += b"\n" if last and data else more
            bytes_, at, why = np.frombuffer(data, np.uint8), 0, -1
            while why not in (of_line.MORE, of_line.WRONG):
                records, used, lines, why = parse_lines(bytes_[at:], of.form, order, cells, *columns)
                at, number = at + used, number + lines
                if records:
                    made = block_of(*(column[:records].copy() for column in columns))
                    yield checked(made, record, path.name, of.processors)
                    record += records
            offset, data = offset + at, data[at:]
            if why == of_line.WRONG:
                text = data[:40].partition(b"\n")[0].decode("ascii", "replace").strip()
                where = f"{path.name}: line {number + 1} (offset {offset})"
                raise JumpnetError(f"{where}: {text!r} found, {of.expected} expected")
    if offset == 0:
        raise JumpnetError(f"{path.name}: empty file found, lines {of.expected} expected")


def _format(name: str, ending: str, layout: Callable[[Path], Layout], source: str, summary: str) -> Format:
    def opened(path: Path) -> Trace:
        of = layout(path)
        return Trace(path.name, of.processors, lambda: _blocks(path, of))

    return Format(name, (ending,), opened, source, summary)


def _csv_layout(path: Path) -> Layout:
    """The columns that the first line of a CSV names. Raises JumpnetError where those of accesses are missing, or one
    that would be passed over is named almost as a missing one."""
    with path.open("rb") as file:
        head = file.readline(of_line.LONGEST_LINE)
    text = head.decode("utf-8-sig", "replace").replace("\r", " ")
    names = [word.strip().lower() for word in next(reader([text], skipinitialspace=True), [""])]
    found = [name for name in names if name in of_line.COLUMNS]
    others = {name: near for name in names if name not in found and (near := nearest(name, of_line.COLUMNS, ALIKE))}
    meant = [f"{name!r} for {near!r}" for name, near in others.items() if near not in found]
    lacks = not set(found) >= REQUIRED or len(found) != len(set(found)) or not head.endswith(b"\n")
    if lacks or meant:
        wanted = "columns proc,address,is_write, and maybe size,kind, named by the first line expected"
        hint = ", ".join(meant) + " meant?" if meant else "jumpnet simulate --trace reads packets"
        raise JumpnetError(f"{path.name}: {','.join(names)[:40]!r} found, {wanted}; {hint}")
    limits = ", ".join(f"{name} {ALLOWED[name]}" for name in found)
    expected = f"`{','.join(found)}` as whole numbers, {limits},"
    order = tuple(of_line.COLUMNS.index(name) if name in found else -1 for name in names)
    return Layout(of_line.CSV, expected, None, order, len(head))


SIZED = f"` L addr,size` with I, L, S or M and 1 to {of_line.MOST_BYTES} bytes"
LABELS = "`LABEL HEXADDRESS` with label 0, 1 or 2"
DINERO = "Dinero IV, https://pages.cs.wisc.edu/~markhill/DineroIV/"

lackey = _format(
    "lackey", ".lackey", lambda _: Layout(of_line.LACKEY, SIZED, 1),
    "Valgrind manual, lackey", "text of valgrind --tool=lackey --trace-mem=yes",
)  # fmt: skip
din = _format("din", ".din", lambda _: Layout(of_line.DIN, LABELS, 1), DINERO, "text, one processor")
din_proc = _format(
    "din-proc", ".dinp", lambda _: Layout(of_line.DIN_PROC, LABELS + " and a processor"), DINERO,
    "text, the processor in a third column",
)  # fmt: skip
csv = _format("csv", ".csv", _csv_layout, "columns as of a Parquet trace", "text, columns named by the first line")
