"""What sections 4 and 6 of the SRT report say of Table 1: against the crossed cube, the RDT, and form against form."""

from __future__ import annotations

from fractions import Fraction

from jumpnet.report._degrees import links_of_a_node
from jumpnet.report._figures import figures
from jumpnet.report._formulas import yes
from jumpnet.report._measures import MUCH_TIMES, much_more, much_the_same
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.inoguchi1996srt.table_1 import BITS, spec_of

TITLE = "What the text says of Table 1"
ORDER = 45

UNIFORM = ("2D-SRT(uni)", "LS-2D-SRT(uni)", "SS-2D-SRT(uni)")
ONE_DIMENSION = ("1D-SRT", "LS-1D-SRT", "SS-1D-SRT")
TWO_DIMENSIONS = ("2D-SRT(1sft)", "LS-2D-SRT(1sft)", "SS-2D-SRT(1sft)", *UNIFORM)
ONE = ("1D-SRT", "SS-1D-SRT")


def _of(row: str, column: str) -> tuple[int, Fraction]:
    found = figures(spec_of(row, BITS[column]))
    return found.diameter, found.average_distance


def _over(spec: str, links: int) -> tuple[Fraction | str, str]:
    """A node's links over another network's: one number only where all nodes have as many; in detail."""
    own = links_of_a_node(spec)
    if own.word.isdigit():
        return Fraction(int(own.word), links), own.detail
    least, most = (float(Fraction(int(word), links)) for word in own.word.split(" to "))
    return f"{least:g} to {most:g}", own.detail


def _crossed_cube(golden: Golden) -> Table:
    cube = figures(spec_of("Xed Cube", BITS["64k"]))
    rows: Rows = []
    for row in UNIFORM:
        found = figures(spec_of(row, BITS["64k"]))
        words = f"{found.diameter} against {cube.diameter}."
        smaller = claimed(golden, "half_of_crossed_cube", yes(found.diameter < 2 * cube.diameter), detail=words)
        share, detail = _over(spec_of(row, BITS["64k"]), cube.degree)
        rows.append((row, [claimed(golden, "half_links", share, detail=detail), smaller]))
    columns = ("links of a node, over the crossed cube's", "diameter below twice the crossed cube's")
    return Table("Against the crossed cube, 64k nodes", "inoguchi1996srt, section 4", columns, rows)


def _larger(ours: int, theirs: int) -> str:
    """How much larger a diameter is than another."""
    if much_more(ours, theirs):
        return "much larger"
    return "a little larger" if ours > theirs else "equal" if ours == theirs else "smaller"


def _rdt(golden: Golden) -> Table:
    rows: Rows = []
    for row in TWO_DIMENSIONS:
        diameters: list[Cell | None] = []
        alike: list[Cell | None] = []
        for column in BITS:
            (ours, mean), (theirs, their_mean) = _of(row, column), _of("RDT(2,4,1)", column)
            words = f"{ours} against {theirs}; average distance {float(mean):.2f} against {float(their_mean):.2f}."
            near = much_the_same(ours, theirs) and much_the_same(mean, their_mean)
            diameters.append(claimed(golden, "larger_than_rdt", _larger(ours, theirs), detail=words))
            alike.append(claimed(golden, "same_as_rdt", yes(near), detail=words))
        rows += [(f"{row}: diameter", diameters), (f"{row}: much the same", alike)]
    much = f"{float(MUCH_TIMES):g} times"
    note = (
        f"`Much the same`: of diameter and average distance neither is {much} the other's or more. `A little larger`: "
        f"larger, but less than {much}. The measure is ours."
    )
    return Table("Against the RDT", "inoguchi1996srt, sections 4 and 6", list(BITS), rows, note)


def _forms(golden: Golden) -> Table:
    rows: Rows = []
    for standard, short in (ONE, ("2D-SRT(1sft)", "SS-2D-SRT(1sft)"), ("2D-SRT(uni)", "SS-2D-SRT(uni)")):
        cells: list[Cell | None] = []
        for column in BITS:
            if "1D" in standard and BITS[column] > 14:
                cells.append(None)
                continue
            before, after = _of(standard, column)[0], _of(short, column)[0]
            cells.append(
                claimed(golden, "short_span_reduces", yes(after < before), detail=f"{after} against {before}.")
            )
        rows.append((f"{short}: diameter below that of {standard}", cells))
    uniform: list[Cell | None] = []
    for column in BITS:
        one, other = _of("2D-SRT(1sft)", column)[1], _of("2D-SRT(uni)", column)[1]
        words = f"{float(other):.4f} against {float(one):.4f}."
        uniform.append(claimed(golden, "uniform_reduces", yes(other < one), detail=words))
    rows.append(("2D-SRT(uni): average distance below that of 2D-SRT(1sft)", uniform))
    return Table("Form against form", "inoguchi1996srt, section 6", list(BITS), rows)


def _links(golden: Golden) -> Table:
    """Links of a node by form and dimension; the paper defines no SRT of three."""
    rows: Rows = []
    for name, forms in (("links_1d", ONE_DIMENSION), ("links_2d", TWO_DIMENSIONS)):
        for row in forms:
            links = links_of_a_node(spec_of(row, BITS["1k"]))
            rows.append((f"{row}, 1k nodes", [claimed(golden, name, links.word, detail=links.detail)]))
    rows.append(("3-D: four for each dimension", [claimed(golden, "links_3d", 4 * 3, stated=True)]))
    note = "One number where every node has as many links: the paper calls it fixed."
    return Table("Links of a node", "inoguchi1996srt, section 6", ("links",), rows, note)


def section(golden: Golden, progress: Progress) -> Section:
    """The sentences on Table 1, from searches."""
    progress(0, 1)
    tables = (_links(golden), _crossed_cube(golden), _rdt(golden), _forms(golden))
    return Section(TITLE, TEXT, tables)


TEXT = """The same searches as for Table 1, compared as the text compares them. For the RDT they are those of the
assignment that its own paper prints."""
