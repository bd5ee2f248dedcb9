"""Table III of the RDT paper: bisection bandwidth, the printed formulas against cuts counted on the networks."""

from __future__ import annotations

from fractions import Fraction

from jumpnet.graph.bisection import straight_cut, wires_across
from jumpnet.papers import claim, evaluate
from jumpnet.report._measures import against
from jumpnet.report._prose import span
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed, golden_table, table_cell
from jumpnet.report.yang2001rdt.alpha_diameter import ASSIGNMENTS, spec_of
from jumpnet.topology import build

TITLE = "Table III: bisection bandwidth"
ORDER = 50

SMALL, LARGE = "4096", "16777216"
TORI = {"2D Torus": ("torus:64x64", 64, 4096, 2), "3D Torus": ("torus:16x16x16", 16, 256, 3),
        "4D Torus": ("torus:8x8x8x8", 8, 64, 4), "Hypercube": ("hypercube:12", 2, 2, 0)}  # fmt: skip
"""Row: small network, its side, the large network's side, dimensions (0: the hypercube, side 2)."""
RDT = "RDT(2,4,1)/alpha"
LARGE_SIDE = 4096


def _cut(spec: str) -> int:
    cut = straight_cut(build(spec))
    assert cut is not None
    return cut.links


def _whole(value: Fraction) -> Fraction | int:
    """A whole number as one."""
    return value.numerator if value.denominator == 1 else value


def _wires(spec: str) -> dict[int, Fraction]:
    """Wires of each rank over one plane, in units of the side."""
    net = build(spec)
    return {rank: Fraction(wires) / int(net.params[0]) for rank, wires in wires_across(net, 0).items()}


def _by_rank(golden: Golden) -> Table:
    """The paper's way of counting, under each reading of the routers of rank 4; and links cut, counted."""
    rows: Rows = []
    for side, name, column in (
        (64, "bisection_small", SMALL),
        (128, "bisection_large", ""),
        (256, "bisection_large", ""),
    ):
        for option in ASSIGNMENTS if side == 64 else ("none",):
            spec = spec_of(side, option)
            found = _wires(spec)
            total = _whole(2 * sum(found.values(), Fraction(0)))
            words = str(evaluate(claim(golden, name)))
            reading = f"rank_4_missing:{option}" if side == 64 else ""
            row = [Cell(None, _whole(found.get(r, Fraction(0)))) for r in range(5)]
            row.append(claimed(golden, name, total, printed=words, reading=reading))
            whole = total * side
            row.append(
                table_cell(golden, "table_3", RDT, column, whole, reading=reading)
                if column
                else Cell(None, whole, reading=reading)
            )
            rows.append((f"{side} x {side}, {option}", [*row, Cell(None, _cut(spec) / side)]))
    options = "; ".join(f"{o}: {w}" for o, w in golden["readings"]["rank_4_missing"]["options"].items())
    return Table(
        "Links of RDT(2,4,1)/α over a straight cut, in units of the side k",
        "yang2001rdt, section IV.A",
        [
            *(f"rank {r}, one plane" for r in range(5)), "both planes, all ranks", "times the side",
            "least straight cut, counted",
        ],
        rows,
        f"One plane: lengths of the links along one axis, divided by the side. {options}.",
    )  # fmt: skip


def _claims(golden: Golden) -> Table:
    """The k-ary n-cube's formula, how the RDT's bisection grows, and the comparison with the 4D torus."""
    formula = claim(golden, "torus_bisection")
    rows: Rows = []
    for spec, k, n in CUBES:
        words = str(evaluate(formula, k=k, n=n))
        rows.append((f"{spec}: {formula}", [claimed(golden, "torus_bisection", _cut(spec), printed=words)]))
    grows = {side: 2 * sum(_wires(f"rdt:{side}").values(), Fraction(0)) for side in (256, 512)}
    words = "O(k)" if len(set(grows.values())) == 1 else "not O(k)"
    detail = ", ".join(f"{v} k at k = {side}" for side, v in grows.items())
    rows.append(
        ("growth of the RDT's bisection, k = 256 and 512", [claimed(golden, "bisection_order", words, detail=detail)])
    )
    four = _cut("torus:8x8x8x8")
    for option in ASSIGNMENTS:
        small = 2 * sum(_wires(spec_of(64, option)).values(), Fraction(0)) * 64
        cell = claimed(golden, "bisection_4d_small", against(small, four), reading=f"rank_4_missing:{option}",
                       detail=f"{small} against {four}")  # fmt: skip
        rows.append((f"4096 nodes, against the 4D torus, {option}", [cell]))
    large, far = 2 * sum(_wires("rdt:512").values(), Fraction(0)) * LARGE_SIDE, four * 8**3
    cell = claimed(golden, "bisection_4d_large", against(large, far), detail=f"{large} against {far}")
    rows.append(("16,777,216 nodes, against the 4D torus", [cell]))
    return Table("What the text says of bisections", "yang2001rdt, section IV.A", ("value",), rows)


def section(golden: Golden, progress: Progress) -> Section:
    """Straight cuts of the tori; for the RDT the paper's way of counting beside the least straight cut."""
    computed: dict[str, dict[str, int | Fraction]] = {}
    for done, (row, (spec, side, large, dimensions)) in enumerate(TORI.items()):
        progress(done, len(TORI) + 1)
        links = _cut(spec)
        grown = links * (large // side) ** (dimensions - 1) if dimensions else links * 2**12
        computed[row] = {SMALL: links, LARGE: grown}
    progress(len(TORI), len(TORI) + 1)
    computed[RDT] = {LARGE: _whole(2 * sum(_wires("rdt:256").values(), Fraction(0)) * LARGE_SIDE)}
    grown_by = {(row, LARGE): "the cut of the small network, grown" for row in computed}
    table = golden_table(
        golden, "table_3", computed, key="yang2001rdt", stated=set(grown_by), details=grown_by, note=GROWN
    )
    by_rank = _by_rank(golden)
    return Section(TITLE, _text(table, by_rank), (table, by_rank, _claims(golden)))


def _planes(*sides: int) -> str:
    """Wires over one plane for each node of the side, at these sides."""
    return span(sum(_wires(f"rdt:{side}").values(), Fraction(0)) for side in sides)


def _text(table: Table, by_rank: Table) -> str:
    ranks = [by_rank.at("64 x 64, none", f"rank {rank}, one plane").text for rank in range(4)]
    both = {name: Fraction(by_rank.at(name, "both planes, all ranks").computed) / 2 for name, _ in by_rank.rows}
    cut = {option: by_rank.at(f"64 x 64, {option}", "times the side").text for option in ASSIGNMENTS}
    return TEXT.format(
        ranks="+".join(ranks), none=both["64 x 64, none"], rank_1=both["64 x 64, rank_1"],
        large=both["128 x 128, none"], larger=_planes(256, 512), cut=cut, torus=table.at("4D Torus", SMALL).text,
    )  # fmt: skip


CUBES = (("torus:4x4", 4, 2), ("torus:10x10", 10, 2), ("torus:6x6x6", 6, 3), ("torus:4x4x4x4", 4, 4))
"""k-ary n-cubes with an even k."""
GROWN = """Tori and hypercube of 4096 nodes are cut link by link; their large forms follow by the same cut, which
grows as the side to the power n-1. The RDT of 4096 x 4096 has the wires of 256 x 256 in units of its side. Its figure
for 4096 nodes stands in the next table."""
TEXT = """The paper adds up the wires that pass a plane: each link counts on every plane along its length. Two
opposite planes cut the torus in halves; the last column counts the links between the halves one by one, at the best
place. For 64 by 64 nodes the paper has 13 wires for each node of the side and plane. The ranks 0 to 3 give {ranks} =
{none}, and rank 4 has no links at that size; with rank 1 in its place, which the diameter of Table II asks for too,
it is the printed {rank_1}. For more than 64 by 64 the paper has 28. At 256 by 256 and 512 by 512 nodes, the larger
sizes that were counted, it is {larger}. At 128 by 128 a torus of rank 4 has two nodes a side, whose links forth and
back are the same link: {large} for each node of the side.

The comparison with the 4D torus at 4096 nodes stands under the same readings as the figure itself: {cut[rank_1]} by
the default, {cut[ranks_1_3]} and {cut[none]} by the others, all above {torus}."""
