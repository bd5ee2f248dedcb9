"""Draw a linear layout: routers in a row, each link a wire in its track above them, levels stacked.

The picture behind Theorem 2 of the SRT paper (inoguchi1996srt, Figure 3): the number of tracks is the wiring width.
Called by `cli` and `report`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.graph.layout import LinearLayout, linear_layout
from jumpnet.networks import Network
from jumpnet.notices import counted
from jumpnet.plot.styles import node_ranks, rank_colours, rank_names
from jumpnet.terms import F64

__all__ = ["MAX_ROUTERS", "line_drawer", "line_size_inches", "wire_paths"]

MAX_ROUTERS = 256
MAX_TRACKS = 400
TRACK_STEP = 0.45


@public
def line_size_inches(net: Network) -> tuple[float, float]:
    """Size of the picture that `line_drawer` expects.

    >>> from jumpnet.topology import build
    >>> line_size_inches(build("hypercube:4"))
    (4.8, 2.95)
    """
    layout = linear_layout(net)
    return float(np.clip(0.3 * net.routers, 4.5, 12.0)), float(np.clip(0.11 * layout.tracks + 1.3, 2.0, 9.0))


def wire_paths(layout: LinearLayout) -> list[F64]:
    """The polyline of each wire: up from its left router, along its track, down to its right one.

    Wires of a router leave it side by side, those of higher tracks nearer its middle, so that they do not cross.
    """
    below = np.cumsum([0, *layout.tracks_by_level.values()])
    start = dict(zip(layout.tracks_by_level, below, strict=False))
    height = np.array([1 + start[int(level)] + track for _, _, level, track in layout.wires]) * TRACK_STEP
    ends = np.zeros((len(layout.wires), 2))
    for side in (0, 1):
        place = layout.wires[:, side]
        for router in np.unique(place):
            own = np.flatnonzero(place == router)
            own = own[np.argsort(-height[own], kind="stable")]
            steps = 0.26 * (np.arange(len(own)) + 1) / (len(own) + 1)
            ends[own, side] = router + (steps if side == 0 else -steps)
    return [
        np.array([[left, 0.0], [left, y], [right, y], [right, 0.0]])
        for (left, right), y in zip(ends, height, strict=True)
    ]


@public
def line_drawer(net: Network, order: Sequence[int] | None = None, title: str | None = None) -> Callable[[Any], None]:
    """A function that fills a Matplotlib figure with the linear layout; give it to `jumpnet.plot.figure.render`.

    Raises JumpnetError beyond 256 routers or 400 tracks.

    >>> from jumpnet.plot.figure import render
    >>> from jumpnet.topology import build
    >>> len(render(line_drawer(build("srt1d:8")), formats=("svg",))["svg"]) > 1000
    True
    """
    if net.routers > MAX_ROUTERS:
        raise JumpnetError(f"{net.spec}: {net.routers} routers found, at most {MAX_ROUTERS} expected on a line")
    layout = linear_layout(net, order)
    if layout.tracks > MAX_TRACKS:
        raise JumpnetError(f"{net.spec}: {layout.tracks} tracks found, at most {MAX_TRACKS} expected on a line")
    heading = (
        title
        or f"{net.spec}: {counted(layout.tracks, 'track')}, at most {counted(layout.cut_width, 'link')} over a gap"
    )
    return lambda figure: _draw(figure, net, layout, heading)


def _draw(figure: Any, net: Network, layout: LinearLayout, title: str) -> None:
    axes = figure.add_subplot()
    axes.set_axis_off()
    colours, names = rank_colours(net), rank_names(net)
    colour = [colours[int(level)] for level in layout.wires[:, 2]]
    width = float(np.clip(60.0 / net.routers, 0.5, 1.4))
    axes.add_collection(LineCollection(wire_paths(layout), colors=colour, linewidths=width, zorder=1))
    rank = node_ranks(net)
    fill = ["white" if rank is None else colours[int(rank[r])] for r in layout.order]
    points = float(np.clip(0.42 * figure.get_size_inches()[0] * 72 / net.routers, 2.0, 11.0))
    places = np.arange(net.routers)
    axes.scatter(places, 0 * places, s=points**2, c=fill, edgecolors="#20262e", linewidths=0.7, zorder=2)
    if net.routers <= 64:
        for place, router in enumerate(layout.order):
            axes.text(place, -0.75, str(router), ha="center", va="top", fontsize=min(7.0, points))
    axes.set_xlim(-1, net.routers)
    axes.set_ylim(-1.6, (layout.tracks + 1.2) * TRACK_STEP)
    handles = [
        Line2D([], [], color=colours[k], linewidth=2, label=f"{names[k]}: {tracks}")
        for k, tracks in layout.tracks_by_level.items()
    ]
    figure.suptitle(title, x=0.02, ha="left", fontsize=9.5, fontweight="bold")
    columns = max(1, int(figure.get_size_inches()[0] / 1.2))
    figure.legend(handles=handles, loc="outside lower left", ncols=columns, fontsize=8, handlelength=1.4)
