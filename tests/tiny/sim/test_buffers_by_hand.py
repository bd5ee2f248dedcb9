"""Which buffers are open to a head in `tests/naive/buffers.py`, by hand: a cut-through packet needs room for all of it,
and where buffers are given empty a tail that has come is not enough."""

from __future__ import annotations

import pytest
from tests.naive.buffers import Buffers, Flow, Places

ACROSS = Places([0, 1], [[(1, False)], [(0, False)]], [(0, False)])
"""Two channels: packets come in by channel 0, and go to and fro between the two for ever."""


def standing(place: int, length: int, to_come: int = 0) -> tuple[int, int, int, int, int, bool]:
    """A packet in a buffer whose head is there: its place, flits here, place ahead, flits to come, flits, at source."""
    return place, length - to_come, -1, to_come, length, False


def is_open(flow: Flow, packets: tuple, length: int, enters: bool = False) -> bool:
    """Whether a head of a packet of so many flits may come to packets that stand in channel 1."""
    return Buffers(ACROSS, flow, lean=False).open(packets, length, enters)


@pytest.mark.parametrize(("room", "fits"), [(2, [False, False]), (3, [True, False]), (4, [True, True])])
def test_a_packet_cut_through_comes_in_only_where_it_fits_whole(room: int, fits: list[bool]) -> None:
    """Behind a packet of two flits, which leaves room for none, one or two: one of one flit, and one of two."""
    flow, before = Flow(room, (1, 2), whole=True), (standing(1, 2),)
    assert [is_open(flow, before, length) for length in (1, 2)] == fits
    wormhole = [is_open(flow._replace(whole=False), before, length) for length in (1, 2)]
    assert wormhole == [room > 2] * 2  # one flit is enough, however many follow
    assert is_open(flow, (), 2) and not is_open(Flow(1, (2,), whole=True), (), 2)


def test_a_packet_cut_through_waits_behind_another_until_it_fits() -> None:
    """A packet of two flits in each channel and room for three: neither goes on, nor does a third come in."""
    both = ((standing(0, 2),), (standing(1, 2),))
    cut_through = Buffers(ACROSS, Flow(3, (2,), whole=True), lean=False)
    assert cut_through.next(both) == [] and cut_through.stuck(both) == {0, 1}
    wormhole = Buffers(ACROSS, Flow(3, (2,)), lean=False)
    assert len(wormhole.next(both)) == 3 and wormhole.stuck(both) == set()


def test_a_buffer_given_empty_has_one_packet_however_much_room_is_left() -> None:
    """Behind a packet of one flit in a buffer of four: one more, but none where a buffer is given only when empty."""
    tail, empty = Flow(4, (1, 2)), Flow(4, (1, 2), empty=True)
    assert is_open(tail, (standing(1, 1),), 1) and not is_open(empty, (standing(1, 1),), 1)
    assert is_open(tail, (), 1) and is_open(empty, (), 1)
    both = ((standing(0, 1),), (standing(1, 1),))
    assert Buffers(ACROSS, empty, lean=False).stuck(both) == {0, 1}
    assert Buffers(ACROSS, tail, lean=False).stuck(both) == set()


def test_nobody_comes_between_the_flits_of_a_packet() -> None:
    """Of two flits one has come: the buffer is that packet's until its tail has, by either rule."""
    for flow in (Flow(4, (1, 2)), Flow(4, (1, 2), empty=True)):
        assert not is_open(flow, (standing(1, 2, to_come=1),), 1)


def test_a_packet_that_enters_a_ring_leaves_room_for_one_more() -> None:
    """Buffers of two packets of two flits: into an empty one, and behind one, entering or going on in the ring."""
    flow = Flow(4, (2,), whole=True, bubble=True)
    assert [is_open(flow, (), 2, enters) for enters in (True, False)] == [True, True]
    assert [is_open(flow, (standing(1, 2),), 2, enters) for enters in (True, False)] == [False, True]
