"""Section 3.2: the scheme with the fewest receivers for few and for local destinations. Used by `directory`."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

import numpy as np

from jumpnet.multicast import scheme
from jumpnet.multicast.receivers import receivers_of_sets
from jumpnet.multicast.sample import BAND
from jumpnet.multicast.territory import Territories, territories
from jumpnet.report._section import Golden, Table
from jumpnet.report.nishi1997router._cells import Said, sentences
from jumpnet.terms import I64

__all__ = ["CASES", "Case", "compared", "scheme_table"]

SPEC = "prdt:64"
"""What the four maps of a header name."""
TRIALS = 1000
SEED = 1


class Case(NamedTuple):
    """Destinations around the source, and the scheme that is said to suit them."""

    claim: str
    scheme: str
    others: tuple[str, ...]
    destinations: int
    sigma: float

    @property
    def label(self) -> str:
        """The row of the table."""
        return f"{self.scheme}: {self.destinations} destinations around the source, sigma {self.sigma:g}"


CASES = (
    *(Case("scheme_few", "SM", ("LPRA", "LARP"), few, sigma) for sigma in (1, 5) for few in (2, 4, 8)),
    # The sentence names no number of destinations: few count like many.
    *(Case("scheme_local", "LARP", ("SM", "LPRA"), count, 1) for count in (2, 4, 8, 16, 32)),
)


def _sets(where: Territories, case: Case, source: int) -> I64:
    """(trials, destinations) different routers, none the source; offsets are rounded normal numbers."""
    draw = random.Random(SEED)
    made = []
    for _ in range(TRIALS):
        to: dict[int, None] = {}
        while len(to) < case.destinations:
            x, y = round(draw.gauss(0, case.sigma)), round(draw.gauss(0, case.sigma))
            to[where.moved(source, x, y)] = None
            to.pop(source, None)
        made.append(list(to))
    return np.array(made, np.int64)


def compared(case: Case) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """Mean receivers by scheme; ends of the 95% interval of what each other scheme has more, draw by draw."""
    where = territories(SPEC)
    source = where.side // 2 * (where.side + 1)
    to = _sets(where, case, source)
    names = (case.scheme, *case.others)
    found = {n: receivers_of_sets(where, scheme(n), np.full(TRIALS, source, np.int64), to)[0] for n in names}
    ends = {}
    for name in case.others:
        more = found[name] - found[case.scheme]
        half = BAND * float(more.std(ddof=1)) / math.sqrt(TRIALS)
        ends[name] = (float(more.mean()) - half, float(more.mean()) + half)
    return {name: float(each.mean()) for name, each in found.items()}, ends


def _word(ends: dict[str, tuple[float, float]]) -> str:
    """Whether the scheme has fewer receivers than each other one, as far as the intervals tell."""
    if all(low > 0 for low, _ in ends.values()):
        return "below"
    return "not below" if any(high < 0 for _, high in ends.values()) else "not certain"


def scheme_table(golden: Golden) -> Table:
    """What SM and LARP are said to be good for; LPRA's sentence has a section of its own."""
    found: list[tuple[str, Said]] = []
    for case in CASES:
        mean, ends = compared(case)
        numbers = ", ".join(f"{name} {value:.1f}" for name, value in mean.items())
        more = ", ".join(f"{name} {low:+.1f} to {high:+.1f}" for name, (low, high) in ends.items())
        detail = f"mean receivers of {TRIALS} draws: {numbers}; more than {case.scheme}, 95% interval: {more}"
        found.append((case.claim, Said(_word(ends), detail, label=case.label)))
    return sentences(golden, "What the schemes are good for", f"nishi1997router, section 3.2; {SPEC}", found, NOTE)


NOTE = """Drawn as in Figures 10 and 11 of kudoh1995rhbd, on the same network and with the same two sigmas, but with
other random numbers and a tenth of the trials: where the same number of destinations is shown there, the means agree
within their bands. The intervals are of the differences draw by draw, all schemes having the same destinations."""
