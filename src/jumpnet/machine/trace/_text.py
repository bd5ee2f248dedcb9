"""What the text formats share: a file read in pieces, its lines parsed by a kernel. Used by `din` and `lackey`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.machine.records import BLOCK, Block, block_of, checked
from jumpnet.machine.trace._lines import MORE, WRONG, parse_lines

__all__ = ["text_blocks"]

CHUNK = 1 << 20
"""Bytes read at a time."""


def text_blocks(path: Path, form: int, expected: str, processors: int | None) -> Iterator[Block]:
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
