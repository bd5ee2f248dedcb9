"""Sets of lanes where routers have many more of them than output VCs, against rows."""

from __future__ import annotations

import numpy as np
import pytest
from tests.twin.sim.test_sets import CYCLES, assert_same

from jumpnet.networks import from_links
from jumpnet.routings import bind
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.checks import check


@pytest.mark.parametrize("routers", [16, 21], ids=["32 lanes", "42 lanes"])
def test_more_lanes_than_output_vcs(routers: int) -> None:
    """Output VCs of a router are few where links lead one way; its lanes may need sets of 64 bits all the same."""
    into_one = [(k, 0) for k in range(1, routers - 1)]
    links = np.array([(k, (k + 1) % routers) for k in range(routers)] + into_one)
    net = from_links("into one", "mine", routers, links, directed=True)
    bound, config = bind("minimal", net, 2), config_from({"load": 0.4, "packet_flits": "1", "vcs": 2})
    rows, sets = (Engine(net, bound, config, threads=1, sets=kept) for kept in (False, True))
    assert sets.memory.packs and sets.shape.out_vcs == 6 and sets.shape.lanes == 2 * routers
    for engine in (rows, sets):
        engine.advance(CYCLES)
        check(engine)
    assert_same(rows, sets)
