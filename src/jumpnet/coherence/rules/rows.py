"""A protocol's tables as rows of numbers, for machines that carry each reference through before the next.

What a read, a write or an eviction does to a line at rest follows from the line's class, the actor's part in it, and
whether others are listed (`_at_rest`, what is refused in `_sayable`); circumstances that only the machines have get a
row as well (`_unmet`). So a protocol is one file, and the machines know numbers only. What a row means is in `codes`.
Its check: tests/naive/protocol.py runs the tables reference by reference. Called by `functional`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.rules import codes as at
from jumpnet.coherence.rules._at_rest import EVENTS, AtRest, Key
from jumpnet.coherence.rules._no_copy import check_that_others_do_not_matter, mark_those_listed
from jumpnet.coherence.rules._overtaken import let_overtake
from jumpnet.coherence.rules._unmet import complete, let_sole_readers_own, unmet
from jumpnet.coherence.search.model import WrongStepError
from jumpnet.errors import JumpnetError
from jumpnet.terms import I64

__all__ = ["Rules", "rules_of"]

LEAST_CACHES, MOST_CACHES = 3, 6
"""Caches with which the tables are run: as few as meet every class."""


class Rules(NamedTuple):
    """The rows of a protocol."""

    rows: I64
    """(classes * ROWS,) by `codes.ROWS * class + PARTS * part + ALONE * alone + event`."""
    first: int
    """The class of a line that no node has touched."""
    other: int
    """The same on a page for which the home has chosen the other mode; `first` where there is none."""
    shared: int
    """The class of a line that two have read and none has written; -1 where one node at a time may read."""
    tells: bool
    """Whether some clean copies are given up with a notification."""
    pointers: int
    """Nodes that an entry must be able to list, one of which gives its copy up for one more; 0 where none has to."""
    lingers: bool
    """Whether some nodes are listed that were given no copy."""
    names: tuple[tuple[str, str], ...]
    """State of the home and of the owner, empty without one, of each class."""
    unfollowed: str
    """What becomes of an overtaken request that no row says; empty where rows say all, or where none were asked for."""

    def row(self, home: str, owner: str, part: int, event: str, alone: bool = False) -> int:
        """The row of a class by its names. Raises JumpnetError where there is no such class.

        >>> from jumpnet.coherence.protocol import protocol
        >>> row = rules_of(protocol("msi")).row("S", "", at.HOLDER, "write")
        >>> bool(row & at.TELLS), bool(row & at.FETCHES)
        (True, False)
        """
        if (home, owner) not in self.names:
            raise JumpnetError(f"no home in {home} with an owner in {owner or 'no state'} found")
        place = at.ROWS * self.names.index((home, owner)) + at.PARTS * part + EVENTS.index(event)
        found = int(self.rows[place])
        return int(self.rows[place + at.ALONE]) if alone and found & at.DEPENDS else found


def _placed(rows: dict[Key, int], classes: int) -> I64:
    """All rows in their places, marked where being alone matters."""
    takes = any(row & at.TAKES for row in rows.values())
    found = np.zeros(classes * at.ROWS, np.int64)
    for (c, part, alone, event), row in rows.items():
        depends = not alone and (row ^ rows[c, part, 1, event]) & ~at.SAME_ALONE
        marks = at.DEPENDS * bool(depends) | at.MATES * bool(takes and row & at.SOILS)
        found[at.ROWS * c + at.PARTS * part + at.ALONE * alone + event] = row | marks
    return found


@lru_cache(maxsize=64)
def rules_of(protocol: Protocol, exclusive: bool = False, in_time: bool = False) -> Rules:
    """The rows of a protocol.

    exclusive: a reader that the home lists alone may write without a request, and gives a clean copy up silently,
    in modes that take copies away; where sole readers own the line anyway nothing changes. in_time: with rows of
    requests that others overtake on their way to the home. Raises JumpnetError for tables that are stuck, or under
    which some copies stay and others go. Cost: some 50 ms, in time 100 ms.

    >>> from jumpnet.coherence.protocol import protocol
    >>> rules_of(protocol("msi")).names
    (('U', ''), ('S', ''), ('M', 'M'))
    """
    try:
        found, first, shared = _searched(protocol)
    except WrongStepError as wrong:
        raise JumpnetError(f"protocol {protocol.name}: {wrong}") from None
    unfollowed = let_overtake(found) if in_time else ""
    rows, classes, start = found.rows, len(found.names), min(first)
    complete(rows, classes, first, shared)
    check_that_others_do_not_matter(found)
    if exclusive and not any(key[3] == at.READ and row & at.ACTOR for key, row in rows.items()):
        let_sole_readers_own(rows, classes)
    tells = any(key[3] == at.EVICT and row & at.ASKS and not row & at.STORES for key, row in rows.items())
    pointers = protocol.pointers * found.makes_room
    lingers = any(row & at.LISTS for row in rows.values())
    names = tuple(found.names)
    return Rules(_placed(rows, classes), start, max(first), shared, tells, pointers, lingers, names, unfollowed)


def _searched(protocol: Protocol) -> tuple[AtRest, dict[int, int], int]:
    """All rows that the tables have, by the class of an untouched line that of one that two have read, and `shared`.

    With as many caches as it takes for a node without a copy to come in every class, and for all pointers to be taken.
    """
    if protocol.pointers >= MOST_CACHES:
        raise JumpnetError(
            f"protocol {protocol.name}: {protocol.pointers} pointers found, at most {MOST_CACHES - 1} of "
            "tables that machines run expected: their own entries may have more"
        )
    for caches in range(max(LEAST_CACHES, protocol.pointers + 1), MOST_CACHES + 1):
        found = AtRest(protocol, caches)
        first, shared = _first_classes(found)
        missing = unmet(found)
        if not missing:
            mark_those_listed(found)
            return found, first, shared
    raise found.wrong(missing)


def _first_classes(found: AtRest) -> tuple[dict[int, int], int]:
    """Run the tables from every state at the start: the classes as `_searched` returns them."""
    starts = [found.model.start]
    home = found.model.homes[starts[0][0]].state
    if (home, "switch") in found.protocol.home_rows:
        starts.append(found.carry(starts[0], 0, "switch")[0])
    first: dict[int, int] = {}
    shared = at.UNSHARED
    for start in starts:
        two = found.carry(found.carry(start, 1, "read")[0], 2, "read")[0]
        start_class = found.class_of(start)
        first[start_class] = found.class_of(two)
        if start == starts[0] and not any(cache.owner for cache in found.model.caches(two)):
            shared = first[start_class]
        found.search(start)
    meets_others = (shared, at.NONE, 0, at.READ) in found.rows  # readers who get copies
    return first, shared if meets_others else at.UNSHARED
