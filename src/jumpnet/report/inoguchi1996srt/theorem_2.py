"""Theorem 2, Corollaries 2 and 3 and Figure 3 of the SRT report: wiring width of a line, by laying networks out."""

from __future__ import annotations

from itertools import pairwise
from math import isqrt

from jumpnet.graph.layout import linear_layout
from jumpnet.report._formulas import by_formula, yes
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed, on_first_use
from jumpnet.report.inoguchi1996srt.other_networks import chordal, exponent
from jumpnet.topology import build

TITLE = "Theorem 2 and its corollaries: wiring width"
ORDER = 20

BITS = (3, 4, 5, 6, 8, 10, 12)
CLAIMS = {"standard": "theorem_2", "ls": "corollary_2", "ss": "corollary_3"}
NAMES = {"standard": "Theorem 2, standard", "ls": "Corollary 2, long span", "ss": "Corollary 3, short span"}
OTHERS = (64, 256, 1024, 4096)


def _widths(golden: Golden, progress: Progress) -> tuple[Table, bool]:
    """The theorem's table; whether levels that share tracks need as many."""
    own: Rows = []
    shared: Rows = []
    same = True
    for done, (variant, name) in enumerate(CLAIMS.items()):
        progress(done, len(CLAIMS) + 1)
        made = [linear_layout(build(f"srt1d:{2**b},variant={variant}")) for b in BITS]
        own.append(
            (
                NAMES[variant],
                [by_formula(golden, name, m.tracks, {"l_max": b - 1}) for b, m in zip(BITS, made, strict=True)],
            )
        )
        shared.append((f"{NAMES[variant]}, levels share tracks", [Cell(None, m.cut_width) for m in made]))
        same = same and all(m.cut_width == m.tracks for m in made)
    columns = [f"N = {2**b}" for b in BITS]
    source = "inoguchi1996srt, Theorem 2, Corollaries 2 and 3"
    note = "l_max = lg N - 1. Each level has its own tracks, but in the last rows."
    return Table("Wiring width of the 1D-SRT", source, columns, [*own, *shared], note), same


def _others(golden: Golden) -> Table:
    """Wiring width of all the one-dimensional networks at some sizes."""
    srt = {v: [linear_layout(build(f"srt1d:{N},variant={v}")).tracks for N in OTHERS] for v in CLAIMS}
    chords = [linear_layout(build(chordal(N))).tracks for N in OTHERS]
    added = [float(b - a) for a, b in pairwise(chords)]
    more = ", ".join(str(k) for k in sorted({w - isqrt(N) for w, N in zip(chords, OTHERS, strict=True)}))
    barrel = [linear_layout(build(f"barrelshifter:{N}")).tracks for N in OTHERS]
    steps = {b - a for widths in srt.values() for a, b in pairwise(widths)}
    grow = f"Four times the nodes add {', '.join(map(str, sorted(steps)))} tracks, at each size."
    rows: Rows = [(f"1D-SRT, {v}", [*(Cell(None, w) for w in widths), None]) for v, widths in srt.items()]
    rows[0][1][-1] = claimed(golden, "srt_width_log", yes(len(steps) == 1), detail=grow)
    rows.append(
        (
            "chordal ring, chord about the root of N",
            [
                *(Cell(None, w) for w in chords),
                claimed(golden, "chordal_width", exponent(OTHERS[1:], added), detail=f"the root of N, and {more}"),
            ],
        )
    )
    wider = all(b > c for b, c in zip(barrel, chords, strict=True))
    rows.append(("barrel shifter", [*(Cell(None, w) for w in barrel), claimed(golden, "barrel_wider", yes(wider))]))
    least = [
        claimed(golden, "srt_narrowest", yes(max(srt[v][k] for v in srt) < min(chords[k], barrel[k])))
        for k in range(len(OTHERS))
    ]
    rows.append(("all forms of the 1D-SRT are narrower", [*least, None]))
    columns = [*(f"N = {N}" for N in OTHERS), "what the text says"]
    note = "The text says: O(log N); exponent of N, from what the two largest sizes add; wider than the chordal ring."
    return Table("Wiring width of other networks on a line", "inoguchi1996srt, section 2.2", columns, rows, note)


def section(golden: Golden, progress: Progress) -> Section:
    """Lay each network out with the nodes in order of their addresses and count the tracks of its levels."""
    widths, same = _widths(golden, progress)
    progress(len(CLAIMS), len(CLAIMS) + 1)
    line = build("srt1d:8")
    layout = linear_layout(line)
    names = ("left", "right", "level", "track")
    figure = Figure(
        "srt-figure-3", "1D-SRT of 8 nodes in a straight line", "inoguchi1996srt, Figure 3 (lost; drawn here)",
        on_first_use("jumpnet.plot.line", "line_drawer", line, title="1D-SRT of 8 nodes"),
        {name: layout.wires[:, k].tolist() for k, name in enumerate(names)}, f"{layout.tracks} tracks.", "figure_3",
        f"net={line.spec}",
    )  # fmt: skip
    said = "as many: nothing is saved" if same else "fewer in places"
    return Section(TITLE, TEXT.format(said=said), (widths, _others(golden)), (figure,))


TEXT = """The nodes stand on a line in the order of their addresses; the wires of a level are packed into as few
tracks as the left-edge rule needs, which is the least possible for them. If levels may share tracks, the widest gap
between two nodes needs {said} (the last rows of the first table)."""
