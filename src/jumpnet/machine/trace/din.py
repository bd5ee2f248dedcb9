"""Dinero din: text, `LABEL HEXADDRESS` a line, 0 read, 1 write, 2 instruction fetch; the rest of a line is a comment.

The format has no processor field: `din` is the trace of one processor, `din-proc` has the processor (decimal) as third
column. Instruction fetches are left out. The format has no size either; an access counts as one word of 4 bytes.
"""

from __future__ import annotations

from pathlib import Path

from jumpnet.machine.records import Format, Trace
from jumpnet.machine.trace._lines import DIN, DIN_PROC
from jumpnet.machine.trace._text import text_blocks

__all__ = ["din", "din_proc"]

EXPECTED = "`LABEL HEXADDRESS` with label 0, 1 or 2"

din = Format(
    "din",
    (".din",),
    lambda path: Trace(path.name, 1, lambda: text_blocks(path, DIN, EXPECTED, 1)),
    "Dinero IV, https://pages.cs.wisc.edu/~markhill/DineroIV/",
    "text, one processor",
)


def _open_many(path: Path) -> Trace:
    return Trace(path.name, None, lambda: text_blocks(path, DIN_PROC, EXPECTED + " and a processor", None))


din_proc = Format("din-proc", (".dinp",), _open_many, din.source, "text, the processor in a third column")
