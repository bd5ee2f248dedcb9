"""The least number of virtual channels: known cases, and that one channel less than the lower bound does deadlock."""

from __future__ import annotations

import pytest

from jumpnet.analysis.deadlock.least_channels import least_channels
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.routings import bind
from jumpnet.topology import build


@pytest.mark.parametrize(
    ("spec", "least"), [("mesh:5x4", 1), ("hypercube:4", 1), ("tree:3,height=2", 1), ("torus:6", 2)]
)
def test_known_numbers(spec: str, least: int) -> None:
    found = least_channels(build(spec))
    assert found.exact == found.lower == found.upper == least


@pytest.mark.parametrize("spec", ["torus:5x5", "rdt:8", "srt1d:16", "kautz:2,n=3", "mesh:3x3"])
def test_bounds_bracket_what_the_proofs_say(spec: str) -> None:
    net = build(spec)
    found = least_channels(net)
    assert 1 <= found.lower <= found.upper
    assert prove(bind("lash", net, found.upper)).deadlock_free
    assert prove(bind("minimal", net, 1)).deadlock_free == (found.lower == 1)
