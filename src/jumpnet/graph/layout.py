"""Wiring of layouts: routers in a row, each link a wire in some track above them; routers on a grid, as on a wafer.

The SRT paper (inoguchi1996srt section 2.2, Theorem 2, Corollaries 2 and 3) gives each level its own tracks, in which
wires that only touch at a router follow one another. Here the layout is made by the left-edge rule (Hashimoto and
Stevens 1971), which needs no more tracks than the densest gap. On a grid each link is wired along the row of one end
and the column of the other, in channels beside them (the SRT paper's reason to have no diagonal links, section 1).
Called by reports and drawings.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.graph.grid import grid_of
from jumpnet.networks import Network
from jumpnet.terms import I64

__all__ = ["CORNERS", "GridWiring", "LinearLayout", "grid_wiring", "linear_layout", "wire_length"]

CORNERS = ("x first", "y first")
"""Where a diagonal link turns: from its router of the lower number it goes along the row first, or along the column."""


@dataclass(frozen=True)
class LinearLayout:
    """A network laid out on a line."""

    order: I64
    """(R,) router at each place of the line."""
    wires: I64
    """(L, 4) each link: left place, right place, level (rank or dimension), track within its level from 0."""
    tracks_by_level: dict[int, int]
    """Tracks that each level's wires need by themselves."""
    cut_width: int
    """Most links over any gap between neighboring places: the width when levels may share tracks."""

    @property
    def tracks(self) -> int:
        """The paper's wiring width: the sum of `tracks_by_level`; at least `cut_width`."""
        return sum(self.tracks_by_level.values())


def _density(first: I64, last: I64, places: int) -> int:
    """Most intervals [first, last) over one gap."""
    change = np.bincount(first, minlength=places) - np.bincount(last, minlength=places)
    return int(np.cumsum(change).max(initial=0))


def _left_edge(first: I64, last: I64) -> I64:
    """Track of each interval: in order of left ends, the track that has been free the longest."""
    track = np.zeros(len(first), np.int64)
    free: list[tuple[int, int]] = []  # (right end of its last wire, track), the earliest first.
    for wire in np.lexsort((last, first)).tolist():
        if free and free[0][0] <= first[wire]:
            chosen = heapq.heapreplace(free, (int(last[wire]), free[0][1]))[1]
        else:
            chosen = len(free)
            heapq.heappush(free, (int(last[wire]), chosen))
        track[wire] = chosen
    return track


@public
def linear_layout(net: Network, order: Sequence[int] | I64 | None = None) -> LinearLayout:
    """Lay a network out on a line, by router number unless an order (R routers, each once) is given.

    Parallel links and the channels of directed networks are a wire each; links of a router to itself need none.
    Raises JumpnetError for an order that is not a permutation. Cost: O(links log links).

    >>> from jumpnet.topology import build
    >>> linear_layout(build("srt1d:32")).tracks, linear_layout(build("srt1d:32")).tracks_by_level
    (9, {0: 2, 1: 2, 2: 2, 3: 2, 4: 1})
    """
    count = net.routers
    line = np.arange(count) if order is None else np.asarray(order, np.int64)
    if line.shape != (count,) or not np.array_equal(np.sort(line), np.arange(count)):
        raise JumpnetError(f"an order of {line.size} places found, each of {count} routers once expected")
    place = np.empty(count, np.int64)
    place[line] = np.arange(count)
    rows, cols, far = net.channel_ends
    # A two-way link shows at both ends: keep the end on the left.
    keep = (rows != far) if net.directed else (place[rows] < place[far])
    rows, cols, far = rows[keep], cols[keep], far[keep]
    first, last = np.minimum(place[rows], place[far]), np.maximum(place[rows], place[far])
    level = net.class_rank[net.link_class[rows, cols]].astype(np.int64)
    track = np.zeros(len(first), np.int64)
    by_level: dict[int, int] = {}
    for k in np.unique(level):
        own = level == k
        track[own] = _left_edge(first[own], last[own])
        by_level[int(k)] = int(track[own].max()) + 1
    wires = np.stack([first, last, level, track], axis=1)
    return LinearLayout(line, wires, by_level, _density(first, last, count))


@dataclass(frozen=True)
class GridWiring:
    """The wires of a network whose routers stand on a grid, with a channel beside each row and each column."""

    row_tracks: I64
    """(rows,) tracks that the horizontal wires of each row need."""
    column_tracks: I64
    """(columns,) tracks that the vertical wires of each column need."""
    length: int
    """Length of all wires in grid steps."""
    longest: int
    """Length of the longest wire."""
    bent: int
    """Links with a wire along a row and one along a column: diagonal links."""
    least_tracks: tuple[int, int]
    """Tracks over all rows, over all columns, below which no choice of corners gets: the most wires that cross one line
    between two columns, between two rows. A corner moves a wire to another row, never to another gap of it."""

    @property
    def tracks(self) -> tuple[int, int]:
        """Tracks across the whole layout: over all rows, over all columns."""
        return int(self.row_tracks.sum()), int(self.column_tracks.sum())

    @property
    def area(self) -> int:
        """Tracks over all rows times tracks over all columns: what wires alone take, in squares of the track pitch."""
        return self.tracks[0] * self.tracks[1]

    @property
    def least_area(self) -> int:
        """The same of `least_tracks`: no choice of corners takes less."""
        return self.least_tracks[0] * self.least_tracks[1]


@public
def grid_wiring(net: Network, corner: str = "x first") -> GridWiring:
    """Wire a network on the grid of its coordinates (x, y), y the row.

    A link leaves its router of the lower number along that router's row, to the column of the other one, and goes along
    that column; with `corner` "y first" it goes along its column to the other's row. No wire leads around the grid: one
    over the wrap-around runs back across. Wires of a channel that only touch share a track. Raises JumpnetError when
    the coordinates are no grid of two dimensions. Cost: O(links).

    >>> from jumpnet.topology import build
    >>> made = grid_wiring(build("torus:4x4"))
    >>> made.row_tracks.tolist(), made.length, made.longest, made.bent
    ([2, 2, 2, 2], 48, 3, 0)
    """
    grid = grid_of(net)
    if grid is None or len(grid.sides) != 2:
        raise JumpnetError(f"{net.spec}: a network whose coordinates are a grid of two dimensions expected")
    if corner not in CORNERS:
        raise unknown_name("corner of a link", corner, CORNERS)
    router, _, far = net.channel_ends
    keep = router != far if net.directed else router < far
    a, b = net.coord[router[keep]].astype(np.int64), net.coord[far[keep]].astype(np.int64)
    row_of, column_of = (a, b) if corner == "x first" else (b, a)
    width, height = grid.sides
    of_rows = _tracks(row_of[:, 1], a[:, 0], b[:, 0], height, width)
    of_columns = _tracks(column_of[:, 0], a[:, 1], b[:, 1], width, height)
    one = np.zeros(len(a), np.int64)  # all in one channel: the wires over each line across the grid
    least = int(_tracks(one, a[:, 0], b[:, 0], 1, width)[0]), int(_tracks(one, a[:, 1], b[:, 1], 1, height)[0])
    spans = np.abs(a - b)
    lengths = spans.sum(axis=1)
    bent = int((spans > 0).all(axis=1).sum())
    return GridWiring(of_rows, of_columns, int(lengths.sum()), int(lengths.max(initial=0)), bent, least)


def wire_length(net: Network) -> float:
    """Length of all wires, along rows and columns: on a grid of two dimensions in its steps, else as it is drawn.

    There the routers stand at `Network.position`, and the two that are nearest to each other are one step apart. Raises
    JumpnetError for a network that is no such grid and says no places, or one place for several routers. Cost: O(links
    + routers log routers).

    >>> from jumpnet.topology import build
    >>> wire_length(build("torus:4x4")), wire_length(build("mesh:4"))
    (48.0, 3.0)
    """
    grid = grid_of(net)
    if grid is not None and len(grid.sides) == 2:
        return float(grid_wiring(net).length)
    if net.position is None:
        raise JumpnetError(
            f"{net.spec}: routers without places found, (R, 2) `position` or a grid expected for wire length"
        )
    if net.routers == 1:
        return 0.0
    from scipy.spatial import cKDTree  # a while to load

    step = float(cKDTree(net.position).query(net.position, 2)[0][:, 1].min())
    if step <= 0.0:
        raise JumpnetError(f"{net.spec}: several routers drawn at one place found, a place for each expected")
    router, _, far = net.channel_ends
    ways = np.abs(net.position[router] - net.position[far]).sum(axis=1)
    return float(ways.sum()) / (1 if net.directed else 2) / step


def _tracks(channel: I64, one: I64, other: I64, channels: int, places: int) -> I64:
    """(channels,) most wires over a gap of each channel, for wires from place `one` to place `other` of it."""
    first, last = np.minimum(one, other), np.maximum(one, other)
    change = np.zeros((channels, places), np.int64)
    np.add.at(change, (channel, first), 1)
    np.add.at(change, (channel, last), -1)
    most: I64 = np.cumsum(change, axis=1).max(axis=1)
    return most
