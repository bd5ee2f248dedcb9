"""Laws of territories, schemes and encodings, the papers' statements, and bad input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jumpnet.coherence.encoding import encoding, encodings
from jumpnet.coherence.encoding import node_numbers as limited
from jumpnet.errors import JumpnetError
from jumpnet.multicast import broadcast, broadcasts, scheme, schemes
from jumpnet.multicast.broadcast_rdn import base_of, dual_net_schedule
from jumpnet.multicast.broadcast_rdt import rank_descending
from jumpnet.multicast.children import NAMES, children, class_of, figure_7, preference, route
from jumpnet.multicast.sample import exact_receivers, sample_receivers
from jumpnet.multicast.schedule import play
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import multicast_tree
from jumpnet.topology import build

SPECS = ("prdt:16", "prdt:32", "prdt:64", "rdt:32", "rdt:64", "rdt:16,R=2,assignment=1.2.1.2.1.2.1.2", "prdt:36,n=3")


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_children_are_one_of_each_class_and_hang_together(n):
    places = children(n)
    assert len({class_of(x, y, n) for x, y in places}) == 2 * n * n == len(places)
    for place in places:
        assert set(route(place)) <= set(places), "a child is reached over another child"
        nearer = [
            (x, y)
            for x in range(-2 * n, 2 * n)
            for y in range(-2 * n, 2 * n)
            if class_of(x, y, n) == class_of(*place, n) and abs(x) + abs(y) < abs(place[0]) + abs(place[1])
        ]
        assert not nearer
    assert sorted(preference(n)) == list(range(2 * n * n))


def test_the_children_of_figure_7():
    named = dict(zip(NAMES, children(2), strict=True))
    assert named == {
        "M": (0, 0), "N": (0, -1), "E": (1, 0), "W": (-1, 0), "S": (0, 1), "SE": (1, 1), "SW": (-1, 1), "SS": (0, 2),
    }  # fmt: skip
    assert figure_7(0xFF) == 0xFF and figure_7(1 << NAMES.index("SS")) == 1 << 7


@pytest.mark.parametrize("spec", SPECS)
def test_digits_are_unique_and_lead_back(spec):
    where = territories(spec)
    held = np.flatnonzero(where.rank_of >= 0)
    strings = where.packed[held]
    assert np.unique(strings).size == held.size, "two offsets with the same digits"
    low = (1 << where.stride) - 1
    x, y = np.zeros_like(held), np.zeros_like(held)
    steps = np.array(children(where.n))
    for r in range(where.top + 1):
        move = steps[(strings >> where.stride * r) & low] @ where.vectors[r]
        x, y = x + move[:, 0], y + move[:, 1]
    assert (y % where.side * where.side + x % where.side == held).all()


@pytest.mark.parametrize("spec", SPECS)
def test_territories_grow_and_are_full(spec):
    where = territories(spec)
    for top in range(where.top):
        assert len(where.members(5, top)) == where.fanout ** (top + 1)
    assert where.members(5, where.top).size <= where.routers


@settings(max_examples=15)
@given(st.data())
def test_every_rank_pattern_reaches_a_router_once(data):
    """B3 of the chip's requirements: no node of a rank's torus is reached twice, on PRDT and alpha."""
    where = territories(data.draw(st.sampled_from(["prdt:64", "rdt:64", "rdt:128"])))
    source = data.draw(st.integers(0, where.routers - 1))
    members = where.members(source, data.draw(st.integers(0, 2))).tolist()
    members = [m for m in members if m != source]
    tree = multicast_tree(where, scheme("SM"), source, members)
    assert sorted({*tree.receivers} - {source}) == members, "all maps ones: the whole territory"
    assert len(set(tree.receivers)) == len(tree.receivers)
    for rank in range(1, tree.address.top + 1):
        reached = [h.receiver for h in tree.hops if h.rank == rank]
        assert len(reached) == len(set(reached))
    starts = {source: 0}
    for hop in tree.hops:
        assert starts[hop.sender] <= hop.step
        starts[hop.receiver] = min(starts.get(hop.receiver, hop.step + 1), hop.step + 1)
    net = build(where.spec)
    assert all(hop.receiver in net.neighbor[hop.sender] for hop in tree.hops)


@pytest.mark.parametrize("name", ["SM", "LPRA", "LARP", "LARP:path", "full"])
def test_a_higher_top_rank_still_reaches_all(name):
    where = territories("rdt:128")
    for top in (2, 3, 4):
        tree = multicast_tree(where, scheme(name), 77, [78, 79, 205], top)
        assert tree.address.top == top and {78, 79, 205} <= set(tree.receivers)


def test_steps_of_a_whole_territory():
    for top in range(4):
        prdt, alpha = territories("prdt:128"), territories("rdt:128")
        full = [m for m in prdt.members(0, top).tolist() if m]
        assert multicast_tree(prdt, scheme("SM"), 0, full).steps == 2 * (top + 1)
        reached = alpha.members(0, top).tolist()
        found = multicast_tree(alpha, scheme("full"), 0, [m for m in reached if m])
        if top:
            assert found.steps <= 3 * top + 2


@pytest.mark.parametrize("name", ["SM", "LPRA", "LARP", "LARP:path"])
def test_full_maps_reach_what_they_must_and_reduced_ones_not_less(name):
    where, rng = territories("prdt:64"), np.random.default_rng(4)
    for _ in range(20):
        targets = [int(t) for t in rng.choice(np.arange(1, where.routers), 5, replace=False)]
        exact = multicast_tree(where, scheme("full"), 0, targets)
        reduced = multicast_tree(where, scheme(name), 0, targets)
        assert sorted(exact.receivers) == sorted(targets) and exact.unnecessary == 0
        assert set(targets) <= set(reduced.receivers)
        assert reduced.bits == 8 * (reduced.address.top + 1)
        assert exact.bits == sum(8**k for k in range(1, exact.address.top + 2))


def test_prdt_broadcast_steps_and_table_6(golden):
    columns = golden("yang2001rdt")["table_6"]["columns"]
    printed = golden("yang2001rdt")["table_6"]["rows"]["RDT(2,4,1)/alpha"]
    found = {}
    for side in (32, 64, 128):
        where = territories(f"rdt:{side}")
        found[str(side * side)] = max(rank_descending(where, y * side + x).steps for x in range(4) for y in range(2))
    agree = [c for c in columns if c in found and found[c] == int(printed[columns.index(c)])]
    assert agree == ["1024", "4096"]
    assert found["4096"] == 3 * 3 + 2 and found["16384"] == 3 * 4 + 2
    for side, R in ((16, 2), (64, 3), (128, 4)):
        assert rank_descending(territories(f"prdt:{side}"), 3).steps == 2 * (R + 1)


def test_rdn_broadcast_takes_the_printed_steps(golden):
    claims = golden("li2009rdn")["claims"]
    for spec, name in (("rdn:3,k=1", "broadcast_3_1"), ("rdn:3,k=2", "broadcast_3_2")):
        net = build(spec)
        for source in (0, net.routers - 1, net.routers // 2):
            played = play(net, broadcast("rdn")(net, source), "one-port")
            assert played.steps == int(claims[name]["value"])
            assert played.informed == net.routers and played.once
    assert base_of(build("rdn:3,k=2")).routers == 3


def test_the_words_of_algorithm_2_leave_nodes_out():
    net = build("rdn:3,k=1")
    words = play(net, dual_net_schedule(net, 0, last="cluster"))
    assert words.informed == net.routers - 2 and not words.once
    exchanged = build("rdn:3,k=2,cross=exchanged")
    for source in (0, 5, 647):
        played = play(exchanged, dual_net_schedule(exchanged, source))
        assert played.informed == exchanged.routers and played.once
    for call, words_of in (
        (lambda: dual_net_schedule(net, 0, last="claster"), "did you mean 'cluster'"),
        (lambda: dual_net_schedule(build("rdn:3,k=1,cross=same"), 0), "a network in parts"),
    ):
        with pytest.raises(JumpnetError, match=words_of):
            call()


def test_figures_of_the_text(golden):
    claims = golden("kudoh1995rhbd")["claims"]
    where = territories("prdt:128")
    near = sample_receivers(where, [scheme(n) for n in ("SM", "LPRA", "LARP")], 1.0, [4, 32], trials=2000)
    least, most = (float(claims[f"receivers_32_{end}"]["value"]) for end in ("least", "most"))
    assert all(least < mean < most + 10 for mean in near.mean[1])
    assert near.mean[1, 2] < near.mean[1, 0] < near.mean[1, 1]
    assert near.mean[0].argmin() == 0, "SM is best for four destinations"
    wide = sample_receivers(where, [scheme("SM")], 8.0, [4], trials=2000)
    assert wide.mean[0, 0] < float(claims["receivers_four"]["value"])
    assert encoding("limited_evicting").bits(2**14).entry == int(claims["limited_pointer_bits"]["value"])
    assert encoding("SM").bits(64 * 64).entry == int(claims["directory_bits"]["value"]), "four maps name 4096 nodes"


def test_digits_of_an_entry_name_every_node_and_none_is_left_over():
    for nodes in range(8, 257):
        maps = encoding("SM").bits(nodes).entry // 8
        assert 8 ** (maps - 1) < nodes <= 8**maps


@pytest.mark.parametrize("name", ["SM", "LPRA", "LARP", "LARP:path"])
@pytest.mark.parametrize("side", [8, 16, 32, 64, 128, 256])
def test_an_entry_has_a_map_for_each_rank_that_names_every_router_and_no_more(side, name):
    where = territories(f"prdt:{side}")
    needed = next(ranks for ranks in range(1, where.top + 2) if len(where.members(0, ranks - 1)) == side * side)
    assert encoding(name).bits(side * side).entry == 8 * needed
    farthest = int(where.rank_of.argmax())
    header = scheme(name).maps(where.address(0, [farthest]).digits)
    assert len(header) == needed


@pytest.mark.parametrize("sigma", [1.0, 5.0])
def test_larp_meets_the_single_map_at_about_the_printed_number_and_its_other_reading_at_half(golden, sigma):
    printed = int(golden("kudoh1995rhbd")["claims"]["crossing"]["value"].removeprefix("about "))
    used = [scheme(n) for n in ("SM", "LARP", "LARP:path")]
    found = sample_receivers(territories("prdt:64"), used, sigma, range(1, 17), trials=10_000)
    cross = [next(k for k, row in zip(found.destinations, found.mean, strict=True) if row[i] < row[0]) for i in (1, 2)]
    assert abs(cross[0] - printed) <= 2 and cross[1] <= 0.6 * printed


def test_a_sample_depends_on_its_seed_only():
    where = territories("prdt:64")
    one, two, other = (sample_receivers(where, [scheme("SM")], 2.0, [3], trials=50, seed=s).mean for s in (1, 1, 2))
    assert one.tobytes() == two.tobytes() and one.tobytes() != other.tobytes()


@pytest.mark.parametrize("name", sorted(encodings()))
def test_every_encoding_delivers(name):
    made = encoding(name)
    for count in (1, 3, 9):
        holders = tuple(range(1, count + 1))
        found = made.message("prdt:32", 0, holders)
        assert found.receivers - found.unnecessary + found.evicted == count
        assert found.serial >= 1 and found.packets >= 1
    assert made.message("prdt:32", 0, ()).receivers == 0
    assert made.bits(1024).entry > 0
    with pytest.raises(JumpnetError, match="different nodes"):
        made.message("prdt:32", 0, (0, 1))


def test_limited_pointers_overflow():
    wide = encoding("limited_broadcast").message("prdt:32", 0, tuple(range(1, 9)))
    assert (wide.receivers, wide.unnecessary) == (1023, 1015)
    assert encoding("limited_evicting").message("prdt:32", 0, tuple(range(1, 9))).evicted == 2
    assert encoding("chained").message("prdt:32", 0, (4, 5, 6)).serial == 3
    assert limited.with_pointers(3).bits(2**14).entry == 3 * 14 + 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: territories("torus:8x8"), "family rdt or prdt"),
        (lambda: territories("prdt:72,n=6"), "2 to 5"),
        (lambda: territories("prdt:16").address(0, []), "at least one"),
        (lambda: territories("prdt:16").address(0, [256]), "0 to 255"),
        (lambda: territories("prdt:16").members(0, 3), "0 to 2"),
        (lambda: scheme("LARQ"), "LARP"),
        (lambda: encoding("full_mop"), "full_map"),
        (lambda: broadcast("binomal"), "binomial"),
        (lambda: broadcast("rdn")(build("torus:4"), 0), "family rdn"),
        (lambda: broadcast("bfs")(build("torus:4"), 9), "0 to 3"),
        (lambda: broadcast("bfs")(build("torus:4"), 0, "two-port"), "one-port"),
        (lambda: broadcast("rank_descending")(build("rdt:16,assignment=none"), 0), "no upper ranks"),
        (lambda: exact_receivers(territories("rdt:128"), scheme("SM"), 1.0, 2), "prdt"),
        (lambda: territories("prdt:10,n=3"), "multiple of 2n = 6"),
        (lambda: exact_receivers(territories("prdt:128"), scheme("SM"), 1.0, 3), "1 or 2"),
        (lambda: sample_receivers(territories("rdt:256"), [scheme("SM")], 60.0, [4]), "territory of rank 4"),
        (lambda: sample_receivers(territories("prdt:128"), [scheme("SM")], 0.3, [60]), "hardly occur"),
        (lambda: sample_receivers(territories("prdt:128"), [scheme("SM")], 1e9, [2]), "sigma"),
        (lambda: sample_receivers(territories("prdt:128"), [scheme("SM")], 1.0, [4, 2]), "ascending"),
    ],
)
def test_bad_input_is_one_line(call, message):
    with pytest.raises(JumpnetError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


def test_registries_hold_the_papers_schemes():
    assert set(schemes()) >= {"SM", "LPRA", "LARP", "LARP:path", "full"}
    assert set(broadcasts()) >= {"bfs", "binomial", "rank_descending", "rdn"}


@pytest.mark.parametrize("source", [-1, 16])
def test_broadcasts_start_at_a_router(source):
    net = build("hypercube:4")
    with pytest.raises(JumpnetError, match=f"{source} found, 0 to 15 expected"):
        broadcast("bfs")(net, source)
