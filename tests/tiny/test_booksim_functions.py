"""What BookSim 2's less known routing functions choose on small networks, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.tiny.relations import candidates, started, way_of

from jumpnet.routings import ESCAPE, INTERMEDIATE, NORMAL, STATE, bind
from jumpnet.routings.hyperx._steps import line_port
from jumpnet.routings.view import new_head
from jumpnet.topology import build


def test_ugal_in_drawn_orders_has_a_quarter_of_the_channels_for_each_order_and_phase() -> None:
    """From 0 by 10 to 5 on 4x4, of eight channels; where no queue is longer a packet goes straight on."""
    net = build("flatfly:4,n=2,c=1")
    bound, queue = bind("hyperx.ugal_o1turn_booksim", net, 8), np.zeros(net.ports, np.int64)
    x, y = (line_port(bound.view, 0, to)[0] for to in (1, 4))
    for order, port, channels in ((0, x, [2, 3]), (1, y, [6, 7])):
        head = new_head(0, 5)
        assert started(bound, head, 2 * 10 + order, queue) == 1 + 2 * order
        assert [row[:2] for row in candidates(bound, 0, head)] == [[port, v] for v in channels]
    queue[y] = 1
    head = new_head(0, 5)
    assert started(bound, head, 2 * 10 + 1, queue) == 1 + 2  # 2 x 1 <= 4 x 0 + 2, by y to 4 or to 8
    assert started(bound, new_head(0, 5), 2 * 10, queue) == 1  # by x
    queue[y] = 2
    assert started(bound, head, 2 * 10 + 1, queue) == 2 and head[INTERMEDIATE] == 10
    assert [[row[1] for row in candidates(bound, at, head)] for at in (0, 10)] == [[4, 5], [6, 7]]


@pytest.mark.parametrize("routing", ["hyperx.o1turn_booksim", "hyperx.o1turn_adaptive_booksim"])
def test_an_order_on_a_flattened_butterfly_is_that_of_the_channel(routing: str) -> None:
    """From 0 to 5 on 4x4 with three channels: channel 1 leads to the other order, as on a mesh."""
    bound, head = bind(routing, build("flatfly:4,n=2,c=1"), 3), new_head(0, 5)
    x, y = (line_port(bound.view, 0, to)[0] for to in (1, 4))
    assert candidates(bound, 0, head) == [[x, 0, 0, NORMAL], [x, 1, 1, NORMAL], [x, 0, 0, ESCAPE]]
    head[STATE] = 1
    assert candidates(bound, 0, head) == [[y, 1, 1, NORMAL], [y, 2, 1, NORMAL], [y, 2, 1, ESCAPE]]


def test_the_order_on_a_flattened_butterfly_is_chosen_by_the_shorter_queue() -> None:
    net = build("flatfly:4,n=2,c=1")
    bound, queue = bind("hyperx.o1turn_adaptive_booksim", net), np.zeros(net.ports, np.int64)
    assert [started(bound, new_head(0, 5), draw, queue) for draw in (0, 1)] == [0, 1]
    queue[line_port(bound.view, 0, 1)[0]] = 1
    assert [started(bound, new_head(0, 5), draw, queue) for draw in (0, 1)] == [1, 1]
    assert [started(bound, new_head(0, 1), draw, queue) for draw in (0, 1)] == [0, 1]  # one way


def test_balanced_rings_have_two_datelines() -> None:
    """In a ring of 8 the ends are 7 and 0, the middle 3 and 4: class 1 past the ends, 0 past the middle, drawn else."""
    bound = bind("torus.balanced_booksim", build("torus:8x8"))
    for here, to, port, classes in ((6, 1, 0, [1, 1]), (1, 6, 1, [1, 1]), (2, 5, 0, [0, 0]), (5, 2, 1, [0, 0]),
                                    (3, 4, 0, [0, 0]), (4, 3, 1, [0, 0]),
                                    (0, 3, 0, [0, 1]), (7, 4, 1, [0, 1])):  # fmt: skip
        found = []
        for drawn in (0, 1):
            head = new_head(here, to)
            started(bound, head, drawn, np.zeros(4, np.int64))
            found.append(candidates(bound, here, head)[0][:2])
        assert found == [[port, c] for c in classes]
    assert bound.draws == 4 * 4


def test_a_destination_has_channels_of_its_own() -> None:
    """Of 20 on 3x3 two each, and two are no one's; of four each is for some."""
    net = build("torus:3x3")
    assert [row[1] for row in candidates(bind("torus.noninterfering", net, 20), 0, new_head(0, 4))] == [8, 9]
    assert [row[1] for row in candidates(bind("torus.noninterfering", net, 4), 0, new_head(0, 6))] == [2]


def test_planar_adaptive_routing_goes_on_in_two_dimensions_on_the_channels_of_the_way() -> None:
    """From 0 to 42 and back on 4x4x4, by x and y, then by y and z; BookSim keeps the first output alone."""
    net = build("mesh:4x4x4")
    bound, theirs = bind("mesh.planar_adaptive", net), bind("mesh.planar_adapt_booksim", net, 7)
    assert [row[:2] for row in candidates(bound, 0, new_head(0, 42))] == [[0, 2], [2, 0]]
    assert [row[:2] for row in candidates(bound, 42, new_head(42, 0))] == [[1, 2], [3, 1]]
    assert [row[:2] for row in candidates(bound, 2, new_head(0, 42))] == [[2, 2], [4, 0]]
    assert [row[:2] for row in candidates(bound, 10, new_head(0, 42))] == [[4, 2]]
    assert [row[:2] for row in candidates(theirs, 0, new_head(0, 42))] == [[0, 4], [0, 5], [0, 6]]


def test_express_links_are_taken_along_the_edges_where_half_a_side_is_left() -> None:
    """On 8x8 along y = 0 from x = 1: by port 3 to 5; on 4x4 in both orders, by the links of the edge."""
    wide, square = bind("cmesh.express", build("cmesh:8x8")), bind("cmesh.express_o1turn_booksim", build("cmesh:4x4"))
    assert [router for router, _ in way_of(wide, new_head(1, 6))] == [5, 6]
    assert [router for router, _ in way_of(wide, new_head(1, 5))] == [5]
    assert [router for router, _ in way_of(wide, new_head(1, 4))] == [2, 3, 4]
    assert [router for router, _ in way_of(wide, new_head(9, 14))] == [10, 11, 12, 13, 14]
    assert way_of(square, new_head(0, 2)) == [(2, 0)]
    assert way_of(square, new_head(0, 15)) == [(2, 0), (3, 0), (11, 0), (15, 0)]
    head = new_head(0, 15)
    head[STATE] = 1
    assert way_of(square, head) == [(8, 1), (12, 1), (14, 1), (15, 1)]


def test_three_tiers_are_left_by_the_drawn_or_the_first_way_up() -> None:
    """From access switch 12 to 27: by aggregation 4 or 5, a core switch 0 to 3, and aggregation 10 or 11."""
    net = build("threetier:4")
    drawn, first = bind("threetier.nca", net), bind("threetier.nca:up=first", net)
    assert (drawn.draws, first.draws) == (16, 2)
    for draw in range(16):
        head = new_head(12, 27)
        started(drawn, head, draw, np.zeros(8, np.int64))
        assert [router for router, _ in way_of(drawn, head)] == [4 + draw % 2, draw // 2 % 4, 10 + draw // 8, 27]
    for draw in range(2):
        head = new_head(12, 27)
        started(first, head, draw, np.zeros(8, np.int64))
        assert [router for router, _ in way_of(first, head)] == [4, 0, 10 + draw, 27]
    assert len(way_of(drawn, new_head(12, 13))) == 2
