"""Shapes of links in a drawing: straight where nothing is in the way, bent past routers, stubs over the frame's edge.

Pure geometry on arrays; called by `draw.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet.networks import Network
from jumpnet.plot.styles import Places
from jumpnet.terms import F64, I64, Array

__all__ = ["Shape", "frame", "least_distance", "link_shapes"]

SAMPLES = 25


@dataclass(frozen=True)
class Shape:
    """One stroke of one link."""

    points: F64
    """(K, 2) polyline."""
    rank: int
    ends: tuple[int, int]
    """Routers of the link."""
    stub: bool
    """Whether it leaves the frame: half of a wrap-around link."""
    onward: bool = True
    """Whether a link that leads one way leads from the first of its ends to the other."""


def frame(place: Places, pad: float = 0.55) -> tuple[F64, F64]:
    """Lower left and upper right corner of the picture."""
    return place.position.min(axis=0) - pad, place.position.max(axis=0) + pad


def _bezier(a: F64, control: F64, b: F64) -> F64:
    t = np.linspace(0.0, 1.0, SAMPLES)[:, None]
    return (1 - t) ** 2 * a + 2 * t * (1 - t) * control + t**2 * b


def _bent(a: F64, b: F64, bend: float) -> F64:
    """A curve from a to b beside the straight line; the same one from b to a."""
    d = b - a
    if d[0] < -1e-9 or (abs(d[0]) <= 1e-9 and d[1] < 0):
        d = -d
    across = np.array([-d[1], d[0]])
    return _bezier(a, (a + b) / 2 + bend * across, b)


def _in_the_way(position: F64, a: F64, b: F64, clearance: float) -> bool:
    """Whether another place lies on the segment from a to b."""
    d = b - a
    length = float(np.hypot(*d))
    if length < 1e-12:
        return False
    along = (position - a) @ d / length
    across = np.abs((position - a) @ np.array([-d[1], d[0]])) / length
    inside = (along > clearance) & (along < length - clearance)
    return bool((inside & (across < clearance)).any())


def _clip(points: F64, low: F64, high: F64) -> F64:
    """The part of a polyline up to where it first leaves the frame, ending on the frame."""
    inside = ((points >= low) & (points <= high)).all(axis=1)
    if inside.all():
        return points
    stop = int(np.argmin(inside))
    if stop == 0:
        return points[:1]
    a, b = points[stop - 1], points[stop]
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.concatenate([(low - a) / (b - a), (high - a) / (b - a)])
    steps = steps[np.isfinite(steps) & (steps >= 0)]
    return np.vstack([points[:stop], a + (b - a) * min(1.0, float(steps.min(initial=1.0)))])


def _shorten(points: F64, length: float) -> F64:
    """The first part of a polyline, of at most this length."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    walked = np.concatenate([[0.0], np.cumsum(steps)])
    if walked[-1] <= length:
        return points
    k = int(np.searchsorted(walked, length))
    share = (length - walked[k - 1]) / steps[k - 1]
    return np.vstack([points[:k], points[k - 1] + share * (points[k] - points[k - 1])])


def _arch(a: F64, b: F64, side: float) -> F64:
    """Neighbors in a row straight, others by an arch above (side 1) or below it (side -1)."""
    length = float(np.hypot(*(b - a)))
    if length < 1.5:
        return np.stack([a, b])
    return _bezier(a, (a + b) / 2 + np.array([0.0, side * (0.4 + 0.45 * length)]), b)


def _links(net: Network) -> list[tuple[int, int, int]]:
    """(router, router, rank) of each link once."""
    router, port, far = net.link_ends
    keep = router != far
    ranks = net.class_rank[net.link_class[router, port]]
    return list(zip(router[keep].tolist(), far[keep].tolist(), ranks[keep].tolist(), strict=True))


def _short_way(net: Network, sides: tuple[int, ...], r: int, s: int) -> tuple[I64, bool]:
    """Displacement from r to s the short way round, and whether that passes the edge; ties stay inside."""
    raw = net.coord[s].astype(np.int64) - net.coord[r]
    side = np.array(sides)
    short = (raw + side // 2) % side - side // 2
    short = np.where(2 * np.abs(raw) <= side, raw, short)
    return short, bool((short != raw).any())


def link_shapes(net: Network, place: Places) -> list[Shape]:
    """The strokes of every link: one for most, two stubs for a wrap-around link. O(links routers)."""
    position = place.position
    spacing = least_distance(position)
    low, high = frame(place, 0.6 * max(spacing, 0.5))
    shapes: list[Shape] = []
    for r, s, rank in _links(net):
        a, b = position[r], position[s]
        if place.sides is not None and place.basis is not None:
            short, wraps = _short_way(net, place.sides, r, s)
            if wraps:
                step = short @ place.basis
                for here, there, way in ((r, s, step), (s, r, -step)):
                    start = position[here]
                    curve = _route(position, start, start + way, spacing)
                    stub = _clip(curve, low, high)
                    if len(place.sides) > 2:  # Planes overlap: the way to the frame would cross them.
                        stub = _shorten(stub, 0.4 * max(spacing, 0.35 * float(np.hypot(*way))))
                    shapes.append(Shape(stub, rank, (here, there), True, here == r))
                continue
        if place.arch is not None and abs(a[1] - b[1]) < 1e-9:
            shapes.append(Shape(_arch(a, b, float(place.arch[r])), rank, (r, s), False))
        elif place.circle:
            shapes.append(Shape(_chord(position, a, b), rank, (r, s), False))
        else:
            shapes.append(Shape(_route(position, a, b, spacing), rank, (r, s), False))
    return shapes


def least_distance(position: F64) -> float:
    """Least distance between two places (1 for a single one), for clearances and marker sizes."""
    best = np.inf
    for start in range(0, len(position), 256):
        block = position[start : start + 256]
        gap: Array = np.hypot(*(block[:, None, :] - position[None, :, :]).transpose(2, 0, 1))
        gap[np.arange(len(block)), start + np.arange(len(block))] = np.inf
        best = min(best, float(gap.min()))
    return best if np.isfinite(best) and best > 0 else 1.0


def _route(position: F64, a: F64, b: F64, spacing: float) -> F64:
    """Straight, or bent when another router is in the way; long links bend less for their length."""
    if not _in_the_way(position, a, b, 0.2 * spacing):
        return np.stack([a, b]) if np.hypot(*(b - a)) < 1.6 * spacing else np.linspace(a, b, SAMPLES)
    length = float(np.hypot(*(b - a))) / spacing
    return _bent(a, b, 0.32 / np.sqrt(max(length, 1.0)))


def _chord(position: F64, a: F64, b: F64) -> F64:
    """A chord of the circle of routers: straight between neighbors, else bent towards the centre."""
    centre = position.mean(axis=0)
    radius = float(np.hypot(*(a - centre)))
    half = min(1.0, float(np.hypot(*(b - a))) / (2 * radius))
    if half <= np.sin(np.pi / len(position)) * 1.01:
        return np.stack([a, b])
    pull = 0.75 - 0.45 * half
    return _bezier(a, centre + ((a + b) / 2 - centre) * pull, b)
