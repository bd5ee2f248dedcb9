"""JUMP-1 as section V.A of the RDT paper describes it: numbers of a machine, beside those that our models have."""

from __future__ import annotations

from jumpnet.chip.links import LINKS, MBP0, MBP1
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, claimed

TITLE = "JUMP-1: a cluster and the prototype"
ORDER = 88

CPUS = 4
CLUSTERS = 16


def section(golden: Golden, progress: Progress) -> Section:
    """Three numbers, all stated."""
    progress(0, 1)
    words = {
        "jump1_cpus": (CPUS, "a number that the machine model takes (`clusters_of`)"),
        "jump1_memory_processors": (MBP1 - MBP0 + 1, f"of the {LINKS} links of our chip model"),
        "jump1_elements": (CPUS * CLUSTERS, f"{CLUSTERS} clusters of {CPUS}; the paper does not give the clusters"),
    }
    rows: list[tuple[str, list[Cell | None]]] = [
        (golden["claims"][name]["text"], [claimed(golden, name, value, stated=True, detail=why)])
        for name, (value, why) in words.items()
    ]
    return Section(TITLE, TEXT, (Table("A cluster and the prototype", "yang2001rdt, section V.A", ("value",), rows),))


TEXT = """The RDT was built for JUMP-1, whose clusters each have one router chip. These are facts of a machine, which
no computation can confirm; our models have them because they were written so. Figure 12 is a photograph of it."""
