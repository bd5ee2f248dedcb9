"""Sections 3.1 to 3.3 in words: lines and pages, update protocols, maps in the header, roots. Used by `directory`."""

from __future__ import annotations

from collections.abc import Mapping

from jumpnet.coherence.functional import PAGE_ENTRIES
from jumpnet.multicast.territory import territories
from jumpnet.paper._section import Cell, Golden, Table, claimed
from jumpnet.paper.kudoh1995rhbd._sharing import CLUSTER, shipped, traffic
from jumpnet.paper.kudoh1995rhbd.single_tree import DESTINATIONS, MACHINE, SIGMAS, SPEC, casts, fat_loads, single_tree
from jumpnet.paper.kudoh1995rhbd.single_tree import tree_loads as loads_of_single_tree
from jumpnet.paper.nishi1997router._cells import Said, sentences

__all__ = ["protocol_table", "root_table", "told_table"]

CLAIM = "update_destinations"


def _mean(histogram: Mapping[int, int]) -> float:
    """Destinations of a message."""
    return sum(k * count for k, count in histogram.items()) / max(1, sum(histogram.values()))


def protocol_table(golden: Golden) -> Table:
    """Destinations under both protocols in programs that are run, for both readings of a page's entry."""
    rows: list[tuple[str, list[Cell | None]]] = []
    for label, trace in shipped(False).items():
        for entry in PAGE_ENTRIES:
            update, invalidate = (
                _mean(traffic(trace, protocol, "page", CLUSTER, entry).destinations_histogram)
                for protocol in ("update", "invalidate")
            )
            answer = "more" if update > invalidate else "not more"
            detail = f"{update:.2f} against {invalidate:.2f} destinations on average"
            cell = claimed(golden, CLAIM, answer, reading=f"page_entry:{entry}", detail=detail)
            rows.append((f"{label}, {entry.replace('_', ' ')}", [cell]))
    note = f"Programs of kudoh1995rhbd, Figure 9, on clusters of {CLUSTER} processors."
    columns = ("destinations under update",)
    return Table("Update against invalidation, an entry a page", "nishi1997router, section 3.1", columns, rows, note)


def told_table(golden: Golden) -> Table:
    """What is only said of lines and of headers."""
    lines = Said("avoided", "our machine model transfers lines only: pages are not compared", stated=True)
    header = Said("quickly", "the header of our models has the maps; directories on the way are not timed", stated=True)
    source = "nishi1997router, sections 3.1 and 3.2"
    return sentences(golden, "Lines and headers", source, {"large_messages": lines, "maps_in_header": header})


def root_table(golden: Golden) -> Table:
    """Loads and ways to the root, against the one tree of all nodes: the comparison of kudoh1995rhbd, section 4."""
    where, machine = territories(SPEC), territories(MACHINE)
    digits = single_tree(where)
    loads: list[tuple[str, Said]] = []
    ways: list[tuple[str, Said]] = []
    for sigma in SIGMAS:
        sets = casts(where.side, sigma)
        single, up = loads_of_single_tree(digits, sets)
        fat, hops = fat_loads(machine, sets)
        root, most = max(count for (above, *_), count in single.items() if above == ()), max(fat.values())
        label = f"destinations at sigma {sigma:g}" if sigma else "destinations anywhere"
        busiest = f"{most} on the busiest link of {MACHINE}, {root} on that of the tree's root"
        loads.append(
            ("root_uncongested", Said("below" if most < root else "not below", busiest, label=f"{label}: busiest link"))
        )
        way = f"{hops.mean():.2f} hops on average, at most {hops.max()}; {up.mean():.2f} links up the tree"
        fewer = "below" if hops.mean() < up.mean() else "not below"
        ways.append(("straight_to_root", Said(fewer, way, label=f"{label}: way to the root")))
    note = f"Each of {machine.routers} nodes multicasts once, to {DESTINATIONS} destinations, with full maps."
    source = f"nishi1997router, section 3.3; {MACHINE}"
    return sentences(golden, "The roots, against a single tree", source, [*loads, *ways], note)
