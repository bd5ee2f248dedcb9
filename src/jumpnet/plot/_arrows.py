"""Heads of arrows on links that lead one way, as triangles in the units of the drawing. Called by `draw.py`."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from jumpnet.plot._shapes import Shape
from jumpnet.terms import F64

__all__ = ["arrow_head", "arrow_heads"]

ON_THE_WAY = 0.62
"""Part of the way at which the tip stands: past the middle, so that the heads of a link each way stand apart."""
LENGTH = 0.14
"""Of a head, in spacings of routers; a short stroke has a shorter one."""
WIDTH = 0.7
"""Of a head, in its lengths."""


def arrow_head(points: F64, length: float) -> F64:
    """(3, 2) the tip and the two corners of a head on a polyline (K, 2), which it points along.

    >>> arrow_head(np.array([[0.0, 0.0], [1.0, 0.0]]), 0.2).round(2).tolist()
    [[0.62, 0.0], [0.42, -0.07], [0.42, 0.07]]
    """
    walked = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    length = min(length, walked[-1] / 3)
    tip, back = (
        np.array([np.interp(at, walked, axis) for axis in points.T])
        for at in (ON_THE_WAY * walked[-1], ON_THE_WAY * walked[-1] - length)
    )
    across = WIDTH / 2 * np.array([back[1] - tip[1], tip[0] - back[0]])
    return np.stack([tip, back - across, back + across])


def arrow_heads(shapes: Iterable[Shape], spacing: float) -> list[F64]:
    """A head for each stroke."""
    return [arrow_head(s.points if s.onward else s.points[::-1], LENGTH * spacing) for s in shapes]
