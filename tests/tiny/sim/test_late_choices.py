"""A routing that looks at queues finds them as they are when route computation ends, by hand on two routers."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.routings import DESTINATION, KIND, NEXT_STATE, NORMAL, PORT, STATE, VC, Routing, bind
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.topology import build
from jumpnet.traffic import PacketList


def _relation(net, here, head, out):
    """By the only link: on the second channel where six credits of it were used up."""
    out[0, PORT], out[0, VC], out[0, NEXT_STATE], out[0, KIND] = int(here == 1), head[STATE] == 6, head[STATE], NORMAL
    return 0 if here == head[DESTINATION] else 1


def _start(net, head, draw, queue):
    head[STATE] = queue[0]


@pytest.mark.parametrize("routing_cycles", [1, 2, 3, 6])
def test_a_choice_by_queues_is_made_in_the_last_cycle_of_route_computation(routing_cycles: int) -> None:
    """A packet of one flit behind one of eight, whose head is at the router in cycle 2.

    It wins the switch `routing_cycles` + 1 cycles later; one flit follows in each cycle. The second head is there in
    cycle 10, and its route computation ends `routing_cycles` - 1 cycles later: six flits have gone, whatever that is,
    and no credit has come back.
    """
    net = build("mesh:2")
    config = config_from({"events": True, "vcs": 2, "routing_delay_cycles": routing_cycles, "buffer_flits": 16})
    two = PacketList(*(np.array(column) for column in ([0, 0], [0, 0], [1, 1], [8, 1])))
    routing = Routing(name="test.late", relation=_relation, start=_start, vcs=2)
    engine = Engine(net, bind(routing, net, 2), config, two)
    engine.advance(40)
    won = [row for row in engine.events().tolist() if row[1] == at.EVENT_VC and row[6] == 0]
    assert [(row[0], row[3], row[7]) for row in won] == [(2 + routing_cycles, 0, 0), (10 + routing_cycles, 1, 1)]
