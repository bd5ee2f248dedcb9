"""Draw a cycle of channel dependencies on its network: what stands against a proof of deadlock freedom.

Called by `cli/prove`. Every link in grey, the channels of the cycle as arrows numbered in order, one colour a vc; a
cycle that is small beside its network is shown with what lies about it. By Duato's condition a channel may be wanted
long after the one before it was taken: dashed arrows stand for the ways between, over other channels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.confirmed import confirmed
from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.files import write_bytes
from jumpnet.graph.links import nodes_of
from jumpnet.networks import Network
from jumpnet.plot.figure import PALETTE, render
from jumpnet.plot.formats import picture_format
from jumpnet.plot.styles import places
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
INCHES = 6.4
DRAWN_POINTS = 0.88 * 72 * INCHES
"""Side of what is drawn, without margins and title."""
NUMBER_POINTS, ROUTER_POINTS = (34.0, 10.0), (20.0, 8.0)
"""Points across and upward between the middle of a number and that of another one, or a router."""
ALONG = (0.5, 0.38, 0.62, 0.27, 0.73)
"""Parts of an arrow's way where its number may stand."""
DIRECTIONS = 16
"""In which a router's name may stand from it."""
NAME_POINTS = 6.0
"""Points between a router and its name."""
LEANING = 0.3
"""A name in a direction that leans less to a side is centred."""
LONGEST_NAME = 24
"""Characters of a name; the rest of it is left out."""
BEHIND = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}


def _places(net: Network) -> F64:
    """(routers, 2) where the routers stand: where the family says, else as in `jumpnet draw`; y grows upward."""
    drawn = places(net)
    return np.asarray(drawn.position if net.position is None else net.position, float) * drawn.upward


def _bend(a: F64, b: F64) -> F64:
    """The point that an arrow bent by Matplotlib's `arc3` leaves its first end for, and comes to its last end from."""
    along = b - a
    return np.asarray((a + b) / 2 + BEND * np.array([along[1], -along[0]]))


def _along(a: F64, b: F64, part: float) -> F64:
    """A part of the way along an arrow bent by Matplotlib's `arc3`."""
    return np.asarray((1 - part) ** 2 * a + 2 * part * (1 - part) * _bend(a, b) + part**2 * b)


def _beside(a: F64, b: F64, side: float) -> tuple[float, float]:
    """Points between the middle of an arrow and its number, which would hide a short one."""
    along = b - a
    length = float(np.linalg.norm(along))
    if length == 0.0 or length >= SHORT * side:
        return 0.0, 0.0
    return 20.0 * float(along[1]) / length, -9.0 * float(along[0]) / length


def _numbers(place: F64, cycle: Sequence[Any], side: float) -> list[tuple[F64, tuple[float, float]]]:
    """Where each arrow's number stands: a place on the arrow, and points from there; none over another or a router.

    The middle where that is free, else a place nearer to an end or on the arrow's other side; the middle where none is.
    """
    scale = DRAWN_POINTS / side
    taken = [(scale * place[r], ROUTER_POINTS) for r in {h.router for h in cycle} | {h.to for h in cycle}]
    found = []
    for hop in cycle:
        a, b = place[hop.router], place[hop.to]
        x, y = _beside(a, b, side)
        turned = [(x, y), (-x, -y)] if (x, y) != (0.0, 0.0) else [(x, y)]
        tries = [(_along(a, b, part), offset) for offset in turned for part in ALONG]
        free = (t for t in tries if not any(_over(scale * t[0] + t[1], *other) for other in taken))
        found.append(next(free, tries[0]))
        taken.append((scale * found[-1][0] + found[-1][1], NUMBER_POINTS))
    return found


def _over(at: F64, other: F64, room: tuple[float, float]) -> bool:
    """Whether a number would stand over something that is so far from it, in points."""
    return bool((np.abs(at - other) < room).all())


def _name_places(place: F64, ways: Sequence[tuple[int, int]]) -> dict[int, float]:
    """The angle at which each router's name stands from it: farthest from all arrows (router, router) there.

    Of equal ones the first counts: to the right above, then round against the clock.
    """
    arrows: dict[int, list[float]] = {}
    for one, other in ways:
        bend = _bend(place[one], place[other])
        for end in (one, other):
            arrows.setdefault(end, []).append(math.atan2(*(bend - place[end])[::-1]))
    found = {}
    for router, angles in arrows.items():
        gaps = [
            min(abs(math.remainder(angle - other, math.tau)) for other in angles)
            for angle in math.pi / 4 + math.tau * np.arange(DIRECTIONS) / DIRECTIONS
        ]
        best = next(step for step, gap in enumerate(gaps) if gap > max(gaps) - 1e-9)
        found[router] = math.pi / 4 + math.tau * best / DIRECTIONS
    return found


def _name(axes: Any, at: F64, angle: float, text: str) -> None:
    """Write a router's name beside it, in a direction."""
    x, y = math.cos(angle), math.sin(angle)
    axes.annotate(
        text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…",
        tuple(at),
        xytext=(NAME_POINTS * x, NAME_POINTS * y),
        textcoords="offset points",
        ha="left" if x > LEANING else "right" if x < -LEANING else "center",
        va="bottom" if y > LEANING else "top" if y < -LEANING else "center",
        fontsize=7,
        color="#222222",
        zorder=6,
        parse_math=False,
    )


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
    near, _, far = net.channel_ends
    ends = np.stack([place[near], place[far]], axis=1)
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
    middles = np.array([_along(place[h.router], place[h.to], 0.5) for h in cycle])
    window = _window(place, np.concatenate([place[routers], middles]))
    side = float(window[1][0] - window[0][0])
    axes.set_xlim(window[0][0], window[1][0])
    axes.set_ylim(window[0][1], window[1][1])
    if net.links:
        _network(axes, net, place, window)
    axes.scatter(place[routers, 0], place[routers, 1], s=22, marker="o", color="#222222", zorder=4)
    numbers = _numbers(place, cycle, side) if len(cycle) <= MOST_NAMED else []
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
            at, beside = numbers[i]
            axes.annotate(f"{i} (vc {hop.vc})", tuple(at), xytext=beside, textcoords="offset points", **words)
        after = cycle[(i + 1) % len(cycle)].router
        if after != hop.to:
            later = {**arrow, "color": "#9aa1ac", "linestyle": "--"}
            axes.annotate("", xy=tuple(place[after]), xytext=tuple(place[hop.to]), arrowprops=later, zorder=3)
    if len(cycle) <= MOST_NAMED:
        later_ways = [(h.to, after.router) for h, after in zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
        ways = [(h.router, h.to) for h in cycle] + [way for way in later_ways if way[0] != way[1]]
        names = nodes_of(net)
        for r, angle in _name_places(place, ways).items():
            _name(axes, place[r], angle, str(names[r]))
    dashed = "" if proof.whole_cycle else ", dashed: over others"
    axes.set_title(f"{proof.routing} on {proof.spec}: {len(cycle)} channels in a cycle{dashed}", fontsize=9)


def cycle_drawer(net: Network, proof: Proof) -> Callable[[Any], None]:
    """A function that fills a figure with the cycle of a proof; JumpnetError for one without, or not as it is true."""
    if proof.bound is not None:
        proof, _ = confirmed(proof)
    if proof.cycle is None:
        raise JumpnetError(f"{proof.routing} on {proof.spec} has no cycle to draw")
    return lambda figure: _fill(figure, net, proof)


@public
def draw_cycle(net: Network, proof: Proof, file: Path) -> None:
    """Write the picture of a proof's cycle; the ending of `file` decides the format (svg, png or pdf).

    Raises JumpnetError for another ending, a folder that does not exist, a proof without a cycle, or one that was
    changed since it was made and says something else than its routing's (`confirmed`).

    >>> import tempfile
    >>> from jumpnet.analysis.deadlock.prove import prove
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> net = build("torus:4x4")
    >>> proof = prove(bind("torus.dimension_order", net))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     draw_cycle(net, proof, Path(folder, "cycle.svg"))
    ...     Path(folder, "cycle.svg").read_text()[:5]
    '<?xml'
    """
    kind = picture_format(file)
    made = render(cycle_drawer(net, proof), name=proof.spec, size_inches=(INCHES, INCHES), formats=(kind,))
    write_bytes(file, made[kind])
