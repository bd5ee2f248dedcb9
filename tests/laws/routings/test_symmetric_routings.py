"""Routings that say they move with a network's automorphisms: one source per orbit gives the figures of all sources."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from jumpnet.analysis.loads import channel_loads
from jumpnet.analysis.routes.paths import path_figures
from jumpnet.routings import bind, routings
from jumpnet.topology import build, families
from jumpnet.traffic import bind as pattern

MOST = 100_000
"""Routes that are followed on a network: pairs and draws."""


def _symmetric():
    """(routing, spec) of each routing on two small sample networks, at most, on which it says that it is symmetric."""
    nets = [build(spec) for family in families().values() for spec in family.samples]
    nets = [net for net in nets if net.orbits is not None and len(net.orbits.size) < net.routers]
    for name, known in routings().items():
        fitting = (net for net in nets if known.fits(net) is None and known.symmetric(net))
        quick = (net.spec for net in fitting if net.routers**2 * bind(name, net).draws <= MOST)
        yield from ((name, spec) for spec in islice(quick, 2))


@pytest.mark.parametrize(("name", "spec"), list(_symmetric()))
def test_one_source_an_orbit_stands_for_all(name, spec):
    net = build(spec)
    one, every = bind(name, net), bind(name, replace(net, orbits=None))
    assert path_figures(one).counts == path_figures(every).counts
    assert np.allclose(*(channel_loads(bound, pattern("uniform", bound.network)).load for bound in (one, every)))
