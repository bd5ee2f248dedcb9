"""What the functional machine is made of: the choices of a run, checked. Read by `functional.engine` and `machine`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jumpnet.api.public import public
from jumpnet.coherence.functional import _tables as at
from jumpnet.coherence.functional.parts import Parts
from jumpnet.coherence.functional.settings import (
    PLACEMENTS,
    check_names,
    check_pointers,
    empty_stores,
    power_of_two,
)
from jumpnet.coherence.rules.rows import Rules, rules_of

__all__ = ["FunctionalDesign"]


@public
@dataclass(frozen=True)
class FunctionalDesign(Parts):
    """A machine without time. Raises JumpnetError for unknown names, options that would change nothing, and pointers
    with a pruning cache or with pages that list their holders.

    >>> FunctionalDesign(directory="line").machine(4).nodes
    4
    """

    placement: str = "first-touch"
    exclusive: bool = False
    """Under invalidation a reader that the home lists alone may write without a request, as under mesi."""
    homes: Mapping[int, int] | None = None
    """Node by page number under placement `given`; other pages belong to their first toucher."""
    pointers: int = 0
    """Nodes beside the home that an entry can name, 0 without limit, or as many as the protocol's tables need."""
    evicts: bool = False
    """A node more than there are pointers takes the oldest's place, which gives up the line, or its lines of the page;
    the tables may say so too (`limited`, `limited_update`). Otherwise the entry cannot name its nodes any more
    (`MessageSets.overflowed`) until a write has taken all copies of the line away."""

    def __post_init__(self) -> None:
        rules, entry = self.rules, self.page_entry * self.lists_holders
        self.check_names()
        check_names(("placement", self.placement, PLACEMENTS))
        empty_stores(self.machine(0), 0, self.caches, self.translation, self.pruning)  # of nobody: it checks the sizes
        self.check_parts(self.exclusive)
        object.__setattr__(self, "pointers", self.pointers or rules.pointers)
        object.__setattr__(self, "evicts", self.evicts or rules.pointers > 0)
        check_pointers(self.pointers, self.tables, rules.pointers, self.evicts, entry or "pruning" * (self.pruning > 0))

    @property
    def rules(self) -> Rules:
        """The rows of the protocol."""
        return rules_of(self.tables, self.exclusive)

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
