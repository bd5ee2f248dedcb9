"""Sections of the RDT paper about proofs, Table IV, faults and broadcasts: what they compute, against slow twins."""

from __future__ import annotations

import numpy as np
import pytest
from tests.papers.page.page_made import committed_sections

from jumpnet.analysis.loads import channel_loads
from jumpnet.analysis.routes.paths import route
from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.multicast.children import children
from jumpnet.multicast.territory import territories
from jumpnet.papers import golden
from jumpnet.report._kept import kept
from jumpnet.report._report import cell_rows, unexplained
from jumpnet.report._section import figure_text
from jumpnet.report._territories import place
from jumpnet.report.yang2001rdt import (
    adaptive,
    congestion,
    deadlock,
    fault_tolerance,
    figure_13,
    table_4,
    table_6,
)
from jumpnet.routings import bind
from jumpnet.topology import build
from jumpnet.traffic import bind as pattern

KEY = "yang2001rdt"
QUICK = ("table_4", "figure_7_8", "figure_13", "figure_14", "congestion", "jump1", "table_6")


def never(done, total):
    """A progress callback that does nothing."""


@pytest.fixture(scope="module")
def sections():
    return committed_sections(KEY, *QUICK)


def found(part, number, row, column):
    """One computed figure."""
    return next(r["computed"] for r in cell_rows(part) if (r["number"], r["row"], r["column"]) == (number, row, column))


def test_every_difference_has_a_note_and_every_cell_a_claim(sections):
    assert unexplained(list(sections.values())) == []
    known = {*golden(KEY)["claims"], *(name for name in golden(KEY) if name.startswith("table_"))}
    for part in sections.values():
        assert {row["claim"] for row in cell_rows(part)} <= known


def test_proofs_at_small_sides_and_what_is_kept_of_the_large_one():
    answers = deadlock.Answers(False)
    assert [answers.least(f"rdt:{side}", "rdt.deadlock_free") for side in (16, 32)] == ["3", "3"]
    assert [answers.least(f"rdt:{side}", "rdt.deadlock_free:moves=x") for side in (16, 32)] == ["3", "more than 3"]
    assert answers.ask("rdt:32", "rdt.deadlock_free:moves=x", 3) == "cycle of 7"
    assert answers.ask("rdt:32", "rdt.deadlock_free:ties=away", 3) == "cycle of 2"
    for moves in deadlock.MOVES:
        for ties in ("best", "zero", "away", "up"):
            if (moves, ties) != ("step", "best"):
                assert answers.ask("rdt:128", deadlock._routing(moves, ties), 3) != deadlock.UNKNOWN
    assert answers.least("prdt:128", "prdt.vector", (1, 2)) == "2"
    assert not answers.made.keys() & answers.known.keys()


def test_the_least_number_of_channels_is_the_first_that_is_free():
    assert deadlock.Answers(False).least("prdt:16", "prdt.vector", (1, 2, 3)) == "2"


def test_routes_out_of_order_are_counted():
    net = build("rdt:16")
    assert deadlock.disordered(bind("rdt.deadlock_free", net)) == (8 * net.routers, 0)
    routes, broken = deadlock.disordered(bind("rdt.fixed:order=ascending", net))
    assert routes == 8 * net.routers and 0 < broken < routes


def test_a_proof_that_is_not_kept_is_not_taken_for_a_cycle(monkeypatch):
    monkeypatch.setattr(deadlock, "kept", lambda key, section: None)
    answers = deadlock.Answers(False)
    assert answers.least("rdt:128", "rdt.deadlock_free:moves=x") == deadlock.UNKNOWN
    assert "rdt:128 rdt.deadlock_free:moves=x 3" not in answers.made


def test_the_third_channel_is_on_x_links_where_moves_are_along_x():
    answers = deadlock.Answers(full=True)
    assert [answers.extra_links("rdt:16", moves) for moves in ("x", "step")] == ["x", "x and y"]
    assert deadlock._same_tables(build("rdt:16"))


def test_kept_proofs_of_the_adaptive_routings():
    results = kept(KEY, "adaptive")
    assert results is not None
    assert set(results.data["proofs"]) == {
        f"rdt:{side} {name}"
        for name in adaptive.ROUTINGS
        for side in adaptive.SIDES
        if side <= adaptive.MOST_SIDE[name]
    }
    assert set(results.data["proofs"].values()) == {"free"}


def test_shortest_ways_of_a_cube():
    """From a corner of the 3-cube: three at distance 1 by one way, three at distance 2 by two, one at 3 by six."""
    assert adaptive._shortest_ways(build("hypercube:3")) == (7, 4)


def test_a_lone_packet_shows_the_clocks_of_each_stage():
    usual = table_4.stages()
    assert (usual.hop, usual.ahead, usual.apart_switch, usual.apart_link) == (3, 2, 1, 1)
    slower = table_4.stages(routing_delay_cycles=3, link_cycles=2, terminal_link_cycles=2)
    assert (slower.hop, slower.ahead) == (6, 3)
    assert slower.network_latency > usual.network_latency


def test_virtual_channels_of_table_iv(sections):
    column = [found(sections["table_4"], 2, who, "has") for who in ("RDT(2,4,1)/α", "2D torus", "hypercube")]
    assert column == [3, 2, 2]


def test_channels_without_a_way_back_are_counted():
    from jumpnet.report.yang2001rdt.figure_7_8 import _one_way

    assert _one_way(build("torus:4x4")) == 0
    assert _one_way(build("debruijn:2,n=4,directed=true")) > 0


@pytest.mark.parametrize("name", ["rdt.floating", "rdt.fault_tolerant"])
def test_lost_pairs_are_those_whose_route_ends(name):
    bound = bind(name, degraded(build("rdt:8"), [9, 30]))
    ends = np.flatnonzero(bound.network.terminals > 0).tolist()
    lost = 0
    for source in ends:
        for to in ends:
            try:
                route(bound, source, to)
            except JumpnetError:
                lost += 1
    assert fault_tolerance.lost_pairs(bound, 1) == (62 * 61, lost)
    assert (lost > 0) == (name == "rdt.floating")


def test_the_lost_pairs_of_a_torus_are_those_counted_by_hand():
    """A torus of 4 x 4 without router (1,1); x before y, half-way round in the positive direction.

    Lost are 4 along its row from (0,1) to column 2, 3 x 3 that turn at it, and 4 down its column from row 0 to (1,2).
    """
    whole = build("rdt:4,assignment=none")
    assert fault_tolerance.lost_pairs(fault_tolerance.unaware(degraded(whole, [5]), whole), 1) == (15 * 14, 4 + 9 + 4)


@pytest.mark.parametrize(("spec", "out"), [("rdt:8", [9, 30]), ("rdt:8", [0, 3, 43]), ("rdt:16", [100])])
def test_pairs_lost_with_nothing_rewritten_are_those_whose_way_in_the_whole_network_meets_a_fault(spec, out):
    whole = build(spec)
    bound, every = bind("rdt.floating", whole), 1 if whole.routers == 64 else 25
    ends = [r for r in range(whole.routers) if r not in out]
    sources = ends[::every]
    meets = sum(any(hop.router in out for hop in route(bound, s, t)) for s in sources for t in ends if s != t)
    broken = degraded(whole, out)
    assert meets > 0
    assert fault_tolerance.lost_pairs(fault_tolerance.unaware(broken, whole), every)[1] == meets


def test_rewriting_the_ranks_alone_leaves_rank_0_hops_as_they_were():
    whole = build("rdt:16")
    broken = degraded(whole, [100])
    some, every = fault_tolerance.rewritten_ranks(broken, whole), bind("rdt.fault_tolerant", broken)
    ranks = 4 * int(whole.params[2])
    assert np.array_equal(some.view.table[:, :ranks], every.view.table[:, :ranks])
    assert not np.array_equal(some.view.table[:, ranks:], every.view.table[:, ranks:])
    assert fault_tolerance.lost_pairs(some)[1] > fault_tolerance.lost_pairs(every)[1] == 0


def test_congestion_compares_means_over_channels():
    net = build("rdt:16")
    loads = channel_loads(bind("rdt.floating", net), pattern("uniform", net))
    found = congestion.upper(loads)
    rank = np.where(net.neighbor >= 0, net.class_rank[net.link_class], -1)
    upper, base = loads.load[rank > 0].mean(), loads.load[rank == 0].mean()
    assert np.allclose([found.mean, found.base_mean], [upper, base])
    assert [congestion._severe(n, 1.0) for n in (1.25, 1.1)] == ["severe", "not severe"]


def test_each_node_of_a_rank_receives_once_and_not_where_too_many_send():
    where = territories("prdt:16")
    ranks = np.arange(256)
    lattice = np.array([y * 16 + x for y in range(16) for x in range(16) if (x + y) % 4 == 0 and (x - y) % 4 == 0])
    assert set(figure_13._received(where, 0, lattice).tolist()) == {1}
    assert set(figure_13._received(where, 0, ranks).tolist()) == {len(children())}


def test_rows_are_compared_word_by_word():
    assert [table_6._against(3, k) for k in (4, 3, 2)] == ["less", "as many", "more"]
    rows = [([1, 2], [2, 3]), ([1, 3], [2, 3]), ([2, 3], [2, 3])]
    assert [table_6._some(*pair) for pair in rows] == ["always less", "sometimes less", "never less"]


def test_table_vi_against_the_others(sections):
    part = sections["table_6"]
    assert [found(part, 1, "RDT(2,4,1)/alpha", nodes) for nodes in table_6.SIDES] == [10, 11, 14, 16]
    assert found(part, 2, "our figures", "against the 4-ary tree") == "never less"
    assert found(part, 2, "the printed table", "against the 4-ary tree") == "sometimes less"


def test_a_territory_s_whole_neighborhood():
    where = territories("prdt:16")
    assert place(where, 0, 0) == (1, 2)
    outside = next(s for s in range(256) if s not in where.members(0, 0))
    assert place(where, outside, 0) == place(where, 0, 0)


def test_notes_are_of_figures_that_are_there(sections):
    from jumpnet.report._notes import notes

    values = {
        (part.name, row["number"], row["row"], row["column"], figure_text(row["computed"]))
        for part in sections.values()
        for row in cell_rows(part)
    }
    mine = [note for note in notes(KEY) if note.section in sections]
    assert len(mine) > 5
    assert all((note.section, note.table, *cell) in values for note in mine for cell in note.cells)
