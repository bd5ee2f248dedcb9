"""Tables that the page fills on a whole network are those that `prepare` makes, at every count of channels."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.explore.gallery import GALLERY
from jumpnet.explore.runs import FILLED, _filled_shape, bindings
from jumpnet.routings import refilled
from jumpnet.routings._layers import MOST_FIRST_FIT_LAYERS, MOST_LAYERS
from jumpnet.routings.view import make_view
from jumpnet.topology import build

SMALL = [spec for listed in GALLERY.values() for spec in listed if build(spec).routers <= 128]


@pytest.mark.parametrize("spec", SMALL)
def test_tables_filled_are_those_prepared(spec: str) -> None:
    net = build(spec)
    ends = np.ascontiguousarray(net.terminals + net.sinks, np.int32)  # as `web/src/sim/broken.ts` counts them
    for counts in bindings(net):
        name = counts[0].name
        for bound in counts[:: max(1, len(counts) - 1)] if name in FILLED else ():
            own, shape = _filled_shape(name, net.routers)
            empty = np.zeros(own, np.int64), np.zeros(shape, np.int16)
            view, _alive = make_view(
                net.neighbor, net.far_port, net.link_class, net.coord, net.params, *empty, bound.vcs
            )
            layers = max(MOST_FIRST_FIT_LAYERS, MOST_LAYERS)
            room = 30 * net.routers + net.routers * net.ports * (20 + layers * (2 + net.ports)) + 300
            scratch = np.zeros(room // 2 + 1, np.int64)
            found = getattr(refilled, refilled.ROUTED[name])(view.address, ends.ctypes.data, scratch.ctypes.data)
            assert found == (counts[0].vcs if name in refilled.LAYERS else 1), (spec, name)
            assert np.array_equal(view.own, bound.view.own), (spec, name, bound.vcs)
            assert np.array_equal(view.table, bound.view.table), (spec, name, bound.vcs)
