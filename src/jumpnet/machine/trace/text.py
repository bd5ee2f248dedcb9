"""Text formats, read in pieces, whose lines a kernel parses: Valgrind's lackey, and Dinero's din.

lackey, of `--trace-mem=yes`: `I  addr,size`, ` L addr,size`, ` S addr,size`, ` M addr,size`. Addresses are hexadecimal,
sizes decimal; M is a load and then a store. There is no thread id: one processor. Lines of Valgrind's own
(`==pid== ...`) and instruction fetches are left out.

din: `LABEL HEXADDRESS` a line, 0 read, 1 write, 2 instruction fetch, which is left out; the rest of a line is a
comment. The format has no processor field: `din` is the trace of one processor, `din-proc` has the processor (decimal)
as third column. Nor has it a size: an access counts as one word of 4 bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.machine.records import BLOCK, Block, Format, Trace, block_of, checked
from jumpnet.machine.trace._lines import DIN, DIN_PROC, LACKEY, MORE, MOST_BYTES, WRONG, parse_lines

__all__ = ["din", "din_proc", "lackey"]

CHUNK = 1 << 20
"""Bytes read at a time."""


def _blocks(path: Path, form: int, expected: str, processors: int | None) -> Iterator[Block]:
    """Blocks of a text file; form: one of `_lines`. Cost: some 0.05 microseconds a line.

    Raises JumpnetError for an empty file, and with line number and byte offset for a line that is too long or not of
    the format.
    """
    offset = number = record = 0
    data, last = b"", False
    columns = *(np.empty(BLOCK, np.int64) for _ in range(3)), np.empty(BLOCK, np.bool_)
    with path.open("rb") as file:
        while not last:
            more = file.read(CHUNK)
            last = not more
            # The last line may lack its end.
            data += b"\n" if last and data else more
            bytes_, at, why = np.frombuffer(data, np.uint8), 0, -1
            while why not in (MORE, WRONG):
                records, used, lines, why = parse_lines(bytes_[at:], form, *columns)
                at, number = at + used, number + lines
                if records:
                    made = block_of(*(column[:records].copy() for column in columns))
                    yield checked(made, record, path.name, processors)
                    record += records
            offset, data = offset + at, data[at:]
            if why == WRONG:
                text = data[:40].partition(b"\n")[0].decode("ascii", "replace").strip()
                where = f"{path.name}: line {number + 1} (offset {offset})"
                raise JumpnetError(f"{where}: {text!r} found, {expected} expected")
    if offset == 0:
        raise JumpnetError(f"{path.name}: empty file found, lines {expected} expected")


def _format(name: str, ending: str, form: int, expected: str, source: str, summary: str) -> Format:
    processors = None if form == DIN_PROC else 1

    def opened(path: Path) -> Trace:
        return Trace(path.name, processors, lambda: _blocks(path, form, expected, processors))

    return Format(name, (ending,), opened, source, summary)


LABELS = "`LABEL HEXADDRESS` with label 0, 1 or 2"
DINERO = "Dinero IV, https://pages.cs.wisc.edu/~markhill/DineroIV/"

lackey = _format(
    "lackey", ".lackey", LACKEY, f"` L addr,size` with I, L, S or M and 1 to {MOST_BYTES} bytes",
    "Valgrind manual, lackey", "text of valgrind --tool=lackey --trace-mem=yes",
)  # fmt: skip
din = _format("din", ".din", DIN, LABELS, DINERO, "text, one processor")
din_proc = _format(
    "din-proc", ".dinp", DIN_PROC, LABELS + " and a processor", DINERO, "text, the processor in a third column"
)
