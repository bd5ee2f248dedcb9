"""Figures 10 and 11 of the bit-map directory paper: receivers against destinations, 10,000 trials a point."""

from __future__ import annotations

from jumpnet.multicast.sample import Sampled
from jumpnet.report._measures import much_more
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.kudoh1995rhbd._study import (
    DEFAULT,
    FIGURES,
    MOST,
    SCHEMES,
    TRIALS,
    best,
    crossing,
    curves,
    figure,
)

TITLE = "Figures 10 and 11: receiving nodes against destinations"
ORDER = 20

SHOWN = (1, 2, 4, 8, 10, 12, 16, 32)
FEW = (2, 4, 8)
MANY = (16, 32)
"""Destinations that are not few: SM is said to suit those."""
SOURCE = "kudoh1995rhbd, section 5.2"


def _averages(number: int, found: Sampled) -> Table:
    rows = []
    for i, name in enumerate(SCHEMES):
        at = [found.destinations.index(k) for k in SHOWN]
        cells: list[Cell | None] = [
            Cell(None, f"{found.mean[j, i]:.2f} ± {found.band[j, i]:.2f}", claim=f"figure_{number}") for j in at
        ]
        rows.append((name, cells))
    return Table(
        f"Receiving nodes, D = {FIGURES[number]:g}",
        f"kudoh1995rhbd, Figure {number}",
        [f"{k} destinations" for k in SHOWN],
        rows,
        f"Mean of {found.trials:,} trials and its 95% band.",
    )


def _claims(golden: Golden, found: dict[int, Sampled]) -> Table:
    near, wide = found[10], found[11]
    ends = sorted((float(v), SCHEMES[i]) for i, v in enumerate(near.mean[-1]))
    rows: Rows = [
        ("D = 1, 32 destinations: best scheme", [claimed(golden, "receivers_32_least", ends[0][0], detail=ends[0][1])]),
        (
            "D = 1, 32 destinations: worst scheme",
            [claimed(golden, "receivers_32_most", ends[-1][0], detail=ends[-1][1])],
        ),
    ]
    for number, each in found.items():
        ten = dict(zip(SCHEMES, each.mean[each.destinations.index(10)], strict=True))
        detail = f"at 10 destinations SM {ten['SM']:.1f}, LARP {ten['LARP']:.1f}"
        label = f"D = {FIGURES[number]:g}: destinations from which LARP reaches fewer than SM"
        rows.append((label, [claimed(golden, "crossing", crossing(each) or "never", detail=detail)]))
        label = f"D = {FIGURES[number]:g}: best scheme for {MOST} destinations"
        rows.append((label, [claimed(golden, "larp_many", best(each, MOST))]))
        words = sorted({best(each, k) for k in FEW})
        label = f"D = {FIGURES[number]:g}: best scheme for {', '.join(map(str, FEW))} destinations"
        rows.append((label, [claimed(golden, "sm_few", " or ".join(words))]))
    rows += _near(golden, near)
    least = [k for each in found.values() for k in each.destinations[1:] if best(each, k) == "LPRA"]
    rows.append(("LPRA the best for any number from 2 on", [claimed(golden, "lpra_never", "yes" if least else "no")]))
    ratios = wide.mean[MOST - 1] / near.mean[MOST - 1]
    more = "yes" if bool((wide.mean[1:] > near.mean[1:]).all()) and much_more(ratios.min(), 1) else "no"
    detail = f"{MOST} destinations: {ratios.min():.1f} to {ratios.max():.1f} times as many, by scheme"
    rows.append(("more receive at D = 5 than at D = 1", [claimed(golden, "wide_spread_more", more, detail=detail)]))
    rows.append(("trials a point", [claimed(golden, "trials", TRIALS, stated=True)]))
    return Table("What the text says of these figures", SOURCE, ("value",), rows)


def _near(golden: Golden, near: Sampled) -> Rows:
    """What is best for destinations near the source: the sentence names no number, so that few count like many."""
    rows: Rows = []
    for k in (*FEW, *MANY):
        label = f"near the source (D = 1): best scheme for {k} destinations"
        rows.append((label, [claimed(golden, "larp_locality", best(near, k))]))
    return rows


def section(golden: Golden, progress: Progress) -> Section:
    """Sample both distributions; read the paper's statements off the curves."""
    found = {}
    for done, number in enumerate(FIGURES):
        progress(done, len(FIGURES))
        found[number] = figure(DEFAULT, number)
    pictures: list[Figure] = [
        curves(
            f"rhbd-figure-{n}",
            f"Receiving nodes against destinations, D = {FIGURES[n]:g}",
            f"figure_{n}",
            f"kudoh1995rhbd, Figure {n}",
            s.destinations,
            "destinations",
            s.mean,
            s.band,
        )
        for n, s in found.items()
    ]
    return Section(TITLE, TEXT, (_claims(golden, found), *(_averages(n, s) for n, s in found.items())), pictures)


TEXT = """The paper draws destinations at random around the source and counts who receives. Here they are different
routers, none the source; x and y of their offsets are rounded normal numbers whose sigma is the paper's D. The
multicast starts at the source, at the least rank whose territory holds all destinations, on a PRDT of 4096 nodes, which
the four maps of the paper's 32 bits name. The section on readings shows what other choices give."""
