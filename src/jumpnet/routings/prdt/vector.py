"""Simple vector routing on a perfect RDT: highest rank first, x before y on each, two dateline classes.

Source: yang2001rdt section III.A and IV.C ("e-cube routing is almost directly applied ... with two virtual channels").
A remainder of exactly n may round either way: `ties=zero` is the paper's rule, `ties=best` (the default) takes the
shortest and gives exactly the distances of the network wherever the step of every rank divides the side; on other
sides (`prdt:10,n=3`) every packet arrives, but some routes are longer than the distance.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jumpnet.networks import Network
from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._rdt.outlook import outlook
from jumpnet.routings._rdt.plan import next_hop
from jumpnet.routings._rdt.vectors import port_of, ring_class, take, vector_fit, vector_own
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.rdt.floating import start_vector
from jumpnet.routings.view import STATE

__all__ = ["PRDT_VECTOR"]


def relation(net, here, head, out):
    """The next step of the highest pending rank, on the channels of its dateline class."""
    state = head[STATE]
    rank, direction, left = next_hop(net, here, state)
    if rank < 0:
        return 0
    port = port_of(net, here, rank, direction)
    if port < 0:
        return -1
    ring = ring_class(net, here, rank, direction, left)
    state = take(net, state, rank, direction >> 1, 2 * (direction & 1) - 1)
    return put_class(out, 0, port, ring, 2, net.vcs, state, 0)


def _prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    return Prepared(vector_own(net, 0, options["ties"]))


PRDT_VECTOR = Routing(
    name="prdt.vector",
    relation=relation,
    outlook=outlook,
    vcs=2,
    fits=lambda net: vector_fit(net, ("prdt",), 0),
    options={"ties": ("best", "zero", "away", "up")},
    meanings=MEANINGS,
    prepare=_prepare,
    start=start_vector,
    symmetric=lambda net: True,
    default_for=("prdt",),
    source="yang2001rdt, section III.A",
    summary="simple vector routing, highest rank first, two dateline classes; free of deadlock",
)
