"""What the text formats share: bounded lines with their offsets, collected into blocks. Used by `din` and `lackey`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from jumpnet.errors import JumpnetError
from jumpnet.machine.trace._trace import BLOCK, Block, block_of, checked

__all__ = ["Access", "text_blocks"]

LONGEST_LINE = 4096
Access = tuple[int, int, int, bool]
"""Processor, address, bytes, is_write."""


def text_blocks(
    path: Path, parse: Callable[[bytes], list[Access]], expected: str, processors: int | None
) -> Iterator[Block]:
    """Blocks of a text file: `parse(line)` gives the accesses of one line, or raises ValueError.

    Raises JumpnetError with line number and byte offset for a line that is too long or not of the format.
    """
    offset = number = record = 0
    held: list[Access] = []
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE):
            number += 1
            try:
                if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                    raise ValueError
                held += parse(line)
            except ValueError:
                text = line[:40].decode("ascii", "replace").strip()
                where = f"{path.name}: line {number} (offset {offset})"
                raise JumpnetError(f"{where}: {text!r} found, {expected} expected") from None
            offset += len(line)
            if len(held) >= BLOCK - 1:
                yield checked(_arrays(held), record, path.name, processors)
                record += len(held)
                held = []
    if held:
        yield checked(_arrays(held), record, path.name, processors)


def _arrays(held: list[Access]) -> Block:
    proc, address, size, is_write = zip(*held, strict=True)
    # Words beyond 63 bits are clipped here and then refused by `checked`.
    return block_of(proc, [min(a, 2**63 - 1) for a in address], size, is_write)
