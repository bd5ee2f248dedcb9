"""Why layers of paths are not found by orbit on tori: decision 0100."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.routings import STATE, VC, bind
from jumpnet.routings.view import new_head, new_out
from jumpnet.topology import build


@pytest.mark.parametrize("name", ["lash", "dfsssp"])
@pytest.mark.parametrize("spec", ["torus:6x6", "torus:7x5"])
def test_pairs_two_hops_apart_along_a_ring_never_share_a_layer(spec, name):
    """Their paths, the only shortest ones, would close the ring. One hop apart they may."""
    net = build(spec)
    bound, side = bind(name, net), int(net.coord[:, 0].max()) + 1
    found = []
    for hops in (1, 2):
        layers = set()
        for source in np.flatnonzero(net.coord[:, 1] == 0):
            sink = np.flatnonzero(
                (net.coord == (net.coord[source] + [hops, 0]) % [side, net.routers // side]).all(axis=1)
            )
            head, out = new_head(int(source), int(sink[0])), new_out()
            if bound.routing.start is not None:
                bound.routing.start(bound.view, head, 0, np.zeros(bound.view.queues, np.int64))
            assert bound.routing.relation(bound.view, int(source), head, out) > 0 and head[STATE] >= 0
            layers.add(int(out[0, VC]))
        found.append(len(layers))
    assert found[1] > 1
