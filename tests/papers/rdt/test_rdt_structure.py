"""The RDT paper's structure and paths in the report: what each section found, held against other ways of finding it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.papers.page.page_made import committed_sections

from jumpnet.analysis.routes.paths import path_figures
from jumpnet.graph.distances import distances_from
from jumpnet.papers import claim, golden, printed
from jumpnet.report._notes import unused
from jumpnet.report._report import Computed, cell_rows, unexplained
from jumpnet.report.yang2001rdt import _floating, alpha_diameter, definitions_1_2
from jumpnet.report.yang2001rdt._tori import ranks_of, shape
from jumpnet.report.yang2001rdt._vector import by_rank, theorem_3, vector_steps
from jumpnet.report.yang2001rdt.closed_partitioning import partition
from jumpnet.report.yang2001rdt.definitions_5_6 import place_of_name
from jumpnet.report.yang2001rdt.hypercube_embedding import dimension_steps, farthest, partners
from jumpnet.routings import bind
from jumpnet.topology import build, family
from jumpnet.topology.rdt_sizes import definition_2_sizes, ranks_that_close, torus_sizes

KEY = "yang2001rdt"
QUICK = ("alpha_diameter", "closed_partitioning", "definitions_1_2", "definitions_3_4", "definitions_5_6",
         "floating_algorithm", "hypercube_embedding", "table_2", "table_3", "table_5", "theorem_1_2", "theorem_3",
         "theorem_4_6", "vector_routing")  # fmt: skip
"""Sections of a few seconds each; the others need tens."""


@pytest.fixture(scope="module")
def parts() -> dict[str, Computed]:
    return committed_sections(KEY, *QUICK)


def _cells(part: Computed) -> list[dict[str, Any]]:
    return list(cell_rows(part))


def test_every_difference_is_explained_by_a_note_of_its_value(parts):
    assert set(parts) == set(QUICK)
    assert unexplained(list(parts.values())) == []
    assert list(unused(KEY, [(name, part.section) for name, part in parts.items()])) == []


def test_every_cell_beside_a_printed_figure_names_an_entry_of_the_golden_file(parts):
    data = golden(KEY)
    for part in parts.values():
        for cell in _cells(part):
            assert (cell["printed"] is None) or cell["claim"] in data["claims"] or cell["claim"] in data, cell
        assert all(figure.claim in data["claims"] for figure in part.section.figures)


def test_the_default_of_a_reading_reproduces_most(parts):
    data, tried, right = golden(KEY)["readings"], Counter(), Counter()
    for part in parts.values():
        for cell in _cells(part):
            if cell["reading"] and cell["printed"] is not None:
                tried[cell["reading"]] += 1
                right[cell["reading"]] += cell["verdict"] in ("equal", "rounded")
    for name in ("rank_4_missing", "searched_from", "theorem_4_bound", "closed_partitioning"):
        options = [f"{name}:{option}" for option in data[name]["options"]]
        assert len({tried[o] for o in options}) == 1 and tried[options[0]] > 0, name
        assert right[f"{name}:{data[name]['default']}"] == max(right[o] for o in options), name
    assert (right["rank_4_missing:rank_1"], right["rank_4_missing:none"]) == (12, 6)


def test_theorem_6_is_exact_theorem_5_below_the_highest_rank_only_and_theorem_3_one_too_large(parts):
    cells = [c for c in _cells(parts["theorem_4_6"]) if c["number"] == 2 and c["printed"] is not None]
    words = Counter((c["claim"], c["reading"], c["verdict"]) for c in cells)
    assert words == {
        ("theorem_5_rank", "", "equal"): 10, ("theorem_6", "", "equal"): 10,
        ("theorem_5", "", "equal"): 3, ("theorem_5", "", "differs"): 7,
    }  # fmt: skip
    longest = [c for c in _cells(parts["theorem_3"]) if c["column"].startswith("longest")]
    assert {int(c["printed"]) - c["computed"] for c in longest} == {1} and len(longest) == 16


def test_theorem_4_by_theorem_3_has_more_routes_within_its_bound(parts):
    """To the letter of Definition 6, where the diameter at 64 and routes at 32 and 64 need Theorem 3's; and in all."""
    cells = [c for c in _cells(parts["theorem_4_6"]) if c["number"] == 1 and c["computed"] == "yes"]
    letter = Counter(c["reading"] for c in cells if "rank" not in c["row"])
    assert letter == {"theorem_4_bound:theorem_3": 7, "theorem_4_bound:exact": 4}
    within = Counter(c["reading"] for c in cells)
    assert within == {"theorem_4_bound:theorem_3": 17, "theorem_4_bound:exact": 8}


def test_theorem_4_holds_for_fixed_routes_with_other_ranks_in_the_place_of_rank_4(parts):
    table = parts["theorem_4_6"].section.tables[0]
    found = {row: table.at(row, "rdt.fixed within").text for row, _ in table.rows if row.startswith("N=32")}
    holds = [row for row, word in found.items() if word == "yes"]
    assert holds == ["N=32, R=3, rank_1, D Theorem 3: 7", "N=32, R=3, ranks_1_3, D Theorem 3: 7"]
    words = " ".join(parts["theorem_4_6"].section.text.split())
    assert "fixed routes at 16 by 16, 32 by 32 (Definition 6 to the letter), 64 by 64 and 128 by 128 nodes" in words


def test_cells_of_a_definition_chosen_by_the_printed_figure_count_as_stated(parts):
    chosen = [c for c in _cells(parts["table_2"]) if c["row"] == "Pradhan"]
    assert len(chosen) == 4 and {c["verdict"] for c in chosen} == {"stated"} and all(c["detail"] for c in chosen)


def test_partitions_stretch_shortest_paths_by_two_to_four_steps(parts):
    first = [c for c in _cells(parts["closed_partitioning"]) if c["number"] == 2 and c["row"] == "distances"]
    assert [c["computed"] for c in first] == [2, 2, 3, "within"]
    small = partition(8)
    assert small.routers == 64 and int(small.degrees.min()) == 2  # the corners of a mesh


def test_hypercube_dimensions_take_the_printed_steps(parts):
    cells = _cells(parts["hypercube_embedding"])
    assert {c["verdict"] for c in cells if c["number"] == 1} == {"equal"}
    slowest = [c for c in cells if c["number"] == 2 and c["column"] == "slowest dimension"]
    assert len(slowest) == 3 and all(c["computed"] < int(c["printed"]) for c in slowest)


@pytest.mark.parametrize("spec", ["rdt:8", "rdt:16"])
def test_the_farthest_hypercube_neighbor_is_found_by_class(spec):
    net = build(spec)
    pairs = [partners(int(net.params[0]), d) for d in range(net.routers.bit_length() - 1)]
    hops = [distances_from(net, s)[t] for sources, targets in pairs for s, t in zip(sources, targets, strict=True)]
    assert farthest(net) == max(hops) <= max(dimension_steps(net))


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 48), st.integers(2, 6))
def test_sizes_of_tori_are_those_of_the_walked_network(side, n):
    top, _ = ranks_that_close(side, n)
    if top == 0:
        return
    net = build(f"prdt:{side},n={n}")
    assert ranks_of(net)[-1] <= top
    for rank in ranks_of(net)[1:]:
        found = shape(net, rank)
        assert (found.x, found.y) == torus_sizes(side, n, rank)
        assert found.shift == (found.x // 2 if rank % 2 else 0)


def test_definition_2_s_formulas_are_right_where_every_step_divides_the_side():
    for side, n in ((16, 2), (256, 2), (108, 3), (32, 4), (50, 5)):
        top, _ = ranks_that_close(side, n)
        sizes = definition_2_sizes(side, n, top)
        assert [torus_sizes(side, n, r) for r in range(top + 1)] == sizes


def test_only_y_equal_n_spoils_definition_2():
    right, nodes = definitions_1_2._right(golden(KEY), "prdt:16", 0)
    assert right == {"x'": nodes, "y'": nodes, "x''": nodes, "y''": nodes - 16}


def test_names_of_tori_count_unit_vectors():
    assert place_of_name([(1, 0)], 16, 2) == (1, 0)
    assert place_of_name([(3, 1), (1, 0), (0, 1)], 128, 2) == ((3 + 2 - 8) % 128, 1 + 2)


@pytest.mark.parametrize(("side", "R"), [(16, 2), (32, 3)])
def test_the_plain_floating_algorithm_is_the_routing_s(side, R):
    """Arrivals under both signs, and the same average of all routes, to the last digit."""
    found = _floating.follow_all(side, R, "subtract")
    assert found.arrived == found.packets == 8 * (side * side - 1)
    assert _floating.follow_all(side, R, "add").arrived < found.packets // 5
    routed = path_figures(bind("rdt.floating:moves=near,ties=zero", build(f"rdt:{side}")))
    assert routed.average == Fraction(found.hops, found.packets)


def test_named_assignments_differ_where_rank_4_is_missing_only():
    assert family("rdt:128,assignment=alpha_1").class_ranks == family("rdt:128").class_ranks
    ranks = [r[0] for r in family("rdt:64,assignment=alpha_1_3").class_ranks]
    assert ranks == [2, 1, 1, 3, 3, 3, 2, 1]
    assert int(build("rdt:64,assignment=alpha_1").degrees.min()) == 8 and int(build("rdt:64").degrees.min()) == 4


def test_vectors_by_rank_add_up_to_the_routes():
    for side, n, R in ((32, 2, 3), (36, 3, 2)):
        steps = by_rank(side, n, R)
        assert steps.one == n and vector_steps(side, n, R).max() == steps.all <= steps.below + steps.top
        assert theorem_3(side, n, R) == n * R + steps.top


def test_diameters_that_are_searched_for_are_the_least_printed() -> None:
    data = golden(KEY)
    for side, wanted in zip(alpha_diameter.SIDES, alpha_diameter.WANTED, strict=True):
        words = [printed(data, "table_1", "floating vector routing diameter", str(side * side))]
        if side in (64, 256):
            words.append(printed(data, "table_2", "RDT(2,4,1)/alpha", f"{side * side} diameter"))
        if side == 256:
            words.append(claim(data, "abstract_diameter"))
        assert min(int(word) for word in words if word) == wanted
