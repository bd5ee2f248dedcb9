"""Parts of proofs on graphs of a few channels or states, argued by hand."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.analysis.deadlock.conditions._duato import extend
from jumpnet.analysis.deadlock.cycles.checker import accepts, accepts_bits, accepts_pieces, accepts_rings, accepts_rows
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.digits.graph import dependencies_by_digits
from jumpnet.routings import Routing
from jumpnet.routings.view import DESTINATION, ESCAPE, NORMAL, STATE
from jumpnet.topology import build


def test_equal_numbers_do_not_ascend():
    """Two channels that wait for each other would have equal numbers else."""
    equal, held, wanted = np.zeros(2, np.int64), np.array([0, 1]), np.array([1, 0])
    bits, base = np.array([[0b10], [0b01]], np.uint64), np.zeros(2, np.int64)
    assert not accepts(equal, held, wanted)
    assert not accepts_rows(equal, np.array([0, 1, 2]), wanted)
    assert not accepts_bits(equal, bits, base)
    assert not accepts_pieces(equal, [(bits, base)])
    assert accepts(np.arange(2), held[:1], wanted[:1])


@pytest.mark.parametrize(("held", "wanted"), [([0, 1], [2, 2]), ([0, 0], [1, 2])], ids=["into", "out"])
def test_a_ring_has_one_way_into_each_channel_and_one_out_of_it(held, wanted):
    """Channels of one number: where two ways meet, or part, is no ring."""
    none, equal = np.zeros(3, bool), np.zeros(3, np.int64)
    assert not accepts_rings(equal, np.array(held), np.array(wanted), none[:2], none)
    assert accepts_rings(equal, np.array([0, 1, 2]), np.array([1, 2, 0]), none, none)


def test_escapes_are_come_to_all_round_a_circle():
    """Three states lead on to each other by NORMAL ways, each has an escape to the last state, where packets arrive.

    A packet that comes to any of the three by its escape channel, number 3 here, may ask for all escapes, its own too.
    """
    ways = [  # channel, NEXT_STATE (not read), kind, state entered
        [(4, 0, NORMAL, 1), (0, 0, ESCAPE, 3)],
        [(5, 0, NORMAL, 2), (1, 0, ESCAPE, 3)],
        [(6, 0, NORMAL, 0), (2, 0, ESCAPE, 3)],
        [],
        [(3, 0, ESCAPE, 2)],
    ]
    first = np.cumsum([0, *map(len, ways)])
    edge = np.array([way for each in ways for way in each], np.int64)
    escape = np.array([0, 1, 2, 3, -1, -1, -1])
    extended = np.zeros((4, 1), np.uint64)
    assert extend(first, edge, escape, extended) == -1
    assert extended[:, 0].tolist() == [0, 0, 0, 0b111]


@pytest.mark.parametrize("kind", [NORMAL, ESCAPE])
def test_a_state_with_one_way_that_is_no_escape_lacks_one(kind):
    first, edge = np.array([0, 1, 1]), np.array([[0, 0, kind, 1]], np.int64)
    escape = np.array([0 if kind == ESCAPE else -1])
    assert extend(first, edge, escape, np.zeros((1, 1), np.uint64)) == (-1 if kind == ESCAPE else 0)


def _one_up_first(net, here, head, out):
    """On a ring: one hop up whatever the destination, then down if that is where it came from, else up to the end."""
    destination = head[DESTINATION]
    if head[STATE] == 1 and here == destination:
        return 0
    back = head[STATE] == 1 and net.neighbor[here, 1] == destination
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 1 if back else 0, 0, 1, 0
    return 1


def test_sets_with_packets_home_that_nobody_sends_are_not_exact(monkeypatch):
    """A packet turns back after its first hop only where it is for its own router, and none is followed that is.

    Up, up and so on is the only ring that packets close; sets hold those for their own routers, so these say more.
    """
    ring = build("torus:5")
    one = Routing(name="ring.one_up_first", relation=_one_up_first, source="made here", summary="made here")
    monkeypatch.setattr(Routing, "own", False)  # of one's own, packets home are followed where some go out
    bound = one.bind(ring)
    packets = dependencies(bound, apart=False)
    sets = dependencies_by_digits(bound, job_of(bound), long=True)
    assert sets is not None and not sets.exact
    assert not (packets.bits & ~sets.graph[0]).any() and (sets.graph[0] & ~packets.bits).any()
