"""What BookSim 2's routing functions choose on small dragonflies and flattened butterflies, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.tiny.relations import candidates, started, way_of

from jumpnet.analysis.loads import channel_loads
from jumpnet.routings import ESCAPE, IN_PORT, INTERMEDIATE, NORMAL, STATE, bind
from jumpnet.routings.dragonfly._steps import dragonfly_port
from jumpnet.routings.dragonfly.ugal_booksim import BIAS_FLITS, CROSSED, DETOUR, MINIMAL
from jumpnet.routings.hyperx._steps import line_port
from jumpnet.routings.torus.booksim import CLASS_BIT
from jumpnet.routings.view import new_head, new_out
from jumpnet.sim.config import preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.topology import build
from jumpnet.traffic import PacketList
from jumpnet.traffic import bind as bind_traffic


def test_a_detour_on_a_dragonfly_is_for_queues_of_more_than_twice_and_thirty() -> None:
    net = build("dragonfly:2")
    bound, source, to, middle = bind("dragonfly.ugal_booksim", net), 0, 4 * 5 + 1, 4 * 7 + 2
    direct, detour = dragonfly_port(bound.view, source, 5, to), dragonfly_port(bound.view, source, 7, middle)
    assert direct != detour
    queue = np.zeros(net.ports, np.int64)
    queue[detour] = 4
    queue[direct] = 2 * 4 + BIAS_FLITS
    assert started(bound, new_head(source, to), middle, queue) == MINIMAL
    queue[direct] += 1
    head = new_head(source, to)
    assert started(bound, head, middle, queue) == DETOUR and head[INTERMEDIATE] == middle
    assert started(bound, new_head(source, to), 3, queue) == MINIMAL  # a router of the own group
    assert started(bound, new_head(source, 2), middle, queue) == CROSSED


def test_a_detour_on_a_dragonfly_goes_to_its_router_and_past_the_destination() -> None:
    net = build("dragonfly:2")
    bound = bind("dragonfly.ugal_booksim", net)
    head = new_head(0, 4 * 5 + 1)
    head[INTERMEDIATE] = 4 * 7 + 2
    way = way_of(bound, head)
    routers = [router for router, _ in way]
    turn = routers.index(4 * 7 + 2)
    assert {vc for _, vc in way[: turn + 1]} == {0} and set(net.coord[routers[: turn + 1], 0].tolist()) == {0, 7}
    after = [(int(net.coord[router, 0]), vc) for router, vc in way[turn + 1 :]]
    assert after == sorted(after, key=lambda hop: hop[1]) and {vc for group, vc in after if group == 5} == {2}
    gate = next(r for r in range(20, 24) if 0 in net.coord[net.neighbor[r, 3:], 0])
    past = new_head(0, gate)
    past[INTERMEDIATE] = 20 + (gate - 20 + 1) % 4
    assert [router for router, _ in way_of(bound, past)].count(gate) == 2
    at_both, out = new_head(0, 20), new_out()
    at_both[INTERMEDIATE] = 20
    assert bound.routing.relation(bound.view, 20, at_both, out) == 0 and out[0, 1] == MINIMAL  # no global hop any more


def test_valiant_on_a_flattened_butterfly_ends_where_it_meets_its_destination() -> None:
    """Routers x + 4 y: from 0 by 13 to 1 the way goes through 1, and stays there; by 14 it turns at 14."""
    bound = bind("hyperx.valiant_booksim", build("flatfly:4,n=2,c=1"))
    for middle, want in ((13, [(1, 0)]), (14, [(2, 0), (14, 0), (13, 1), (1, 1)]), (0, [(1, 1)])):
        head = new_head(0, 1)
        head[INTERMEDIATE] = middle
        assert way_of(bound, head) == want


def test_ugal_on_a_flattened_butterfly_turns_off_in_the_line_that_the_two_share() -> None:
    net = build("flatfly:4,n=2,c=1")
    bound, queue = bind("hyperx.ugal_booksim", net), np.zeros(net.ports, np.int64)
    direct = line_port(bound.view, 0, 1)[0]
    queue[direct] = 2
    assert started(bound, new_head(0, 1), 2 + 4 * 3, queue) == 1
    queue[direct] = 3
    head = new_head(0, 1)
    assert started(bound, head, 2 + 4 * 3, queue) == 0 and head[INTERMEDIATE] == 2
    assert started(bound, new_head(0, 1), 4 * 3, queue) == 1  # the router itself
    detour = line_port(bound.view, 0, 2)[0]
    queue[detour], queue[direct] = 1, 4
    assert started(bound, new_head(0, 1), 2, queue) == 1  # 4 x 1 <= 1 x 2 + 2
    queue[direct] = 5
    assert started(bound, new_head(0, 1), 2, queue) == 0


def test_a_fat_tree_goes_up_by_the_less_used_of_two_ways() -> None:
    """From the first leaf switch of fattree:4,n=2 to the last, by ports 4 to 7; draw 4 a + b: b first, a second."""
    net = build("fattree:4,n=2")
    bound, queue = bind("fattree.anca_booksim", net), np.zeros(net.ports, np.int64)
    leaves = np.flatnonzero(net.coord[:, 0] == 1)
    source, to = int(leaves[0]), int(leaves[-1])
    first, second = 2, 3
    for used, way in (((0, 0), first), ((1, 1), first), ((2, 1), second), ((1, 2), first)):
        queue[4 + first], queue[4 + second] = used
        head, out = new_head(source, to), new_out()
        started(bound, head, 4 * second + first, queue)
        assert bound.routing.relation(bound.view, source, head, out) == 1 and out[0, 0] == 4 + way
    head, out = new_head(source, to), new_out()
    head[STATE] = 4 * second + first
    assert bound.routing.relation(bound.view, source, head, out) == 2 and out[:2, 0].tolist() == [4 + first, 4 + second]


def test_a_packet_leaves_a_dragonfly_on_the_channel_of_its_class() -> None:
    """Of packets that share a router with their destination, a group with it, and neither; others leave on any.

    With UGAL what stays in its group is of the last class, as what has crossed. Sources draw: in turn the twelve would
    enter on 0, 1, 2, 0 and so on, and so many draws of three without one of them have a chance of 3 (2/3)^12 < 0.03.
    """
    net, left, entered = build("dragonfly:2"), {}, {}
    for routing, vcs in (("dragonfly.booksim", 2), ("dragonfly.ugal_booksim", 3), ("dragonfly.minimal", 2)):
        to = [1, 2, 60] * 4
        trace = PacketList([300 * k for k in range(12)], [0] * 12, to, [1] * 12)
        engine = Engine(net, routing, preset("booksim", vcs=vcs, load=0.0, events=True), trace)
        engine.advance(4000)
        rows = engine.events()
        given = rows[rows[:, 1] == at.EVENT_VC]
        last = [given[given[:, 3] == number][-1] for number in range(12)]
        assert all(place >= net.ports * vcs for place in (row[7] for row in last))
        left[routing] = [int(row[7]) % vcs for row in last]
        entered[routing] = (rows[rows[:, 1] == at.EVENT_ENTER][:, 7] % vcs).tolist()
    assert left["dragonfly.booksim"] == [0, 0, 1] * 4
    assert left["dragonfly.ugal_booksim"] == [2] * 12
    assert entered["dragonfly.minimal"] == [0, 1] * 6
    drawn = entered["dragonfly.ugal_booksim"]
    assert set(drawn) == {0, 1, 2} and drawn != [0, 1, 2] * 4
    assert left["dragonfly.minimal"] != left["dragonfly.booksim"]


def test_min_adapt_on_a_mesh_asks_for_one_output_and_never_leaves_channel_0() -> None:
    """From 0 to 5, one hop on in x and one in y: BookSim keeps the output of the lowest dimension alone."""
    mesh, head = build("mesh:4x4"), new_head(0, 5)
    after, beside = (bind(f"mesh.min_adapt_booksim:asks={asks}", mesh, 3) for asks in ("after", "beside"))
    assert candidates(after, 0, head) == [[0, 1, 0, NORMAL], [0, 2, 0, NORMAL], [0, 0, 1, ESCAPE]]
    assert candidates(beside, 0, head) == [[0, 1, 0, NORMAL], [0, 2, 0, NORMAL], [0, 0, 1, NORMAL], [0, 0, 1, ESCAPE]]
    head[STATE] = 1
    assert candidates(after, 1, head) == [[2, 0, 1, ESCAPE]] and candidates(after, 5, head) == []


def test_min_adapt_on_a_torus_goes_down_on_channel_3_where_its_escape_may_go_up() -> None:
    """From 1 to 3 in a ring of 4 both ways are as long, and the draw sends the escape up, which does not wrap: class 0.

    From 3 to 1 an escape that goes down is of class 1. In a ring of 5 one from 4 to 1 wraps, which is class 1 too; it
    keeps to that behind the wrap, where one that enters is of class 0.
    """
    bound, head = bind("torus.min_adapt_booksim", build("torus:4x4"), 8), new_head(1, 3)
    started(bound, head, 1, np.zeros(4, np.int64))
    (*adaptive, _, normal), (*escape, state, kind) = candidates(bound, 1, head)
    assert (adaptive, normal, escape, kind) == ([1, 3], NORMAL, [0, 0], ESCAPE)
    head[[STATE, IN_PORT]] = state, 1  # it came up
    assert candidates(bound, 2, head) == [[0, 0, state, ESCAPE]]
    other = new_head(3, 1)
    started(bound, other, 0, np.zeros(4, np.int64))
    assert [row[:2] for row in candidates(bound, 3, other)] == [[1, 3], [1, 1]]
    other[[STATE, IN_PORT]] = candidates(bound, 3, other)[1][2], 0  # it came down
    assert [row[:2] for row in candidates(bound, 2, other)] == [[1, 1]]
    wide, wraps = bind("torus.min_adapt_booksim", build("torus:5x5")), new_head(4, 1)
    assert [row[:2] for row in candidates(wide, 4, wraps)] == [[0, 3], [0, 1]]
    wraps[[STATE, IN_PORT]] = candidates(wide, 4, wraps)[1][2], 1
    assert [row[:2] for row in candidates(wide, 0, wraps)] == [[0, 1]]
    assert [row[:2] for row in candidates(wide, 0, new_head(0, 1))] == [[0, 3], [0, 0]]
    few = bind("torus.min_adapt_booksim", build("torus:4x4"), 2)
    assert [row[:2] for row in candidates(few, 1, new_head(1, 2))] == [[0, 0]]


def test_valiant_on_a_torus_takes_any_channel_at_a_destination_that_it_passes() -> None:
    """By 2 to 1 in a ring of 5: up on class 0 of the first phase, at 1 on any channel, and down from 2 in the second.

    What does not wrap going down is of the ring's class 1, so of the second phase channel 3. By 3 to 1 the way wraps.
    """
    bound, head = bind("torus.valiant_booksim", build("torus:5x5")), new_head(0, 1)
    head[INTERMEDIATE] = 2
    assert candidates(bound, 0, head) == [[0, 0, 0, NORMAL]]
    head[IN_PORT] = 1
    assert [row[:2] for row in candidates(bound, 1, head)] == [[0, 0], [0, 1], [0, 2], [0, 3]]
    assert [row[:2] for row in candidates(bound, 2, head)] == [[1, 3]]
    head = new_head(0, 1)
    head[INTERMEDIATE] = 3
    assert way_of(bound, head) == [(4, 0), (3, 0), (2, 3), (1, 3)]


def test_valiant_on_a_mesh_takes_any_channel_at_its_destination_on_the_way() -> None:
    """From 0 by 3 to 1 in a line: on channels 0 and 1 to the first router, on any of four at the destination."""
    bound, head = bind("mesh.valiant_booksim", build("mesh:4"), 4), new_head(0, 1)
    head[INTERMEDIATE] = 3
    asked = [[vc for _, vc, _, _ in candidates(bound, here, head)] for here in (0, 1, 2)]
    assert asked == [[0, 1], [0, 1, 2, 3], [0, 1]]
    assert [vc for _, vc, _, _ in candidates(bound, 3, head)] == [2, 3]
    head[STATE] = 1
    assert candidates(bound, 1, head) == []


def test_valiant_on_a_torus_draws_its_ties_anew_in_the_second_phase() -> None:
    """From 0 by 2 to 0 in a ring of 4: the first bit says up or down to 2, the third one from there."""
    bound = bind("torus.valiant_booksim", build("torus:4x4"))
    for ties, routers in ((0b0001, [1, 2, 1, 0]), (0b0100, [3, 2, 3, 0]), (0b0101, [1, 2, 3, 0])):
        head = new_head(0, 0)
        started(bound, head, 2 + 16 * ties, np.zeros(4, np.int64))
        assert head[INTERMEDIATE] == 2 and [router for router, _ in way_of(bound, head)] == routers
    assert bound.draws == 16 * 16


def test_halves_of_an_odd_number_of_channels_share_the_middle_one() -> None:
    """As BookSim 2 has them: of five the first three and the last three, whose outermost ones are escapes as well."""
    bound = bind("torus.booksim:middle=shared", build("torus:5x5"), 5)
    assert candidates(bound, 0, new_head(0, 2)) == [[0, v, 0, NORMAL] for v in (0, 1, 2)] + [[0, 0, 0, ESCAPE]]
    down = [[1, v, CLASS_BIT, NORMAL] for v in (2, 3, 4)] + [[1, 4, CLASS_BIT, ESCAPE]]
    assert candidates(bound, 2, new_head(2, 0)) == down
    own = bind("torus.booksim", build("torus:5x5"), 5)
    assert [row[1] for row in candidates(own, 0, new_head(0, 2))] == [0, 1, 2]
    assert [row[1] for row in candidates(own, 2, new_head(2, 0))] == [3, 4]


def test_halves_without_a_marked_channel_are_the_same_for_packets_that_go_by_the_next_output() -> None:
    bound = bind("torus.booksim:middle=unmarked", build("torus:5x5"), 5)
    assert candidates(bound, 0, new_head(0, 2)) == [[0, v, 0, NORMAL] for v in (0, 1, 2)]
    assert candidates(bound, 2, new_head(2, 0)) == [[1, v, CLASS_BIT, NORMAL] for v in (2, 3, 4)]


@pytest.mark.parametrize(
    ("routing", "spec"),
    [
        ("mesh.romm_booksim", "mesh:4x4"),
        ("hyperx.valiant_booksim", "hyperx:4x4"),
        ("hyperx.ugal_booksim", "hyperx:4x4"),
    ],
)
def test_phases_share_the_middle_one_of_an_odd_number_of_channels(routing: str, spec: str) -> None:
    """From 0 by 1 to 5: of five channels the first three until 1, the last three from there, the outermost twice."""
    bound, head = bind(routing, build(spec), 5), new_head(0, 5)
    head[INTERMEDIATE] = 1
    assert [row[1:] for row in candidates(bound, 0, head)] == [[v, 0, NORMAL] for v in (0, 1, 2)] + [[0, 0, ESCAPE]]
    assert [row[1:] for row in candidates(bound, 1, head)] == [[v, 1, NORMAL] for v in (2, 3, 4)] + [[4, 1, ESCAPE]]


def test_phases_of_valiant_on_a_mesh_share_the_middle_channel_too() -> None:
    """Without an escape, as what passes its destination may hold any channel."""
    bound, head = bind("mesh.valiant_booksim", build("mesh:4"), 3), new_head(0, 1)
    head[INTERMEDIATE] = 3
    assert [row[1:] for row in candidates(bound, 2, head)] == [[0, 0, NORMAL], [1, 0, NORMAL]]
    assert [row[1:] for row in candidates(bound, 3, head)] == [[1, 1, NORMAL], [2, 1, NORMAL]]


@pytest.mark.parametrize("routing", ["mesh.o1turn_booksim", "mesh.o1turn_adaptive_booksim"])
def test_a_packet_on_the_middle_channel_goes_on_in_the_other_order(routing: str) -> None:
    """From 0 to 10 on 4x4: what takes channel 1 of three along x goes on along y, what takes channel 0 along x."""
    bound, head = bind(routing, build("mesh:4x4"), 3), new_head(0, 10)
    assert candidates(bound, 0, head) == [[0, 0, 0, NORMAL], [0, 1, 1, NORMAL], [0, 0, 0, ESCAPE]]
    assert [row[0] for row in candidates(bound, 1, head)] == [0, 0, 0]
    head[STATE] = 1
    assert candidates(bound, 1, head) == [[2, 1, 1, NORMAL], [2, 2, 1, NORMAL], [2, 2, 1, ESCAPE]]
    even, other = bind(routing, build("mesh:4x4"), 4), bind(routing.removesuffix("_booksim"), build("mesh:4x4"), 4)
    for order in (0, 1):
        head[STATE] = order
        assert candidates(even, 0, head) == candidates(other, 0, head)


def test_valiant_on_a_torus_halves_by_ring_then_by_phase_and_shares_what_is_in_the_middle() -> None:
    """Of seven channels 0 to 3 and 3 to 6 are for the classes of a ring, of these all but one each for a phase."""
    want = {
        5: [(0, 1), (1, 2), (2, 3), (3, 4)],
        6: [(0, 1), (1, 2), (3, 4), (4, 5)],
        7: [(0, 2), (1, 3), (3, 5), (4, 6)],
        8: [(0, 1), (2, 3), (4, 5), (6, 7)],
        9: [(0, 2), (2, 4), (4, 6), (6, 8)],
        11: [(0, 3), (2, 5), (5, 8), (7, 10)],
    }
    for vcs, ends in want.items():
        bound, found = bind("torus.valiant_booksim", build("torus:5x5"), vcs), []
        for source, to, middle in ((0, 10, 1), (1, 2, 1), (2, 10, 1), (2, 0, 2)):
            head = new_head(source, to)
            head[INTERMEDIATE] = middle
            rows = candidates(bound, source, head)
            found.append((rows[0][1], rows[-1][1]))
        assert found == ends, vcs


@pytest.mark.parametrize(
    ("routing", "parts"),
    [
        ("torus.booksim", {0.5}),
        ("torus.valiant_booksim", {0.5}),
        ("torus.min_adapt_booksim", {0.0, 1.0}),
        ("torus.dateline", {0.0, 1.0}),
        ("torus.duato", {0.0, 1.0}),
    ],
)
def test_which_routings_share_out_what_goes_over_two_links(routing: str, parts: set[float]) -> None:
    """Of what a router sends over a side of two, the part of each link: as docs/families.md has it."""
    net = build("torus:4x2,double=true")
    load = channel_loads(bind(routing, net), bind_traffic("uniform", net)).load[:, 2:]
    assert set((load / load.sum(axis=1, keepdims=True)).round(9).ravel()) == parts


def test_a_side_of_two_with_two_links_is_drawn_as_a_tie_and_with_one_goes_up() -> None:
    """From 1 to 0 on two routers: by link 1 or 0 as the draw says, in both of the upper class as it has to wrap."""
    for spec, ports in (("torus:2,double=true", [1, 0]), ("torus:2", [0, 0])):
        bound = bind("torus.booksim", build(spec), 4)
        assert bound.draws == 2
        for draw, port in enumerate(ports):
            head = new_head(1, 0)
            started(bound, head, draw, np.zeros(2, np.int64))
            assert [row[:2] for row in candidates(bound, 1, head)] == [[port, 2], [port, 3]]
