"""A latency curve in Python: `jumpnet.network("torus:8x8").curve([0.1, 0.2, 0.3])`, its points as rows, frame, picture.

Above the simulator and the plots, beside `lab`, which makes one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jumpnet._frame import data_frame
from jumpnet.errors import file_error

if TYPE_CHECKING:
    from jumpnet.sim.result import Result

__all__ = ["Curve", "curve"]

SETTINGS = ("spec", "routing", "traffic", "injection", "packet_flits", "buffer_flits", "vcs", "seed")
"""What tells curves in one picture apart."""


@dataclass(frozen=True)
class Curve:
    """Simulated points of rising load, one network after another where several were added."""

    points: tuple[Result, ...]

    def __iter__(self) -> Iterator[Result]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __add__(self, other: Curve) -> Curve:
        """Both curves, to be drawn into one picture."""
        return Curve(self.points + other.points)

    def rows(self) -> list[dict[str, Any]]:
        """The points as flat objects, keys as in `jumpnet results`."""
        return [{**point.row(), "load": point.config.load} for point in self.points]

    def to_pandas(self) -> Any:
        """The points as a pandas DataFrame; raises JumpnetError when pandas is missing."""
        return data_frame(self.rows())

    def plot(self, file: str | Path | None = None) -> bytes:
        """Latency over accepted load, a line for each network or routing: SVG, or `file` by its ending."""
        from jumpnet.plot.curves import draw_curves, panel_count
        from jumpnet.plot.figure import render
        from jumpnet.plot.formats import picture_format

        rows, kind = self.rows(), "svg" if file is None else picture_format(file)
        size = (4.0 + 3.2 * panel_count(rows, SETTINGS), 5.0)
        made = render(
            lambda figure: draw_curves(figure, rows, SETTINGS), name="curve", size_inches=size, formats=(kind,)
        )
        if file is not None:
            try:
                Path(file).write_bytes(made[kind])
            except OSError as error:
                raise file_error(file, error, "a file that can be written expected") from None
        return made[kind]

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
    return f"load {row['offered_load']:.4g}, latency {row['packet_latency_mean_cycles']:.4g} cycles"


def curve(net: Any, loads: Iterable[float], routing: Any = None, **settings: Any) -> Curve:
    """The points of a network at rising loads, up to the first that saturates; settings as in `simulate`.

    >>> from jumpnet.topology import build
    >>> found = curve(build("torus:4x4"), [0.1, 0.2], packet_flits="1", measure_cycles=500)
    >>> [point.saturated for point in found]
    [False, False]
    """
    from jumpnet.sim.simulate import simulate

    points = []
    for load in sorted(loads):
        points.append(simulate(net, routing, load=load, **settings))
        if points[-1].saturated:
            break
    return Curve(tuple(points))
