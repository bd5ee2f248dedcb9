"""A latency curve in Python: `jumpnet.network("torus:8x8").curve([0.1, 0.2, 0.3])`, its points as rows, frame, picture.

Made by `LabNetwork.curve` (`lab.network`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

from jumpnet.api.shown import ShownCurves, columns
from jumpnet.errors import JumpnetError, written
from jumpnet.sim.result.figures import COLUMNS

if TYPE_CHECKING:
    from jumpnet.sim.result.point import Result

__all__ = ["Curve", "curve"]


MOST_LOADS = 10_000
"""Of one curve."""


@dataclass(frozen=True)
class Curve(ShownCurves):
    """Simulated points of rising load, one network after another where several were added."""

    points: tuple[Result, ...]

    def __iter__(self) -> Iterator[Result]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    @overload
    def __getitem__(self, which: int) -> Result: ...
    @overload
    def __getitem__(self, which: slice) -> Curve: ...
    def __getitem__(self, which: int | slice) -> Result | Curve:
        """A point, or the curve of some of them."""
        return Curve(self.points[which]) if isinstance(which, slice) else self.points[which]

    def __add__(self, other: Curve) -> Curve:
        """Both curves, to be drawn into one picture."""
        if not isinstance(other, Curve):
            return NotImplemented
        return Curve(self.points + other.points)

    def __radd__(self, other: object) -> Curve:
        """`sum` begins at 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    @columns(COLUMNS)
    def rows(self) -> list[dict[str, Any]]:
        """The points as flat objects, keys as in `jumpnet results`."""
        return [row for point in self.points for row in point.rows()]

    def networks(self) -> dict[str, Any]:
        """The networks of the points, by spec."""
        return {point.spec: point.bound.network for point in self.points if point.bound is not None}

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.plot().decode()

    def __repr__(self) -> str:
        """One line a point."""
        lines = [f"{point.spec}, {point.routing}: " + _words(point) for point in self.points]
        return "\n".join(lines) if lines else "no points"


def _words(point: Result) -> str:
    row = point.row()
    if row["saturated"]:
        return f"load {row['offered_load']:.4g} saturates, {row['accepted_load']:.4g} accepted"
    latency = row["packet_latency_mean_cycles"]
    measured = "no packet" if latency is None else f"latency {latency:.4g} cycles"
    return f"load {row['offered_load']:.4g}, {measured}"


def curve(net: Any, loads: float | Iterable[float], routing: Any = None, **settings: Any) -> Curve:
    """The points of a network at rising loads, up to the first that saturates; settings as in `simulate`.

    Raises JumpnetError for words in place of loads, and what `simulate` refuses.

    >>> from jumpnet.topology import build
    >>> found = curve(build("torus:4x4"), [0.1, 0.2], packet_flits="1", measure_cycles=500)
    >>> [point.saturated for point in found]
    [False, False]
    """
    from jumpnet.sim.simulate import simulate

    try:
        ordered: list[Any] = [loads]
        if isinstance(loads, Iterable) and not isinstance(loads, str):
            ordered = sorted(islice(loads, MOST_LOADS + 1))
    except TypeError:  # words among numbers, an array without dimensions
        ordered = [loads]
    if any(isinstance(load, str | Iterable) for load in ordered):
        raise JumpnetError(f"loads {' '.join(written(loads).split())[:60]} found, numbers such as [0.1, 0.2] expected")
    if len(ordered) > MOST_LOADS:
        raise JumpnetError(f"more than {MOST_LOADS} loads found, at most so many expected")
    points = []
    for load in ordered:
        points.append(simulate(net, routing, load=load, **settings))
        if points[-1].saturated:
            break
    return Curve(tuple(points))
