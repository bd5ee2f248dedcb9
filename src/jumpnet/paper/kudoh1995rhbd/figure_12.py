"""Figure 12 of the bit-map directory paper: receivers of four destinations against their spread, by 10,000 trials."""

from __future__ import annotations

import numpy as np

from jumpnet.multicast.sample import sample_receivers
from jumpnet.multicast.territory import territories
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.paper.kudoh1995rhbd._study import NETWORK, SCHEMES, SEED, TRIALS, curves, named
from jumpnet.papers import claim

TITLE = "Figure 12: receiving nodes against the spread, four destinations"
ORDER = 30

SIGMAS = (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 12.0, 16.0, 24.0, 32.0)
SHOWN = (1.0, 5.0, 10.0, 32.0)
DESTINATIONS = 4


def section(golden: Golden, progress: Progress) -> Section:
    """Sample each spread; sigma up to a quarter of the side, where the destinations are everywhere."""
    where = territories(NETWORK)
    means, bands = [], []
    for done, sigma in enumerate(SIGMAS):
        progress(done, len(SIGMAS))
        found = sample_receivers(where, named(), sigma, [DESTINATIONS], trials=TRIALS, seed=SEED)
        means.append(found.mean[0])
        bands.append(found.band[0])
    mean, band = np.array(means), np.array(bands)
    rows = []
    for i, name in enumerate(SCHEMES):
        at = [SIGMAS.index(s) for s in SHOWN]
        cells: list[Cell | None] = [Cell(None, f"{mean[j, i]:.1f} ± {band[j, i]:.1f}") for j in at]
        rows.append((name, cells))
    values = Table(
        "Receiving nodes of four destinations",
        "kudoh1995rhbd, Figure 12",
        [f"sigma {s:g}" for s in SHOWN],
        rows,
        f"Mean of {TRIALS:,} trials and its 95% band.",
    )
    limit = claim(golden, "receivers_four")
    sm = mean[:, SCHEMES.index("SM")]
    within = [s for s, value in zip(SIGMAS, sm.tolist(), strict=True) if value <= float(limit)]
    least = all(row.argmin() == SCHEMES.index("SM") for row in mean)
    claims = Table(
        "What the text says of this figure",
        "kudoh1995rhbd, section 5.2",
        ("value",),
        [
            (
                "SM: largest average of receivers up to sigma 10",
                [Cell(limit, float(sm[: SIGMAS.index(10.0) + 1].max()), MOST)],
            ),
            ("SM: largest average of receivers, sigma 32", [Cell(None, float(sm.max()))]),
            ("largest sigma with at most that many", [Cell(None, f"{max(within):g}")]),
            ("SM reaches the fewest nodes at every sigma", [Cell("yes", "yes" if least else "no")]),
        ],
    )
    picture = curves(
        "rhbd-figure-12",
        "Receiving nodes against sigma, four destinations",
        "kudoh1995rhbd, Figure 12",
        SIGMAS,
        "sigma (base links)",
        mean,
        band,
        (float(limit),),
    )
    return Section(TITLE, TEXT, (claims, values), (picture,))


MOST = "The paper says 'around 120' and does not say how far its axis goes."
TEXT = """Four destinations, the number below which a directory of pages seldom falls. With a growing spread the top
rank grows, and with it the number of combinations of digits that SM sends to."""
