"""Figures 7 and 8 of the SRT report: average distances over the number of nodes, and what the text says of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from jumpnet.graph.links import joined_routers
from jumpnet.report._figures import figures
from jumpnet.report._formulas import yes
from jumpnet.report._measures import MUCH_TIMES, much_more
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.inoguchi1996srt.table_1 import spec_of
from jumpnet.topology import build

TITLE = "Figures 7 and 8: average distances"
ORDER = 50

ROWS_1D = ("1D-SRT", "LS-1D-SRT", "SS-1D-SRT")
ROWS_2D = ("2D-SRT(1sft)", "LS-2D-SRT(1sft)", "SS-2D-SRT(1sft)", "2D-SRT(uni)", "LS-2D-SRT(uni)", "SS-2D-SRT(uni)")
BITS_1D = tuple(range(5, 15))
BITS_2D = (8, 10, 12, 14, 16)
OURS = f"much would be {float(MUCH_TIMES):g}, a measure of ours"
Curves = Mapping[str, Sequence[float]]


def _curves(rows: tuple[str, ...], bits: tuple[int, ...], progress: Callable[[], None]) -> dict[str, list[float]]:
    curves: dict[str, list[float]] = {}
    for row in rows:
        curves[row] = []
        for b in bits:
            progress()
            curves[row].append(float(figures(spec_of(row, b)).average_distance))
    return curves


def _figure(name: str, claim: str, title: str, curves: Curves, bits: tuple[int, ...]) -> Figure:
    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for row, values in curves.items():
            axes.plot([2**b for b in bits], values, "--" if "1sft" in row else "-", marker=".", label=row)
        axes.set_xscale("log", base=2)
        axes.set_xlabel("nodes")
        axes.set_ylabel("average distance (hops)")
        axes.legend()

    source = f"inoguchi1996srt, Figure {claim.removeprefix('figure_')} (lost; drawn here)"
    return Figure(name, title, source, draw, {"nodes": [2**b for b in bits], **curves}, claim=claim)


def _growth(
    golden: Golden, curves: Curves, name: str, bits: tuple[int, ...], first: int
) -> tuple[str, list[Cell | None]]:
    """Mean factor from one size to the next, from 2^first nodes on, over all forms."""
    start = bits.index(first)
    factors = [b / a for values in curves.values() for a, b in pairwise(values[start:])]
    step = "twice" if name == "growth_1d" else "four times"
    label = f"{step} the nodes, {2**first} to {2 ** bits[-1]}"
    spread = f"{min(factors):.3f} to {max(factors):.3f}"
    return label, [claimed(golden, name, sum(factors) / len(factors)), Cell(None, spread)]


def _growths(golden: Golden, one: Curves, two: Curves) -> Table:
    rows = [
        _growth(golden, one, "growth_1d", BITS_1D, BITS_2D[0]),
        _growth(golden, one, "growth_1d", BITS_1D, BITS_1D[0]),
        _growth(golden, two, "growth_2d", BITS_2D, BITS_2D[0]),
    ]
    columns = ("mean factor", "smallest to largest factor")
    return Table("Growth of the average distance", "inoguchi1996srt, section 4", columns, rows, GROWTH)


def _shapes(golden: Golden, one: Curves, two: Curves) -> Table:
    """What the text says of the curves' shape."""
    sizes = zip(*one.values(), strict=True)
    spread = [max(values) / min(values) for values in sizes]
    least = max(spread[BITS_1D.index(BITS_2D[0]) :])
    factors = {row: [b / a for a, b in pairwise(values)] for row, values in two.items()}
    falls = [row for row, found in factors.items() if found[-1] < found[0]]
    monotone = [row for row, found in factors.items() if all(b < a for a, b in pairwise(found))]
    rows: Rows = [
        (
            "three forms of the 1D-SRT, 256 nodes and more: not much difference",
            [
                claimed(
                    golden,
                    "little_difference",
                    yes(not much_more(least, 1)),
                    detail=f"At most {least:.3f} times; {OURS}.",
                )
            ],
        ),
        (
            "2D-SRT: the last factor is less than the first",
            [
                claimed(
                    golden,
                    "growth_falls",
                    yes(len(falls) == len(factors)),
                    detail=f"{len(falls)} of {len(factors)} forms; from size to size in {len(monotone)}.",
                )
            ],
        ),
    ]
    rows += _steps(golden, one, factors)
    for prefix in ("", "LS-", "SS-"):
        gap = _gaps(two, prefix)
        grows = all(b > a for a, b in pairwise(gap))
        words = f"{', '.join(f'{g:.3f}' for g in gap)}."
        rows.append(
            (
                f"{prefix}2D-SRT: 1-shift less uniform grows",
                [claimed(golden, "difference_grows", yes(grows), detail=words)],
            )
        )
    return Table("Shape of the curves", "inoguchi1996srt, section 4", ("found",), rows)


def _steps(golden: Golden, one: Curves, factors: Mapping[str, Sequence[float]]) -> Rows:
    """The factors of the 1D-SRT at its ends; those of the 2D-SRT at small sizes, form against form."""
    ends = {row: (values[1] / values[0], values[-1] / values[-2]) for row, values in one.items()}
    more = [row for row, (first, last) in ends.items() if last > first]
    words = ", ".join(f"{row} {first:.3f} to {last:.3f}" for row, (first, last) in ends.items())

    def _large(reading: str, found: bool) -> Cell:
        name = "growth_1d_large"
        return claimed(golden, name, yes(found), reading=f"{name}:{reading}", detail=f"{words}; {OURS}.")

    small = [found[0] for found in factors.values()]
    near = (max(small) - 1) / (min(small) - 1)
    return [
        (
            "1D-SRT: not much more with twice the nodes, at the last step",
            [_large("much", not any(much_more(last, 1) for _, last in ends.values()))],
        ),
        ("1D-SRT: the last factor is no more than the first", [_large("factors", not more)]),
        (
            "2D-SRT: first increases, form against form, differ little",
            [claimed(golden, "ratios_alike", yes(not much_more(near, 1)), detail=f"At most {near:.3f} times; {OURS}.")],
        ),
    ]


def _gaps(two: Curves, prefix: str) -> list[float]:
    return [a - b for a, b in zip(two[f"{prefix}2D-SRT(1sft)"], two[f"{prefix}2D-SRT(uni)"], strict=True)]


def _same_network(prefix: str, bits: int) -> str:
    """How 1-shift and uniform shift differ where their averages agree."""
    one, uniform = (build(spec_of(f"{prefix}2D-SRT({shift})", bits)) for shift in ("1sft", "uni"))
    side, shift = int(uniform.params[0]), int(uniform.params[2])
    links = joined_routers(one)
    image = {(a // side * side + -a % side, b // side * side + -b % side) for a, b in links}
    kind = "the very links" if joined_routers(uniform) == links else (
        "the mirror image" if joined_routers(uniform) == {(min(p), max(p)) for p in image} else "another network"
    )  # fmt: skip
    return f"Uniform shift {shift}: {kind} of the 1-shift network."


def _order(golden: Golden, two: Curves) -> Table:
    rows: Rows = []
    for prefix in ("", "LS-", "SS-"):
        cells: list[Cell | None] = []
        for bits, gap in zip(BITS_2D, _gaps(two, prefix), strict=True):
            word = "equal" if gap == 0 else "better" if gap > 0 else f"worse by {-gap:.4f}"
            cells.append(
                claimed(golden, "uniform_better", word, detail=_same_network(prefix, bits) if gap == 0 else "")
            )
        rows.append((f"{prefix}2D-SRT", cells))
    columns = [f"{2**b} nodes" for b in BITS_2D]
    return Table("Uniform against 1-shift", "inoguchi1996srt, section 4", columns, rows, "By average distance.")


def section(golden: Golden, progress: Progress) -> Section:
    """The curves, exactly, with the growth factors and the order of uniform and 1-shift networks."""
    total = len(ROWS_1D) * len(BITS_1D) + len(ROWS_2D) * len(BITS_2D)
    count = iter(range(total))
    one = _curves(ROWS_1D, BITS_1D, lambda: progress(next(count), total))
    two = _curves(ROWS_2D, BITS_2D, lambda: progress(next(count), total))
    pictures = (
        _figure("srt-figure-7", "figure_7", "Average distances of 1D-SRTs", one, BITS_1D),
        _figure("srt-figure-8", "figure_8", "Average distances of 2D-SRTs", two, BITS_2D),
    )
    return Section(TITLE, TEXT, (_growths(golden, one, two), _shapes(golden, one, two), _order(golden, two)), pictures)


GROWTH = """Over the three forms of the 1D-SRT and the six of the 2D-SRT. 256 nodes is Table 1's first size; the sizes
of the printed Figure 7 are lost."""
TEXT = """The averages are exact, over ordered pairs of different nodes. The printed figures are lost; the text gives
round growth factors, and says that the uniform networks are always better than the 1-shift ones."""
