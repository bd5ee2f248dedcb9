"""Figure 6 of the RDT paper: diameters of RDT(n,1,1) and RDT(n,4,4) over the number of nodes, formula and search."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from jumpnet.report._figures import figures
from jumpnet.report._section import Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt._vector import theorem_3
from jumpnet.topology.rdt_sizes import ranks_that_close

TITLE = "Figure 6: diameter against the number of nodes for several cardinal numbers"
ORDER = 21

NUMBERS = (2, 3, 4, 5)
CURVE_SIDES = tuple(range(32, 513, 16))
SEARCHED_A = {
    2: (32, 64, 128, 256, 512),
    3: (36, 66, 126, 252, 510),
    4: (32, 64, 128, 256, 512),
    5: (30, 60, 130, 260, 510),
}
"""Sides near the powers of two on which the rank-1 torus closes."""
SEARCHED_B = {2: (32, 64, 128, 256, 512), 3: (36, 72, 108, 216, 324, 648), 4: (32, 64, 256, 512), 5: (50, 100, 500)}
"""Sides on which every rank up to 4 that exists closes."""
CLAIM_SIDES = (32, 64, 128, 256, 512)


def effective_rank(side: int, n: int, most: int) -> int:
    """The highest rank up to `most` that Definition 2 gives at least two nodes a torus."""
    rank = 0
    while rank < most and 2 * (2 * n * n) ** (rank + 1) <= side * side:
        rank += 1
    return rank


def formula(side: int, n: int, most: int) -> float:
    """Theorem 3 with the effective rank, for any side."""
    return theorem_3(side, n, effective_rank(side, n, most))


def _points(searched: Mapping[int, tuple[int, ...]], most: int, progress: Any) -> list[tuple[int, int, int]]:
    """(n, side, diameter by search)."""
    found = []
    for n, sides in searched.items():
        for side in sides:
            progress()
            rank = effective_rank(side, n, most)
            found.append((n, side, figures(f"prdt:{side},n={n},R={rank}").diameter))
    return found


def _figure(name: str, title: str, points: list[tuple[int, int, int]], most: int) -> Figure:
    """Lines and circles as columns, and drawn from them."""
    lines = [(n, side * side, formula(side, n, most)) for n in NUMBERS for side in CURVE_SIDES]
    columns = [*zip(*lines, strict=True), *zip(*((n, side * side, found) for n, side, found in points), strict=True)]
    names = ("line: n", "line: nodes", "line: theorem_3", "n", "nodes", "diameter_by_search")
    data: dict[str, tuple[Any, ...]] = dict(zip(names, columns, strict=True))

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for n in NUMBERS:
            of_n = [(x, y) for m, x, y in zip(*(data[column] for column in names[:3]), strict=True) if m == n]
            (line,) = axes.plot(*zip(*of_n, strict=True), label=f"n = {n}")
            mine = [(x, y) for m, x, y in zip(*(data[column] for column in names[3:]), strict=True) if m == n]
            axes.plot(*zip(*mine, strict=True), "o", color=line.get_color(), fillstyle="none")
        axes.set_xscale("log")
        if most == 1:
            axes.set_yscale("log")
        axes.set_xlabel("nodes")
        axes.set_ylabel("diameter (hops)")
        axes.legend(title="lines: Theorem 3, circles: search", ncols=2)

    return Figure(name, title, "yang2001rdt, Figure 6", draw, data, claim="figure_6")


def _best(least: Mapping[int, int]) -> str:
    """The n of least diameter, all of them when several share it."""
    return " ".join(str(n) for n, found in sorted(least.items()) if found == min(least.values()))


def _near(points: list[tuple[int, int, int]], side: int) -> dict[int, int]:
    """For each n, the searched diameter at its size nearest to `side` (half to double the nodes)."""
    least: dict[int, int] = {}
    for n in NUMBERS:
        near = [(abs(s - side), found) for m, s, found in points if m == n and 0.7 <= s / side <= 1.42]
        if near:
            least[n] = min(near)[1]
    return least


def _same(side: int, most: int) -> dict[int, int]:
    """For each n, the diameter with the ranks up to `most` that close, on exactly this side."""
    return {n: figures(f"prdt:{side},n={n},R={min(most, ranks_that_close(side, n)[0])}").diameter for n in NUMBERS}


def _said(least: Mapping[int, float]) -> str:
    return ", ".join(f"n={n}: {d:.4g}" for n, d in least.items())


def decreased(found: Mapping[int, float]) -> str:
    """Whether the diameter falls with every step to a larger n.

    >>> decreased({2: 9, 3: 8, 4: 7}), decreased({2: 9, 3: 7, 4: 8}), decreased({2: 9, 3: 8, 4: 8})
    ('below', 'not below', 'not below')
    """
    return "below" if all(found[m] < found[n] for n, m in pairwise(sorted(found))) else "not below"


def _low(golden: Golden, sides: tuple[int, ...]) -> Table:
    """Figure 6 (a): whether every larger n has a smaller diameter than the n before it."""
    rows: Rows = []
    for side in sides:
        by_formula = {n: formula(side, n, 1) for n in NUMBERS}
        found = _same(side, 1)
        rows.append(
            (
                f"{side * side} nodes",
                [
                    claimed(golden, "figure_6a", decreased(by_formula), stated=True, detail=_said(by_formula)),
                    claimed(golden, "figure_6a", decreased(found), detail=_said(found)),
                ],
            )
        )
    return Table(
        "RDT(n,1,1): diameter with each of n = 3, 4, 5 against the n before it",
        "yang2001rdt, section III.A, Figure 6 (a)",
        ("Theorem 3", "search"),
        rows,
        "Searched on exactly these sizes.",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Curves by Theorem 3 with the effective rank, circles by search where the size closes, and the text's claims."""
    total = sum(map(len, SEARCHED_A.values())) + sum(map(len, SEARCHED_B.values()))
    count = iter(range(total))
    low = _points(SEARCHED_A, 1, lambda: progress(next(count), total))
    high = _points(SEARCHED_B, 4, lambda: progress(next(count), total))
    rows: Rows = []
    for side in CLAIM_SIDES:
        name = "figure_6b_small" if side * side <= 16384 else "figure_6b_large"
        by_formula = {n: formula(side, n, 4) for n in NUMBERS}
        best = min(NUMBERS, key=lambda n, found=by_formula: (found[n], n))  # type: ignore[misc]
        near, same = _near(high, side), _same(side, 4)
        rows.append(
            (
                f"{side * side} nodes",
                [
                    claimed(golden, name, best, stated=True, detail=_said(by_formula)),
                    claimed(golden, name, _best(near), detail=_said(near)),
                    claimed(golden, name, _best(same), detail=_said(same)),
                ],
            )
        )
    claims = Table(
        "RDT(n,4,4): the cardinal number with the least diameter",
        "yang2001rdt, section III.A, Figure 6 (b)",
        ("Theorem 3", "search, nearest size c(2n)^γ", "search, exactly this size"),
        rows,
        "The paper says n=2 up to 16000 nodes and n=3 beyond. Several n: they share the least diameter.",
    )
    pictures = (
        _figure("rdt-figure-6a", "Diameter of RDT(n,1,1)", low, 1),
        _figure("rdt-figure-6b", "Diameter of RDT(n,4,4)", high, 4),
    )
    return Section(TITLE, _text(), (_low(golden, CLAIM_SIDES), claims), pictures)


def _text() -> str:
    """With the sizes at which each larger n, and every larger n, has the smaller diameter."""
    found = [_same(side, 1) for side in CLAIM_SIDES]
    falls = sum(decreased(each) == "below" for each in found)
    better = sum(max(each[n] for n in NUMBERS[1:]) < each[NUMBERS[0]] for each in found)
    four = [_same(side, 4) for side in CLAIM_SIDES]
    ahead, behind = (sum(each[a] < each[b] for each in four) for a, b in ((3, 2), (2, 3)))
    return TEXT.format(falls=falls, better=better, sizes=len(found), ahead=ahead, behind=behind or "none")


TEXT = """The lines are Theorem 3 with the highest rank up to R that exists at that size, which is how its 'maximum
effective rank number' reads; the circles are exact searches. With one upper rank the paper says that a larger n makes
the diameter smaller. By search n = 3, 4 and 5 are better than n = 2 at {better} of {sizes} sizes, but the diameter
falls with every step from n = 2 to 5 at {falls} of them. With four, Theorem 3 makes n=2 best up to 16,384 nodes and n=3
beyond, as the paper says.

The search shows how much of that is the sizes. Each n has its own sides c(2n)^γ, and the nearest to a power of two is
larger or smaller. On exactly the same sides, where n = 3 shares no factor with the side and its tori stay large, n = 3
is better than n = 2 at {ahead} of the {sizes} sizes searched, and worse at {behind}."""
