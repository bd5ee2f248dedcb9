"""Floating vector routing on an RDT: the vector of the perfect RDT, its ranks visited in the order that suits.

Source: yang2001rdt section III.B. The paper leaves open which rank comes next, where a remainder of exactly n rounds
to, and how base moves count; each is an option, and the defaults give the shortest routes (see `_rdt/plan.py`). With
`ties=zero, order=best` it is the algorithm as printed with its best order of ranks. Not free of deadlock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jumpnet.networks import Network
from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._rdt.outlook import outlook
from jumpnet.routings._rdt.plan import next_hop, plan_table, start_state
from jumpnet.routings._rdt.vectors import OWN_RADIUS, OWN_TIES, port_of, take, vector_fit, vector_own
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, SOURCE, STATE

__all__ = ["DRIFT", "RDT_FLOATING", "prepare_plan", "start_vector"]

DRIFT = 6
"""How far base moves may stretch a rank-0 vector: two steps for each of three changes of rank."""


def relation(net, here, head, out):
    """The planned hop, on every virtual channel."""
    state = head[STATE]
    rank, direction, _ = next_hop(net, here, state)
    if rank < 0:
        return 0
    port = port_of(net, here, rank, direction)
    if port < 0:
        return -1
    state = take(net, state, rank, direction >> 1, 2 * (direction & 1) - 1)
    return put_class(out, 0, port, 0, 1, net.vcs, state, 0)


def start_vector(net, head, draw, queue):
    """Set the vector from source to destination; the start hook of every RDT routing with a plan."""
    head[STATE] = start_state(net, head[SOURCE], head[DESTINATION], net.own[OWN_TIES])


def prepare_plan(net: Network, options: Mapping[str, Any]) -> Prepared:
    """Layout of the state and the plan table for options `order`, `moves`, `ties`."""
    own = vector_own(net, DRIFT, options["ties"])
    return Prepared(own, plan_table(net, int(own[OWN_RADIUS]), options["order"], options["moves"]))


RDT_FLOATING = Routing(
    name="rdt.floating",
    relation=relation,
    outlook=outlook,
    fits=lambda net: vector_fit(net, ("rdt", "prdt"), DRIFT),
    options={
        "order": ("best", "ascending", "descending"),
        "ties": ("best", "zero", "away", "up"),
        "moves": ("best", "near", "compass", "x", "plain"),
    },
    meanings=MEANINGS,
    prepare=prepare_plan,
    start=start_vector,
    symmetric=lambda net: True,
    source="yang2001rdt, section III.B",
    summary="vector routing that visits the pending ranks in the best order; not free of deadlock",
)
