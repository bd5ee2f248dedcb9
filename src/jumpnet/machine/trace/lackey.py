"""Valgrind's lackey: text of `--trace-mem=yes`: `I  addr,size`, ` L addr,size`, ` S addr,size`, ` M addr,size`.

Addresses are hexadecimal, sizes decimal; M is a load and then a store. There is no thread id: one processor. Lines of
Valgrind's own (`==pid== ...`) and instruction fetches are left out.
"""

from __future__ import annotations

from jumpnet.machine.records import Format, Trace
from jumpnet.machine.trace._lines import LACKEY, MOST_BYTES
from jumpnet.machine.trace._text import text_blocks

__all__ = ["lackey"]

EXPECTED = f"` L addr,size` with I, L, S or M and 1 to {MOST_BYTES} bytes"

lackey = Format(
    "lackey",
    (".lackey",),
    lambda path: Trace(path.name, 1, lambda: text_blocks(path, LACKEY, EXPECTED, 1)),
    "Valgrind manual, lackey",
    "text of valgrind --tool=lackey --trace-mem=yes",
)
