"""Figures 10 and 11 of the bit-map directory paper: receivers against destinations, 10,000 trials a point."""

from __future__ import annotations

from jumpnet.multicast.sample import Sampled, sample_receivers
from jumpnet.multicast.territory import territories
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.paper.kudoh1995rhbd._study import NETWORK, SCHEMES, SEED, TRIALS, crossing, curves, named
from jumpnet.papers import claim

TITLE = "Figures 10 and 11: receiving nodes against destinations"
ORDER = 20

SIGMAS = {10: 1.0, 11: 5.0}
MOST = 32
SHOWN = (1, 2, 4, 8, 16, 32)


def _averages(figure: int, found: Sampled) -> Table:
    rows = []
    for i, name in enumerate(SCHEMES):
        at = [found.destinations.index(k) for k in SHOWN]
        cells: list[Cell | None] = [Cell(None, f"{found.mean[j, i]:.2f} ± {found.band[j, i]:.2f}") for j in at]
        rows.append((name, cells))
    return Table(
        f"Receiving nodes, sigma {SIGMAS[figure]:g}",
        f"kudoh1995rhbd, Figure {figure}",
        [f"{k} destinations" for k in SHOWN],
        rows,
        f"Mean of {found.trials:,} trials and its 95% band. The curves themselves are lost in our copy of the paper.",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Sample both distributions; read the paper's statements off the curves."""
    where = territories(NETWORK)
    found = {}
    for done, (figure, sigma) in enumerate(SIGMAS.items()):
        progress(done, len(SIGMAS))
        found[figure] = sample_receivers(where, named(), sigma, range(1, MOST + 1), trials=TRIALS, seed=SEED)
    ends = sorted(found[10].mean[-1].tolist())
    least, most = claim(golden, "receivers_32_least"), claim(golden, "receivers_32_most")
    cross = claim(golden, "crossing")
    rows: list[tuple[str, list[Cell | None]]] = [
        ("32 destinations, sigma 1: best scheme", [Cell(least, ends[0], BEST)]),
        ("32 destinations, sigma 1: worst scheme", [Cell(most, ends[-1], "The paper rounds: '80 to 180'.")]),
    ]
    loose = (
        sample_receivers(where, named(), SIGMAS[10], [MOST], trials=TRIALS, seed=SEED, repeats=True).mean[0].tolist()
    )
    rows += [
        ("the same, if destinations may repeat or hit the source: best", [Cell(None, min(loose))]),
        ("the same: worst", [Cell(None, max(loose))]),
    ]
    for figure, sampled in found.items():
        label = f"LARP overtakes SM, sigma {SIGMAS[figure]:g}: destinations"
        rows.append((label, [Cell(cross, crossing(sampled) or "never", CROSS)]))
    rows.append(("trials a point", [Cell(claim(golden, "trials"), TRIALS)]))
    claims = Table("What the text says of these figures", "kudoh1995rhbd, section 5.2", ("value",), rows)
    pictures = [
        curves(
            f"rhbd-figure-{f}",
            f"Receiving nodes against destinations, sigma {SIGMAS[f]:g}",
            f"kudoh1995rhbd, Figure {f}",
            s.destinations,
            "destinations",
            s.mean,
            s.band,
        )
        for f, s in found.items()
    ]
    return Section(TITLE, TEXT, (claims, *(_averages(f, s) for f, s in found.items())), pictures)


BEST = """The paper gives the range of all schemes by eye. If destinations could repeat or hit the source the whole
range would lie lower (next rows), so that different destinations are the likelier reading."""
CROSS = """'About 10' in the paper. The averages cross at fewer destinations; from there up to 10 the two schemes stay
within a factor of 1.5 of each other, which on the paper's scale may be hard to tell apart."""
TEXT = """Destinations are different routers, none the source; x and y of their offsets are rounded normal numbers
whose sigma is what the paper calls the variance. The multicast starts at the source with the least top rank whose
territory holds all destinations; the network is a PRDT of 16,384 nodes."""
