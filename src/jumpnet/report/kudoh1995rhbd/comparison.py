"""Section 5.1 of the bit-map directory paper in numbers: who receives under pointers, lists and maps."""

from __future__ import annotations

from jumpnet.coherence.encoding import encoding, encodings
from jumpnet.coherence.encoding.node_numbers import POINTERS
from jumpnet.multicast.territory import territories
from jumpnet.papers import claim, evaluate
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.kudoh1995rhbd._study import DEFAULT, SCHEMES, SEED, sampled

TITLE = "Section 5.1: messages of one update, pointers against maps"
ORDER = 35

COPIES = (2, 4, 6, 8, 16, 32)
SIGMA = 1.0
POINTED = ("full_map", "limited_broadcast", "limited_evicting", "chained")
OVER = (8, 32)
"""Numbers of copies beyond the pointers."""


def _pointer_rows(nodes: int) -> Rows:
    """Encodings whose messages do not depend on where the copies are."""
    rows: Rows = []
    for name in POINTED:
        made = encodings()[name]
        cells: list[Cell | None] = []
        for k in COPIES:
            found = made.message(DEFAULT.network, 0, tuple(range(1, k + 1)))
            after = f", {found.evicted} given up before" if found.evicted else ""
            cells.append(Cell(None, f"{found.receivers} receive, {found.serial} in a row{after}"))
        bits = made.bits(nodes)
        more = f" + {bits.per_copy} a copy" if bits.per_copy else ""
        rows.append((f"{name.replace('_', ' ')}, {bits.entry}{more} bits", cells))
    return rows


def _claims(golden: Golden, nodes: int) -> Table:
    """The paper's words on pointers and lists, which these encodings are made from."""
    rows: Rows = []
    asked = (
        ("overflow_broadcast", "limited_broadcast", "receivers", "limited pointers that broadcast: nodes that receive"),
        ("overflow_evicted", "limited_evicting", "evicted", "limited pointers that evict: copies given up"),
        ("chained_serial", "chained", "serial", "chained: messages in a row"),
    )
    for entry, name, figure, label in asked:
        cells: list[Cell | None] = []
        for copies in OVER:
            found = encoding(name).message(DEFAULT.network, 0, tuple(range(1, copies + 1)))
            printed = evaluate(claim(golden, entry), N=nodes, copies=copies, pointers=POINTERS)
            cells.append(claimed(golden, entry, getattr(found, figure), printed=str(printed), stated=True))
        rows.append((label, cells))
    return Table(
        f"More copies than the {POINTERS} pointers, {nodes:,} nodes",
        "kudoh1995rhbd, section 5.1",
        [f"{copies} copies" for copies in OVER],
        rows,
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Pointers by rule, maps by sampling."""
    nodes = territories(DEFAULT.network).routers
    rows = _pointer_rows(nodes)
    found = sampled(DEFAULT, SIGMA, COPIES)
    for i, name in enumerate(SCHEMES):
        bits = encodings()[name].bits(nodes).entry
        cells: list[Cell | None] = [
            Cell(None, f"{found.mean[j, i]:.1f} receive, 1 in a row") for j in range(len(COPIES))
        ]
        rows.append((f"{name} maps, {bits} bits", cells))
    table = Table(
        f"Messages of one update on {nodes:,} nodes",
        "computed here, after kudoh1995rhbd section 5.1",
        [f"{k} copies" for k in COPIES],
        rows,
        f"Copies at sigma {SIGMA:g} around the home for the maps, mean of {found.trials:,} trials (seed {SEED}); "
        "anywhere for the others.",
    )
    return Section(TITLE, TEXT, (_claims(golden, nodes), table))


TEXT = """With more copies than pointers, which the paper expects of directories of pages, limited pointers disturb the
whole machine or give copies up; a full map and a list name all copies but serve them one after another. The maps take
fewer bits and one message, for some unnecessary receivers. What the access times of a list cost is measured in the
timed machine (execution times)."""
