"""What section 1 of the SRT report says of other networks: links and average distances, by search."""

from __future__ import annotations

from math import log2, sqrt

import numpy as np

from jumpnet.papers import claim, evaluate
from jumpnet.report._figures import figures
from jumpnet.report._formulas import by_formula, yes
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.topology import build

TITLE = "The networks it compares itself with"
ORDER = 15

SIZES = (16, 64, 256, 1024, 4096)


def chordal(N: int) -> str:
    """The chordal ring of N nodes, its chord the odd number above the root of N.

    >>> chordal(64)
    'chordalring:64,w=9'
    """
    return f"chordalring:{N},w={int(sqrt(N)) // 2 * 2 + 1}"


def exponent(sizes: tuple[int, ...], values: list[float]) -> float:
    """The e of values ~ N^e, by the two largest sizes.

    >>> exponent((16, 64, 256), [1.0, 5.0, 10.0])
    0.5
    """
    return log2(values[-1] / values[-2]) / log2(sizes[-1] / sizes[-2])


def _ahead_only(N: int) -> float:
    """Average distance of a barrel shifter whose links lead ahead only, over all N nodes, the node itself too."""
    distance = np.full(N, -1)
    distance[0], front, hops = 0, np.array([0]), 0
    while front.size:
        hops += 1
        near = np.unique([(front + (1 << i)) % N for i in range(N.bit_length() - 1)])
        front = near[distance[near] < 0]
        distance[front] = hops
    return float(distance.mean())


def _barrel(golden: Golden) -> Table:
    rows: Rows = []
    for N in SIZES:
        found = figures(f"barrelshifter:{N}")
        detail = f"With links ahead only, and the node itself counted: {_ahead_only(N):g}."
        value = f"{evaluate(claim(golden, 'barrel_average'), N=N):.2f}"
        average = claimed(golden, "barrel_average", found.average_distance, printed=value, detail=detail)
        rows.append((f"N = {N}", [by_formula(golden, "barrel_links", found.degree, {"N": N}), average]))
    return Table("Barrel shifter", "inoguchi1996srt, section 1", ("links of a node", "average distance"), rows)


def _chordal(golden: Golden) -> Table:
    found = [figures(chordal(N)) for N in SIZES]
    rows: Rows = [(f.spec, [claimed(golden, "chordal_links", f.degree), Cell(None, f.average_distance)]) for f in found]
    growth = exponent(SIZES, [float(f.average_distance) for f in found])
    rows.append((f"exponent of N, {SIZES[-2]} to {SIZES[-1]}", [None, claimed(golden, "chordal_average", growth)]))
    return Table("Chordal ring", "inoguchi1996srt, section 1", ("links of a node", "average distance"), rows)


def _is_ring_with_chords(side: int) -> bool:
    """Whether every node is joined to those next to it on a ring, and its other links have one length."""
    net = build(f"illiac:{side}")
    N = net.routers
    steps = (net.neighbor - np.arange(N)[:, None]) % N
    length = np.minimum(steps, N - steps)
    return bool(((length == 1).sum(axis=1) == 2).all()) and len(np.unique(length[length > 1])) == 1


def _slower(a: str, b: str) -> tuple[bool, str]:
    """Whether a network has the larger diameter and average distance; the numbers."""
    one, other = figures(a), figures(b)
    slower = one.diameter > other.diameter and one.average_distance > other.average_distance
    means = f"average distance {float(one.average_distance):.2f} against {float(other.average_distance):.2f}"
    return slower, f"{a} against {b}: diameter {one.diameter} against {other.diameter}, {means}."


def _mesh(golden: Golden, side: int) -> Cell:
    slower, words = _slower(f"mesh:{side}x{side}", f"hypercube:{(side * side).bit_length() - 1}")
    return claimed(golden, "mesh_slower", yes(slower), detail=words)


def _rdt(golden: Golden, side: int) -> Cell:
    slower, words = _slower(f"torus:{side}x{side}", f"rdt:{side}")
    return claimed(golden, "rdt_improves", yes(slower), detail=words)


def _cubes(golden: Golden) -> Table:
    rows: Rows = []
    for bits in (8, 10, 12):
        cube, side = f"hypercube:{bits}", 2 ** (bits // 2)
        slower, _ = _slower(f"torus:{side}x{side}", cube)
        rows.append(
            (
                f"{2**bits} nodes",
                [
                    by_formula(golden, "hypercube_links", figures(cube).degree, {"N": 2**bits}),
                    by_formula(golden, "hypercube_links", figures(f"crossedcube:{bits}").degree, {"N": 2**bits}),
                    claimed(golden, "torus_slower", yes(slower), detail=SLOWER),
                ],
            )
        )
    columns = (
        "links of a hypercube's node",
        "links of a crossed cube's node",
        "2-D torus is slower than the hypercube",
    )
    return Table("Hypercube, crossed cube and torus", "inoguchi1996srt, section 1", columns, rows)


def _further(golden: Golden) -> Table:
    return Table(
        "Further networks",
        "inoguchi1996srt, section 1",
        ("found",),
        [
            *(
                (f"completely connected, {n} nodes: {what}", [by_formula(golden, name, value, {"N": n})])
                for n in (16, 64)
                for what, name, value in (
                    ("links of a node", "complete_links", figures(f"complete:{n}").degree),
                    ("diameter", "complete_diameter", figures(f"complete:{n}").diameter),
                )
            ),
            *((f"mesh and hypercube, {n} x {n} nodes", [_mesh(golden, n)]) for n in (16, 32)),
            *((f"RDT and torus, {n} x {n} nodes", [_rdt(golden, n)]) for n in (16, 32, 64)),
            ("MANDALA", [claimed(golden, "mandala", "not small", stated=True, detail=MANDALA)]),
        ],
    )


def _illiac(golden: Golden) -> Table:
    return Table(
        "Illiac network",
        "inoguchi1996srt, section 1",
        ("a ring with chords of one length",),
        [(f"{k * k} nodes", [claimed(golden, "illiac_chordal", yes(_is_ring_with_chords(k)))]) for k in (4, 8, 16)],
        "It has two chords at a node, and so four links, where the chordal ring has three.",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Barrel shifter, chordal ring, Illiac, hypercube and torus, by search."""
    tables = (_barrel, _chordal, _illiac, _cubes, _further)
    return Section(TITLE, TEXT, tuple(table(golden) for table in tables))


MANDALA = "Its definition is in a Japanese report that the text cites; the text's own words do not define it."
SLOWER = "Compared by diameter and average distance."
TEXT = """Average distances are over pairs of different nodes, by search. lg N / 2, printed for the barrel shifter, is
the mean number of ones in a binary number: the average when links are followed ahead only. With links in both
directions, which its 2 lg N - 1 links a node are, the average is smaller."""
