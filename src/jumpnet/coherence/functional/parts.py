"""What both machines, without time and with it, are made of alike: base of their designs.

What would change nothing, or what the protocol forbids, is refused here for both, with what it would need. Used by
`functional.design` and `machine.timed.design`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jumpnet.coherence.functional.settings import (
    DIRECTORIES,
    PAGE_ENTRIES,
    check_names,
    check_sizes,
    pages_by_update,
    tables_named,
)
from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.rules import codes as rule
from jumpnet.coherence.rules.rows import rules_of
from jumpnet.coherence.store import pair_of
from jumpnet.coherence.without_effect import refuse_unused

__all__ = ["Parts"]


@dataclass(frozen=True)
class Parts:
    """Settings that mean the same in both machines."""

    protocol: str = "invalidate"
    directory: str = "page"
    clusters_of: int = 1
    """Processors of a node."""
    line_bytes: int = 32
    page_bytes: int = 4096
    """Of a page, which has one home; where pages move, what one carries: its entries count as the header does."""
    caches: tuple[int, int] | None = None
    """(bytes, ways) of each processor's own cache; None for one without limit in each node."""
    hints: bool = False
    """A node tells the home when it gives up its last clean copy, so that a line directory removes it."""
    update_pages: Iterable[int] = ()
    """Numbers of the pages in update mode under protocol `mixed`; in order, each once, when checked."""
    translation: tuple[int, int] | None = None
    """Entries of the two translation stages, in each processor and in each home; 0 for one that finds all."""
    pruning: int = 0
    """Entries of each home's pruning cache, which holds lines of page directories: what it holds is told to the line's
    own list."""
    page_entry: str = "never_cleared"
    """A page's entry lists who has touched it, or the nodes that hold a line of it now (`valid_holders`)."""

    @property
    def tables(self) -> Protocol:
        """The protocol itself."""
        return tables_named(self.protocol)

    @property
    def by_page(self) -> bool:
        """Whether a page has an entry, not each line."""
        return self.directory == "page"

    @property
    def lists_holders(self) -> bool:
        """Whether a page's entry lists the nodes that hold a line of it now."""
        return self.page_entry == PAGE_ENTRIES[1]

    def check_names(self) -> None:
        """Raise JumpnetError for unknown names, and clusters that are too small or too large."""
        check_names(("directory", self.directory, DIRECTORIES), ("page entry", self.page_entry, PAGE_ENTRIES))
        check_sizes(1, self.clusters_of)

    def check_parts(self, exclusive: bool = False) -> None:
        """Put the pages in update mode in order. Raises JumpnetError for parts that would change nothing, for a
        translation that is no pair, and for `exclusive` with caches where the tables say that every copy given up is
        told.

        >>> Parts(update_pages=[3]).check_parts()
        Traceback (most recent call last):
            ...
        jumpnet.errors.JumpnetError: pages in update mode found without protocol mixed
        """
        pages = tuple(pages_by_update(self.update_pages).tolist())
        object.__setattr__(self, "update_pages", pages)
        tables, cached, entry = self.tables, self.caches is not None, self.page_entry * self.lists_holders
        rules = rules_of(tables)
        told = self.hints or tables.gives_up(in_silence=False)
        goes = (rules.rows & rule.TAKES).any() or (cached and told)
        finds_all = pair_of("translation", self.translation) == (0, 0)
        in_silence = f"copies that protocol {tables.name} gives up in silence"
        refuse_unused(
            (self.translation is not None, "translation 0,0", not finds_all, "entries of one of its stages at least"),
            (self.pruning, f"a pruning cache of {self.pruning} entries", self.by_page, "directory page"),
            (entry, f"page entry {entry}", self.by_page, "directory page"),
            (self.hints, "hints", cached, "caches of limited size"),
            (entry, f"page entry {entry}", goes, "copies that are taken away, or given up with a word"),
            (self.hints, "hints", tables.gives_up(in_silence=True), in_silence),
            (len(pages), "pages in update mode", rules.other != rules.first, "protocol mixed"),
        )
        if exclusive:
            alone = (rules_of(tables, exclusive=True).rows != rules.rows).any()
            # A sole reader drops its clean line without a word: where every copy is a link of a list, none may go so.
            silent = not (cached and rules.tells)
            refuse_unused(
                (True, "exclusive", alone, "a sole reader that asks before it writes, as under invalidate"),
                (True, "exclusive", silent, f"clean copies that protocol {tables.name} may give up in silence"),
            )
