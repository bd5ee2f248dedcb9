"""What a user's own routing says of its ways is not believed where it says how short a cycle can be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.progress import silent
from jumpnet.analysis.deadlock.walks.counters import counters_of
from jumpnet.analysis.deadlock.walks.shared import SharedWalks
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.bounds.partial_graph import partial_graph
from jumpnet.routings import bind
from jumpnet.topology import build


@pytest.mark.parametrize(("own", "at_least"), [(False, None), (True, 2)])
def test_that_ways_are_shortest_is_believed_of_the_package_alone(own, at_least):
    """Of all ways, two channels there and back are a cycle, which is of no shortest way; without it none is shorter
    than the one that is found."""
    ours = bind("mesh.romm", build("mesh:4x4"), 1)
    bound, made = replace(ours.routing).bind(ours.network, 1) if own else ours, dependencies(ours, apart=False)
    assert (bound.own, bound.routing.minimal) == (own, True)
    net = bound.network
    there, back = int(np.flatnonzero(net.neighbor[0] == 1)[0]), int(np.flatnonzero(net.neighbor[1] == 0)[0])
    made.bits[there, 0] |= 1 << back
    made.bits[net.ports + back, 0] |= 1 << there
    sinks = np.arange(net.routers, dtype=np.int32)
    follow = SharedWalks(bound, job_of(bound), sinks, 1, silent).to_some
    among = made.bits, made.used, made.escape, counters_of(made.states)
    found = partial_graph(bound, sinks, follow, longer=True, among=among)
    assert found is not None and found.at_least == at_least
