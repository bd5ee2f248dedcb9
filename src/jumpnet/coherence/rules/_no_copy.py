"""References that leave no copy with their node: writes without allocation, and reads past the cache. Used by `rows`.

Whether the home lists the node all the same does not follow from one event: it may have been listed before.
"""

from __future__ import annotations

from itertools import product

from jumpnet.coherence.rules import codes as at
from jumpnet.coherence.rules._at_rest import EVENTS, AtRest, Key

__all__ = ["check_that_others_do_not_matter", "mark_those_listed"]


ENTERS, STAYS, LEAVES, OUTSIDE = (False, True), (True, True), (True, False), (False, False)
"""Whether the home lists the actor before, and afterwards."""


def mark_those_listed(found: AtRest) -> None:
    """Mark the rows of references that get no copy after which the home lists the actor all the same.

    Raises JumpnetError where it neither lists the actor always, nor leaves its entry as it is, nor clears it.
    """
    for c, event in product(range(len(found.names)), (at.READ, at.WRITE)):
        keys = [key for alone in (0, 1) if (key := (c, at.NONE, alone, event)) in found.rows]
        moves = {move for key in keys for move in found.listing.get(key, ())}
        clears = moves <= {LEAVES, OUTSIDE} and _takes_all(found, keys)
        if not (moves <= {ENTERS, STAYS} or moves <= {STAYS, OUTSIDE} or clears):
            what = "lists the one that asked, or strikes it out, without a copy now and then"
            raise found.wrong(f"with {found.where(c)} it {what}, for which machines have no step")
        for key in keys:
            found.rows[key] |= at.LISTS * (ENTERS in moves)


def _takes_all(found: AtRest, keys: list[Key]) -> bool:
    """Whether a reference strikes all from the list, whoever else is on it."""
    some, other = found.rows[keys[0]], found.rows[keys[-1]]
    return some & at.TAKES != 0 and not (some ^ other) & ~at.SAME_ALONE


def check_that_others_do_not_matter(found: AtRest) -> None:
    """Raise JumpnetError where a reference gets a copy only if others are listed, or only if not: caches ask no home
    before they make room."""
    for c, part, _, event in found.rows:
        if (found.rows[c, part, 0, event] ^ found.rows[c, part, 1, event]) & at.LEAVES:
            raise found.wrong(f"with {found.where(c)} whether a {EVENTS[event]} leaves a copy depends on others")
