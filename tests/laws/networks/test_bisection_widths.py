"""Published bisection widths against every halving, the bounds of search and flows, and the families' own halvings."""

from __future__ import annotations

import json
import re
from itertools import combinations_with_replacement, product
from math import prod

import numpy as np
import pytest

import jumpnet
from jumpnet.cli import metrics as verb
from jumpnet.errors import JumpnetError
from jumpnet.graph.bisection import bisection
from jumpnet.graph.structure import structure
from jumpnet.topology import build, families, family
from jumpnet.topology._dragonfly_width import least_shared_out
from jumpnet.topology._widths import array_width, half_in_turn, slices_width, torus_width

TRIED = 18
SHAPES = [
    sides for count in (1, 2, 3, 4) for sides in product(range(1, TRIED + 1), repeat=count) if 2 <= prod(sides) <= TRIED
]
"""All shapes of so few routers, each order of the sides and sides of 1 among them."""
SMALL = [f"{kind}:{'x'.join(map(str, sides))}" for kind in ("torus", "mesh", "hyperx") for sides in SHAPES]
SMALL += [f"hypercube:{n}" for n in range(1, 5)]
SMALL += [f"fattree:{k}" for k in range(2, 10)] + ["fattree:2,n=3"]
DRAGONFLIES = [
    f"dragonfly:{h},a={a},g={g}" for h in (1, 2, 3) for a in range(1, 10) for g in range(2, a * h + 2) if a * g <= TRIED
]
"""All dragonflies of so few routers."""
SMALL += [*DRAGONFLIES, "dragonfly:1,a=4", "dragonfly:1,arrangement=palmtree", "dragonfly:1,a=3,arrangement=palmtree"]
SMALL += ["flatfly:4", "flatfly:3,c=2", "flatfly:2,n=4,c=1", "flatfly:9,n=1", "hyperx:3x5,t=3"]
LARGE = {
    "torus:5x5": 12,
    "torus:7x7x7": 114,
    "torus:9x8x3": 54,
    "torus:9x4x2": 20,
    "torus:5x2x3": 15,
    "torus:7x2x5": 25,
    "torus:9x3x2": 15,
    "torus:11x2": 5,
    "torus:7x2x3x2": 30,
    "torus:3x2x5x2x2": 60,
    "torus:6x5x2": 20,
    "torus:3x3x3x2": 27,
    "mesh:3x3x3": 13,
    "mesh:9x9": 10,
    "mesh:7x5x4": 25,
    "hyperx:5x5": 36,
    "hyperx:3x3x3": 26,
    "hyperx:3x5x7,t=2": 124,
    "flatfly:5,n=2": 36,
    "hypercube:8": 128,
    "fattree:4,n=3": 32,
    "fattree:3,n=4": 39,
    "fattree:2,n=5": 16,
    "dragonfly:2": 20,
    "dragonfly:2,arrangement=palmtree": 20,
    "dragonfly:3": 90,
    "dragonfly:1,a=6": 18,
    "dragonfly:1,a=7": 16,
    "dragonfly:2,a=6,arrangement=palmtree": 45,
    "dragonfly:2,a=6,g=4": 16,
    "dragonfly:2,a=5": 32,
    "dragonfly:2,a=5,arrangement=palmtree": 32,
    "dragonfly:4,g=9": 80,
    "dragonfly:5,a=3": None,
    "dragonfly:2,a=4,g=7": None,
}
"""Spec: width by hand from the theorem, None where none is known."""
WITH = [spec for known in families().values() for spec in known.samples if family(spec).bisection_width() is not None]


def assert_least_width(spec):
    """A member's claim is the least of all halvings, its own halving among them; None is no claim."""
    member, net = family(spec), build(spec)
    claimed = member.bisection_width()
    if claimed is None:
        return
    width = claimed[0]
    assert width == bisection(net).exact, spec
    for half in member.halves(net):
        parted = (half[net.neighbor] != half[:, None])[net.neighbor >= 0]
        assert int(parted.sum()) == 2 * width, spec


def test_widths_are_the_least_of_every_halving():
    for spec in SMALL:
        assert_least_width(spec)


def test_only_dragonflies_lack_a_theorem():
    lacking = {spec for spec in SMALL if family(spec).bisection_width() is None}
    without = {spec for spec in lacking if spec.startswith("dragonfly:")}
    assert lacking == without
    assert len(set(DRAGONFLIES) - without) == 30 and "dragonfly:1" not in without
    assert family("fattree:4,n=1").bisection_width() is None


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        ("mesh.array_width", lambda sides: prod(sides) // max(sides)),  # right for an even longest side
        ("hyperx.hamming_width", lambda sides: prod(sides) * max(sides) // 4),  # right for lines
        (
            "dragonfly.Dragonfly.bisection_width",
            lambda self: (int(self._sizes[3] ** 2 / 4), "wrong"),
        ),  # right for one link between groups
        ("torus.torus_width", lambda sides: (2 * array_width(sides), "wrong")),  # right without sides of 2
    ],
)
def test_a_wrong_formula_is_found(place, wrong, monkeypatch):
    monkeypatch.setattr(f"jumpnet.topology.{place}", wrong)
    kind = place.partition(".")[0]
    with pytest.raises(AssertionError, match=f"{kind}:"):
        for spec in SMALL:
            if spec.startswith(f"{kind}:"):
                assert_least_width(spec)


def test_slices_bound_what_a_halving_cuts_for_every_torus_with_one_side_of_two():
    """All shapes of an odd longest side: the bound by slices against the halvings' links, counted on the network."""
    shapes = [
        (*others, 2)
        for count in (1, 2, 3)
        for others in combinations_with_replacement(range(15, 2, -1), count)
        if others[0] % 2 and others[0] > 3 and prod(others) <= 80
    ]
    assert len(shapes) == 37
    for sides in shapes:
        net = build(f"torus:{'x'.join(map(str, sides))}")
        far = net.neighbor[net.neighbor >= 0]
        near = np.nonzero(net.neighbor >= 0)[0]
        half = half_in_turn(sides)
        assert half.sum() == prod(sides) // 2
        assert (half[near] != half[far]).sum() // 2 == slices_width(sides) == torus_width(sides)[0], sides
    assert slices_width((301, 299, 2)) is None and torus_width((301, 299, 2)) is None


def test_a_bound_that_no_halving_meets_is_no_width(monkeypatch):
    monkeypatch.setattr("jumpnet.topology._widths._cut_in_turn", lambda sides: 24)
    assert torus_width((7, 5, 2)) is None


@pytest.mark.parametrize("spec", LARGE)
def test_larger_ones_lie_within_the_bounds_and_are_met_by_a_halving(spec):
    member, net = family(spec), build(spec)
    claimed, alone = member.bisection_width(), bisection(net)
    found = bisection(net, member.halves(net), claimed)
    assert found.exact == LARGE[spec]
    if claimed is None:
        assert LARGE[spec] is None
        assert "closed form" not in found.method
        return
    assert claimed[0] == LARGE[spec]
    assert alone.lower <= found.lower == found.upper <= alone.upper
    assert found.half is not None
    if alone.exact is None:
        assert f"closed form: {claimed[1]}" in found.method


@pytest.mark.parametrize("spec", WITH)
def test_samples_of_all_families_hold_what_they_claim(spec):
    member, net = family(spec), build(spec)
    if net.routers > 1:
        found = bisection(net, member.halves(net), member.bisection_width())
        assert found.exact == member.bisection_width()[0]


@pytest.mark.parametrize(
    ("spec", "width"), [("torus:5x5", 13), ("torus:5x5", 10), ("torus:4x4", 7), ("torus:32x32", 63)]
)
def test_a_claim_that_the_bounds_exclude_is_refused(spec, width):
    with pytest.raises(JumpnetError, match=f"a bisection of {width} links claimed \\(nobody\\)"):
        bisection(build(spec), claimed=(width, "nobody"))


def test_a_claim_without_a_halving_is_a_lower_bound_only():
    """One link short of the truth and within the bounds, 11 to 13, so that no halving has as few."""
    found = bisection(build("mesh:3x3x3"), claimed=(12, "nobody"))
    assert (found.exact, found.lower, found.upper) == (None, 12, 13)


def test_the_verb_and_python_give_it(capsys):
    found = jumpnet.network("torus:7x7x7").bisection()
    assert (found.exact, found.lower, found.upper) == (114, 114, 114)
    assert "closed form: Arjona" in found.method
    verb.run(["hyperx:5x5"], False, True, True)
    row = json.loads(capsys.readouterr().out)
    assert (row["bisection_exact"], "closed form: Lindsey 1964" in row["bisection_method"]) == (36, True)
    verb.run(["hyperx:5x5"], False, True, False)
    assert "hyperx:5x5, bisection: bounds meet: " in capsys.readouterr().out
    assert structure(build("hyperx:5x5")).bisection_exact is None


def test_routers_shared_out_meet_the_theorem_for_groups_of_up_to_24() -> None:
    """Two proofs of decision 0073 that share nothing: whole groups on each side, and every way to share routers out."""
    compared = 0
    for a, h, g in product(range(9, 25), range(1, 5), (2, 4, 6, 8)):
        w, unused = divmod(a * h, g - 1)
        found = None if unused or a * a < 2 * a * h + w else least_shared_out(a, h, g)
        if found is not None:
            assert found == w * g * g // 4, (a, h, g)
            compared += 1
    assert compared == 102


def test_outside_the_theorem_a_dragonfly_is_told_bounds(capsys):
    """An even number of groups of five routers: nothing proves its width, and nothing says that it has none."""
    found = jumpnet.network("dragonfly:3,a=5").bisection()
    assert found.exact is None and found.lower < found.upper
    verb.run(["dragonfly:3,a=5"], False, True, False)
    said = capsys.readouterr().out
    assert re.search(rf"bisection \(links\) +│ {found.lower} to {found.upper} ", said)
    assert "dragonfly:3,a=5, bisection: not known, somewhere between the bounds: " in said
