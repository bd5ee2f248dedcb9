"""Draw a cycle of channel dependencies on its network: what stands against a proof of deadlock freedom.

Called by `cli/prove`. Every link in grey, the channels of the cycle as arrows numbered in order, one colour a vc; a
cycle that is small beside its network is shown with what lies about it. By Duato's condition a channel may be wanted
long after the one before it was taken: dashed arrows stand for the ways between, over other channels.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from jumpnet.analysis.prove import Proof
from jumpnet.errors import JumpnetError, file_error
from jumpnet.network import Network
from jumpnet.plot.figure import PALETTE, render
from jumpnet.plot.formats import picture_format
from jumpnet.terms import F64

__all__ = ["cycle_drawer", "draw_cycle"]

MOST_LINKS = 20_000
"""With more links in sight only those of the cycle are drawn, and the routers."""
MANY_ROUTERS = 2000
MOST_NAMED = 40
"""Channels of a cycle that are numbered, and whose routers are."""
BEND = 0.18
MARGIN, ABOUT = 1.25, 2.0
"""Side of the picture over what is seen, and over a small cycle."""
SHORT = 0.12
"""Arrows of a smaller part of the picture's side have their number beside them."""
SMALL = 0.3
"""A cycle of a smaller part of the width of its network is shown alone with its neighborhood."""
BEHIND = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}


def _places(net: Network) -> F64:
    if net.position is not None:
        return np.asarray(net.position, float)
    turn = 2 * np.pi * np.arange(net.routers) / net.routers
    return np.stack([np.cos(turn), np.sin(turn)], axis=1) * max(1.0, net.routers / (2 * np.pi))


def _middle(a: F64, b: F64) -> F64:
    """The middle of an arrow bent by Matplotlib's `arc3`."""
    along = b - a
    return np.asarray((a + b) / 2 + BEND / 2 * np.array([along[1], -along[0]]))


def _beside(a: F64, b: F64, side: float) -> tuple[float, float]:
    """Points between the middle of an arrow and its number, which would hide a short one."""
    along = b - a
    length = float(np.linalg.norm(along))
    if length == 0.0 or length >= SHORT * side:
        return 0.0, 0.0
    return 20.0 * float(along[1]) / length, -9.0 * float(along[0]) / length


def _window(place: F64, shown: F64) -> tuple[F64, F64]:
    """(least, greatest) corner of a square about what is seen: the whole network, or a small cycle's part of it.

    The part is as large again as the cycle, and beside a border goes no further than the whole would.
    """
    all_of_it = np.concatenate([place, shown])
    part, whole = np.ptp(shown, axis=0).max(), np.ptp(place, axis=0).max()
    small = part < SMALL * whole
    seen = shown if small else all_of_it
    side = np.ptp(seen, axis=0).max() * (ABOUT if small else MARGIN) or 1.0
    middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
    if small:
        least, most = all_of_it.min(axis=0), all_of_it.max(axis=0)
        room = np.minimum(side, most - least + (MARGIN - 1) * side)  # what there is to see, with its margin
        edge = (side - (MARGIN - 1) * side) / 2
        middle = np.where(room < side, (least + most) / 2, np.clip(middle, least + edge, most - edge))
    return middle - side / 2, middle + side / 2


def _network(axes: Any, net: Network, place: F64, window: tuple[F64, F64]) -> None:
    """Links and routers in sight, in grey; links across, such as those that close a ring, are left out."""
    near, port = np.nonzero(net.neighbor >= 0)
    ends = np.stack([place[near], place[net.neighbor[near, port]]], axis=1)
    length = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
    inside = np.all((place >= window[0]) & (place <= window[1]), axis=1)
    ends = ends[(length <= 1.5 * np.median(length)) & inside[near]]
    if len(ends) <= 2 * MOST_LINKS:
        apart = np.concatenate([ends, np.full((len(ends), 1, 2), np.nan)], axis=1).reshape(-1, 2)
        axes.plot(apart[:, 0], apart[:, 1], color="#d5d9e0", linewidth=0.7, marker="", zorder=1)
    size = 6 if inside.sum() <= MANY_ROUTERS else 1
    axes.scatter(place[inside, 0], place[inside, 1], s=size, marker="o", color="#9aa1ac", zorder=2)


def _fill(figure: Any, net: Network, proof: Proof) -> None:
    cycle = proof.cycle or ()
    place = _places(net)
    axes = figure.subplots()
    axes.set_aspect("equal")
    axes.axis("off")
    routers = sorted({h.router for h in cycle} | {h.to for h in cycle})
    middles = np.array([_middle(place[h.router], place[h.to]) for h in cycle])
    window = _window(place, np.concatenate([place[routers], middles]))
    side = float(window[1][0] - window[0][0])
    axes.set_xlim(window[0][0], window[1][0])
    axes.set_ylim(window[0][1], window[1][1])
    if net.links:
        _network(axes, net, place, window)
    axes.scatter(place[routers, 0], place[routers, 1], s=22, marker="o", color="#222222", zorder=4)
    for i, hop in enumerate(cycle):
        colour = PALETTE[hop.vc % len(PALETTE)]
        arrow = {
            "arrowstyle": "-|>",
            "color": colour,
            "connectionstyle": f"arc3,rad={BEND}",
            "shrinkA": 4,
            "shrinkB": 4,
        }
        axes.annotate("", xy=tuple(place[hop.to]), xytext=tuple(place[hop.router]), arrowprops=arrow, zorder=3)
        if len(cycle) <= MOST_NAMED:
            words = {"fontsize": 6.5, "color": colour, "ha": "center", "va": "center", "bbox": BEHIND, "zorder": 5}
            beside = {"xytext": _beside(place[hop.router], place[hop.to], side), "textcoords": "offset points"}
            axes.annotate(f"{i} (vc {hop.vc})", tuple(middles[i]), **beside, **words)
        after = cycle[(i + 1) % len(cycle)].router
        if after != hop.to:
            later = {**arrow, "color": "#9aa1ac", "linestyle": "--"}
            axes.annotate("", xy=tuple(place[after]), xytext=tuple(place[hop.to]), arrowprops=later, zorder=3)
    for r in routers if len(cycle) <= MOST_NAMED else ():
        words = {"fontsize": 7, "color": "#222222", "textcoords": "offset points", "xytext": (4, 5), "zorder": 6}
        axes.annotate(str(r), tuple(place[r]), **words)
    dashed = "" if proof.whole_cycle else ", dashed: over others"
    axes.set_title(f"{proof.routing} on {proof.spec}: {len(cycle)} channels in a cycle{dashed}", fontsize=9)


def cycle_drawer(net: Network, proof: Proof) -> Callable[[Any], None]:
    """A function that fills a figure with the cycle of a proof; raises JumpnetError for one without."""
    if proof.cycle is None:
        raise JumpnetError(f"{proof.routing} on {proof.spec} has no cycle to draw")
    return lambda figure: _fill(figure, net, proof)


def draw_cycle(net: Network, proof: Proof, file: Path) -> None:
    """Write the picture of a proof's cycle; the ending of `file` decides the format (svg, png or pdf).

    Raises JumpnetError for another ending, a folder that does not exist, or a proof without a cycle.
    """
    kind = picture_format(file)
    made = render(cycle_drawer(net, proof), name=proof.spec, size_inches=(6.4, 6.4), formats=(kind,))
    try:
        file.write_bytes(made[kind])
    except OSError as error:
        raise file_error(file, error, "a file that can be written expected") from None
