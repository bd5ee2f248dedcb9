"""Theorem 2 and Corollaries 1 to 3 of the SRT report: wiring width of a straight-line layout, by laying it out."""

from __future__ import annotations

from jumpnet.graph.layout import linear_layout
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.papers import claim
from jumpnet.topology import build
from jumpnet.topology.srt import bypass_levels

TITLE = "Theorem 2 and its corollaries: wiring width"
ORDER = 30

BITS = (3, 4, 5, 6, 8, 10, 12)
CLAIMS = {"standard": "theorem_2", "ls": "corollary_2", "ss": "corollary_3"}
NAMES = {"standard": "Theorem 2, standard", "ls": "Corollary 2, long span", "ss": "Corollary 3, short span"}


def _width(formula: str, bits: int) -> int:
    """A printed `2*l_max+c` with l_max = bits - 1."""
    factor, _, constant = formula.partition("*l_max+")
    return int(factor) * (bits - 1) + int(constant)


def section(golden: Golden, progress: Progress) -> Section:
    """Lay each network out with the nodes in order of their addresses and count the tracks of its levels."""
    rows: list[tuple[str, list[Cell | None]]] = []
    free: list[tuple[str, list[Cell | None]]] = []
    for variant, name in CLAIMS.items():
        tracks: list[Cell | None] = []
        shared: list[Cell | None] = []
        for bits in BITS:
            progress(len(rows) * len(BITS) + len(tracks), 3 * len(BITS))
            made = linear_layout(build(f"srt1d:{2**bits},variant={variant}"))
            expected = str(_width(claim(golden, name), bits))
            tracks.append(Cell(expected, made.tracks, "" if str(made.tracks) == expected else SMALL))
            shared.append(Cell(None, made.cut_width))
        rows.append((f"{NAMES[variant]}: {claim(golden, name)}", tracks))
        free.append((f"{NAMES[variant]}, levels share tracks", shared))
    columns = [f"N = {2**b}" for b in BITS]
    source = "inoguchi1996srt, Theorem 2, Corollaries 2 and 3"
    widths = Table(
        "Wiring width", source, columns, [*rows, *free], "l_max = log2 N - 1. Each level has its own tracks."
    )
    bare = [Cell(claim(golden, "corollary_1"), int((bypass_levels(2**b, "standard") == 0).sum())) for b in BITS]
    nodes = Table("Nodes without upper links, standard", "inoguchi1996srt, Corollary 1", columns, [("0 and N/2", bare)])
    return Section(TITLE, TEXT, (widths, nodes))


SMALL = """At this size the levels next to the highest have fewer wires than the count assumes."""
TEXT = """The nodes stand on a line in the order of their addresses; the wires of a level are packed into as few
tracks as the left-edge rule needs, which is the least possible. The theorem's widths come out. If levels may share
tracks, the widest gap between two nodes needs fewer: the last rows."""
