"""What the paper could not do: the same study on RDT(2,4,1)/alpha, on 65,536 nodes, with other cardinal numbers."""

from __future__ import annotations

from jumpnet.multicast import scheme
from jumpnet.multicast.sample import sample_receivers
from jumpnet.multicast.territory import territories
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table
from jumpnet.report.kudoh1995rhbd._study import SCHEMES, SEED, TRIALS, named

TITLE = "RDT(2,4,1)/alpha, 65,536 nodes, and other cardinal numbers"
ORDER = 50

NETWORKS = ("prdt:128", "rdt:128", "prdt:256", "prdt:108,n=3", "prdt:256,n=4")
SIGMAS = (1.0, 5.0, 20.0)
DESTINATIONS = (4, 32)


def section(golden: Golden, progress: Progress) -> Section:
    """Sample each network at each spread; the bits are the mean over the trials."""
    rows: Rows = []
    for done, spec in enumerate(NETWORKS):
        progress(done, len(NETWORKS))
        where = territories(spec)
        for sigma in SIGMAS:
            found = sample_receivers(where, named(), sigma, DESTINATIONS, trials=TRIALS, seed=SEED)
            cells: list[Cell | None] = []
            for j in range(len(DESTINATIONS)):
                cells += [Cell(None, f"{found.mean[j, i]:.1f} ± {found.band[j, i]:.1f}") for i in range(len(SCHEMES))]
            ranks = float(found.top_rank[-1]) + 1
            cells.append(Cell(None, scheme("SM").header_bits(1, where.fanout) * ranks))
            rows.append((f"{spec} ({where.routers:,} nodes, {where.fanout} children), sigma {sigma:g}", cells))
    columns = [f"{k} destinations: {name}" for k in DESTINATIONS for name in SCHEMES]
    table = Table(
        "Receiving nodes on larger networks and with other children",
        "computed here",
        (*columns, "bits of the maps, average, 32 destinations"),
        rows,
        f"Mean of {TRIALS:,} trials and its 95% band.",
    )
    return Section(TITLE, TEXT, (table,))


TEXT = """On RDT(2,4,1)/alpha (rdt:128), the machine's network, the base hops move the territory with the class of the
source, and the averages are over all classes. On 65,536 nodes the rows of small sigma repeat those of 16,384: the tree
grows around the source. A larger cardinal number n has 2n² children and fewer ranks: fewer receivers for the same
spread than n = 2, but wider maps."""
