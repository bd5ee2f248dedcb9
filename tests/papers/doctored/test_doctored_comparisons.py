"""Comparisons of networks and of chips' hops in sections on doctored inputs: each must give the other word."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from jumpnet.chip.configuration import wire
from jumpnet.chip.links import NORTH, SOUTH
from jumpnet.chip.walk import Visit
from jumpnet.papers import golden
from jumpnet.report._section import Cell, Table
from jumpnet.report.inoguchi1996srt import comparison, other_networks
from jumpnet.report.li2009rdn import symmetry
from jumpnet.report.nishi1997router import deadlock
from jumpnet.report.yang2001rdt import table_2
from jumpnet.topology import build

SRT, RDT = golden("inoguchi1996srt"), golden("yang2001rdt")


def words(table: Table, claim: str) -> list[str]:
    """What the cells of a claim say."""
    return [cell.text for _, cells in table.rows for cell in cells if cell and cell.claim == claim]


def known(**found: tuple[int, float, int]) -> Callable[[str], Any]:
    """`figures` of made-up networks: diameter, average distance and degree by the spec's first letters."""

    def figures(spec: str) -> Any:
        name = next(name for name in found if spec.startswith(name))
        diameter, mean, degree = found[name]
        return SimpleNamespace(spec=spec, diameter=diameter, average_distance=Fraction(mean), degree=degree)

    return figures


@pytest.mark.parametrize(
    ("mine", "slower"), [((9, 5.0, 4), True), ((8, 5.0, 4), False), ((9, 4.0, 4), False), ((7, 3.0, 4), False)]
)
def test_slower_is_a_larger_diameter_and_a_larger_average(
    monkeypatch: pytest.MonkeyPatch, mine: tuple[int, float, int], slower: bool
) -> None:
    monkeypatch.setattr(other_networks, "figures", known(a=mine, b=(8, 4.0, 4)))
    assert other_networks._slower("a", "b")[0] is slower


def test_a_ring_with_chords_has_one_length_of_chords_and_all_of_the_ring(monkeypatch: pytest.MonkeyPatch) -> None:
    assert other_networks._is_ring_with_chords(8)
    for spec in ("barrelshifter:64", "torus:8x8"):  # chords of several lengths; rows that close on themselves
        monkeypatch.setattr(other_networks, "build", lambda name, spec=spec: build(spec))
        assert not other_networks._is_ring_with_chords(8)


@pytest.mark.parametrize(("diameter", "word"), [(31, "yes"), (32, "no"), (33, "no")])
def test_below_twice_the_crossed_cubes_diameter(monkeypatch: pytest.MonkeyPatch, diameter: int, word: str) -> None:
    monkeypatch.setattr(comparison, "figures", known(srt=(diameter, 9.0, 8), crossedcube=(16, 9.0, 16)))
    monkeypatch.setattr(comparison, "links_of_a_node", lambda spec: SimpleNamespace(word="8", detail=""))
    assert words(comparison._crossed_cube(SRT), "half_of_crossed_cube") == [word] * 3


@pytest.mark.parametrize(
    ("claim", "short", "uniform", "word"),
    [
        ("short_span_reduces", (9, 5.0, 8), (10, 5.0, 8), "yes"),
        ("short_span_reduces", (10, 5.0, 8), (10, 5.0, 8), "no"),
        ("uniform_reduces", (9, 5.0, 8), (10, 4.5, 8), "yes"),
        ("uniform_reduces", (9, 5.0, 8), (10, 5.0, 8), "no"),
    ],
)
def test_form_against_form(
    monkeypatch: pytest.MonkeyPatch, claim: str, short: tuple[int, float, int], uniform: Any, word: str
) -> None:
    monkeypatch.setattr(comparison, "spec_of", lambda row, bits: row)
    names = {"SS": short, "2D-SRT(uni)": uniform, "2D-SRT(1sft)": (10, 5.0, 8), "1D": (10, 5.0, 8)}
    monkeypatch.setattr(comparison, "figures", known(**names))
    assert set(words(comparison._forms(SRT), claim)) == {word}


def test_dual_cubes_are_compared_link_by_link(monkeypatch: pytest.MonkeyPatch) -> None:
    assert symmetry._same(3)
    monkeypatch.setattr(symmetry, "build", lambda name: build("chordalring:32,w=7" if name.startswith("rdn") else name))
    assert not symmetry._same(3)


@pytest.mark.parametrize(
    ("rdt", "cube", "word"),
    [
        ((11, 5.0, 8), (16, 8.0, 16), "below"),
        ((16, 5.0, 8), (16, 8.0, 16), "not below at half the degree"),
        ((11, 5.0, 9), (16, 8.0, 16), "not below at half the degree"),
    ],
)
def test_below_the_hypercube_at_half_its_degree(
    monkeypatch: pytest.MonkeyPatch, rdt: tuple[int, float, int], cube: tuple[int, float, int], word: str
) -> None:
    others = dict.fromkeys((specs[0].partition(":")[0] for specs in table_2.SPECS.values()), (20, 9.0, 4))
    monkeypatch.setattr(table_2, "figures", known(**others | {"rdt": rdt, "hypercube": cube}))
    monkeypatch.setattr(table_2, "_larger", lambda *found: Cell(None, ""))
    assert words(table_2._claims(RDT), "half_degree") == [word]


def visit(router: int, link: int, rank: int = 2, vc: int = 0) -> Any:
    """A packet at a router that came by a link: its rank and its virtual channel."""
    return SimpleNamespace(router=router, link=link, header=SimpleNamespace(flit_1=rank << 9 | vc << 17))


@pytest.mark.parametrize(
    ("rank_before", "rank", "found"),
    [(2, 1, (1, 0, 0)), (2, 2, (1, 0, 0)), (1, 2, (1, 1, 0))],
)
def test_hops_to_a_higher_rank_are_counted(
    monkeypatch: pytest.MonkeyPatch, rank_before: int, rank: int, found: tuple[int, int, int]
) -> None:
    hops = [(visit(0, NORTH, rank_before), SOUTH, visit(1, NORTH, rank))]
    monkeypatch.setattr(deadlock, "_hops", lambda wiring, between: iter(hops))
    assert deadlock._orders(None) == found  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("came", "link", "rank", "back"),
    [(1, 0, 2, 1), (2, 3, 2, 1), (0, 1, 2, 0), (1, 2, 2, 0), (1, 0, 1, 0)],
)
def test_hops_back_to_the_first_dimension_are_counted(
    monkeypatch: pytest.MonkeyPatch, came: int, link: int, rank: int, back: int
) -> None:
    hops = [(visit(0, came, 2), link, visit(1, 0, rank))]
    monkeypatch.setattr(deadlock, "_hops", lambda wiring, between: iter(hops))
    monkeypatch.setattr(deadlock, "changes_rank", lambda flit: False)
    assert deadlock._orders(None)[2] == back  # type: ignore[arg-type]


def test_a_wrap_without_a_change_of_channel_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    wiring: Any = SimpleNamespace(where=SimpleNamespace(side=8))
    over = [(visit(3, NORTH), SOUTH, visit(11, NORTH, vc=1)), (visit(4, NORTH), SOUTH, visit(12, NORTH))]
    inside = [(visit(9, NORTH), SOUTH, visit(17, NORTH)), (visit(5, SOUTH), SOUTH, visit(13, NORTH))]
    monkeypatch.setattr(deadlock, "_hops", lambda wiring, between: iter(over + inside))
    monkeypatch.setattr(deadlock, "changes_rank", lambda flit: False)
    assert deadlock._changed(wiring) == (2, 1)


@pytest.mark.parametrize(("vc_1", "kept"), [(None, True), (0, False), (0b1111, False)])
def test_user_selection_keeps_the_senders_channel(
    monkeypatch: pytest.MonkeyPatch, vc_1: int | None, kept: bool
) -> None:
    real = deadlock.bitmap

    def generator(header: Any, link: int, registers: Any) -> Any:
        found: Any = real(header, link, registers)
        return found if found is None or vc_1 is None else found._replace(vc_1=vc_1)

    monkeypatch.setattr(deadlock, "bitmap", generator)
    assert deadlock._user_vc(wire("rdt:8")) is kept


def test_the_buffers_that_multicasts_wait_for_are_those_of_the_walk() -> None:
    wiring = wire("rdt:8")
    visits = partial(deadlock._starts, wiring)
    assert len(visits(True)) < len(visits(False))
    assert all(isinstance(each, Visit) for each in visits(True))
    assert np.all([each.header.flit_1 >> 9 & 7 in (0, 1, 2) for each in visits(True)])
