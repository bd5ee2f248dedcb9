"""Figure 12 of the bit-map directory paper: receivers of four destinations against their spread, by 10,000 trials."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet.papers import claim, evaluate
from jumpnet.report._formulas import yes
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.kudoh1995rhbd._study import DEFAULT, LARGE, SCHEMES, TRIALS, curves, four, sampled
from jumpnet.terms import F64

TITLE = "Figure 12: receiving nodes against the spread, four destinations"
ORDER = 30

SIGMAS = (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 12.0, 16.0, 24.0, LARGE)
SHOWN = (1.0, 5.0, 10.0, LARGE)
DESTINATIONS = 4
RANKS = 4


def _sm_least(mean: F64) -> bool:
    """Whether SM has the fewest receivers in every row."""
    sm = SCHEMES.index("SM")
    return bool((np.delete(mean, sm, axis=1) > mean[:, [sm]]).all())


@dataclass(frozen=True)
class Spread:
    """Receivers of each scheme at each sigma, (sigmas, schemes): the mean and its 95% band."""

    mean: F64
    band: F64


def spread(progress: Progress) -> Spread:
    """Sample each spread."""
    found = []
    for done, sigma in enumerate(SIGMAS):
        progress(done, len(SIGMAS))
        found.append(sampled(DEFAULT, sigma, [DESTINATIONS]))
    return Spread(np.array([each.mean[0] for each in found]), np.array([each.band[0] for each in found]))


def _values(found: Spread) -> Table:
    at = [SIGMAS.index(s) for s in SHOWN]
    rows: Rows = [
        (name, [Cell(None, f"{found.mean[j, i]:.1f} ± {found.band[j, i]:.1f}", claim="figure_12") for j in at])
        for i, name in enumerate(SCHEMES)
    ]
    columns, note = [f"sigma {s:g}" for s in SHOWN], f"Mean of {TRIALS:,} trials and its 95% band."
    return Table("Receiving nodes of four destinations", "kudoh1995rhbd, Figure 12", columns, rows, note)


def _claims(golden: Golden, found: Spread) -> Table:
    limit = float(evaluate("(8*(1-(7/8)**k))**r", k=DESTINATIONS, r=RANKS))
    detail = f"eight children, of which four draws take {limit ** (1 / RANKS):.3f} on average; four ranks: {limit:.2f}"
    rows: Rows = [
        (f"SM: receivers at sigma {LARGE:g}", [claimed(golden, "receivers_four", four(DEFAULT), detail=detail)]),
        (
            "SM reaches the fewest nodes at every sigma",
            [claimed(golden, "sm_least_four", yes(_sm_least(found.mean)))],
        ),
    ]
    return Table("What the text says of this figure", "kudoh1995rhbd, section 5.2", ("value",), rows)


def section(golden: Golden, progress: Progress) -> Section:
    """Sample each spread; sigma up to half of the side, where the destinations are everywhere."""
    found = spread(progress)
    picture = curves(
        "rhbd-figure-12", "Receiving nodes against sigma, four destinations", "figure_12", "kudoh1995rhbd, Figure 12",
        SIGMAS, "sigma (base links)", found.mean, found.band, (float(claim(golden, "receivers_four")),),
    )  # fmt: skip
    return Section(TITLE, TEXT, (_claims(golden, found), _values(found)), (picture,))


TEXT = """Four destinations, the number below which a directory of pages seldom falls. With a growing spread the top
rank grows, and with it the number of combinations of digits that SM sends to. On 4096 nodes SM ends at the paper's 120:
destinations anywhere have independent digits, and SM reaches the product, over the four ranks, of how many different
ones there are."""
