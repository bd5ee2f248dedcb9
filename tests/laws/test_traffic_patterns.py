"""Every traffic pattern against an independent, digit-by-digit definition, over all of its draws."""

from __future__ import annotations

from collections import Counter
from math import exp

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import jit
from jumpnet.topology import build
from jumpnet.traffic import bind, patterns
from jumpnet.traffic._pattern import call_destination


def _distribution(spec: str, net: str, source: int) -> Counter[int]:
    bound = bind(spec, build(net))
    return Counter(bound(source, draw) for draw in range(bound.draws))


def _bits(address: int, width: int) -> list[int]:
    return [int(c) for c in format(address, f"0{width}b")]


def _number(bits: list[int]) -> int:
    return int("".join(map(str, bits)), 2)


NAIVE = {
    "bit_complement": lambda a, w: _number([1 - b for b in _bits(a, w)]),
    "bit_reverse": lambda a, w: _number(_bits(a, w)[::-1]),
    "shuffle": lambda a, w: _number(_bits(a, w)[1:] + _bits(a, w)[:1]),
    "transpose": lambda a, w: _number(_bits(a, w)[w // 2 :] + _bits(a, w)[: w // 2]),
}


@pytest.mark.parametrize("name", NAIVE)
def test_bit_permutations(name: str) -> None:
    for net, width in (("torus:8x8", 6), ("torus:4", 2)):
        bound = bind(name, build(net))
        for source in range(2**width):
            assert bound.draws == 1
            assert bound(source, 0) == NAIVE[name](source, width)


@pytest.mark.parametrize("name", ["tornado", "neighbor"])
@pytest.mark.parametrize("spec", ["torus:8x8", "torus:7x5", "torus:4x3x2", "cmesh:6x4,c=2"])
def test_digit_permutations(name: str, spec: str) -> None:
    net = build(spec)
    sides = net.coord.max(axis=0) + 1
    bound = bind(name, net)
    each = int(net.terminals[0])
    for source in range(net.endpoints):
        amount = [(k + 1) // 2 - 1 if name == "tornado" else 1 for k in sides]
        want = [(x + a) % k for x, a, k in zip(net.coord[source // each], amount, sides, strict=True)]
        to = bound(source, 0)
        assert net.coord[to // each].tolist() == want and to % each == source % each


def test_coordinate_transpose_of_a_side_that_is_no_power_of_two() -> None:
    net = build("torus:5x5")
    bound = bind("transpose:by=coordinates", net)
    for source in range(25):
        assert net.coord[bound(source, 0)].tolist() == net.coord[source].tolist()[::-1]


def _split_mix(seed: int, index: int) -> int:
    whole = 2**64
    z = ((index + 1) * 0x9E3779B97F4A7C15 + seed * 0xD1342543DE82EF95) % whole
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % whole
    z = (z ^ z >> 27) * 0x94D049BB133111EB % whole
    return z ^ z >> 31


def test_random_permutation_is_one_and_depends_on_the_seed() -> None:
    net = build("torus:8x8")
    one, two = bind("random_permutation:seed=1", net), bind("random_permutation:seed=2", net)
    assert sorted(one(s, 0) for s in range(64)) == list(range(64))
    assert [one(s, 0) for s in range(64)] != [two(s, 0) for s in range(64)]
    keys = [_split_mix(1, index) for index in range(64)]
    assert [one(s, 0) for s in range(64)] == sorted(range(64), key=keys.__getitem__)


def test_uniform_leaves_the_source_out_or_in() -> None:
    assert _distribution("uniform", "torus:3x3", 4) == Counter({t: 1 for t in range(9) if t != 4})
    assert _distribution("uniform:self=1", "torus:3x3", 4) == Counter(range(9))


def test_hotspot_weights() -> None:
    assert _distribution("hotspot:nodes=3-5-7,weights=2-1", "torus:3x3", 0) == Counter({3: 2, 5: 1, 7: 1})
    drawn = _distribution("hotspot:count=4,seed=9", "torus:8x8", 0)
    assert len(drawn) == 4 and set(drawn.values()) == {1}


def test_a_permutation_is_as_given() -> None:
    told = [3, 0, None, 1, 1, 8, 8, 0, 2]
    spec = f"permutation:to={'-'.join('x' if to is None else str(to) for to in told)}"
    for source, to in enumerate(told):
        assert _distribution(spec, "torus:3x3", source) == Counter({-1 if to is None else to: 1})


def test_a_matrix_gives_each_source_its_weights_and_rests_for_what_its_row_is_lighter() -> None:
    rows = [[0, 1, 2, 3], [4, 0, 0, 0], [0, 0, 0, 0], [5, 1, 0, 0]]
    spec = f"matrix:rows={'/'.join('-'.join(map(str, row)) for row in rows)}"
    for source, row in enumerate(rows):
        want = Counter({t: weight for t, weight in enumerate(row) if weight})
        want.update({-1: 6 - sum(row)} if sum(row) < 6 else {})
        assert _distribution(spec, "torus:2x2", source) == want


def test_bad_dragonfly_goes_to_the_next_group() -> None:
    net = build("dragonfly:2")
    group = net.coord[net.terminal_router, 0]
    for source in (0, 9, net.endpoints - 1):
        seen = _distribution("bad_dragonfly", "dragonfly:2", source)
        assert set(seen.values()) == {1}
        assert set(seen) == set(np.flatnonzero(group == (group[source] + 1) % (group.max() + 1)))


def test_local_weights_fall_with_the_distance_round_the_torus() -> None:
    sigma = 1.7
    net = build("torus:6x4")
    bound = bind(f"local:sigma={sigma}", net)
    own = bound.own
    dims, k = int(own[0]), int(own[1])
    totals = own[2 + dims : 2 + dims + k]
    weight = np.diff(np.concatenate([[0], totals]))
    first = np.concatenate([[0], totals[:-1]])
    for source in (0, 13):
        x, y = net.coord[source]
        seen = {bound(source, int(draw)): int(w) for draw, w in zip(first, weight, strict=True)}
        last = {bound(source, int(total) - 1) for total in totals}
        assert set(seen) == last == set(range(24)) - {source}
        for target, w in seen.items():
            dx = min((net.coord[target, 0] - x) % 6, (x - net.coord[target, 0]) % 6)
            dy = min((net.coord[target, 1] - y) % 4, (y - net.coord[target, 1]) % 4)
            want = 2**24 * exp(-(dx * dx + dy * dy - 1) / (2 * sigma * sigma))
            assert abs(w - want) <= 0.5 + 1e-6


@jit
def _all_destinations(pointer, own, terminals, draws):
    result = np.zeros((terminals, draws), np.int64)
    for source in range(terminals):
        for draw in range(draws):
            result[source, draw] = call_destination(pointer, own, source, draw)
    return result


ROWS = "/".join(["-".join(str((s * t + t) % 5) for t in range(16)) for s in range(15)] + ["-".join("0" * 16)])
NEEDS = {
    "worst": "worst:routing=torus.dateline", "matrix": f"matrix:rows={ROWS}",
    "permutation": "permutation:to=x-0-0-9-8-7-6-5-4-3-2-1-15-14-13-x",
}  # fmt: skip
"""Patterns with an option that has no default."""


@pytest.mark.parametrize("name", sorted(patterns()))
def test_compiled_pattern_equals_python(name: str) -> None:
    nets = ("torus:4x4", "dragonfly:2")
    for spec in nets:
        try:
            net = build(spec)
            bound = bind(NEEDS.get(name, name), net)
        except JumpnetError:
            continue
        draws = min(bound.draws, 64)
        got = _all_destinations(bound.pointer, bound.own, net.endpoints, draws)
        want = [[bound(source, draw) for draw in range(draws)] for source in range(net.endpoints)]
        assert got.tolist() == want
        assert got.min() >= -1 and got.max() < net.endpoints
        return
    pytest.fail(f"{name} suits none of {nets}")


BAD = [
    ("bit_reverse", "torus:3x3", "bit_reverse: 9 terminals found in torus:3x3, a power of two expected"),
    ("transpose", "torus:4x2", "transpose: 8 terminals found in torus:4x2, an even power of two expected"),
    ("transpose:by=coordinates", "torus:4x2", "transpose: sides 4x2 found, a square 2-D grid expected"),
    ("transpose:by=coordinates", "torus:2x2x2", "transpose: sides 2x2x2 found, a square 2-D grid expected"),
    ("transpose:by=rows", "torus:4x4", "unknown value of transpose by 'rows'"),
    ("hotspot:count=0", "torus:3x3", "hotspot: count=0 found, 1 to 9 expected"),
    ("hotspot:nodes=9", "torus:3x3", "hotspot: terminal 9 found, 0 to 8 expected in torus:3x3"),
    ("hotspot:nodes=-1", "torus:3x3", "hotspot: nodes='-1' found, numbers joined by - expected"),
    ("hotspot:nodes=3--5", "torus:3x3", "hotspot: nodes='3--5' found, numbers joined by - expected"),
    ("hotspot:nodes=0-2-0", "torus:3x3", "hotspot: terminal 0 found twice, each once expected; weights= says how much"),
    ("hotspot:nodes=1-2,weights=0-3", "torus:3x3", "hotspot: weights='0-3' found, at most 2 positive numbers expected"),
    ("local:sigma=0", "torus:3x3", "local: sigma=0.0 found, a spread above 0 expected"),
    ("permutation", "torus:2x2", "permutation: 0 destinations found, 4 expected, one for each terminal"),
    ("permutation:to=1-0-3-4", "torus:2x2", "permutation: terminal 4 found, 0 to 3 expected in torus:2x2"),
    ("permutation:to=1-0-y-2", "torus:2x2", "permutation: 'y' found, terminals or x joined by - expected"),
    ("permutation:to=x-x-x-x", "torus:2x2", "permutation: no terminal sends, at least one expected"),
    ("matrix:rows=1-2/3-4", "torus:2x2", "matrix: 2 rows found, 4 expected, one for each terminal"),
    ("matrix:rows=1-2/3", "torus:2", "matrix: 1 numbers found in row 1, 2 expected"),
    ("matrix:rows=0-0/0-0", "torus:2", "matrix: nothing but zeros found, at least one weight expected"),
    ("matrix:rows=0-1/1000001-0", "torus:2", "matrix: weight '1000001' found, numbers from 0 to 1000000"),
    ("bad_dragonfly", "torus:3x3", "bad_dragonfly: torus:3x3 found, a dragonfly expected"),
    ("unifrom", "torus:3x3", "unknown traffic pattern 'unifrom'; did you mean 'uniform'?"),
    ("uniform:1,2", "torus:3x3", "uniform: 2 settings without a name found, at most 1 expected"),
    ("uniform:1,self=0", "torus:3x3", "uniform: self is given twice, as 1 and as self=0"),
    ("uniform:slef=1", "torus:3x3", "unknown setting of uniform 'slef'; did you mean 'self'?"),
]


@pytest.mark.parametrize(("spec", "net", "message"), BAD)
def test_bad_patterns_say_what_was_found(spec: str, net: str, message: str) -> None:
    with pytest.raises(JumpnetError) as caught:
        bind(spec, build(net))
    assert str(caught.value).startswith(message)


def test_one_terminal_alone_has_nobody_to_send_to_but_itself() -> None:
    with pytest.raises(JumpnetError, match="1 terminals found, at least 2 expected"):
        bind("uniform", build("mesh:1"))
    assert bind("uniform:self=1", build("mesh:1")).draws == 1
