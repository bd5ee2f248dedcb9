"""Broken links, switches and tracks: tracing against its twin, methods against every choice, yield."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from tests.draws import draws
from tests.naive import fault as naive

from jumpnet.fault.array import WaferArray
from jumpnet.fault.breaks import Break, Breaks, breaks_from
from jumpnet.fault.certificate import _barred, gaps_hold, none_together, severed_holds
from jumpnet.fault.configuration import Reconfiguration, configure, core_faults, verify
from jumpnet.fault.defects import from_places, random_breaks, random_defects
from jumpnet.fault.method import methods
from jumpnet.fault.yields import BOUND, wafer_yield


def _draw(array: WaferArray, rng: np.random.Generator, most: int) -> list[Break]:
    """Up to `most` broken things, the spare lines included but for the last."""
    found = list[Break]()
    for _ in range(rng.integers(1, most + 1)):
        kind, side = rng.choice(["link", "switch", "track"]), rng.choice(["E", "S"])
        x, y = (rng.integers(0, length - 1) for length in array.shape)
        found.append((str(kind), int(x), int(y), str(side), int(rng.integers(0, array.tracks))))
    return found


def _sound(made: Reconfiguration, broken: list[Break]) -> bool:
    """Whether the walk in the graph of terminals, without what is broken, finds every wire."""
    array = made.array
    place = {ij: tuple(made.place[ij]) for ij in np.ndindex(made.place.shape[:2])}
    ends = naive.follow(array, place, made.row_switches, made.column_switches, broken)
    return all(
        ends.get(("E", i, j)) == (i, (j + 1) % array.columns) and ends.get(("S", i, j)) == ((i + 1) % array.rows, j)
        for i, j in place
    )


def _any_choice(array: WaferArray, bad: np.ndarray, broken: list[Break]) -> bool:
    """Whether any directions, with any of the elements beside breaks left idle, give a verified configuration."""
    breaks, (height, width) = breaks_from(array, broken), array.shape
    ends = {(x, y) for kind, x, y, _, _ in broken if kind != "track"}
    ends |= {((x + (s == "S")) % height, (y + (s == "E")) % width) for kind, x, y, s, _ in broken if kind != "track"}
    beside = [end for end in sorted(ends) if not bad[end]]
    for n in range(len(beside) + 1):
        for idle in itertools.combinations(beside, n):
            out = bad.copy()
            for x, y in idle:
                out[x, y] = True
            faults = core_faults(array, out).tolist()
            if any(
                configure(array, out, np.array(d, np.int64), "try", None, breaks).repaired
                for d in itertools.product(range(4), repeat=len(faults))
            ):
                return True
    return False


@pytest.mark.parametrize(("sides", "spares", "tracks"), [("NESW", 1, 1), ("NESW", 1, 2), ("ES", 2, 1)])
def test_exact_repairs_when_any_choice_does_and_all_repairs_are_sound(sides: str, spares: int, tracks: int) -> None:
    array = WaferArray.around(3, 3, spares, sides, tracks)
    rng = np.random.default_rng(4)
    seen, answers = {True: 0, False: 0}, Counter[bool | None]()
    many = draws(60)
    for w in range(many):
        broken, bad = _draw(array, rng, 3), random_defects(array, 0.1, 5, w)
        breaks = breaks_from(array, broken)
        if len(core_faults(array, breaks.beside(bad))) > 4:
            continue
        some = _any_choice(array, bad, broken)
        made = {name: method(array, bad, breaks) for name, method in methods().items()}
        assert made["exact"].repaired == some == (made["exact"].certificate is None), (w, broken)
        for found in made.values():
            assert not found.repaired or (some and _sound(found, broken))
        seen[some] += 1
        answers[_checked(array, bad, breaks, made["exact"].certificate, some)] += 1
    assert min(seen.values()) > many // 20
    assert answers[True] + answers[False] > (25 if tracks == 1 else 15) * many // 60 and (
        tracks > 1 or answers[None] == 0
    )


def _checked(array: WaferArray, bad: np.ndarray, breaks: Breaks, why: dict | None, some: bool) -> bool | None:
    """What the checker says of all lines together, which is never wrong; and it never says that a certificate fails."""
    severed, kind = breaks.severed(array), "" if why is None else why["kind"]
    assert severed_holds(array, breaks, {"rows": severed[0], "columns": severed[1]}) == (kind == "severed")
    if kind == "severed":
        for key, lines in (("rows", array.rows), ("columns", array.columns)):
            other = next((k for k in range(lines) if k not in why[key]), None)
            assert other is None or not severed_holds(array, breaks, {**why, key: [*why[key], other]})
        return True
    if why is not None and kind == "blocked":
        assert gaps_hold(array, breaks, why) is not False
        assert gaps_hold(array, breaks, {**why, "rows": [array.north]}) is False
        return gaps_hold(array, breaks, why)
    if why is not None and kind != "cut":
        assert none_together(array, breaks.needed(bad), why, breaks) is not False
    lines = {"kind": "lines", "rows": range(array.rows), "columns": range(array.columns)}
    found = none_together(array, bad, lines, breaks)
    assert found in (not some, None)
    return found


def test_a_wire_over_several_lines_needs_every_piece_of_track_between_them() -> None:
    """One wire from line 1 to 4, another straight on at 5; what is broken is after line x, on one or two tracks."""
    for x, tracks in itertools.product(range(6), (1, 2)):
        broken = np.zeros((6, tracks), np.int8)
        broken[x] = 8
        assert (_barred([1, 5], [4, 5], broken) is True) == (1 <= x < 4)
        assert tracks > 1 or _barred([1, 5], [4, 5], broken) is not None
        broken[x, 1:] = 0
        assert tracks == 1 or _barred([1, 5], [4, 5], broken) is (False if x == 0 else None)  # the other track may do


def test_an_element_at_a_broken_link_is_barred_from_shifting_along_it() -> None:
    faults = np.array([[2, 3], [2, 4], [3, 3]])
    for side, place, bits in (("E", (2, 3), [0b1010, 0b1010, 0]), ("S", (2, 3), [0b0101, 0, 0b0101])):
        found = breaks_from(WaferArray(4, 4), [("link", *place, side, 0)])
        assert found.barred(faults, True).tolist() == found.barred(faults, False).tolist() == bits


def test_tracing_refuses_what_its_twin_refuses() -> None:
    """Negative control: sound wiring, then one broken thing at a time; both tracers say the same, some of each."""
    array = WaferArray(3, 4, tracks=2)
    made = methods()["exact"](array, from_places(array, [(2, 2), (3, 3)]))
    assert made.verified
    seen = {True: 0, False: 0}
    kinds = [("link", 0), *((kind, t) for kind in ("switch", "track") for t in (0, 1))]
    for (x, y), (kind, t), side in itertools.product(np.ndindex(4, 5), kinds, "ES"):
        one: Break = (kind, x, y, side, t)
        right = verify(array, made.bad, made.place, made.row_switches, made.column_switches, breaks_from(array, [one]))[
            1
        ]
        assert right == _sound(made, [one]), one
        seen[right] += 1
    assert min(seen.values()) > 20


def test_a_link_beside_a_spare_of_its_own_line_is_named() -> None:
    array = WaferArray(4, 4)
    breaks = breaks_from(array, [("switch", 2, 5, "E", 0), ("link", 4, 3, "S", 0)])
    for method in methods().values():
        made = method(array, np.zeros(array.shape, bool), breaks)
        assert not made.repaired and made.certificate == {"kind": "severed", "rows": [1], "columns": [2]}


def test_an_element_with_both_links_useless_leaves_its_two_lines() -> None:
    array = WaferArray(4, 4)
    breaks = breaks_from(array, [("link", 2, 2, "E", 0), ("link", 2, 2, "S", 0)])
    why = methods()["exact"](array, np.zeros(array.shape, bool), breaks).certificate
    assert why is not None and why["kind"] == "lines" and [2, 2] in why["faults"]


def test_yield_falls_with_broken_links_and_switches_and_methods_keep_their_order() -> None:
    array = WaferArray(8, 8)
    words = {"density": 0.01, "wafers": 50}
    plain = wafer_yield(array, method="exact", **words).repaired
    broken = {
        name: wafer_yield(array, method=name, link_density=0.002, switch_density=0.002, **words).repaired
        for name in [*methods(), BOUND]
    }
    assert 0 < max(broken["local"], broken["graph"]) <= broken["exact"] <= broken[BOUND] < plain
    links = wafer_yield(array, method="exact", link_density=0.004, **words).repaired
    switches = wafer_yield(array, method="exact", switch_density=0.004, **words).repaired
    assert 0 < links < plain and 0 < switches < plain


@pytest.mark.parametrize(("kind", "bits"), [("links", 3), ("switches", 15), ("tracks", 8)])
def test_drawn_breaks_are_of_their_kind_and_as_many_as_asked(kind: str, bits: int) -> None:
    array = WaferArray(20, 24, tracks=2)
    found = random_breaks(array, **{kind: 0.3}, seed=5)
    assert found is not None
    for broken in (found.rows, found.columns):
        assert set(np.unique(broken).tolist()) == {0, bits}
        assert (kind == "links") == (broken[:, :, 0] == broken[:, :, 1]).all()
        here = broken[:, :-1] if kind == "tracks" else broken  # tracks do not go round
        assert kind != "tracks" or not broken[:, -1].any()
        assert abs((here > 0).mean() - 0.3) < 0.05
    assert (found.rows.transpose(1, 0, 2) != found.columns).any()


def test_clusters_of_breaks_are_as_dense_and_closer_together() -> None:
    array = WaferArray(24, 24, tracks=2)
    pairs, shares = {}, {}
    for pattern in ("random", "clustered"):
        drawn = [random_breaks(array, 0.0, 0.05, 0.0, 4, w, pattern) for w in range(40)]
        hits = np.array([found.rows == 15 for found in drawn if found is not None])
        shares[pattern] = hits.mean()
        pairs[pattern] = (hits[:, 1:] & hits[:, :-1]).mean()
    assert all(abs(share - 0.05) < 0.005 for share in shares.values())
    assert pairs["clustered"] > 3 * pairs["random"]
    for kind, bits in (("links", 3), ("switches", 15), ("tracks", 8)):
        drawn = [random_breaks(array, **{kind: 0.05}, seed=7, wafer=w) for w in range(20)]
        assert kind != "tracks" or not any(found.rows[:, -1].any() for found in drawn if found is not None)
        assert abs(np.mean([(found.columns == bits).mean() for found in drawn if found is not None]) - 0.05) < 0.006
        found = random_breaks(array, **{kind: 0.1}, seed=2, pattern="clustered")
        assert (
            found is not None and set(np.unique(found.rows)) == {0, bits} and set(np.unique(found.columns)) == {0, bits}
        )
        assert kind != "tracks" or not found.rows[:, -1].any()
    words = {"density": 0.01, "link_density": 0.002, "pattern": "clustered", "wafers": 40}
    assert 0 < wafer_yield(WaferArray(8, 8), method="exact", **words).repaired < 40


def test_broken_tracks_cost_yield_and_a_second_track_wins_it_back() -> None:
    words = {"density": 0.02, "wafers": 60, "method": "exact"}
    one, two = (
        [wafer_yield(WaferArray(8, 8, tracks=t), track_density=d, **words).repaired for d in (0.0, 0.3)] for t in (1, 2)
    )
    assert one[1] < one[0] and one[1] < two[1] <= two[0]


def test_a_wire_is_led_round_a_break_by_another_track() -> None:
    """The greedy tracks meet the break, the search goes round it; elements beside a switch with a way round stay."""
    array = WaferArray(4, 4, tracks=2)
    bad = from_places(array, [(2, 2)])
    for method in methods().values():
        plain = method(array, bad)
        side, states = ("E", plain.row_switches) if (plain.row_switches > 1).any() else ("S", plain.column_switches)
        g, x, t = np.argwhere(states == 3)[0].tolist()  # joins its wire to the track that leads on to the next line
        one: Break = ("track", *((x, g) if side == "E" else (g, x)), side, t)
        breaks = breaks_from(array, [one])
        assert not verify(array, bad, plain.place, plain.row_switches, plain.column_switches, breaks)[1]
        for made in (
            configure(array, bad, plain.direction, "the same sides", None, breaks),
            method(array, bad, breaks),
        ):
            assert made.repaired and _sound(made, [one])
    # The middle one of three switches: no element need be idle.
    array = WaferArray(4, 4, tracks=3)
    broken: Break = ("switch", 2, 2, "E", 1)
    made = methods()["exact"](array, np.zeros(array.shape, bool), breaks_from(array, [broken]))
    assert made.repaired and not made.bad.any() and _sound(made, [broken])


def test_an_element_that_no_wire_can_leave_or_enter_is_needed_idle() -> None:
    found = {}
    for tracks, kind, t in ((1, "switch", 0), (2, "switch", 0), (2, "switch", 1), (3, "switch", 1), (3, "link", 0)):
        array = WaferArray(4, 4, tracks=tracks)
        breaks = breaks_from(array, [(kind, 2, 3, "E", t), (kind, 4, 1, "S", t)])
        needed, beside = (
            np.argwhere(of(np.zeros(array.shape, bool))).tolist() for of in (breaks.needed, breaks.beside)
        )
        assert beside == [[2, 3], [2, 4], [4, 1], [5, 1]]
        found[tracks, kind, t] = needed
    both = [[2, 3], [2, 4], [4, 1], [5, 1]]
    assert list(found.values()) == [both, both[::2], both[1::2], [], both]


def test_a_gap_of_spares_that_no_track_passes_is_named() -> None:
    array = WaferArray(3, 3, tracks=3)
    broken: list[Break] = [("switch", 2, 4, "E", 1), *(("track", x, 4, "E", t) for x in range(4) for t in range(3))]
    why = methods()["exact"](array, np.zeros(array.shape, bool), breaks_from(array, broken)).certificate
    assert why == {"kind": "blocked", "columns": [4], "rows": []}
