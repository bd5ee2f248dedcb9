"""Rows that no tables have met: entries of the machines may list more nodes, or let go in silence. Used by `rows`."""

from __future__ import annotations

from itertools import product

from jumpnet.coherence.rules import codes as at
from jumpnet.coherence.rules._at_rest import EVENTS, AtRest, Key

__all__ = ["complete", "let_sole_readers_own", "unmet"]


def complete(rows: dict[Key, int], classes: int, first: dict[int, int], shared: int) -> None:
    """Rows for circumstances that the tables never meet: entries of the machines may list more than the tables do.

    A line that no node has touched counts as shared where others are listed and several may read; else listing does
    not matter. A node that has no more what it had writes as one that never had a copy, or likewise by rows of its
    own. first: by the class of a line that nobody has touched, that of one that two have read. shared: as in `Rules`.
    """
    for (c, two), event in product(first.items(), (at.READ, at.WRITE)):
        as_alone = rows[c, at.NONE, 1, event] | at.TAKES
        row = as_alone if shared == at.UNSHARED else rows.get((two, at.NONE, 0, event), as_alone)
        rows.setdefault((c, at.NONE, 0, event), row | at.CHANGES * (row & at.CLASS_BITS != c))
    for c, two in first.items():
        if (c, at.GONE, 1, at.WRITE) in rows and (two, at.GONE, 0, at.WRITE) in rows:
            row = rows[two, at.GONE, 0, at.WRITE]
            rows.setdefault((c, at.GONE, 0, at.WRITE), row | at.CHANGES * (row & at.CLASS_BITS != c))
    parts, events = (at.NONE, at.HOLDER, at.GONE, at.OWNER), (at.READ, at.WRITE, at.EVICT)
    as_without = [c for c in range(classes) if not any((c, at.GONE, alone, at.WRITE) in rows for alone in (0, 1))]
    for c, part, alone, event in product(range(classes), parts, (0, 1), events):
        rows.setdefault((c, part, alone, event), rows.get((c, part, 1 - alone, event), 0))
    for c, alone in product(as_without, (0, 1)):
        rows[c, at.GONE, alone, at.WRITE] = rows[c, at.NONE, alone, at.WRITE]


def let_sole_readers_own(rows: dict[Key, int], classes: int) -> None:
    """A reader that the home lists alone becomes the owner, its copy clean, which it gives up silently.

    In modes in which a writer is the owner, and no other copy is left.
    """
    for c in range(classes):
        write = rows[c, at.NONE, 0, at.WRITE]
        if not (write & at.TAKES and write & at.ACTOR):
            continue
        became = write & at.CLASS_BITS
        owns = at.CHANGES | at.ACTOR | became
        read = rows[c, at.NONE, 0, at.READ]
        rows[c, at.NONE, 1, at.READ] = owns | read & (at.ASKS | at.FETCHES | at.CLEANS)
        rows[became, at.GONE, 1, at.READ] = owns | at.ASKS
        rows[became, at.GONE, 0, at.WRITE] = rows[became, at.GONE, 1, at.WRITE] = owns | at.ASKS | at.SOILS
        if c == became:
            rows[c, at.GONE, 0, at.READ] = read & ~(at.FETCHES | at.CLEANS)


def unmet(found: AtRest) -> str:
    """A class in which no node without a copy reads, or none writes, in words; empty where there is none."""
    for c, event in product(range(len(found.names)), (at.READ, at.WRITE)):
        if all((c, at.NONE, alone, event) not in found.rows for alone in (0, 1)):
            return f"no {EVENTS[event]} by a node without a copy met with {found.where(c)} and {found.caches} caches"
    return ""
