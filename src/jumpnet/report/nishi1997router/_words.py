"""Sections 3.1 to 3.3 in words: lines and pages, maps in the header; roots against a single tree.

Used by `directory`.
"""

from __future__ import annotations

from jumpnet.report._section import Golden, Table
from jumpnet.report._single_tree import DESTINATIONS, MACHINE, SIGMAS, all_multicast
from jumpnet.report.nishi1997router._cells import Said, sentences

__all__ = ["root_table", "told_table"]

SAID = {
    "large_messages": Said("avoided", "our machine model transfers lines only: pages are not compared", stated=True),
    "maps_in_header": Said(
        "quickly", "the header of our models has the maps; directories on the way are not timed", stated=True
    ),
}


def told_table(golden: Golden) -> Table:
    """What is only said of lines and headers."""
    return sentences(golden, "Lines and headers", "nishi1997router, sections 3.1 and 3.2", SAID)


def root_table(golden: Golden) -> Table:
    """Loads and ways to the root, against the one tree of all nodes: as for kudoh1995rhbd, section 4."""
    loads: list[tuple[str, Said]] = []
    ways: list[tuple[str, Said]] = []
    for sigma in SIGMAS:
        found = all_multicast(MACHINE, sigma)
        label = f"destinations at sigma {sigma:g}" if sigma else "destinations anywhere"
        busiest = f"{found.busiest} on the busiest link of {MACHINE}, {found.root} on that of the tree's root"
        way = f"{found.hops:.2f} hops on average; {found.up:.2f} links up the tree"
        less = "below" if found.busiest < found.root else "not below"
        fewer = "below" if found.hops < found.up else "not below"
        loads.append(("root_uncongested", Said(less, busiest, label=f"{label}: busiest link")))
        ways.append(("straight_to_root", Said(fewer, way, label=f"{label}: way to the root")))
    note = f"Each of 4096 nodes multicasts once, to {DESTINATIONS} destinations, with full maps."
    source = f"nishi1997router, section 3.3; {MACHINE}"
    return sentences(golden, "The roots, against a single tree", source, [*loads, *ways], note)
