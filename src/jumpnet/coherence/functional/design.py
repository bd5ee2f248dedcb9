"""What the functional machine is made of: the choices of a run, checked. Read by `functional.engine` and `machine`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from jumpnet.api.public import public
from jumpnet.coherence.functional import _tables as at
from jumpnet.coherence.functional.settings import (
    DIRECTORIES,
    PAGE_ENTRIES,
    PLACEMENTS,
    check_names,
    check_pointers,
    check_sizes,
    empty_stores,
    pages_by_update,
    power_of_two,
    tables_named,
)
from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.rules.rows import Rules, rules_of
from jumpnet.coherence.without_effect import refuse_unused_parts

__all__ = ["FunctionalDesign"]


@public
@dataclass(frozen=True)
class FunctionalDesign:
    """A machine without time. Raises JumpnetError for unknown names, options that would change nothing, and pointers
    with a pruning cache or with pages that list their holders.

    >>> FunctionalDesign(directory="line").machine(4).nodes
    4
    """

    protocol: str = "invalidate"
    directory: str = "page"
    clusters_of: int = 1
    """Processors of a node."""
    line_bytes: int = 32
    page_bytes: int = 4096
    placement: str = "first-touch"
    caches: tuple[int, int] | None = None
    """(bytes, ways) of each processor's own cache; None for one without limit in each node."""
    hints: bool = False
    """A node tells the home when it gives up its last clean copy, so that a line directory removes it."""
    exclusive: bool = False
    """Under invalidation a reader that the home lists alone may write without a request, as under mesi."""
    homes: Mapping[int, int] | None = None
    """Node by page number under placement `given`; other pages belong to their first toucher."""
    update_pages: Iterable[int] = ()
    """Numbers of the pages in update mode under protocol `mixed`; in order, each once, when checked."""
    translation: tuple[int, int] | None = None
    """Entries of the two translation stages, in each processor and in each home."""
    pruning: int = 0
    """Entries of each home's pruning cache, which holds lines of page directories."""
    page_entry: str = "never_cleared"
    """One of PAGE_ENTRIES."""
    pointers: int = 0
    """Nodes beside the home that an entry can name, 0 without limit, or as many as the protocol's tables need."""
    evicts: bool = False
    """A node more than there are pointers takes the oldest's place, which gives up the line, or its lines of the page;
    the tables may say so too (`limited`, `limited_update`). Otherwise the entry cannot name its nodes any more
    (`MessageSets.overflowed`) until a write has taken all copies of the line away."""

    def __post_init__(self) -> None:
        tables = self.tables
        check_names(
            ("directory", self.directory, DIRECTORIES), ("placement", self.placement, PLACEMENTS),
            ("page entry", self.page_entry, PAGE_ENTRIES),
        )  # fmt: skip
        rules, entry = self.rules, self.page_entry * self.lists_holders
        check_sizes(1, self.clusters_of)
        empty_stores(self.machine(0), 0, self.caches, self.translation, self.pruning)  # of nobody: it checks the sizes
        updated = tuple(pages_by_update(self.update_pages).tolist())
        refuse_unused_parts(
            tables, by_page=self.by_page, caches=self.caches, hints=self.hints, update_pages=updated,
            translation=self.translation, pruning=self.pruning, page_entry=entry, exclusive=self.exclusive,
        )  # fmt: skip
        kept = {"update_pages": updated, "pointers": self.pointers or rules.pointers}
        kept["evicts"] = self.evicts or rules.pointers > 0
        for name, value in kept.items():
            object.__setattr__(self, name, value)
        check_pointers(self.pointers, tables, rules.pointers, self.evicts, entry or "pruning" * (self.pruning > 0))

    @property
    def tables(self) -> Protocol:
        """The protocol itself."""
        return tables_named(self.protocol)

    @property
    def rules(self) -> Rules:
        """The rows of the protocol."""
        return rules_of(self.tables, self.exclusive)

    @property
    def by_page(self) -> bool:
        """Whether a page has an entry, not each line."""
        return self.directory == "page"

    @property
    def lists_holders(self) -> bool:
        """Whether a page's entry lists the nodes that hold a line of it now."""
        return self.page_entry == PAGE_ENTRIES[1]

    def machine(self, processors: int) -> at.Machine:
        """The same as the kernels take it. Raises JumpnetError for sizes that are no powers of two."""
        rules = self.rules
        return at.Machine(
            cluster=self.clusters_of,
            nodes=-(-processors // self.clusters_of),
            line_shift=power_of_two("line", self.line_bytes, 4, 1 << 16),
            page_shift=power_of_two("page", self.page_bytes, self.line_bytes, 1 << 24),
            first=rules.first,
            other=rules.other,
            shared=rules.shared,
            tells=rules.tells,
            by_page=self.by_page,
            placement=PLACEMENTS[self.placement],
            hints=self.hints,
            holders=self.lists_holders,
            pointers=self.pointers,
            evicts=self.evicts,
        )
