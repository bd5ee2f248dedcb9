"""The bit-map directory paper's sections 1 to 5.2: notes by cell, readings, and what the sections build, by hand."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.naive import multicast as naive
from tests.papers.page.page_made import committed_sections

from jumpnet.multicast import scheme
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import multicast_tree
from jumpnet.papers import golden
from jumpnet.report import _remote_group as remote_group
from jumpnet.report import _single_tree as single_tree
from jumpnet.report._notes import annotated, unused
from jumpnet.report._plain_tree import cast
from jumpnet.report._report import Computed, unexplained
from jumpnet.report._section import Section, Table
from jumpnet.report.kudoh1995rhbd import fat_tree, network
from jumpnet.report.kudoh1995rhbd._study import DEFAULT, OPTIONS, crossing, figure
from jumpnet.report.kudoh1995rhbd.single_tree_simulated import Contest
from jumpnet.topology import build

KEY = "kudoh1995rhbd"
SECTIONS = ("figures_5_6", "fat_tree", "entries", "figures_10_11", "figure_12", "readings", "remote_group", "mapping")


@pytest.fixture(scope="module")
def parts() -> dict[str, Computed]:
    return committed_sections(KEY, *SECTIONS)


def cells(part: Computed):
    """(table number, row, column, cell) of every cell."""
    for n, table in enumerate(part.section.tables, 1):
        for row, line in table.rows:
            yield from ((n, row, column, cell) for column, cell in zip(table.columns, line, strict=True) if cell)


def test_every_difference_has_a_note_and_every_note_its_figure(parts):
    assert unexplained(list(parts.values())) == []
    assert list(unused(KEY, [(name, part.section) for name, part in parts.items()])) == []


def test_a_note_is_not_shown_with_another_figure(parts):
    """LARP in its other reading, whose figures are others: the notes of the default's do not attach to them."""
    section = parts["readings"].section
    columns = [{row: line[k] for row, line in section.tables[0].rows} for k in (0, 1)]
    moved = [(row, [columns[1][row], columns[0][row]]) for row, _ in section.tables[0].rows]
    changed = Section(section.title, tables=[Table("t", "s", ("subtree", "path"), moved)])
    assert len(unexplained([Computed(KEY, "readings", annotated(KEY, "readings", changed))])) >= 6


@pytest.mark.parametrize("name", [*OPTIONS, "remote_group"])
def test_the_default_of_a_reading_reproduces_most_and_all_options_are_shown_alike(parts, name):
    said = golden(KEY)["readings"][name]
    shown, equal = Counter(), Counter()
    for part in parts.values():
        for *_, cell in cells(part):
            reading, _, option = cell.reading.partition(":")
            if reading == name:
                shown[option] += 1
                equal[option] += cell.verdict in ("equal", "rounded")
    assert set(shown) == set(said["options"]) and len(set(shown.values())) == 1
    assert equal[said["default"]] == max(equal.values())
    assert name == "remote_group" or OPTIONS[name][said["default"]] == DEFAULT


def test_every_entry_of_these_sections_is_claimed_or_drawn(parts):
    named = {cell.claim for part in parts.values() for *_, cell in cells(part)}
    drawn = {each.claim for part in parts.values() for each in part.section.figures}
    assert {"crossing", "tree_bits", "lpra_remote", "receivers_four", "pattern_twice", "directory_bits"} <= named
    assert {f"figure_{k}" for k in (5, 6, 7, 8, 10, 11, 12)} <= drawn


def test_where_larp_meets_sm_moves_with_its_reading():
    """The printed 'about 10' holds for the subtree alone, at both spreads."""
    found = {name: [crossing(figure(OPTIONS["larp"][name], n)) for n in (10, 11)] for name in ("subtree", "path")}
    assert all(abs(k - 10) <= 1 for k in found["subtree"]) and all(k <= 6 for k in found["path"])


@pytest.mark.parametrize("name", ["full", "SM", "LPRA", "LARP", "LARP:path"])
@given(data=st.data())
def test_a_plain_tree_reaches_what_the_words_say(name, data):
    """With the source at the first leaf digits need no turning; elsewhere the picture is turned with it."""
    leaves = list(product(range(3), repeat=3))
    source = data.draw(st.sampled_from(leaves))
    away = data.draw(st.lists(st.sampled_from(leaves[1:]), min_size=1, max_size=5, unique=True))
    to = [tuple((a + b) % 3 for a, b in zip(leaf, source, strict=True)) for leaf in away]
    found = cast(scheme(name), 3, source, to)
    start = next(k for k in range(3) if k == 2 or any(leaf[k] for leaf in away))
    words = naive.receiving_leaves(name, [tuple(reversed(leaf[start:])) for leaf in away], 3)
    there = {tuple((a + b) % 3 for a, b in zip((0,) * start + tuple(reversed(d)), source, strict=True)) for d in words}
    assert set(found.receivers) == there and len(found.receivers) == len(there)
    assert all(visit.level < 3 for visit in found.visits) and sum(visit.starts for visit in found.visits) == 1


def test_loads_of_a_single_tree_by_hand():
    """Two multicasts on a binary tree of four leaves: over the root, and beside it."""
    digits = [(0, 0), (0, 1), (1, 0), (1, 1)]
    load, up = single_tree.tree_loads(digits, [[1, 2], [0]])
    assert up.tolist() == [2, 1]
    assert load == {
        ((0,), 0, True): 1, ((), 0, True): 1, ((), 0, False): 1, ((0,), 1, False): 1, ((), 1, False): 1,
        ((1,), 0, False): 1, ((0,), 1, True): 1, ((0,), 0, False): 1,
    }  # fmt: skip


def test_loads_of_the_fat_tree_are_those_of_its_hops():
    where = territories("rdt:16")
    sets = single_tree.casts(16, 1.0)
    load, up = single_tree.fat_loads(where, sets)
    trees = [multicast_tree(where, scheme("full"), s, to) for s, to in enumerate(sets)]
    assert sum(load.values()) == sum(len(tree.hops) for tree in trees)
    assert up.max() == 1 and 0 < up.mean() < 1
    assert all(len(set(to)) == single_tree.DESTINATIONS and s not in to for s, to in enumerate(sets))


def test_neighbors_on_the_simulated_tree_and_on_the_rdt():
    """A message alone takes as long as its hops say: one on the RDT, twice the levels up on the tree."""
    contest = Contest("tree:4,height=2", "rdt:4")
    assert len(set(contest.leaf)) == 16 and set(contest.tree.coord[contest.leaf][:, 0].tolist()) == {2}
    for source, to, hops in ((0, 1, 2), (1, 2, 4)):
        single, fat = contest.plans(source, [to])
        assert (len(single.router) - 1, len(fat.router) - 1) == (hops, 1)
    cycles = contest.to_neighbor()
    found = contest.all_at_once([[(r + 1) % 16] for r in range(16)])
    assert cycles[1] < cycles[0] and all(done.finished and done.receipts.tolist() == [1] * 16 for done in found)


@pytest.mark.parametrize("rank", [0, 1, 2])
def test_nodes_that_receive_do_not_receive_from_others(rank):
    where, net = territories("prdt:64"), build("prdt:64")
    assert fat_tree._received(where, net, rank) == (4096 // 8**rank, 4096 // 8**rank, 0)


def test_groups_have_their_size_and_place():
    where = territories("prdt:64")
    for option, group in remote_group.GROUPS.items():
        for rank in remote_group.RANKS:
            found = group(where, rank, 3, remote_group.random.Random(1))
            assert len(set(found)) == len(found) == 8**rank, option
    digits = where.address(0, remote_group.subtree(where, 2, 3, remote_group.random.Random(1)), 3).digits
    assert {d[2:] for d in digits} == {(3, 0)}
    assert remote_group.mean_receivers("subtree", 2, 0) == (64.0, 64.0, 64.0)


def test_the_drawn_assignment_has_every_rank_and_each_node_three_others_beside_it():
    """Figure 4, on a size where rank 4 has links: Section 2.2's property, on the drawn nodes."""
    data = network._figure_4().data
    rank = dict(zip(zip(data["x"], data["y"], strict=True), data["rank"], strict=True))
    assert set(rank.values()) == {1, 2, 3, 4}
    for x, y in product(range(1, 7), repeat=2):
        beside = {rank[x + dx, y + dy] for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))}
        assert beside >= {1, 2, 3, 4} - {rank[x, y]}
