"""Multicast kernels and schedules against their naive twins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.naive import multicast as naive

from jumpnet.errors import JumpnetError
from jumpnet.multicast import broadcast, scheme, schemes
from jumpnet.multicast.broadcast_bfs import best_schedule
from jumpnet.multicast.receivers import receivers, receivers_of_sets
from jumpnet.multicast.remake import remade
from jumpnet.multicast.sample import exact_receivers, normal_chances, normal_thresholds, sample_receivers
from jumpnet.multicast.schedule import Schedule, play, tree_schedule
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import leaves, multicast_tree
from jumpnet.topology import build

NAMES = ("SM", "LPRA", "LARP", "LARP:path", "REMAKE", "full")
DIGITS = st.integers(1, 3).flatmap(
    lambda ranks: st.lists(st.tuples(*[st.integers(0, 7)] * ranks).filter(any), min_size=1, max_size=6, unique=True)
)


@given(st.integers(-40, 40), st.integers(-40, 40))
def test_digits_equal_those_of_the_plane(x, y):
    where = territories("prdt:256")
    digits = naive.plane_digits(x, y)
    offset = y % 256 * 256 + x % 256
    assert where.rank_of[offset] == len(digits) - 1
    assume(len(digits) < 6)  # the rank-5 torus has two nodes: which child leads to the other is a rule of its own
    assert where.packed[offset] == sum(d << 3 * r for r, d in enumerate(digits))


@pytest.mark.parametrize("name", NAMES)
@given(digits=DIGITS)
def test_closed_form_and_walk_equal_every_leaf_tried(name, digits):
    assert_receivers(name, scheme(name), digits)


@pytest.mark.parametrize("lowest", [1, 2, 3])
@given(digits=DIGITS)
def test_maps_made_anew_down_to_a_rank(lowest, digits):
    assert_receivers(f"REMAKE to rank {lowest}", remade(lowest), digits)


def assert_receivers(name, used, digits):
    ranks = len(digits[0])
    expected = naive.receiving_leaves(name, digits, 8)
    walked = list(leaves(used, used.maps(digits), ranks - 1, 8))
    assert len(walked) == len(set(walked)) and set(walked) == expected
    packed = [sum(d << 3 * r for r, d in enumerate(string)) for string in digits]
    assert used.count(packed, len(packed), ranks - 1, 3, 8) == len(expected)
    assert set(digits) <= expected


@pytest.mark.parametrize("spec", ["prdt:32", "rdt:32", "rdt:128", "prdt:108,n=3"])
@settings(max_examples=12)
@given(data=st.data())
def test_batch_kernel_equals_the_tree(spec, data):
    where = territories(spec)
    source = data.draw(st.integers(0, where.routers - 1))
    near = st.tuples(st.integers(-6, 6), st.integers(-6, 6))
    offsets = data.draw(st.lists(near, min_size=3, max_size=3, unique=True))
    targets = [where.moved(source, x, y) for x, y in offsets]
    for name, used in schemes().items():
        tree = multicast_tree(where, used, source, targets)
        found, top = receivers_of_sets(where, used, [source], [targets])
        assert found[0] == len(tree.receivers) == receivers(where, used, source, targets), name
        assert top[0] == tree.address.top
        assert set(targets) <= set(tree.receivers)
        assert len(set(tree.receivers)) == len(tree.receivers)


def test_sets_out_of_reach_and_out_of_range():
    where = territories("rdt:256")
    found, top = receivers_of_sets(where, scheme("SM"), [0, 0], [[1], [128 * 256 + 128]])
    assert found.tolist() == [1, -1] and top.tolist() == [0, -1]
    with pytest.raises(JumpnetError, match="territory"):
        receivers(where, scheme("SM"), 0, [128 * 256 + 128])
    with pytest.raises(JumpnetError, match="65536"):
        receivers_of_sets(where, scheme("SM"), [0], [[65536]])
    with pytest.raises(JumpnetError, match="shape"):
        receivers_of_sets(where, scheme("SM"), [0, 1], [[1]])


@pytest.mark.parametrize(("repeats", "source"), [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("name", ["SM", "LPRA", "LARP", "LARP:path"])
def test_sampling_equals_plain_draws(name, repeats, source):
    where, used, sigma, trials = territories("prdt:128"), scheme(name), 1.5, 25
    rounding = "truncated" if source else "nearest"
    thresholds = normal_thresholds(sigma, 14, rounding).tolist()
    totals = np.zeros(2)
    for t in range(trials):
        places = [y * 128 + x for x, y in naive.drawn_offsets(thresholds, 128, 7, t, 5, repeats, source)]
        totals += [receivers(where, used, 0, places[:k]) for k in (2, 5)]
    draws = {"repeats": repeats, "source": source, "rounding": rounding}
    found = sample_receivers(where, [used], sigma, [2, 5], trials=trials, seed=7, **draws)
    assert found.mean[:, 0].tolist() == pytest.approx((totals / trials).tolist(), rel=1e-12)


def test_a_destination_named_twice_receives_once():
    """As draws with repeats may have it."""
    assert receivers(territories("prdt:16"), scheme("full"), 0, [1, 2, 1]) == 2
    assert scheme("full").count(np.array([1, 2, 1]), 3, 0, 3, 8) == 2


def test_sampling_outside_the_largest_territory_is_refused():
    """Two ranks hold 64 of 1024 routers: of eight destinations that far away, some lie outside."""
    with pytest.raises(JumpnetError, match="leads outside the territory of rank 1"):
        sample_receivers(territories("prdt:32,R=1"), [scheme("SM")], 2.0, [8], trials=20, seed=7)


def test_sampling_on_alpha_takes_every_class_in_turn():
    where, used, trials = territories("rdt:128"), scheme("SM"), 20
    thresholds = normal_thresholds(2.0, 18).tolist()
    counts = []
    for t in range(trials):
        source = t % 8 // 4 * 128 + t % 4
        places = naive.drawn_offsets(thresholds, 128, 3, t, 3)
        counts.append(receivers(where, used, source, [where.moved(source, x, y) for x, y in places]))
    found = sample_receivers(where, [used], 2.0, [3], trials=trials, seed=3)
    assert found.mean[0, 0] == pytest.approx(np.mean(counts), rel=1e-12)


def test_truncated_thresholds_are_the_chances_of_whole_parts():
    ends = normal_thresholds(2.0, 18, "truncated").astype(float) / 2.0**63
    normal = [0.5 * math.erfc(-x / (2.0 * math.sqrt(2))) for x in (-2, -1, 1, 2)]
    assert [ends[18 + v] for v in (-2, -1, 0, 1)] == pytest.approx(normal, abs=1e-12)
    with pytest.raises(JumpnetError, match="did you mean 'truncated'"):
        normal_thresholds(1.0, 2, "truncate")


def test_thresholds_are_the_chances():
    chance, ends = normal_chances(3.0, 27), normal_thresholds(3.0, 27)
    widths = np.diff(np.concatenate([[0], ends.astype(object)])).astype(float) / 2.0**63
    assert np.abs(widths - chance).max() < 1e-15
    assert chance.sum() == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("name", ["SM", "LARP", "LARP:path"])
def test_exact_expectation_equals_a_double_sum(name):
    where, used, sigma = territories("prdt:64"), scheme(name), 0.5
    chance = normal_chances(sigma, 5)
    places = {
        (y % 64) * 64 + x % 64: chance[x + 5] * chance[y + 5]
        for x in range(-5, 6)
        for y in range(-5, 6)
        if (x, y) != (0, 0) and chance[x + 5] * chance[y + 5] > 1e-12
    }
    whole = sum(places.values())
    one = {v: p / whole for v, p in places.items()}
    total = sum(one[v] * one[w] / (1 - one[v]) * receivers(where, used, 0, [v, w]) for v in one for w in one if v != w)
    assert exact_receivers(where, used, sigma, 2) == pytest.approx(total, rel=1e-6)


@given(st.lists(st.integers(0, 6), min_size=0, max_size=6))
def test_tree_schedule_is_the_best_of_all_orders(links):
    parent = [-1, *(p % (k + 1) for k, p in enumerate(links))]
    made = tree_schedule("tree", "tree", np.array(parent, np.int64), "one-port")
    assert made.steps == naive.best_tree_steps(parent)


@pytest.mark.parametrize("model", ["one-port", "all-port"])
@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("prdt:16", "rank_descending"),
        ("prdt:24", "rank_descending"),
        ("prdt:32", "rank_descending"),
        ("rdt:16", "rank_descending"),
        ("rdt:32", "rank_descending"),
        ("prdt:36,n=3", "rank_descending"),
        ("hypercube:5", "binomial"),
        ("rdn:3,k=2", "rdn"),
        ("star:4", "bfs"),
        ("debruijn:2,n=4", "bfs"),
        ("fattree:2,n=3", "bfs"),
    ],
)
def test_schedules_play_as_the_naive_player_plays(spec, name, model):
    net = build(spec)
    made = broadcast(name)(net, net.routers // 3, model)
    played = play(net, made, model)
    transfers = list(zip(*(c.tolist() for c in (made.step, made.sender, made.receiver)), strict=True))
    informed, received = naive.play(
        [set(row) for row in net.neighbor.tolist()], transfers, made.root, model == "one-port"
    )
    assert played.informed == informed == net.routers
    assert played.received.tolist() == received
    if model == "one-port":
        assert played.once
    if not net.directed:
        back = play(net, made.backwards(), model)
        assert back.informed == net.routers and back.steps == played.steps


def _bad(net, rows):
    table = np.array(rows, np.int64)
    return play(net, Schedule.of(net.spec, "bad", 0, table[:, 0], table[:, 1], table[:, 2]), "one-port")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(0, 0, 2)], "no such link"),
        ([(0, 1, 2)], "before it has received"),
        ([(0, 0, 1), (0, 0, 3)], "sends twice"),
        ([(0, 0, 1), (1, 0, 3), (2, 1, 2), (2, 3, 2)], "receives twice"),
    ],
)
def test_illegal_schedules_are_refused(rows, message):
    with pytest.raises(JumpnetError, match=message):
        _bad(build("torus:4"), rows)


def test_a_channel_twice_in_a_step_is_refused_all_port():
    ring = build("torus:4")
    zero = np.zeros(2, np.int64)
    with pytest.raises(JumpnetError, match="uses a channel twice"):
        play(ring, Schedule.of(ring.spec, "bad", 0, zero, zero, zero + 1), "all-port")


def test_a_gather_that_loses_a_part_is_seen():
    ring = build("torus:4")
    table = np.array([(0, 0, 1), (0, 2, 3), (1, 3, 0)], np.int64)
    lost = Schedule.of(ring.spec, "bad", 0, *table.T)
    assert play(ring, Schedule(**{**lost.__dict__, "gather": True}), "all-port").informed == 2


def test_unreachable_routers_are_refused():
    from jumpnet.networks import from_links

    net = from_links("two pieces", "example", 4, np.array([[0, 1], [2, 3]]))
    with pytest.raises(JumpnetError, match="cannot be reached"):
        best_schedule(net, 0)
