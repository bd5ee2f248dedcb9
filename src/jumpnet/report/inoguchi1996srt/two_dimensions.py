"""The 2D-SRT of the SRT report: Definitions 6 to 9 on built networks; Figures 4 to 6, the levels of the nodes."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from jumpnet.graph.links import joined_routers
from jumpnet.networks import Network
from jumpnet.report._degrees import one_or_range, upper_rank
from jumpnet.report._formulas import yes
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.terms import I64
from jumpnet.topology import build

TITLE = "The 2D-SRT: Definitions 6 to 9"
ORDER = 30

SHIFTS = {
    "srt2d:8": "8x8, 1-shift",
    "srt2d:16": "16x16, 1-shift",
    "srt2d:16,shift=uniform": "16x16, uniform",
    "srt2d:32,shift=uniform7": "32x32, equation (7)",
    "srt2d:32,shift=uniform8": "32x32, equation (8)",
}
SIDES = (16, 32, 64)
VARIANTS = ("standard", "ls", "ss")


def _moved(net: Network, transposed: bool = False, mirrored: bool = False) -> set[tuple[int, int]]:
    """The links after (x, y) -> (y, x), or (x, y) -> (-x, y)."""
    side = int(net.coord.max()) + 1
    x, y = net.coord[:, 0].astype(np.int64), net.coord[:, 1].astype(np.int64)
    if mirrored:
        x = -x % side
    place = (x * side + y) if transposed else (y * side + x)
    return {(min(a, b), max(a, b)) for a, b in ((int(place[a]), int(place[b])) for a, b in joined_routers(net))}


def _levels(side: int, shift: int) -> I64:
    """(side, side) level of the node in row y, column x by equation (4): x = 2^l i + 2^(l-1) - s y."""
    n = side.bit_length() - 1
    y, x = np.divmod(np.arange(side * side), side)
    level = np.zeros(side * side, np.int64)
    for k in range(1, n):
        for i in range(2 ** (n - k)):
            level[(x + shift * y - 2**k * i - 2 ** (k - 1)) % side == 0] = k
    return level.reshape(side, side)


def _as_defined(net: Network, level: I64) -> bool:
    """Whether every node's bypass links are those to the nodes 2^l away in x and in y, and no others."""
    side = len(level)
    wanted = set()
    for y, x in np.argwhere(level > 0).tolist():
        span = 2 ** int(level[y, x])
        wanted |= {(y * side + x, y * side + (x + span) % side), (y * side + x, (y + span) % side * side + x)}
    base = {(r, r // side * side + (r + 1) % side) for r in range(side * side)}
    base |= {(r, (r + side) % (side * side)) for r in range(side * side)}
    return joined_routers(net) == {(min(p), max(p)) for p in wanted | base}


def _origins(side: int, shift: int) -> int:
    """Nodes with address 0 in each row and column: the one number, -1 where rows or columns differ."""
    y, x = np.divmod(np.arange(side * side), side)
    at = ((x + shift * y) % side == 0).reshape(side, side)
    found = {int(v) for v in (*at.sum(axis=0), *at.sum(axis=1))}
    return found.pop() if len(found) == 1 else -1


def _lines_are_1d(net: Network, variant: str) -> bool:
    """Whether the links of each row and each column are those of a 1D-SRT, moved along it."""
    side = int(net.coord.max()) + 1
    line, links = joined_routers(build(f"srt1d:{side},variant={variant}")), joined_routers(net)
    shifted = ([((a + o) % side, (b + o) % side) for a, b in line] for o in range(side))
    moved = {frozenset((min(p), max(p)) for p in each) for each in shifted}
    rows, columns = ([set[tuple[int, int]]() for _ in range(side)] for _ in range(2))
    for a, b in links:
        if a // side == b // side:
            rows[a // side].add((a % side, b % side))
        if a % side == b % side:
            columns[a % side].add((a // side, b // side))
    return {frozenset(each) for each in (*rows, *columns)} <= moved


def _definition(golden: Golden, spec: str) -> list[Cell | None]:
    net = build(spec)
    side, shift = int(net.params[0]), int(net.params[2])
    level = _levels(side, shift)
    rank = net.class_rank[net.link_class]
    base = ((rank == 0) & (net.neighbor >= 0)).sum(axis=1)
    inverse = pow(shift, -1, side)
    turned = build(f"srt2d:{side},shift={inverse}")
    return [
        claimed(golden, "definition_6", one_or_range(base.tolist())),
        claimed(golden, "definition_7", yes(bool((level.reshape(-1) == upper_rank(net)).all()))),
        claimed(golden, "definition_7_links", yes(_as_defined(net, level))),
        claimed(golden, "definition_7_origin", _origins(side, shift)),
        claimed(
            golden,
            "definition_7_transposed",
            yes(_moved(net, transposed=True) == joined_routers(turned)),
            detail=f"With the shift {inverse}, for {shift}.",
        ),
        claimed(
            golden,
            "no_diagonal_links",
            sum(a % side != b % side and a // side != b // side for a, b in joined_routers(net)),
        ),
    ]


WAYS = {"axes": ((1, 0), (-1, 0), (0, 1), (0, -1)), "diagonal": ((1, 1), (1, -1), (-1, 1), (-1, -1))}
"""Where the nodes (x ± k, y ± k) of Definitions 6 and 7 may lie, for k = 1."""


def _joined(side: int, way: str, level: I64 | None = None) -> list[set[int]]:
    """The neighbors of each node of the base torus, with bypass links too where levels are given."""
    found: list[set[int]] = [set() for _ in range(side * side)]
    for y, x in np.ndindex(side, side):
        spans = [1] if level is None or level[y, x] == 0 else [1, 2 ** int(level[y, x])]
        for span in spans:
            for over, up in WAYS[way]:
                other = (y + up * span) % side * side + (x + over * span) % side
                found[y * side + x].add(other)
                found[other].add(y * side + x)
    return found


def _parts(joined: list[set[int]]) -> int:
    """Into how many parts nodes with these neighbors fall."""
    left, parts = set(range(len(joined))), 0
    while left:
        parts += 1
        reached = [left.pop()]
        while reached:
            new = joined[reached.pop()] & left
            left -= new
            reached += new
    return parts


def _lettered(golden: Golden, way: str) -> list[Cell | None]:
    """Definitions 6 and 7 under one reading, on 16x16 nodes with 1-shift."""
    side, reading = 16, f"both_coordinates:{way}"
    base, whole = _joined(side, way), _joined(side, way, _levels(side, 1))
    turned = sum(
        a < b and a % side != b % side and a // side != b // side for a, near in enumerate(whole) for b in near
    )
    return [
        claimed(golden, "definition_6", one_or_range([len(near) for near in base]), reading=reading),
        Cell(None, _parts(base)),
        Cell(None, _parts(whole)),
        claimed(golden, "no_diagonal_links", turned, reading=reading),
    ]


def _equations(golden: Golden, side: int) -> list[Cell | None]:
    """Definition 9: which equations are each other's transposes and mirror images."""
    net = {n: build(f"srt2d:{side},shift=uniform{n}") for n in (7, 8, 9, 10)}
    links = {n: joined_routers(made) for n, made in net.items()}
    turned = {n: _moved(made, transposed=True) for n, made in net.items()}
    mirrored = {n: _moved(made, mirrored=True) for n, made in net.items()}
    as_said = turned[7] == links[8] and turned[9] == links[10]
    images = mirrored[8] == links[9] and mirrored[7] == links[10]
    one = build(f"srt2d:{side}")
    kinds = {
        frozenset(joined_routers(build(f"srt2d:{side},variant={v},shift={s}")))
        for v in VARIANTS
        for s in ("1", "uniform")
    }
    uniform = [build(f"srt2d:{side},variant={v},shift=uniform") for v in VARIANTS]
    return [
        claimed(golden, "definition_8", yes(_moved(one, transposed=True) == joined_routers(one))),
        claimed(golden, "one_shift_lines", yes(_lines_are_1d(one, "standard"))),
        claimed(golden, "definition_9", len(set(map(frozenset, links.values()))), detail=_alike(links)),
        claimed(golden, "definition_9_transposes", yes(as_said)),
        claimed(golden, "definition_9_mirrors", yes(images)),
        claimed(golden, "lines_are_1d", yes(all(_lines_are_1d(n, v) for n, v in zip(uniform, VARIANTS, strict=True)))),
        claimed(golden, "on_diagonals", yes(_on_diagonals(upper_rank(one).reshape(side, side)))),
        claimed(golden, "six_types", len(kinds)),
    ]


def _alike(links: Mapping[int, set[tuple[int, int]]]) -> str:
    """Which equations give one network."""
    same = [f"({a}) and ({b})" for a, b in combinations(links, 2) if links[a] == links[b]]
    return f"One network: {', '.join(same)}." if same else ""


def _on_diagonals(level: I64) -> bool:
    """Whether the level is the same all along each diagonal x + y."""
    return all(bool((np.roll(level[y], y) == level[0]).all()) for y in range(len(level)))


def _grid(name: str, claim: str, spec: str, title: str) -> Figure:
    """The levels of the nodes as numbers on the grid, level 0 shaded, as the paper draws them."""
    net = build(spec)
    side = int(net.coord.max()) + 1
    level = upper_rank(net).reshape(side, side)

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        axes.imshow(level == 0, cmap="Greys", vmin=0, vmax=2.5)
        for y, x in np.ndindex(side, side):
            axes.text(x, y, str(level[y, x]), ha="center", va="center", fontsize=9 if side < 16 else 7)
        axes.set_xlabel("x")
        axes.set_ylabel("y")
        axes.grid(False)
        axes.set_title(title, fontsize=10, loc="left")

    data = {"x": net.coord[:, 0].tolist(), "y": net.coord[:, 1].tolist(), "level": level.reshape(-1).tolist()}
    number = claim.removeprefix("figure_")
    note = f"{int((level == 0).sum())} nodes of level 0, shaded: {side} rows with {int((level[0] == 0).sum())} each."
    return Figure(
        name, title, f"inoguchi1996srt, Figure {number} (lost; drawn here)", draw, data, note, claim, f"net={net.spec}"
    )


def section(golden: Golden, progress: Progress) -> Section:
    """The definitions on built networks, and the levels drawn."""
    total = len(SHIFTS) + len(SIDES)
    rows: Rows = []
    for done, (spec, name) in enumerate(SHIFTS.items()):
        progress(done, total)
        rows.append((name, _definition(golden, spec)))
    columns = ("base links of a node", "levels by equation (4)", "bypass links are the definition's",
               "origins in a row or column", "transposed it is a 2D-SRT", "diagonal links")  # fmt: skip
    defined = Table("The standard 2D-SRT", "inoguchi1996srt, Definitions 6 to 8", columns, rows)
    more: Rows = []
    for done, side in enumerate(SIDES, len(SHIFTS)):
        progress(done, total)
        more.append((f"{side}x{side}", _equations(golden, side)))
    shifted = (
        "1-shift is its own transpose", "lines of 1-shift are 1D-SRTs", "networks by (7) to (10)",
        "(8), (10) are (7), (9) transposed", "(9), (10) mirror (8), (7)",
        "lines of the uniform forms are 1D-SRTs", "levels of 1-shift on diagonals", "different networks",
    )  # fmt: skip
    equations = Table("Shifts", "inoguchi1996srt, Definitions 8 and 9, section 3.2", shifted, more,
                      "Different networks: three forms with 1-shift and uniform shift.")  # fmt: skip
    lettered = Table(
        "Definitions 6 and 7: nodes (x ± k, y ± k)", "inoguchi1996srt, Definitions 6 and 7, section 4; 16x16, 1-shift",
        ("base links of a node", "parts of the base torus", "parts with bypass links", "diagonal links"),
        [(way, _lettered(golden, way)) for way in WAYS],
    )  # fmt: skip
    drawn = (
        _grid("srt-figure-4", "figure_4", "srt2d:8,shift=3", "General form: 8x8 nodes with shift 3"),
        _grid("srt-figure-5", "figure_5", "srt2d:8", "1-shift 2D-SRT of 8x8 nodes"),
        _grid("srt-figure-6", "figure_6", "srt2d:16,shift=uniform", "Uniform 2D-SRT of 16x16 nodes"),
    )
    return Section(TITLE, TEXT, (defined, equations, lettered), drawn)


TEXT = """Node (x, y) of a torus has the level of the address x + s y in a 1D-SRT, with bypass links of that level's
span in x and in y. An odd shift s gives every row and every column one node of address 0. With s = 1 the levels lie on
diagonals; the uniform shifts spread them. The four equations of Definition 9 give one network, its transpose and their
mirror images.

The definitions write the neighbors of a node as (x ± 1, y ± 1) and those behind its bypass links as (x ± 2^l, y ± 2^l).
Read as diagonals, as in the papers on the RDT, these leave the base torus in two parts, and the SRT has diagonal links,
which section 4 denies; so they are taken along the axes."""
