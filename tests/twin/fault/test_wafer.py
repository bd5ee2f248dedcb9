"""Wafer kernels against their twins, and the methods against trying every direction of every fault."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.draws import every_third
from tests.naive import fault as naive

from jumpnet.fault._local import Core, local_directions
from jumpnet.fault._place import clashes
from jumpnet.fault._wafers import local_wafers
from jumpnet.fault.array import WaferArray
from jumpnet.fault.candidates import candidates
from jumpnet.fault.certificate import cut_holds, none_together, places_near
from jumpnet.fault.configuration import Reconfiguration, configure, core_faults, verify
from jumpnet.fault.defects import from_places, random_defects, seed_probability
from jumpnet.fault.flow import MOVES, disjoint_paths
from jumpnet.fault.lines import line_choices
from jumpnet.fault.method import methods
from jumpnet.fault.tracks import search_gap, set_gap

ARRAYS = st.builds(
    WaferArray.around,
    st.integers(3, 6),
    st.integers(3, 6),
    st.integers(1, 2),
    st.sampled_from(["NESW", "ES", "NS", "E", "NSE", "W"]),
    st.integers(1, 3),
)


@st.composite
def wafers(draw: st.DrawFn, most: int = 7) -> tuple[WaferArray, np.ndarray]:
    array = draw(ARRAYS)
    height, width = array.shape
    places = st.tuples(st.integers(0, height - 1), st.integers(0, width - 1))
    bad = np.zeros(array.shape, bool)
    for x, y in draw(st.lists(places, max_size=most)):
        bad[x, y] = True
    return array, bad


def _wanted(array: WaferArray) -> dict[tuple[str, int, int], tuple[int, int]]:
    ends = {}
    for i, j in itertools.product(range(array.rows), range(array.columns)):
        ends["E", i, j] = (i, (j + 1) % array.columns)
        ends["S", i, j] = ((i + 1) % array.rows, j)
    return ends


def _naively_sound(made: Reconfiguration) -> bool:
    """Places as pushed one by one, and every wire as walked in the graph of terminals."""
    place = naive.places(made.array, made.bad, made.direction.tolist())
    assert place == {ij: tuple(made.place[ij]) for ij in np.ndindex(made.place.shape[:2])}
    return naive.follow(made.array, place, made.row_switches, made.column_switches) == _wanted(made.array)


def assert_local_is_its_twin(array: WaferArray, bad: np.ndarray, bits: list[int]) -> None:
    """The sides that the local method chooses, in both orders; bits: the sides that are barred to each fault."""
    faults = core_faults(array, bad)
    barred = np.array(bits[: len(faults)], np.int8)
    row, column = faults[:, 0].copy(), faults[:, 1].copy()
    for outer_first in (True, False):
        found = np.empty(len(faults), np.int64)
        core = Core(array.rows, array.columns, array.north, array.west, array.tracks)
        local_directions(bad, row, column, core, outer_first, barred, found)
        assert found.tolist() == naive.local(array, bad, outer_first, barred.tolist())


@pytest.mark.parametrize("tracks", [1, 3])
@pytest.mark.parametrize(("sides", "spares"), [("NESW", 1), ("NESW", 3), ("ES", 4), ("EW", 3), ("NS", 3)])
def test_local_is_its_twin_on_crowded_wafers(sides: str, spares: int, tracks: int) -> None:
    array = WaferArray.around(8, 7, spares, sides, tracks)
    for w in every_third(range(40)):
        bad = random_defects(array, 0.1 + 0.01 * w, 5, w)
        assert_local_is_its_twin(array, bad, [0] * 56)
        assert_local_is_its_twin(array, bad, [(7 * w + 5 * k) % 16 if k % 3 == 0 else 0 for k in range(56)])
        assert_local_is_its_twin(array, bad, [(0, 8, 2, 10, 7, 13, 5)[(3 * w + k * k) % 7] for k in range(56)])


@settings(max_examples=120, deadline=None)
@given(wafers(), st.lists(st.integers(0, 15), max_size=7))
def test_local_is_its_twin_and_what_it_repairs_is_sound(wafer, bits) -> None:
    array, bad = wafer
    assert_local_is_its_twin(array, bad, [*bits, *[0] * 7])
    made = methods()["local"](array, bad)
    assert not made.repaired or _naively_sound(made)


@settings(max_examples=80, deadline=None)
@given(wafers(), st.data())
def test_any_directions_the_two_tracers_agree(wafer, data) -> None:
    array, bad = wafer
    n = len(core_faults(array, bad))
    direction = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), np.int64)
    made = configure(array, bad, direction, "any")
    if (made.place >= 0).all() and (made.owner >= 0).sum() == array.rows * array.columns:
        place = {ij: tuple(made.place[ij]) for ij in np.ndindex(made.place.shape[:2])}
        figures, wires = {}, made.wires
        ends = naive.follow(array, place, made.row_switches, made.column_switches, figures=figures)
        for ij in np.ndindex(made.place.shape[:2]):
            for side, reached, length, turns in (
                ("E", wires.east, wires.east_length, wires.east_turns),
                ("S", wires.south, wires.south_length, wires.south_turns),
            ):
                got = int(reached[ij])
                assert ends.get((side, *ij)) == (divmod(got, array.columns) if got >= 0 else None)
                assert got < 0 or figures[side, *ij] == (length[ij], turns[ij])
        assert made.verified == (ends == _wanted(array) and not bad[made.place[..., 0], made.place[..., 1]].any())


def test_paths_that_claim_one_element_are_no_repair_though_every_wire_is_right() -> None:
    """The path to the east takes along the second fault, which is said to be compensated to the north."""
    array = WaferArray(4, 4, east=2, tracks=2)
    bad = from_places(array, [(2, 2), (2, 3)])
    right, lucky = (configure(array, bad, np.array(d, np.int64), "by hand") for d in ([1, 1], [1, 0]))
    assert right.verified and (lucky.place == right.place).all()
    assert verify(array, bad, lucky.place, lucky.row_switches, lucky.column_switches)[1] and not lucky.verified


@pytest.mark.parametrize("tracks", [1, 2])
@pytest.mark.parametrize("sides", ["NESW", "ES", "NS"])
def test_exact_repairs_when_any_choice_of_straight_paths_does(sides: str, tracks: int) -> None:
    array = WaferArray.around(4, 4, 1, sides, tracks)
    repaired = 0
    for w in range(25):
        bad = random_defects(array, 0.12, 5, w)
        n = len(core_faults(array, bad))
        if n > 4:
            continue
        some = any(
            configure(array, bad, np.array(d, np.int64), "try").repaired for d in itertools.product(range(4), repeat=n)
        )
        made = {name: method(array, bad) for name, method in methods().items()}
        assert made["exact"].repaired == some
        assert not some or disjoint_paths(array, bad) == n
        for name in ("local", "graph"):
            assert some or not made[name].repaired
        repaired += some
    assert repaired > 0


@pytest.mark.parametrize("tracks", [1, 2])
@pytest.mark.parametrize(("sides", "spares"), [("NESW", 2), ("ES", 2), ("ES", 3), ("E", 3), ("NS", 2)])
def test_exact_with_several_spares_repairs_when_any_choice_does(sides: str, spares: int, tracks: int) -> None:
    array = WaferArray.around(4, 4, spares, sides, tracks)
    repaired = 0
    for w in range(12):
        bad = random_defects(array, 0.14, 5, w)
        n = len(core_faults(array, bad))
        if n > 4:
            continue
        some = any(
            configure(array, bad, np.array(d, np.int64), "try").repaired for d in itertools.product(range(4), repeat=n)
        )
        made = {name: method(array, bad) for name, method in methods().items()}
        assert made["exact"].repaired == some and (some or not made["graph"].repaired)
        assert some == (made["exact"].certificate is None)
        repaired += some
    assert repaired > 0


def test_lines_that_cannot_be_served_are_each_needed() -> None:
    """Every certificate of lines: no choice for all of them together, one for any of them left out (tried in full)."""
    array, seen = WaferArray.around(4, 4, 2, "ES", 1), 0
    for w in range(60):
        bad = random_defects(array, 0.2, 7, w)
        why = methods()["exact"](array, bad).certificate
        if why is None or why["kind"] == "cut":
            continue
        assert why["kind"] == "lines"
        found = line_choices(array, bad)
        core = [*why["rows"], *(array.rows + j for j in why["columns"])]

        def served(lines: list[int], found=found) -> bool:
            ways = [np.flatnonzero(found.graph.fault == line) for line in lines]
            return any(not found.graph.conflict[np.ix_(choice, choice)].any() for choice in itertools.product(*ways))

        assert not served(core)
        assert all(served([line for line in core if line != left]) for left in core)
        seen += 1
    assert seen > 3


@pytest.mark.parametrize(
    ("array", "density"),
    [
        (WaferArray(3, 3, 2, 2, 2, 2, 2), 0.7),
        (WaferArray(2, 3, 0, 2, 1, 0), 0.4),
        (WaferArray(3, 2, 1, 0, 2, 1, 3), 0.45),
        (WaferArray(3, 3), 0.45),
    ],
)
def test_a_cut_is_named_whenever_there_are_too_few_places_and_holds(array: WaferArray, density: float) -> None:
    """Places by trying all ways; the certificate by counting; and no configuration where it says that there is none."""
    kinds = set()
    for w in range(60):
        bad = random_defects(array, density, 3, w)
        near = {
            moves: [places_near(array, bad, i, j, moves) for i, j in np.ndindex(array.rows, array.columns)]
            for moves in MOVES
        }
        enough = {moves: naive.all_have_places(near[moves]) for moves in MOVES}
        why = methods()["exact"](array, bad).certificate
        kinds.add(moves := "any" if not enough["any"] else "straight" if not enough["straight"] else "")
        assert (why is not None and why["kind"] == "cut") == (not all(enough.values()))
        for name in MOVES:
            assert (disjoint_paths(array, bad, name) == len(core_faults(array, bad))) == enough[name]
        if not moves:
            continue
        assert why is not None and why["moves"] == moves and cut_holds(array, bad, why)
        region = [tuple(c) for c in why["region"]]
        members = [places_near(array, bad, *c, moves) for c in region]
        assert not naive.all_have_places(members)
        assert all(naive.all_have_places(members[:k] + members[k + 1 :]) for k in range(len(members)))
        assert not cut_holds(array, bad, {**why, "region": region[1:]})
        own = {(i + array.north, j + array.west) for i, j in region[1:]}
        less = {"enclosed": [c for c in own if bad[c]], "elements": set().union(*members[1:]) - own, "moves": moves}
        assert not cut_holds(array, bad, {**less, "region": region[1:]})  # named as it is, and places enough
        assert not cut_holds(array, bad, {**why, "elements": [*why["elements"], [0, 0], [0, 1]][1:]})
        if why["enclosed"]:  # with one defect of the region good, there is one place more
            mended = bad.copy()
            mended[tuple(why["enclosed"][0])] = False
            assert not cut_holds(array, mended, why)
    assert kinds == {"any", "straight", ""}


@pytest.mark.parametrize(
    ("array", "density"),
    [
        (WaferArray(6, 6), 0.16),
        (WaferArray.around(6, 5, 1, "ES", 2), 0.1),
        (WaferArray.around(6, 6, 2, "ES"), 0.15),
        (WaferArray(6, 6, 2, 0, 1, 2, 2), 0.2),
        (WaferArray(8, 8, 2, 2, 2, 2), 0.2),
    ],
)
def test_conflicts_and_lines_hold_and_nothing_less_does(array: WaferArray, density: float) -> None:
    """The checker tries all choices by its own rules: it agrees, and not with one line or fault left out."""
    seen = 0
    for w in range(40):
        bad = random_defects(array, density, 3, w)
        why = methods()["exact"](array, bad).certificate
        if why is None or why["kind"] == "cut":
            continue
        assert none_together(array, bad, why) is True
        keys = ("faults",) if why["kind"] == "conflict" else ("rows", "columns")
        for key, k in ((name, k) for name in keys for k in range(len(why[name]))):
            less = {**why, key: why[key][:k] + why[key][k + 1 :]}
            assert not any(less[name] for name in keys) or none_together(array, bad, less) is False
        seen += 1
    assert seen > 2


def test_tracks_of_a_gap_are_found_whenever_there_are_some() -> None:
    """The search and the greedy choice against all trails of all rings; what is found is traced in the naive graph.

    The search takes the fewest pieces of track that any choice of trails takes.
    """
    rng, seen = np.random.default_rng(1), {"greedy": 0, "searched": 0, "none": 0}
    for _ in range(500):
        tracks = int(rng.integers(1, 4))
        lines = int(rng.integers(2, 5 if tracks < 3 else 4))
        rings = int(rng.integers(1, lines + 1))
        first, last = (np.sort(rng.choice(lines, rings, replace=False)) for _ in range(2))
        broken = rng.choice([0, 0, 0, 0, 8, 3, 15], size=(lines, tracks)).astype(np.int8)
        fewest = naive.fewest_pieces(first.tolist(), last.tolist(), broken.tolist())
        searched, found = search_gap(first, last, broken), set_gap(first, last, broken)
        assert (searched is not None) == (found is not None) == (fewest is not None)
        if found is None or searched is None:
            seen["none"] += 1
            continue
        assert naive.over_gap(searched, broken, first.tolist()) == (last.tolist(), fewest)
        assert naive.over_gap(found, broken, first.tolist())[0] == last.tolist()
        seen["searched" if (found == searched).all() else "greedy"] += 1
    assert min(seen.values()) > 10


def test_gaps_whose_tracks_do_not_suffice_are_those_without_trails() -> None:
    """Every pair of some choices before and after a gap at once, against all trails of all rings."""
    rng, seen = np.random.default_rng(3), set()
    for lines, tracks in ((2, 1), (3, 1), (4, 1), (4, 2), (3, 3)):
        for rings in range(1, lines + 1):
            before, after = ([np.sort(rng.choice(lines, rings, replace=False)) for _ in range(n)] for n in (5, 6))
            found = np.empty((5, 6), bool)
            clashes(np.array(before), np.array(after), lines, tracks, found)
            for (a, b), clash in np.ndenumerate(found):
                fewest = naive.fewest_pieces(before[a].tolist(), after[b].tolist(), [[0] * tracks] * lines)
                assert clash == (fewest is None)
                seen.add(bool(clash))
    assert seen == {False, True}


@settings(max_examples=60, deadline=None)
@given(wafers(12))
def test_no_repair_comes_with_a_certificate_that_holds(wafer) -> None:
    array, bad = wafer
    made = methods()["exact"](array, bad)
    if made.repaired:
        assert made.certificate is None and _naively_sound(made)
        return
    why = made.certificate
    assert why is not None
    if why["kind"] == "cut":
        assert cut_holds(array, bad, why)
    elif why["kind"] == "conflict":
        few = {tuple(c) for c in why["faults"]}
        faults = [tuple(c) for c in core_faults(array, bad).tolist()]
        if len(few) <= 4:
            keep = [k for k, c in enumerate(faults) if c in few]
            found = candidates(array, bad)
            options = [[c for c in range(len(found.fault)) if found.fault[c] == k] for k in keep]
            for pick in itertools.product(*options):
                assert any(found.conflict[a, b] for a, b in itertools.combinations(pick, 2))


@pytest.mark.parametrize("pattern", ["random", "clustered"])
def test_wafers_in_one_kernel_are_the_wafers_one_by_one(pattern: str) -> None:
    array = WaferArray(8, 10, tracks=2)
    threshold = int(seed_probability(0.1, pattern) * 2**63)
    done = np.zeros(40, np.int8)
    local_wafers(np.int64(7), np.int64(3), threshold, pattern == "clustered", Core(8, 10, 1, 1, 2), 10, 12, done)
    one_by_one = [methods()["local"](array, random_defects(array, 0.1, 7, 3 + w, pattern)).repaired for w in range(40)]
    assert done.astype(bool).tolist() == one_by_one and 0 < done.sum() < 40


@pytest.mark.parametrize(("pattern", "twin"), [("clustered", naive.clustered), ("random", naive.scattered)])
def test_defects_are_their_twin(pattern: str, twin) -> None:
    array = WaferArray(6, 9)
    threshold = int(seed_probability(0.1, pattern) * 2**63)
    for w in range(30):
        bad = random_defects(array, 0.1, 2, w, pattern)
        assert {tuple(c) for c in np.argwhere(bad).tolist()} == twin(array, threshold, 2, w)


def test_what_a_round_leaves_out_goes_first_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    array, graph = WaferArray(10, 10, 2, 2, 2, 2), methods()["graph"]
    maps = [random_defects(array, 0.12, 5, w) for w in range(16)]
    many = [graph(array, bad).repaired for bad in maps]
    monkeypatch.setattr("jumpnet.fault.method.graph.ROUNDS", 1)
    one = [graph(array, bad).repaired for bad in maps]
    assert all(b >= a for a, b in zip(one, many, strict=True)) and sum(many) > sum(one) + 1


def test_backtracking_and_the_integer_program_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    array = WaferArray(10, 10)
    maps = [random_defects(array, 0.09, 11, w) for w in range(25)]
    exact = methods()["exact"]
    quick = [exact(array, bad).repaired for bad in maps]
    monkeypatch.setattr("jumpnet.fault._search.NODES", -1)  # every component goes to the solver at once
    solved = [exact(array, bad) for bad in maps]
    assert [made.repaired for made in solved] == quick and 0 < sum(quick) < len(quick)
    assert all(_naively_sound(made) for made in solved if made.repaired)
