"""Linear layouts: the SRT paper's wiring widths by construction, left-edge tracks against the densest gap."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.graph.layout import CORNERS, grid_wiring, linear_layout, wire_length
from jumpnet.networks import from_links
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


@pytest.mark.parametrize("failed", [(), (5, 6, 11)], ids=["whole", "faulty"])
@pytest.mark.parametrize(
    "spec", ["torus:4x6", "srt2d:8,variant=ls", "rdt:16", "srt2d:16,shift=uniform", "mesh:5x3", "prdt:8,n=1,R=1"]
)
@pytest.mark.parametrize("corner", CORNERS)
def test_wires_on_a_grid_equal_walking_every_wire(spec, failed, corner):
    """Each wire step by step: which gaps of which row and column it crosses; faults, so that rows are not alike."""
    net = degraded(build(spec), failed)
    over, lengths, bent = {}, [], 0
    for r in range(net.routers):
        for s in net.neighbor[r].tolist():
            if s <= r:
                continue
            (x, y), (u, v) = net.coord[r].tolist(), net.coord[s].tolist()
            along, down = (y, u) if corner == "x first" else (v, x)
            steps = [("row", along, g) for g in range(min(x, u), max(x, u))] + [
                ("column", down, g) for g in range(min(y, v), max(y, v))
            ]
            for step in steps:
                over[step] = over.get(step, 0) + 1
            lengths.append(len(steps))
            bent += x != u and y != v
    found = grid_wiring(net, corner)
    for kind, tracks in (("row", found.row_tracks), ("column", found.column_tracks)):
        for n, count in enumerate(tracks.tolist()):
            assert count == max((c for (k, m, _), c in over.items() if (k, m) == (kind, n)), default=0)
    assert (found.length, found.longest, found.bent) == (sum(lengths), max(lengths), bent)
    assert found.area == sum(found.row_tracks.tolist()) * sum(found.column_tracks.tolist())


def test_no_choice_of_corners_needs_fewer_tracks_than_the_least():
    """Every choice for a network of six bent links, against the bound that is said to hold for all of them."""
    net = build("mesh:3x3")
    links = [((0, 0), (1, 1)), ((0, 0), (2, 1)), ((1, 0), (2, 2)), ((0, 1), (2, 2)), ((2, 0), (0, 2)), ((1, 0), (0, 1))]
    ends = np.array([(3 * y + x, 3 * v + u) for (x, y), (u, v) in links])
    found = grid_wiring(from_links("six links", "example", 9, ends, coord=net.coord))
    needed = []
    for turns in product((False, True), repeat=len(links)):
        rows, columns = np.zeros((3, 2), int), np.zeros((3, 2), int)
        for turn, ((x, y), (u, v)) in zip(turns, links, strict=True):
            rows[v if turn else y, min(x, u) : max(x, u)] += 1
            columns[x if turn else u, min(y, v) : max(y, v)] += 1
        needed.append((int(rows.max(axis=1).sum()), int(columns.max(axis=1).sum())))
    least = [min(tracks) for tracks in zip(*needed, strict=True)]
    assert all(bound <= tracks for bound, tracks in zip(found.least_tracks, least, strict=True))
    assert found.least_tracks == (5, 5) and found.tracks in needed  # five links cross the first gap each way


def test_other_corners_are_refused():
    with pytest.raises(JumpnetError, match="corner of a link"):
        grid_wiring(build("torus:4x4"), "z first")


def test_a_line_is_no_grid_to_wire():
    with pytest.raises(JumpnetError, match="two dimensions expected"):
        grid_wiring(build("srt1d:8"))


def test_wires_of_a_drawing_run_along_rows_and_columns_in_steps_of_the_nearest_two() -> None:
    """A triangle with sides 1, 2 and the root of 5, drawn four times as large: 1 + 2 + 3 steps."""
    places = 4.0 * np.array([[0, 0], [1, 0], [0, 2]])
    ends = [(0, 1), (1, 2), (2, 0)]
    assert wire_length(from_links("three", "example", 3, ends, position=places)) == 6.0
    assert wire_length(from_links("three", "example", 3, ends, position=places, directed=True)) == 6.0
    assert wire_length(build("rdt:8")) == grid_wiring(build("rdt:8")).length
    with pytest.raises(JumpnetError, match="three: routers without places found"):
        wire_length(from_links("three", "example", 3, ends))
    with pytest.raises(JumpnetError, match="three: several routers drawn at one place found"):
        wire_length(from_links("three", "example", 3, ends, position=0 * places))
