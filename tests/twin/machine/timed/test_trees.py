"""Multicasts of the timed machine argued by hand: routers without a node, and processors that make packets anew."""

from __future__ import annotations

import re

import pytest
from tests.twin.machine.timed.twin import assert_equal_the_naive_twin, made_trace

from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import chosen_machine
from jumpnet.machine.timed.design import Costs, Design
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.timed.trees import BitMapTrees, Tree
from jumpnet.multicast import scheme
from jumpnet.multicast.plan import HANDS, bit_map_plan

NODES, WRITER = 4, 3
SHORT, LINE, HANDLER = 4, 12, 10
LATENCY = 5
MESSAGE = LATENCY + SHORT


class _AlwaysSo:
    """Every multicast goes to node 1, and by way of one router without a node to another one."""

    routers = most_places = reach = 16
    remakes = False

    def tree(self, home, destinations):
        return Tree([home, 1, 12, 13], [-1, 0, 0, 2], [False, True, False, True])

    def takers(self, home, destinations):
        return Tree([home, 1, 13], [-1, 0, 0], [False, True, True])


def _write_stall(trees, told=(1,), nodes=NODES, **design):
    """Cycles that node 3 waits for a write to a line of node 0 that nodes `told` have copies of, as in the twin."""
    rows = [(0, 0, 4, False, 0)]
    for p in told:
        rows += [*((q, 1 << 20, 4, True, 4) for q in range(nodes)), (p, 0, 4, False, 0)]
    rows += [(q, 1 << 20, 4, True, 4) for q in range(nodes)]
    before, after = (
        assert_equal_the_naive_twin(
            streams_of(made_trace(made, nodes)), nodes, Design(synchronisation="free", **design), LATENCY, trees
        ).write_stall
        for made in (rows, [*rows, (WRITER, 0, 4, True, 0)])
    )
    return round(nodes * (after - before))


ASKED = HANDLER + MESSAGE + HANDLER
ANSWERED = HANDLER + LATENCY + LINE + HANDLER


@pytest.mark.parametrize("forward", [1, 4])
def test_a_router_without_a_node_answers_as_it_forwards(forward) -> None:
    """Farther away than node 1: down over two links, back over two, and a router's time at each of three places."""
    costs = Costs(forward_cycles=forward, handlers={"tell": 1})
    for how in ("single", "counted", "combined"):
        back = 4 * MESSAGE + 3 * forward if how == "combined" else 3 * MESSAGE + 2 * forward
        # The last one: node 1 has answered, and its acknowledge been handled, by then.
        assert back >= MESSAGE + 1 + MESSAGE + HANDLER
        assert _write_stall(_AlwaysSo(), acknowledges=how, costs=costs) == ASKED + back + ANSWERED, how


@pytest.mark.parametrize("how", ["single", "counted", "combined"])
def test_a_router_without_a_node_answers_where_packets_branch_inside(how) -> None:
    """As far away as node 1, whose processor is quicker than the router here."""
    costs = Costs(forward_cycles=4, handlers={"tell": 1, "acknowledge": 1})
    stall = _write_stall(_AlwaysSo(), acknowledges=how, branches="routers", costs=costs)
    # What the home's processor counts itself comes 3 cycles after that of node 1, and finds it free.
    assert stall == ASKED + 2 * MESSAGE + 4 + (ANSWERED - HANDLER + 1)


@pytest.mark.parametrize("remake", [0, 7])
def test_processors_that_make_a_packet_anew_argued_by_hand(remake) -> None:
    """To nodes 1 and 2: node 1's processor makes a map for each of two ranks before the packet goes on to node 2."""
    stalls = [
        _write_stall(BitMapTrees("rdt:4", name), (1, 2), nodes=16, acknowledges="combined", costs=costs)
        for name, costs in (("SM", Costs()), ("REMAKE", Costs(remake_cycles=remake)))
    ]
    there_and_back = 4 * MESSAGE + HANDLER + 1  # of SM, and once more for node 1's router on the way there
    assert stalls[0] == ASKED + there_and_back + 1 + ANSWERED
    assert stalls[1] == ASKED + there_and_back + 2 * (HANDLER + remake) + ANSWERED


@pytest.mark.parametrize("nodes", range(2, 17))
def test_routers_without_a_node_that_would_make_packets_anew_are_refused_beforehand(nodes) -> None:
    """Exactly where some home and one or two others make one of them do so."""
    trees, used = BitMapTrees("rdt:4", "REMAKE"), scheme("REMAKE")
    sets = [(home, {a, b} - {home}) for home in range(nodes) for a in range(nodes) for b in range(a + 1)]
    plans = [bit_map_plan(trees.rules, used, home, sorted(to)) for home, to in sets if to]
    makers = {router for plan in plans for router in plan.router[plan.local == HANDS].tolist()}
    if all(router < nodes for router in makers):
        assert nodes in (2, 3, 14, 15, 16)
        chosen_machine("rdt:4", processors=nodes, multicast="REMAKE")
        return
    with pytest.raises(JumpnetError, match=rf"{nodes} nodes found .*anew: router (\d+) has none") as refused:
        chosen_machine("rdt:4", processors=nodes, multicast="REMAKE")
    assert int(re.search(r"router (\d+)", str(refused.value))[1]) in makers - {*range(nodes)}
