"""Valgrind lackey, `--trace-mem=yes`: text, `I  addr,size`, ` L addr,size`, ` S addr,size`, ` M addr,size`.

Addresses are hexadecimal, sizes decimal; M is a load and then a store. There is no thread id: one processor. Lines of
Valgrind's own (`==pid== ...`) and instruction fetches are left out.
"""

from __future__ import annotations

from jumpnet.machine.trace._text import Access, text_blocks
from jumpnet.machine.trace._trace import MOST_BYTES, Format, Trace

__all__ = ["lackey"]

EXPECTED = "` L addr,size` with I, L, S or M"


def _parse(line: bytes) -> list[Access]:
    if line.startswith((b"==", b"--")) or not line.strip():
        return []
    mark, _, rest = line.strip().partition(b" ")
    where, comma, count = rest.strip().partition(b",")
    address, size = int(where, 16), int(count)
    if mark not in (b"I", b"L", b"S", b"M") or not comma or address < 0 or not 0 < size <= MOST_BYTES:
        raise ValueError
    if mark == b"I":
        return []
    store = [(0, address, size, True)]
    load = [(0, address, size, False)]
    return store if mark == b"S" else load if mark == b"L" else load + store


lackey = Format(
    "lackey",
    (".lackey",),
    lambda path: Trace(path.name, 1, lambda: text_blocks(path, _parse, EXPECTED, 1)),
    "Valgrind manual, lackey",
    "text of valgrind --tool=lackey --trace-mem=yes",
)
