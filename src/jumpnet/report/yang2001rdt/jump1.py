"""JUMP-1 as section V.A of the RDT paper describes it: numbers of a machine, beside those that our models have."""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.chip.links import LINKS, MBP0, MBP1
from jumpnet.report._section import Figure, Golden, Progress, Rows, Section, Table, Value, claimed
from jumpnet.topology import build

TITLE = "JUMP-1: a cluster and the prototype"
ORDER = 88

CPUS = 4
CLUSTERS = 16
NOTE = """Grey: rank 0; blue: rank 1, the only upper rank at this size, at the nodes of its classes; dashed: links round
the edge. The paper's figure is a photograph of the machine with 64 processing elements, which no computation can draw;
how its clusters were wired is not printed. This is our network of as many."""
NOT_MODELLED = "nothing in our models depends on it"
SPEC = "rdt:4"
"""A network of as many routers as clusters; at this side rank 1 is the only upper rank."""


def _figure() -> Figure:
    """The links of the network of the clusters, drawn without wrap-around."""
    net = build(SPEC)
    here, port, there = net.channel_ends
    rank = net.class_rank[net.link_class[here, port]]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for a, b, r in zip(here.tolist(), there.tolist(), rank.tolist(), strict=True):
            ends = net.coord[[a, b]]
            if a < b:
                bend = "--" if np.abs(ends[0] - ends[1]).max() > 2 else "-"
                axes.plot(ends[:, 0], ends[:, 1], bend, color="#2563eb" if r else "#9aa4b0", lw=1, zorder=1)
        for x, y in net.coord.tolist():
            axes.text(x, y, f"{CPUS} CPU", fontsize=7, ha="center", va="center", zorder=2,
                      bbox={"boxstyle": "round", "fc": "white", "ec": "#20262e"})  # fmt: skip
        axes.set_xlim(-0.6, 3.6)
        axes.set_ylim(3.6, -0.6)
        axes.axis("off")

    data = {"from": here.tolist(), "to": there.tolist(), "rank": rank.tolist()}
    return Figure("rdt-figure-12", "Sixteen clusters of four processors", "yang2001rdt, Figure 12", draw, data,
                  NOTE, claim="figure_12", explored=f"net={net.spec}")  # fmt: skip


def section(golden: Golden, progress: Progress) -> Section:
    """Facts of a machine, all stated."""
    progress(0, 1)
    words: dict[str, tuple[Value, str]] = {
        "jump1_cpus": (CPUS, "a number that the machine model takes (`clusters_of`)"),
        "jump1_memory_processors": (MBP1 - MBP0 + 1, f"of the {LINKS} links of our chip model"),
        "jump1_elements": (CPUS * CLUSTERS, f"{CLUSTERS} clusters of {CPUS}; the paper does not give the clusters"),
        "jump1_universities": (7, NOT_MODELLED),
        "jump1_directory": ("page", "our machine model takes entries for pages or for lines (`directory`)"),
        "jump1_transfer": ("cache line", "as in our machine model"),
        "jump1_header_maps": ("quick", "the header of our models has the maps; directories on the way are not timed"),
        "jump1_translation": (2, NOT_MODELLED),
        "jump1_started": (2000, NOT_MODELLED),
    }
    rows: Rows = [
        (golden["claims"][name]["text"], [claimed(golden, name, value, stated=True, detail=why)])
        for name, (value, why) in words.items()
    ]
    table = Table("A cluster and the prototype", "yang2001rdt, section V.A", ("value",), rows)
    return Section(TITLE, TEXT, (table,), (_figure(),))


TEXT = """The RDT was built for JUMP-1, whose clusters each have one router chip. These are facts of a machine, which
no computation can confirm; our models have them because they were written so. Figure 12 is a photograph of it; below
is our network of as many processors."""
