"""Draw a network as one would for a paper: routers at their places, links coloured by rank, level or dimension.

Wrap-around links leave the frame as stubs on both sides, where each continues on the other; links that would run
over a router bend past it. A network too big to draw shows its adjacency pattern instead. Called by `cli` and `report`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.plot._arrows import arrow_heads
from jumpnet.plot._shapes import Shape, least_distance, link_shapes
from jumpnet.plot.styles import Places, node_ranks, places, rank_colours, rank_names, ranked

__all__ = ["MAX_LINKS", "MAX_ROUTERS", "drawer", "fits", "size_inches"]

MAX_ROUTERS = 1024
MAX_LINKS = 8192
PATTERN_PIXELS = 1024
INK = "#20262e"
PATH_COLOUR = "#c1121f"
FADED = 0.4
"""What is left of the links' opacity where a path is shown."""


def fits(net: Network) -> bool:
    """Whether the network is small enough to draw link by link."""
    return net.routers <= MAX_ROUTERS and net.links <= MAX_LINKS


def size_inches(net: Network) -> tuple[float, float]:
    """Size of the picture that `drawer` expects, between 3.5 and 12 inches a side.

    >>> from jumpnet.topology import build
    >>> size_inches(build("rdt:256"))
    (6.4, 6.9)
    """
    if not fits(net):
        return 6.4, 6.9
    position = places(net).position
    extent = np.ptp(position, axis=0) + 1.2
    scale = min(max(0.42 / least_distance(position), 3.2 / extent.max()), 11.5 / extent.max())
    width, height = extent * scale
    return float(max(width, 3.5)), float(max(height, 2.0) + 0.55)


def check_path(net: Network, path: Sequence[int]) -> None:
    """Raise JumpnetError unless the path names routers, each with a link to the next."""
    for r in path:
        if not 0 <= r < net.routers:
            raise JumpnetError(f"router {r} found, 0 to {net.routers - 1} expected in {net.spec}")
    for r, s in pairwise(path):
        if s not in net.neighbor[r]:
            raise JumpnetError(f"path {r}, {s} found, but {net.spec} has no link from {r} to {s}")


def drawer(net: Network, highlight: Sequence[int] = (), title: str | None = None) -> Callable[[Any], None]:
    """A function that fills a Matplotlib figure with the picture; give it to `jumpnet.plot.figure.render`.

    highlight: routers of a path to show. Raises JumpnetError for a path without its routers or links.

    >>> from jumpnet.plot.figure import render
    >>> from jumpnet.topology import build
    >>> len(render(drawer(build("torus:4x4")), formats=("svg",))["svg"]) > 1000
    True
    """
    check_path(net, highlight)
    heading = title if title is not None else net.spec
    net = ranked(net)
    return lambda figure: (_draw if fits(net) else _pattern)(figure, net, list(highlight), heading)


def _draw(figure: Any, net: Network, highlight: list[int], title: str) -> None:
    place = places(net)
    shapes = link_shapes(net, place)
    colours = rank_colours(net)
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.set_aspect("equal")
    width = _line_width(net)
    ranks = sorted(colours, reverse=True)  # The base on top of long links, so that it stays visible.
    for rank in ranks:
        for stub in (True, False):
            lines = [s.points for s in shapes if s.rank == rank and s.stub == stub]
            opacity = (0.55 if stub else 0.9) * (FADED if highlight else 1)
            axes.add_collection(
                LineCollection(lines, colors=colours[rank], linewidths=width, alpha=opacity, zorder=1, capstyle="round")
            )
        if net.directed:  # else an arrow each way, which says nothing
            heads = arrow_heads((s for s in shapes if s.rank == rank), least_distance(place.position))
            opacity = FADED if highlight else 1
            axes.add_collection(PolyCollection(heads, facecolors=colours[rank], linewidths=0, alpha=opacity, zorder=1))
    _highlight(axes, shapes, highlight, width)
    _routers(axes, figure, net, place, colours, set(highlight))
    points = np.concatenate([place.position, *(s.points for s in shapes)])
    margin = 0.3 * least_distance(place.position)
    axes.set_xlim(points[:, 0].min() - margin, points[:, 0].max() + margin)
    axes.set_ylim(points[:, 1].min() - margin, points[:, 1].max() + margin)
    if place.downward:
        axes.invert_yaxis()
    _caption(figure, net, shapes, colours, title)


def _line_width(net: Network) -> float:
    return float(np.clip(14.0 / np.sqrt(max(net.links, 1)), 0.45, 1.5))


def _highlight(axes: Any, shapes: list[Shape], path: list[int], width: float) -> None:
    between: dict[frozenset[int], list[Shape]] = {frozenset(hop): [] for hop in pairwise(path)}  # each link once
    for shape in shapes:
        if (ends := frozenset(shape.ends)) in between:
            between[ends].append(shape)
    for strokes in between.values():
        least = min((shape.rank for shape in strokes), default=0)
        lines = [shape.points for shape in strokes if shape.rank == least]
        axes.add_collection(LineCollection(lines, colors=PATH_COLOUR, linewidths=max(2.4, 2 * width), zorder=2))


def _routers(axes: Any, figure: Any, net: Network, place: Places, colours: dict[int, str], path: set[int]) -> None:
    inches = min(np.array(figure.get_size_inches()) / (np.ptp(place.position, axis=0) + 1.2))
    points = float(np.clip(0.42 * least_distance(place.position) * inches * 72, 2.0, 15.0))
    rank = node_ranks(net)
    fill = ["white" if rank is None else colours[int(k)] for k in (np.zeros(net.routers) if rank is None else rank)]
    for marker, chosen in (("o", net.terminals > 0), ("s", net.terminals == 0)):
        rows = np.flatnonzero(chosen)
        if not rows.size:
            continue
        axes.scatter(
            *place.position[rows].T,
            s=points**2,
            c=[fill[r] for r in rows],
            edgecolors=[PATH_COLOUR if r in path else INK for r in rows.tolist()],
            linewidths=[1.8 if r in path else min(0.9, points / 9) for r in rows.tolist()],
            marker=marker,
            zorder=3,
        )
    if points >= 9 and net.routers <= 100:
        for r, (x, y) in enumerate(place.position):
            dark = rank is not None and sum(to_rgb(fill[r])) < 1.7
            label = net.labels[r] if net.labels is not None and len(net.labels[r]) <= 4 else str(r)
            axes.text(
                x, y, label, ha="center", va="center_baseline", fontsize=points * 0.42, zorder=4,
                color="white" if dark else INK,
            )  # fmt: skip


PAGE_INCHES = 7.2
"""A wider picture is shrunk to a page's width: its title and legend are as much larger, so that they can be read."""


def _caption(figure: Any, net: Network, shapes: list[Shape], colours: dict[int, str], title: str) -> None:
    names = rank_names(net)
    handles = [Line2D([], [], color=colours[r], linewidth=2, label=names[r]) for r in sorted(colours)]
    if (net.terminals == 0).any() and (net.terminals > 0).any():
        round_, square = (
            Line2D([], [], linestyle="", marker=m, markerfacecolor="white", markeredgecolor=INK, label=text)
            for m, text in (("o", "router with terminals"), ("s", "switch"))
        )
        handles += [round_, square]
    if any(shape.stub for shape in shapes):
        handles.append(Line2D([], [], color=INK, alpha=0.5, linewidth=1, label="continues on the other side"))
    inches = figure.get_size_inches()[0]
    larger = max(1.0, inches / PAGE_INCHES)
    figure.suptitle(title, x=0.02, ha="left", fontsize=10 * larger, fontweight="bold")
    if len(handles) > 1:
        _legend(figure, handles, max(1, min(len(handles), int(inches / (1.3 * larger)))), 8 * larger)


def _legend(figure: Any, handles: list[Line2D], most: int, size: float) -> None:
    """A legend below the picture, of as many columns as its words leave room for."""
    for columns in range(most, 0, -1):
        made = figure.legend(handles=handles, loc="outside lower left", ncols=columns, fontsize=size, handlelength=1.4)
        if columns == 1 or made.get_window_extent().width <= figure.bbox.width:
            return
        made.remove()


def _pattern(figure: Any, net: Network, highlight: list[int], title: str) -> None:
    """The adjacency matrix as an image, each pixel in the colour of the highest rank of the links it covers."""
    if highlight:
        raise JumpnetError(f"{net.spec}: a path is shown on up to {MAX_ROUTERS} routers, {net.routers} found")
    pixels = min(net.routers, PATTERN_PIXELS)
    colours, names = rank_colours(net), rank_names(net)
    router, port, far = net.channel_ends
    rank = net.class_rank[net.link_class[router, port]]
    image = np.full((pixels, pixels), -1)
    y = router * pixels // net.routers
    x = far.astype(np.int64) * pixels // net.routers
    np.maximum.at(image, (y, x), rank)
    table = np.ones((max(colours) + 2, 3))  # The last row, index -1, is white: no link.
    for r, colour in colours.items():
        table[r] = to_rgb(colour)
    axes = figure.add_subplot()
    axes.grid(False)
    axes.imshow(table[image], interpolation="nearest", extent=(0, net.routers, net.routers, 0))
    axes.set_xlabel("router")
    axes.set_ylabel("router")
    handles = [Line2D([], [], color=colours[r], linewidth=4, label=names[r]) for r in sorted(colours)]
    figure.legend(handles=handles, loc="outside lower left", ncols=5, fontsize=8, handlelength=1.2)
    figure.suptitle(
        f"{title}: adjacency pattern ({net.routers:,} routers and {net.links:,} links are too many to draw)",
        x=0.02,
        ha="left",
        fontsize=9,
        fontweight="bold",
    )
