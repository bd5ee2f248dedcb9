"""Figures 7 and 8 of the SRT report: average distances over the number of nodes, and what the text says of them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from jumpnet.paper._figures import figures
from jumpnet.paper._section import Cell, Figure, Golden, Progress, Section, Table
from jumpnet.paper.inoguchi1996srt.table_1 import spec_of
from jumpnet.papers import claim

TITLE = "Figures 7 and 8: average distances"
ORDER = 20

ROWS_1D = ("1D-SRT", "LS-1D-SRT", "SS-1D-SRT")
ROWS_2D = ("2D-SRT(1sft)", "LS-2D-SRT(1sft)", "SS-2D-SRT(1sft)", "2D-SRT(uni)", "LS-2D-SRT(uni)", "SS-2D-SRT(uni)")
BITS_1D = tuple(range(5, 15))
BITS_2D = (8, 10, 12, 14, 16)
WITHIN = 0.05
"""How close a growth factor must be to the printed round figure to count as it."""


def _curves(rows: tuple[str, ...], bits: tuple[int, ...], progress: Any) -> dict[str, list[float]]:
    curves: dict[str, list[float]] = {}
    for row in rows:
        curves[row] = []
        for b in bits:
            progress()
            curves[row].append(float(figures(spec_of(row, b)).average_distance))
    return curves


def _figure(name: str, title: str, source: str, curves: dict[str, list[float]], bits: tuple[int, ...]) -> Figure:
    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for row, values in curves.items():
            axes.plot([2**b for b in bits], values, "--" if "1sft" in row else "-", marker=".", label=row)
        axes.set_xscale("log", base=2)
        axes.set_xlabel("nodes")
        axes.set_ylabel("average distance (hops)")
        axes.legend()

    return Figure(name, title, source, draw, {"nodes": [2**b for b in bits], **curves})


def _growth(golden: Golden, curves: dict[str, list[float]], name: str) -> tuple[str, list[Cell | None]]:
    factors = [b / a for values in curves.values() for a, b in pairwise(values)]
    mean, said = sum(factors) / len(factors), claim(golden, name)
    spread = f"{min(factors):.3f} to {max(factors):.3f}"
    close = abs(mean - float(said)) <= WITHIN
    label = "1-D, twice the nodes" if name == "growth_1d" else "2-D, four times the nodes"
    note = "" if round(mean, 1) == float(said) else GROWTH
    return label, [Cell(said, mean, note), Cell(None, spread), Cell(None, "yes" if close else "no")]


def section(golden: Golden, progress: Progress) -> Section:
    """The curves, exactly, with the growth factors and the order of uniform and 1-shift networks."""
    total = len(ROWS_1D) * len(BITS_1D) + len(ROWS_2D) * len(BITS_2D)
    count = iter(range(total))
    one = _curves(ROWS_1D, BITS_1D, lambda: progress(next(count), total))
    two = _curves(ROWS_2D, BITS_2D, lambda: progress(next(count), total))
    growth = Table(
        "Growth of the average distance",
        "inoguchi1996srt, section 4",
        ("mean factor", "range of the factors", f"within {WITHIN} of the printed one"),
        [_growth(golden, one, "growth_1d"), _growth(golden, two, "growth_2d")],
        "Over the sizes of the figures below.",
    )
    rows: list[tuple[str, list[Cell | None]]] = []
    for prefix in ("", "LS-", "SS-"):
        shifted, uniform = two[f"{prefix}2D-SRT(1sft)"], two[f"{prefix}2D-SRT(uni)"]
        cells: list[Cell | None] = []
        for a, b in zip(shifted, uniform, strict=True):
            same = a == b
            note = EQUAL if same else WORSE if b > a else ""
            cells.append(Cell("better", "equal" if same else "better" if b < a else f"worse by {b - a:.4f}", note))
        rows.append((f"{prefix}2D-SRT", cells))
    order = Table(
        "Uniform against 1-shift",
        "inoguchi1996srt, section 4: 'always better'",
        [f"{2**b} nodes" for b in BITS_2D],
        rows,
        "Average distance.",
    )
    pictures = (
        _figure("srt-figure-7", "Average distances of 1D-SRTs", "inoguchi1996srt, Figure 7", one, BITS_1D),
        _figure("srt-figure-8", "Average distances of 2D-SRTs", "inoguchi1996srt, Figure 8", two, BITS_2D),
    )
    return Section(TITLE, TEXT, (growth, order), pictures)


GROWTH = """The paper gives one round factor for the whole curve; the factor itself changes with the size (range
beside)."""
EQUAL = """At this size the uniform shift is 1, so both are one network."""
WORSE = """Exact averages: at this size the 1-shift network is better."""
TEXT = """The averages are exact, over ordered pairs of different nodes. The printed figures have no numbers; the text
gives round growth factors and says that the uniform networks are always better than the 1-shift ones."""
