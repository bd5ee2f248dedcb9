"""Single flits that say where they stand in kept routes: states of any sign, and ways as long as packets may go."""

from __future__ import annotations

from tests.twin.sim.test_sets import CYCLES, assert_same, engines, kept_rows

from jumpnet.jit.decorator import DISABLED
from jumpnet.routings import DESTINATION, NEXT_STATE, PORT, SOURCE, STATE, VC, Routing
from jumpnet.sim.config import config_from
from jumpnet.sim.measure.checks import check
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER


def by_draw(net, head, draw, queue):
    head[STATE] = draw * 16 - 50


def signed(net, here, head, out):
    """States -50 to 30, which all would have the same slot."""
    if here == head[DESTINATION]:
        return 0
    out[0, :] = 0
    out[0, PORT], out[0, NEXT_STATE] = head[STATE] >> 4 & 1, head[STATE]
    return 1


def seven_times(net, head, draw, queue):
    head[STATE] = 7 if head[SOURCE] == 1 and head[DESTINATION] > 253 else 1


def seven_rounds(net, here, head, out):
    """STATE is how often router 0 is still met."""
    if head[STATE] == 0 and here == head[DESTINATION]:
        return 0
    state = head[STATE] - int(here == 0)
    out[0, :] = 0
    out[0, VC] = out[0, NEXT_STATE] = state
    return 1


SIGNED = Routing(name="test.signed", relation=signed, start=by_draw, draws=lambda net, options: 6)
ROUND = Routing(name="test.round", relation=seven_rounds, start=seven_times, vcs=8)
"""Some packets go seven times round."""


def test_states_below_zero_have_slots_like_others() -> None:
    for flits in ("1", "2"):
        config = config_from({"load": 0.1, "packet_flits": flits, "vcs": 2})
        rows, sets = engines("torus:4", SIGNED, 2, config)
        for engine in (rows, sets):
            engine.advance(CYCLES)
            check(engine)
        assert_same(rows, sets)
        known = sets.state.states[(sets.state.states < 0)]
        assert len(known) == 1 and rows.state.counter[COUNTER.ejected] > 20


def test_packets_that_have_gone_far_keep_no_route_again() -> None:
    """From so many hops on each asks at every router, where others have kept the answer: not once more."""
    config = config_from({"load": 0.001, "packet_flits": "1", "vcs": 8, "traffic": "hotspot:nodes=255"})
    rows, sets = engines("torus:256", ROUND, 8, config)
    assert sets.shape.max_hops > at.MOST_HOPS
    for engine in (rows, sets):
        engine.advance(50 if DISABLED else 12_000)
    assert_same(rows, sets)
    assert DISABLED or rows.state.counter[COUNTER.flit_hops] > 2000
    assert DISABLED or len(kept_rows(sets)) == sets.state.answers[0, 1] > 2000
