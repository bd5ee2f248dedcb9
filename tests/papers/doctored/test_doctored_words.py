"""Words of the RDT, SRT and RDN papers' sections, and `about`, on doctored inputs: each must give the other word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.papers.page.page_made import committed_sections

from jumpnet.chip.configuration import wire
from jumpnet.chip.walk import without_wraps
from jumpnet.papers import golden
from jumpnet.report._claims import claims
from jumpnet.report._figures import figures
from jumpnet.report._report import Computed, cell_rows
from jumpnet.report._section import Cell, Section, Table, claimed
from jumpnet.report.inoguchi1996srt import figures_7_8
from jumpnet.report.li2009rdn import table_2 as rdn_table_2
from jumpnet.report.nishi1997router import deadlock
from jumpnet.report.yang2001rdt import (
    _other_networks,
    figure_6,
    floating_algorithm,
    mesh_embedding,
    table_2,
    theorem_4_6,
    vector_routing,
)
from jumpnet.report.yang2001rdt._floating import Followed
from jumpnet.report.yang2001rdt._vector import Steps

RDT, SRT, RDN, MAPS = (golden(key) for key in ("yang2001rdt", "inoguchi1996srt", "li2009rdn", "kudoh1995rhbd"))


def said(table: Table, claim: str, reading: str = "") -> list[tuple[str, str]]:
    """What the cells of a claim that count say, and their verdicts."""
    cells = [cell for _, row in table.rows for cell in row if cell is not None]
    return [
        (c.text, c.verdict) for c in cells if (c.claim, c.reading) == (claim, reading) and c.printed is not None
    ]  # fmt: skip


def test_a_number_printed_with_about_is_met_by_one_much_the_same() -> None:
    verdicts = {found: Cell("about 10", found).verdict for found in (8, 9, 10, 11, 12, "never")}
    assert verdicts == {8: "differs", 9: "rounded", 10: "equal", 11: "rounded", 12: "differs", "never": "differs"}
    assert [Cell("about 4", n / 1e6).verdict for n in (4_251_528, 4_900_000)] == ["rounded", "differs"]
    assert Cell("about 4000", 40420, stated=True).verdict == "conflicts"
    for found, verdict in ((11, "rounded"), (14, "differs")):
        cells = [claimed(MAPS, "crossing", n, reading="larp:subtree") for n in (10, found)]
        part = Computed("kudoh1995rhbd", "s", Section("S", tables=[Table("t", "s", ["a", "b"], [("r", cells)])]))
        assert [row.verdict for row in claims([part])] == [verdict]


@pytest.mark.parametrize(("whole", "verdict"), [(6, "equal"), (7, "differs")])
def test_theorem_5_to_the_letter_counts_the_steps_on_all_ranks(whole: int, verdict: str) -> None:
    five = theorem_4_6._five(RDT, {(64, 2, 3): Steps(one=2, below=6, top=2, all=whole)})
    assert said(five, "theorem_5") == [(str(whole), verdict)]


def test_bounds_beside_theorems_3_5_and_6_are_shown_and_not_counted() -> None:
    parts = committed_sections("yang2001rdt", "theorem_3", "theorem_4_6").values()
    bounds = [c for part in parts for c in cell_rows(part) if c["column"].startswith("at most")]
    assert len(bounds) == 36 and {(c["verdict"], c["computed"]) for c in bounds} == {("not printed", "yes")}


@pytest.mark.parametrize(("diameters", "word"), [((9, 8, 7, 6), "below"), ((9, 8, 7, 8), "not below"),
                                                 ((13, 11, 10, 10), "not below")])  # fmt: skip
def test_a_larger_n_is_compared_with_the_one_before_it(
    diameters: Sequence[int], word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = dict(zip(figure_6.NUMBERS, diameters, strict=True))
    monkeypatch.setattr(figure_6, "_same", lambda side, most: found)
    assert [text for text, verdict in said(figure_6._low(RDT, (64,)), "figure_6a") if verdict != "stated"] == [word]


def test_step_3_counts_as_printed_only(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Followed(10, 10, 20, -2, 2)
    for printed, verdict in ((right, "equal"), (right._replace(arrived=9), "differs")):
        other = right._replace(arrived=19 - printed.arrived)
        monkeypatch.setattr(
            floating_algorithm, "follow_all",
            lambda side, R, update, one=printed, two=other: one if update == "add" else two,
        )  # fmt: skip
        (table,) = floating_algorithm.section(RDT, lambda done, total: None).tables
        assert {found for _, found in said(table, "floating_step_3")} == {verdict}


@pytest.mark.parametrize(("reach", "bits"), [(2, "6"), (4, "8")])
def test_bits_of_a_rank_on_the_way_count_too(reach: int, bits: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_routing, "rank_0_range", lambda side: (-reach, reach))
    assert [text for text, _ in said(vector_routing._header(RDT), "header_bits_rank")] == ["6", bits] * 4


def test_a_larger_diameter_counts_only_if_it_is_not_bought_by_a_small_degree() -> None:
    mine, other = figures("rdt:16"), figures("torus:16x16")
    assert table_2.beaten(mine, other) and not table_2.beaten(other, mine)
    assert not table_2.beaten(mine, replace(other, cost_ratio=mine.cost_ratio))
    assert {"Pradhan", "Hypernet"} == table_2.FITTED
    assert [table_2.most_of(n, 11) for n in (5, 6)] == ["5", "most"]


def test_known_topologies_are_burdened_by_links_or_diameter_or_not() -> None:
    dual = {"node-degree": 8, "diameter": 30}

    def known(*nets: tuple[int, int]) -> tuple[str, str]:
        found: Mapping[str, Mapping[str, Any]] = {
            str(n): dict(zip(dual, net, strict=True)) for n, net in enumerate(nets)
        }
        cell = rdn_table_2._known(RDN, {**found, "RDN(3,3)": dual})
        return cell.text, cell.verdict

    assert known((6, 192), (21, 21), (3, 34)) == ("most", "equal")
    assert known((6, 192), (3, 34), (8, 30)) == ("1 of 3", "differs")
    assert known((10, 36), (9, 36)) == ("most", "equal") and known((9, 35), (9, 36))[1] == "differs"


def test_a_crossbar_is_large_by_its_ports_whatever_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    for spec, word in (("hypermesh:8", "small"), ("fattree:64,n=2", "large"), ("hypermesh:64", "large")):
        monkeypatch.setattr(mesh_embedding, "INDIRECT", {spec: (spec, "rdt:16")})
        ((found, _),) = said(mesh_embedding._indirect(RDT), "indirect_crossbar")
        assert found == word, spec


def test_meshes_stand_beside_tori_and_another_order_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {label for label, _, _ in mesh_embedding.GROWTH} == {"2D mesh", "2D torus", "3D mesh", "3D torus"}
    monkeypatch.setattr(mesh_embedding, "GROWTH", (("RDT", ("rdt:16", "rdt:32", "rdt:64", "rdt:128"), 2),))
    assert said(mesh_embedding._growth(RDT), "mesh_order_2d") == [("another order", "differs")]


def test_a_small_diameter_with_a_small_degree_can_be_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    other = {"mesh": "mesh:16x16x16", "hypercube": "hypercube:12"}
    monkeypatch.setattr(_other_networks, "SMALL_BOTH", other)
    found = said(_other_networks.small_table(RDT), "small_diameter_degree")
    assert found == [("not small", "differs")] * 2


def test_tori_on_the_tori_of_a_prdt_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_other_networks, "DIAGONAL", ("prdt:32,R=2", "prdt:32,R=1"))
    found = said(_other_networks.recursion_table(RDT), "diagonal_no_recursion")
    assert found == [("some", "differs"), ("none", "equal")]


@pytest.mark.parametrize(
    ("values", "much", "factors"),
    [((10, 14, 17, 20), "yes", "yes"), ((10, 13, 16, 20), "no", "yes"), ((10, 11, 12, 14), "yes", "no")],
)
def test_growth_at_large_sizes_by_the_measure_and_by_the_factors(
    values: Sequence[int], much: str, factors: str
) -> None:
    curves = {"1D-SRT": list(values)}
    rows = figures_7_8._steps(SRT, curves, {"2D-SRT(uni)": [1.3]})
    table = Table("t", "s", ("found",), rows)
    for option, word in (("much", much), ("factors", factors)):
        assert [text for text, _ in said(table, "growth_1d_large", f"growth_1d_large:{option}")] == [word]


def test_one_form_that_grows_much_at_large_sizes_is_enough() -> None:
    curves = {"1D-SRT": [10, 14, 17, 20], "LS-1D-SRT": [10, 14, 16, 24]}
    table = Table("t", "s", ("found",), figures_7_8._steps(SRT, curves, {"2D-SRT(uni)": [1.3]}))
    assert [text for text, _ in said(table, "growth_1d_large", "growth_1d_large:much")] == ["no"]


def test_a_ring_of_buffers_is_seen() -> None:
    wiring = wire("rdt:8")
    assert deadlock.rings(wiring) == ("none", 2)
    assert deadlock.rings(without_wraps(wiring)) == ("some", 3)
