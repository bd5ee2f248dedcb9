"""Section 5.1 of the bit-map directory paper in numbers: who receives under 84 bits of pointers and 32 bits of maps."""

from __future__ import annotations

from jumpnet.coherence.encoding import encodings
from jumpnet.multicast.sample import sample_receivers
from jumpnet.multicast.territory import territories
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.paper.kudoh1995rhbd._study import NETWORK, SCHEMES, SEED, TRIALS, named

TITLE = "Section 5.1: messages of one update, pointers against maps"
ORDER = 35

COPIES = (2, 4, 6, 8, 16, 32)
SIGMA = 1.0
POINTED = ("full_map", "limited_broadcast", "limited_evicting", "chained")


def _pointer_rows(nodes: int) -> list[tuple[str, list[Cell | None]]]:
    """Encodings whose messages do not depend on where the copies are."""
    rows: list[tuple[str, list[Cell | None]]] = []
    for name in POINTED:
        made = encodings()[name]
        cells: list[Cell | None] = []
        for k in COPIES:
            found = made.message(NETWORK, 0, tuple(range(1, k + 1)))
            after = f", {found.evicted} given up before" if found.evicted else ""
            cells.append(Cell(None, f"{found.receivers} receive, {found.serial} in a row{after}"))
        bits = made.bits(nodes)
        more = f" + {bits.per_copy} a copy" if bits.per_copy else ""
        rows.append((f"{name.replace('_', ' ')}, {bits.entry}{more} bits", cells))
    return rows


def section(golden: Golden, progress: Progress) -> Section:
    """Pointers by rule, maps by sampling."""
    where = territories(NETWORK)
    rows = _pointer_rows(where.routers)
    sampled = sample_receivers(where, named(), SIGMA, COPIES, trials=TRIALS, seed=SEED)
    for i, name in enumerate(SCHEMES):
        bits = encodings()[name].bits(where.routers).entry
        cells: list[Cell | None] = [
            Cell(None, f"{sampled.mean[j, i]:.1f} receive, 1 in a row") for j in range(len(COPIES))
        ]
        rows.append((f"{name} maps, {bits} bits", cells))
    table = Table(
        f"Messages of one update on {where.routers:,} nodes",
        "computed here, after kudoh1995rhbd section 5.1",
        [f"{k} copies" for k in COPIES],
        rows,
        f"Copies at sigma {SIGMA:g} around the home for the maps, mean of {TRIALS:,} trials; anywhere for the others.",
    )
    return Section(TITLE, TEXT, (table,))


TEXT = """With more copies than pointers, which the paper expects of directories of pages, limited pointers disturb the
whole machine or give copies up; a full map and a list name all copies but serve them one after another. The maps take
fewer bits and one message, for some unnecessary receivers."""
