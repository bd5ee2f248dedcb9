"""Memory of a directory: an entry for each page against one for each line (kudoh1995rhbd section 5.1).

With pages of 4 Kbyte and lines of 32 bytes a page has 128 lines, so that entries for pages take 1/128 of the memory at
best: when every line of a page has an entry otherwise. Called by `machine` and the report.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from jumpnet.api.public import public
from jumpnet.coherence.encoding import Encoding
from jumpnet.errors import JumpnetError

__all__ = ["DirectoryMemory", "directory_memory"]


@dataclass(frozen=True)
class DirectoryMemory:
    """Bits of all entries, by grain."""

    entry_bits: int
    """One entry."""
    page_bits: int
    """An entry for each page."""
    line_bits: int
    """An entry for each line."""

    @property
    def reduction(self) -> Fraction:
        """Memory of entries for pages, as a part of that for lines."""
        return Fraction(self.page_bits, self.line_bits)

    def of(self, grain: str) -> int:
        """Bits of the directory of a grain, `page` or `line`."""
        return self.page_bits if grain == "page" else self.line_bits


@public
def directory_memory(used: Encoding, nodes: int, pages: int, lines: int) -> DirectoryMemory:
    """Bits of the directories of a machine; what copies carry themselves (`EntryBits.per_copy`) is not in it.

    pages, lines: those that have an entry, of a whole memory or of what a program touched. Raises JumpnetError where
    there are fewer lines than pages.

    >>> from jumpnet.coherence.encoding import encoding
    >>> memory = directory_memory(encoding("SM"), 2**14, 2**20, 2**27)
    >>> memory.entry_bits, str(memory.reduction)
    (40, '1/128')
    """
    if not 0 <= pages <= lines:
        raise JumpnetError(f"{lines} lines in {pages} pages found, at least a line a page expected")
    entry = used.bits(nodes).entry
    return DirectoryMemory(entry, entry * pages, entry * lines)
