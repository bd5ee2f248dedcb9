"""Linear layouts: the SRT paper's wiring widths by construction, left-edge tracks against the densest gap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jumpnet.errors import JumpnetError
from jumpnet.graph.layout import linear_layout
from jumpnet.topology import build


@pytest.mark.parametrize("n", range(3, 11))
@pytest.mark.parametrize(("variant", "extra"), [("standard", 1), ("ls", 2), ("ss", 2)])
def test_srt_widths_are_those_of_theorem_2_and_its_corollaries(n, variant, extra):
    """2 lmax + 1, and 2 lmax + 2 for long and short span, with lmax = n - 1."""
    layout = linear_layout(build(f"srt1d:{2**n},variant={variant}"))
    assert layout.tracks == 2 * (n - 1) + extra
    assert layout.cut_width == layout.tracks


@settings(max_examples=30)
@given(st.sampled_from(["srt1d:16", "torus:4x4", "rdt:8", "torus:9", "hypercube:4"]), st.integers(0, 10**6))
def test_tracks_are_legal_and_as_few_as_the_densest_gap(spec, seed):
    net = build(spec)
    order = np.random.default_rng(seed).permutation(net.routers)
    layout = linear_layout(net, order)
    assert len(layout.wires) == net.links
    gaps = np.arange(net.routers - 1)
    over = [((layout.wires[:, 0] <= g) & (layout.wires[:, 1] > g)) for g in gaps]
    assert layout.cut_width == max(int(o.sum()) for o in over)
    assert layout.cut_width <= layout.tracks
    for level, tracks in layout.tracks_by_level.items():
        assert tracks == max(int((o & (layout.wires[:, 2] == level)).sum()) for o in over)
    for o in over:  # No two wires of one level and track over one gap.
        used = [tuple(w) for w in layout.wires[o][:, 2:].tolist()]
        assert len(used) == len(set(used))


def test_other_one_dimensional_networks_are_wider():
    """Chordal ring O(sqrt N), barrel shifter wider still, SRT O(log N): at 256 nodes in that order."""
    srt = linear_layout(build("srt1d:256")).tracks
    chordal = linear_layout(build("chordalring:256,w=15")).tracks
    barrel = linear_layout(build("barrelshifter:256")).tracks
    assert srt < chordal < barrel


@pytest.mark.parametrize("order", [[0, 1], [0] * 8, [*range(7), 9]])
def test_orders_must_be_permutations(order):
    with pytest.raises(JumpnetError, match="each of 8 routers once"):
        linear_layout(build("srt1d:8"), order)
