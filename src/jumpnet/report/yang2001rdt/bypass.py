"""Section II.A of the RDT paper: whether diagonal bypass links are the best way to reduce a torus's diameter."""

from __future__ import annotations

from functools import cache

import numpy as np

from jumpnet.report._prose import series
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed

TITLE = "Diagonal bypass links: the best way to reduce the diameter?"
ORDER = 8

SIDES = (16, 32, 64)


@cache
def diameter(side: int, a: int, b: int) -> int:
    """Diameter of a torus whose nodes have four more links, along (a, b) and at right angles to it.

    >>> diameter(16, 2, 2)
    5
    """
    steps = ((1, 0), (-1, 0), (0, 1), (0, -1), (a, b), (-a, -b), (-b, a), (b, -a))
    seen = np.zeros((side, side), bool)
    seen[0, 0] = True
    front, far = seen.copy(), 0
    while not seen.all():
        reached = np.zeros_like(seen)
        for step in steps:
            reached |= np.roll(front, step, (0, 1))
        front, far = reached & ~seen, far + 1
        seen |= reached
    return far


def best(side: int) -> dict[str, tuple[int, tuple[int, int]]]:
    """For diagonal, straight and all bypass links: the least diameter, and the shortest link that gives it."""
    found = {(a, b): diameter(side, a, b) for a in range(1, side // 2 + 1) for b in range(a + 1)}
    kinds = {
        "diagonal": [v for v in found if v[0] == v[1]],
        "straight": [v for v in found if v[1] == 0 and v[0] > 1],
        "any": list(found),
    }
    return {kind: min((found[v], v) for v in vectors) for kind, vectors in kinds.items()}


def bypass_table(golden: Golden, source: str, progress: Progress) -> Table:
    """Every bypass link that looks the same in the four directions, on three tori; kudoh1995rhbd says the same."""
    rows: Rows = []
    for done, side in enumerate(SIDES):
        progress(done, len(SIDES))
        found = best(side)
        least, vector = found["diagonal"]
        cells: list[Cell | None] = [Cell(None, least, claim="bypass_diagonal")]
        for kind in ("straight", "any"):
            other, way = found[kind]
            answer = "best" if least <= other else "not best"
            detail = f"{least} with {vector}, {other} with {way}"
            cells += [
                Cell(None, other, claim="bypass_diagonal", reading=f"bypass_against:{kind}"),
                claimed(golden, "bypass_diagonal", answer, reading=f"bypass_against:{kind}", detail=detail),
            ]
        rows.append((f"{side} x {side}", cells))
    columns = ("diagonal, least diameter", "straight", "against straight", "any direction", "against any")
    return Table(
        "Least diameter of a torus with four bypass links a node",
        source,
        columns,
        rows,
        "Links along (a, b) and at right angles to it, of every length up to half the side.",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Diagonal bypass links against all others."""
    table = bypass_table(golden, "yang2001rdt, section II.A", progress)
    return Section(TITLE, TEXT.format(others=_others(table)), (table,))


def _others(table: Table) -> str:
    """Where links in another direction give a smaller diameter than diagonal ones, and where the same."""
    found = {}
    for side in SIDES:
        other, diagonal = (
            table.at(f"{side} x {side}", column).text for column in ("any direction", "diagonal, least diameter")
        )
        found[side] = "the same" if other == diagonal else f"a smaller one: {other} against {diagonal}"
    same = [side for side, words in found.items() if words == "the same"]
    rest = [f"at {side} {words}" for side, words in found.items() if side not in same]
    said = [f"the same diameter at {series(same)} nodes a side"] if same else []
    return ", and ".join([*said, *rest])


TEXT = """Every torus of these sides with four more links a node is searched, one vector (a, b) with 0 ≤ b ≤ a ≤ N/2
after the other. Diagonal links, a = b, give a smaller diameter than links along the axes. Other directions give
{others}. Links of the PRDT with n = 2 alone
are too short for these sides; that is what its further ranks are for."""
