"""What a drawing function draws, in short: its words, and a digest of each kind of artist. Called by `report`.

Places are those of the data, to six digits, and nothing is rendered: fonts and the size of the page do not matter.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import matplotlib
import numpy as np
from matplotlib.collections import Collection
from matplotlib.colors import to_hex, to_rgba_array
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.spines import Spine
from matplotlib.text import Annotation, Text
from matplotlib.ticker import FixedLocator, FuncFormatter

from jumpnet.plot.figure import STYLE

__all__ = ["described"]

NOTHING = 1e-9
"""A coordinate this small is 0: what rounding leaves differs from machine to machine."""
A_TICK = 1000.0
"""The number by which a function that writes ticks is told from another."""


def described(draw: Callable[[Any], None]) -> dict[str, str]:
    """Titles, axis labels and legends as they are; scales and limits; how many artists of each kind, and their digest.

    >>> described(lambda figure: figure.subplots().plot([1, 2], label="one"))["lines"][:5]
    '1 of '
    """
    ours: Any = STYLE
    with matplotlib.rc_context():  # of Matplotlib's settings and ours alone: no file of a user's changes a digest
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(ours)
        figure = Figure(figsize=(7.2, 4.0))
        draw(figure)
    axes = figure.axes
    legends = [*figure.legends, *(legend for one in axes for legend in one.findobj(Legend))]
    words = [part for one in axes for part in (one.get_title(), one.get_xlabel(), one.get_ylabel())]
    words += [figure.get_suptitle()]
    words += [text.get_text() for legend in legends for text in (legend.get_title(), *legend.get_texts())]
    found: dict[str, list[Any]] = {"lines": [], "shapes": [], "texts": []}
    parts: list[Any] = [figure, *axes]
    for number, one in enumerate(parts):
        for part in one.get_children():
            if part.get_visible() and part is not one.patch:
                kind, said = _artist(part)
                if kind:
                    found[kind].append((number, *said))
    found["legends"] = [_look(handle) for legend in legends for handle in legend.legend_handles]
    made = {"words": " | ".join(filter(None, words)), "axes": " | ".join(map(_scales, axes))}
    return made | {kind: f"{len(said)} of {_digest(said)}" for kind, said in found.items() if said}


def _digest(said: list[Any]) -> str:
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]


def _numbers(values: Any) -> list[str]:
    flat: Any = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan).reshape(-1)
    return [f"{0.0 if abs(value) < NOTHING else value:.6g}" for value in flat.tolist()]


def _colours(colours: Any) -> list[str]:
    return [to_hex(colour, keep_alpha=True) for colour in to_rgba_array(colours)]


def _look(part: Any) -> list[Any]:
    """Colours, width and shape of a line, of marks or of an area, and its layer."""
    layer = _numbers([part.get_zorder(), *np.atleast_1d(part.get_linewidth())])
    if isinstance(part, Line2D):
        colours = _colours([part.get_color(), part.get_markerfacecolor()])
        marks = [str(part.get_marker()), *_numbers(part.get_markersize())]
        return [*layer, *colours, part.get_linestyle(), *marks, part.get_alpha()]
    return [*layer, _colours(part.get_facecolor()), _colours(part.get_edgecolor()), part.get_alpha(), part.get_hatch()]


def _artist(part: Any) -> tuple[str, list[Any]]:
    """The kind of an artist and what is drawn of it; no kind for axes, legends and frames."""
    if isinstance(part, Line2D):
        name = str(part.get_label())
        # A line without a name has one that counts the artists.
        return "lines", ["" if name.startswith("_") else name, *_look(part), _numbers(part.get_xydata())]
    if isinstance(part, Text):
        return "texts" if part.get_text() or isinstance(part, Annotation) else "", _text(part)
    if isinstance(part, Collection):
        sizes = _numbers(part.get_sizes()) if hasattr(part, "get_sizes") else []
        values = [] if part.get_array() is None else _numbers(part.get_array())
        paths = [_numbers(path.vertices) for path in part.get_paths()]
        return "shapes", [*_look(part), sizes, values, _numbers(part.get_offsets()), paths]
    if isinstance(part, AxesImage):
        layer = _numbers([part.get_zorder()])
        return "shapes", [*layer, _numbers(part.get_array()), _numbers(part.get_extent()), part.get_cmap().name]
    if isinstance(part, Patch) and not isinstance(part, Spine):
        outline = part.get_patch_transform().transform_path(part.get_path())
        return "shapes", [*_look(part), _numbers(outline.vertices)]
    return "", []


def _text(part: Text) -> list[Any]:
    """Words, place, size, layer and colour; what an annotation points to, its arrow and the box around it."""
    size = _numbers([*part.get_position(), part.get_zorder(), part.get_fontsize(), part.get_rotation()])
    weight = [part.get_horizontalalignment(), part.get_verticalalignment(), str(part.get_fontweight())]
    said = [part.get_text(), to_hex(part.get_color()), size, weight]
    if isinstance(part, Annotation):
        said.append(_numbers(part.xy))
    box, arrow = part.get_bbox_patch(), getattr(part, "arrow_patch", None)
    said += [] if box is None else [_look(box)]
    return said if arrow is None else [*said, _arrow(arrow)]


def _arrow(arrow: Any) -> list[Any]:
    """Colours, line and style of an arrow: the name of a style tells at which end a head is."""
    return [*_look(arrow), arrow.get_linestyle(), type(arrow.get_arrowstyle()).__name__]


def _scales(axes: Any) -> str:
    """Scales, limits that were set, and ticks that were named."""
    found = []
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        fixed = not getattr(axes, f"get_autoscale{name}_on")()
        limits = " to ".join(_numbers(getattr(axes, f"get_{name}lim")())) if fixed else ""
        turned = "turned" if axis.get_inverted() else ""
        found.append(" ".join(filter(None, (name, axis.get_scale(), limits, turned, *_ticks(axis)))))
    return ", ".join(found)


def _ticks(axis: Any) -> Iterator[str]:
    """What a function of the drawing writes at the ticks."""
    locator, formatter = axis.get_major_locator(), axis.get_major_formatter()
    if isinstance(formatter, FuncFormatter):
        places = locator() if isinstance(locator, FixedLocator) else (A_TICK,)
        yield from (str(formatter(place, n)) for n, place in enumerate(places))
