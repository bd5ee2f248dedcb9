"""What sections 3.1 to 3.3 only say: lines and pages, update protocols, maps in the header, roots. Used by `directory`.

Where kudoh1995rhbd says the same, its sections compute it.
"""

from __future__ import annotations

from jumpnet.paper._section import Golden, Table
from jumpnet.paper.nishi1997router._cells import Said, sentences

__all__ = ["told_table"]

SAID = {
    "large_messages": Said("avoided", "our machine model transfers lines only: pages are not compared", stated=True),
    "maps_in_header": Said(
        "quickly", "the header of our models has the maps; directories on the way are not timed", stated=True
    ),
    "update_destinations": Said("more", "computed for kudoh1995rhbd, where it is said too", stated=True),
    "root_uncongested": Said("below", "computed for kudoh1995rhbd, section 4", stated=True),
    "straight_to_root": Said("below", "computed for kudoh1995rhbd, section 4", stated=True),
}


def told_table(golden: Golden) -> Table:
    """What is only said of lines, protocols, headers and roots."""
    return sentences(golden, "Lines, headers and roots", "nishi1997router, sections 3.1 to 3.3", SAID)
