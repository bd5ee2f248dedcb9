"""Rules of BookSim 2 that its example files do not use, a small file for each, beside a BookSim binary run now.

Compared as the examples are (see `examples`). Writes `results/rules.csv`.
"""

from __future__ import annotations

from pathlib import Path

from validation.examples import Example, run_all

__all__ = ["RULES", "main"]

ALLOCATOR_RATES = (0.2, 0.35, 0.42)
RULES = tuple(
    Example(name, ALLOCATOR_RATES, (0.7, 0.9), 0.0005, 3_000, 3_000)
    for name in ("select", "pim", "wavefront", "rr_wavefront", "islip_2", "pim_2")
)
"""Files of `data/rules`."""


def main(words: list[str]) -> bool:
    """Parse the options, run both, write the table; whether nothing differs."""
    return run_all(words, "rules", __doc__ or "", RULES, Path(__file__).parent / "data" / "rules")
