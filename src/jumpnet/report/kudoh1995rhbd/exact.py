"""What the paper could not do: exact expected receivers of one and two destinations, which check the sampling."""

from __future__ import annotations

from jumpnet.multicast.sample import BAND, exact_receivers, sample_receivers
from jumpnet.multicast.territory import territories
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table
from jumpnet.report.kudoh1995rhbd._study import DEFAULT, SCHEMES, SEED, named

TITLE = "Exact receivers for one and two destinations"
ORDER = 40

SIGMAS = (1.0, 2.0, 3.0)
TRIALS = 200_000


def section(golden: Golden, progress: Progress) -> Section:
    """Enumerate every offset and every pair of offsets within nine sigma; sample the same with many trials."""
    where = territories(DEFAULT.network)
    rows: Rows = []
    for done, sigma in enumerate(SIGMAS):
        progress(done, len(SIGMAS))
        found = sample_receivers(where, named(), sigma, [1, 2], trials=TRIALS, seed=SEED + done)
        for i, used in enumerate(named()):
            cells: list[Cell | None] = []
            for j in range(2):
                exact = exact_receivers(where, used, sigma, j + 1)
                error = float(found.band[j, i]) / BAND
                off = (float(found.mean[j, i]) - exact) / error if error else 0.0
                sampled = f"{found.mean[j, i]:.4f} ± {found.band[j, i]:.4f}"
                cells += [Cell(None, exact), Cell(None, sampled), Cell(None, f"{off:+.2f}")]
            rows.append((f"{SCHEMES[i]}, sigma {sigma:g}", cells))
    table = Table(
        "Expected receivers, enumerated and sampled",
        "computed here",
        [f"{k}: {what}" for k in (1, 2) for what in ("exact", "sampled", "difference in standard errors")],
        rows,
        f"{TRIALS:,} trials. Rows of one sigma share their draws, and so the sign of the difference.",
    )
    return Section(TITLE, TEXT, (table,))


TEXT = """The chance of every offset is known, so the expectation for one destination is a sum over offsets and that
for two a sum over pairs, each with the closed form of its scheme. It is the check of the Monte-Carlo figures."""
