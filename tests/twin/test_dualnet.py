"""Halvings of recursive dual-nets, counted link by link, against Theorem 1 of the RDN paper."""

from __future__ import annotations

import pytest

from jumpnet.analysis.dualnet import dual_halving
from jumpnet.errors import JumpnetError
from jumpnet.topology import build
from jumpnet.topology.rdn import over


@pytest.mark.parametrize(
    ("base", "k"), [("torus:4", 1), ("torus:8", 1), ("torus:3", 2), ("hypercube:3", 1), ("torus:2", 2)]
)
def test_the_halving_cuts_as_many_links_as_it_says(base, k):
    found = dual_halving(build(base), k)
    net = over(build(base), k)
    half = found.half
    assert half is not None
    assert len(half) == found.routers == net.routers
    assert 2 * int(half.sum()) == net.routers
    crossing = sum(1 for r in range(net.routers) for s in net.neighbor[r] if s >= 0 and half[r] != half[s])
    assert crossing == 2 * found.links


@pytest.mark.parametrize(("base", "k"), [("torus:3", 2), ("torus:3", 3), ("torus:5x5", 2), ("torus:8", 1)])
def test_theorem_1_is_not_the_least_halving(base, k):
    found = dual_halving(build(base), k)
    assert found.links < found.claimed


def test_theorem_1_holds_where_every_halving_was_tried():
    found = dual_halving(build("torus:3"), 1)
    assert found.links == found.claimed


def test_k_from_one():
    with pytest.raises(JumpnetError, match="k=0 found"):
        dual_halving(build("torus:3"), 0)
