"""Measures of the papers' sections on doctored inputs: each must give the other word."""

from __future__ import annotations

from dataclasses import replace
from math import isqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from jumpnet.multicast.territory import territories
from jumpnet.networks import Network
from jumpnet.papers import golden
from jumpnet.report._section import Cell, Table
from jumpnet.report._territories import Roots, roots
from jumpnet.report.inoguchi1996srt import figures_7_8, reconfiguration, theorem_2, two_dimensions, wafer_wiring
from jumpnet.report.kudoh1995rhbd import directory_memory, fat_tree, figure_12
from jumpnet.report.li2009rdn import broadcast
from jumpnet.report.yang2001rdt import definitions_3_4, definitions_5_6
from jumpnet.terms import NO_ROUTER
from jumpnet.topology import build

SRT, RDN, RDT, MAPS = (golden(key) for key in ("inoguchi1996srt", "li2009rdn", "yang2001rdt", "kudoh1995rhbd"))


def cut(net: Network, router: int, rank: int) -> Network:
    """The network without the links of a rank at a router."""
    found = {name: getattr(net, name).copy() for name in ("neighbor", "far_port", "link_class")}
    for port in range(net.ports):
        if net.neighbor[router, port] != NO_ROUTER and net.class_rank[net.link_class[router, port]] == rank:
            for r, p in ((router, port), (net.neighbor[router, port], net.far_port[router, port])):
                for array in found.values():
                    array[r, p] = -1
    return replace(net, **found, orbits=None)


def words(table: Table) -> dict[str, list[str]]:
    """What the cells of each claim say."""
    found: dict[str, list[str]] = {}
    for _, cells in table.rows:
        for cell in filter(None, cells):
            found.setdefault(cell.claim, []).append(cell.text)
    return found


def test_roots_are_many_only_where_every_router_of_a_rank_is_one_and_they_are_more_than_a_plain_tree_has() -> None:
    assert [Roots(*three).many for three in ((9, 9, 8), (9, 8, 1), (8, 8, 8))] == [True, False, False]
    where, net = territories("rdt:16"), build("rdt:16")
    assert all(each.many for each in roots(where, net))
    # Multicasts of rank 2 start where those of rank 1 do; no router has links of the ranks.
    away = replace(where, hops=np.where(np.arange(3)[:, None] == 2, where.hops[:, [1]], where.hops))
    assert [each.many for each in roots(away, net)] == [True, True, False]
    assert [each.many for each in roots(where, build("rdt:16,assignment=none"))] == [True, False, False]


def test_a_node_of_the_base_torus_with_fewer_links_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = "srt2d:8"
    whole = two_dimensions._definition(SRT, spec)[0]
    made = cut(build(spec), 9, 0)
    monkeypatch.setattr(two_dimensions, "build", lambda name: made if name == spec else build(name))
    monkeypatch.setattr(two_dimensions, "_joined", lambda side, way, level=None: [{1}, {0, 2}, {1}])
    cells = whole, two_dimensions._definition(SRT, spec)[0], two_dimensions._lettered(SRT, "axes")[0]
    assert [cell and (cell.text, cell.verdict) for cell in cells] == [
        ("4", "equal"),
        ("0 to 4", "differs"),
        ("1 to 2", "differs"),
    ]


def test_another_assignment_is_not_definition_6s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(definitions_5_6, "ALPHA", "rdt:128,assignment=1.2.3.4.1.2.3.4")
    cell = next(c for _, cells in definitions_5_6._alpha(RDT).rows for c in cells if c and c.claim == "definition_6")
    assert cell.verdict == "differs"


def test_a_rank_1_torus_whose_nodes_differ_carries_no_rank() -> None:
    net = build("rdt:64")
    whole = definitions_5_6._rank_one(net)
    rank = next(r for r, places in whole.items() if (1, 0) in places)
    assert (1, 0) not in definitions_5_6._rank_one(cut(net, 1, rank))[rank]
    link_class, ranks = net.link_class.copy(), net.class_rank[net.link_class[1]]
    other = next(r for r in whole if r != rank)
    link_class[1, ranks == rank] = int(np.flatnonzero(net.class_rank == other)[0])
    mixed = definitions_5_6._rank_one(replace(net, link_class=link_class, orbits=None))
    assert (1, 0) not in mixed[rank] + mixed[other]


def test_a_perfect_rdt_has_all_ranks_at_all_nodes() -> None:
    specs = ("prdt:64,R=3", "prdt:64,R=2", "rdt:128")  # whole; a rank missing; nodes that differ
    assert [definitions_3_4._complete(build(spec)) for spec in specs] == [True, False, False]


def test_the_scheme_with_the_fewest_receivers_has_them_in_every_row() -> None:
    rows = ([1.0, 2, 3], [2.0, 1, 3], [2.0, 3, 2])
    assert [figure_12._sm_least(np.array(some)) for some in ([rows[0]] * 2, rows[:2], rows[::2])] == [
        True,
        False,
        False,
    ]


def one_dimensional(last: float = 2, size: int = 9) -> dict[str, list[float]]:
    """Curves that double from size to size, but for one figure of one form."""
    curves = {row: [2.0**k for k in range(len(figures_7_8.BITS_1D))] for row in figures_7_8.ROWS_1D}
    curves["SS-1D-SRT"][size] *= last / 2
    return curves


def two_dimensional(**factors: list[float]) -> dict[str, list[float]]:
    """Curves of the factors named, or of even ones; 1-shift is always as much above uniform."""
    curves = {}
    for row in figures_7_8.ROWS_2D:
        form = row.partition("2D")[0].rstrip("-") or "standard"
        even = factors.get(form, [2.0] * (len(figures_7_8.BITS_2D) - 1))
        curves[row] = [float(v) for v in np.cumprod([1.0, *even])]
    return curves


FALLING, RISING = [3.0, 2.5, 2.25, 2.0], [2.0, 2.0, 2.0, 2.5]


@pytest.mark.parametrize(
    ("one", "forms", "claim", "word"),
    [
        (one_dimensional(), {}, "little_difference", "yes"),
        (one_dimensional(4, size=2), {}, "little_difference", "yes"),  # at a size below those of the sentence
        (one_dimensional(4, size=3), {}, "little_difference", "no"),
        (one_dimensional(), dict.fromkeys(("standard", "LS", "SS"), FALLING), "growth_falls", "yes"),
        (one_dimensional(), {"standard": FALLING, "LS": FALLING}, "growth_falls", "no"),
        (one_dimensional(), {"LS": [2.125, 2.0, 2.0, 2.0]}, "ratios_alike", "yes"),
        (one_dimensional(), {"LS": FALLING}, "ratios_alike", "no"),
    ],
)
def test_the_shape_of_the_curves(one: Any, forms: dict[str, list[float]], claim: str, word: str) -> None:
    assert words(figures_7_8._shapes(SRT, one, two_dimensional(**forms)))[claim] == [word]


@pytest.mark.parametrize(("middle", "count"), [(2.25, 3), (2.5, 0)])
def test_a_factor_that_stays_does_not_fall_from_size_to_size(middle: float, count: int) -> None:
    forms = {form: [3.0, 2.5, middle, 2.0] for form in ("standard", "LS", "SS")}
    rows = figures_7_8._shapes(SRT, one_dimensional(), two_dimensional(**forms)).rows
    (cell,) = (cell for _, cells in rows for cell in cells if cell and cell.claim == "growth_falls")
    assert cell.detail == f"6 of 6 forms; from size to size in {2 * count}."


def shifted(gaps: list[float]) -> dict[str, list[float]]:
    """Curves of the 2D-SRT with these gaps from 1-shift to uniform, but for long span: twice the size before."""
    curves = two_dimensional(standard=RISING)
    for row in ("", "SS-"):
        curves[f"{row}2D-SRT(1sft)"] = [a + b for a, b in zip(curves[f"{row}2D-SRT(uni)"], gaps, strict=True)]
    curves["LS-2D-SRT(1sft)"] = [a + 2.0**k for k, a in enumerate(curves["LS-2D-SRT(uni)"])]
    return curves


@pytest.mark.parametrize(("gaps", "word"), [([0.0, 1, 2, 3, 4], "yes"), ([0.0, 1, 1, 3, 4], "no")])
def test_a_gap_that_stays_does_not_grow(gaps: list[float], word: str) -> None:
    assert words(figures_7_8._shapes(SRT, one_dimensional(), shifted(gaps)))["difference_grows"] == [word, "yes", word]


def test_the_order_of_uniform_and_one_shift(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures_7_8, "_same_network", lambda prefix, bits: f"{prefix}{bits}")
    rows = figures_7_8._order(SRT, shifted([0.0, 1, -0.5, 3, 0])).rows
    cells = [cell for cell in rows[0][1] if cell]
    assert [cell.text for cell in cells] == ["equal", "better", "worse by 0.5000", "better", "equal"]
    assert [cell.detail for cell in cells] == ["8", "", "", "", "16"]


def test_how_two_shifts_are_alike() -> None:
    places = (("SS-", 8), ("LS-", 8), ("", 8))
    kinds = ("the very links", "the mirror image", "another network")
    assert [figures_7_8._same_network(*place).split(": ")[1].partition(" of the 1-shift")[0] for place in places] == [
        *kinds
    ]


def test_growth_is_taken_from_the_first_size_named() -> None:
    curves = {"one": [1.0, 5, 5, 5, 10, 20, 40, 80, 160, 320]}
    _, cells = figures_7_8._growth(SRT, curves, "growth_1d", figures_7_8.BITS_1D, 8)
    assert [cell and cell.computed for cell in cells] == [2.0, "2.000 to 2.000"]


def narrow(spec: str) -> int:
    """Tracks of made-up networks: few for SRTs, more for chords, most for barrel shifters."""
    N = int(spec.partition(":")[2].partition(",")[0])
    return N.bit_length() if spec.startswith("srt") else isqrt(N) + 20 + (N if spec.startswith("barrel") else 0)


@pytest.mark.parametrize(
    ("spec", "tracks", "claim", "found"),
    [
        ("none", 0, "barrel_wider", ["yes"]),
        ("barrelshifter:256", narrow("chordalring:256"), "barrel_wider", ["no"]),
        ("none", 0, "srt_narrowest", ["yes"] * 4),
        ("srt1d:256,variant=ss", narrow("chordalring:256"), "srt_narrowest", ["yes", "no", "yes", "yes"]),
        ("barrelshifter:64", narrow("srt1d:64"), "srt_narrowest", ["no", "yes", "yes", "yes"]),
        ("none", 0, "srt_width_log", ["yes"]),
        ("srt1d:4096,variant=ss", 14, "srt_width_log", ["no"]),
    ],
)
def test_widths_on_a_line(
    monkeypatch: pytest.MonkeyPatch, spec: str, tracks: int, claim: str, found: list[str]
) -> None:
    monkeypatch.setattr(theorem_2, "build", lambda name: name)
    monkeypatch.setattr(
        theorem_2, "linear_layout", lambda name: SimpleNamespace(tracks=tracks if name == spec else narrow(name))
    )
    assert words(theorem_2._others(SRT))[claim] == found


@pytest.mark.parametrize(("spec", "same"), [("none", True), ("srt1d:16,variant=standard", False)])
def test_tracks_that_sharing_saves_are_seen(monkeypatch: pytest.MonkeyPatch, spec: str, same: bool) -> None:
    monkeypatch.setattr(theorem_2, "build", lambda name: name)
    monkeypatch.setattr(
        theorem_2, "linear_layout", lambda name: SimpleNamespace(tracks=5, cut_width=5 - (name == spec))
    )
    assert theorem_2._widths(SRT, lambda done, total: None)[1] == same


def test_less_wiring_is_less_of_each() -> None:
    assert wafer_wiring._less((1, 2, 3), (2, 3, 4))
    assert not any(wafer_wiring._less(mine, (2, 3, 4)) for mine in ((2, 2, 3), (1, 3, 3), (1, 2, 4)))


def wafer(moved: int, plain: int) -> Any:
    """An array of 8 x 8 elements of 8 x 8 places: the first element so many places away, with faults and without."""
    places = np.moveaxis(np.indices((8, 8)), 0, 2)
    one, other = places.copy(), places.copy()
    one[0, 0, 0] += moved
    other[0, 0, 1] += plain
    array = SimpleNamespace(north=0, west=0, tracks=1, shape=(8, 8))
    switches = np.zeros(64, int)
    made = SimpleNamespace(array=array, place=one, row_switches=switches, column_switches=switches)
    return SimpleNamespace(
        example=SimpleNamespace(configuration=made),
        plain=SimpleNamespace(configuration=SimpleNamespace(place=other)),
    )


@pytest.mark.parametrize(("moved", "word"), [(0, "no"), (1, "yes"), (2, "no")])
def test_an_element_replaced_by_a_neighbor_moves_by_one_place(moved: int, word: str) -> None:
    assert words(reconfiguration._architecture(SRT, wafer(moved, 0)))["neighbors_replace"] == [word]


@pytest.mark.parametrize(("plain", "word"), [(0, "yes"), (1, "no")])
def test_one_element_outside_the_core_is_seen(plain: int, word: str) -> None:
    assert words(reconfiguration._architecture(SRT, wafer(1, plain)))["core_only"] == [word]


class Constant:
    """Territories whose members are the same at every top rank."""

    def __init__(self, where: Any) -> None:
        self.where = where

    def __getattr__(self, name: str) -> Any:
        """As the territories that stand behind."""
        return getattr(self.where, name)

    def members(self, source: int, top: int) -> Any:
        """Those of the lowest rank."""
        return self.where.members(source, 0)


def test_territories_that_do_not_grow_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fat_tree, "MACHINES", ())
    monkeypatch.setattr(fat_tree, "SPEC", "rdt:16")
    assert words(fat_tree._roots(MAPS))["territory_grows"] == ["yes"]
    monkeypatch.setattr(fat_tree, "territories", lambda spec: Constant(territories(spec)))
    assert words(fat_tree._roots(MAPS))["territory_grows"] == ["no"]


@pytest.mark.parametrize(
    ("lines", "pointers", "usage", "memory"),
    [((100, 100), 100, "yes", "much"), ((10, 100), 100, "no", "much"), ((10, 10), 100, "no", "much"),
     ((100, 100), 1, "yes", "much"), ((10, 100), 1, "no", "not much")],
)  # fmt: skip
def test_pages_in_use_and_memory_saved_are_those_of_most_and_of_all_programs(
    lines: tuple[int, int], pointers: int, usage: str, memory: str
) -> None:
    programs: Any = {str(k): {"pages": 1, "lines": n} for k, n in enumerate(lines)}
    found = words(directory_memory._claims(MAPS, programs, pointers, 10))
    assert (found["page_usage_high"], found["memory_reduced"]) == ([usage], [memory])


def test_levels_of_an_element_along_its_row_and_its_column() -> None:
    connect = np.zeros((4, 4, 2), bool)
    connect[1, 2, 0] = connect[2, 1, 1] = connect[0, 0, 1] = True
    bunch = SimpleNamespace(connect=connect, span=np.array([2, 4]))
    owner = {(0, 0): 6, (0, 1): -1, (0, 2): 0}
    made: Any = SimpleNamespace(
        configuration=SimpleNamespace(owner=owner),
        network=SimpleNamespace(coord=np.array([[3, 3]])),
        bunches=[bunch] * 2,
    )
    found = [[reconfiguration._level_at(made, place, axis) for axis in (0, 1)] for place in owner]
    assert found == [[[1], [2]], [[], []], [[2], [2]]]


@pytest.mark.parametrize(("verified", "isomorphic", "word"), [(1, 1, "yes"), (1, 0, "no"), (0, 1, "no")])
def test_an_array_is_reconfigured_when_traced_and_the_same_network(verified: int, isomorphic: int, word: str) -> None:
    made = SimpleNamespace(
        added_segments=np.array([1]), longest_wire=1, isomorphic=bool(isomorphic),
        configuration=SimpleNamespace(verified=bool(verified), faults=()),
    )  # fmt: skip
    wafers: Any = SimpleNamespace(named=[("one", made)])
    assert words(reconfiguration._arrays(SRT, wafers))["reconfigured"] == [word]


@pytest.mark.parametrize(("informed", "received", "word"), [(18, 1, "yes"), (18, 2, "no"), (17, 1, "no")])
def test_all_nodes_receive_and_none_twice(
    monkeypatch: pytest.MonkeyPatch, informed: int, received: int, word: str
) -> None:
    played = SimpleNamespace(informed=informed, received=np.array([received]), once=received == 1)
    monkeypatch.setattr(broadcast, "play", lambda net, schedule: played)
    cell: Cell = broadcast._read(RDN, "rdn:3,k=1", "entered")
    assert cell.text == word
