"""Draw territories: the routers that a multicast from a source reaches, by top rank, as on the base torus.

Source of the picture: yang2001rdt Figure 14. Called by the report and `cli`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from jumpnet.api.public import public
from jumpnet.multicast.territory import Territories
from jumpnet.plot.figure import PALETTE
from jumpnet.terms import F64, I64

__all__ = ["territory_drawer"]

INK = "#20262e"
APART = 0.92
TOGETHER = 1.04
"""Sides of a router's square: apart from its neighbors, or over their edges where gaps would be thinner than a dot."""
MOST_APART = 50
"""Base links across, up to which squares stand apart."""


def _around(where: Territories, source: int, top: int) -> tuple[I64, I64]:
    """Offsets (x, y) of a territory's routers from the source, each between -side/2 and side/2."""
    members, side = where.members(source, top), where.side
    x = (members % side - source % side + side // 2) % side - side // 2
    y = (members // side - source // side + side // 2) % side - side // 2
    return x, y


@public
def territory_drawer(where: Territories, source: int, top: int, title: str = "") -> Callable[[Any], None]:
    """A function that fills a Matplotlib figure with the territories of ranks 0..top around a source.

    A square is coloured by the least top rank whose territory holds it; the source is a black square. Raises
    JumpnetError for a router or rank out of range.

    >>> from jumpnet.multicast.territory import territories
    >>> from jumpnet.plot.figure import render
    >>> draw = territory_drawer(territories("prdt:16"), 0, 1)
    >>> len(render(draw, formats=("svg",))["svg"]) > 1000
    True
    """
    layers = [_around(where, source, r) for r in range(top + 1)]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        axes.grid(False)
        x, y = (np.concatenate([layer[axis] for layer in layers]) for axis in range(2))
        size = APART if max(np.ptp(x), np.ptp(y)) <= MOST_APART else TOGETHER
        for r in range(top, -1, -1):  # smaller territories on top; on /alpha they need not lie inside
            _squares(axes, *layers[r], PALETTE[r % len(PALETTE)], size)
        _squares(axes, np.zeros(1), np.zeros(1), INK, size=0.5)
        axes.set_xlim(x.min() - 1, x.max() + 1)
        axes.set_ylim(y.max() + 1, y.min() - 1)  # the papers' y grows downward
        axes.set_aspect("equal")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("x from the source (base links)")
        axes.set_ylabel("y from the source")
        names = [
            Patch(color=PALETTE[r % len(PALETTE)], label=f"top rank {r}: {len(layers[r][0]):,} routers")
            for r in range(top + 1)
        ]
        axes.legend(handles=[*names, Patch(color=INK, label="source")], loc="center left", bbox_to_anchor=(1.02, 0.5))
        if title:
            axes.set_title(title)

    return draw


def _squares(axes: Any, x: F64, y: F64, colour: str, size: float) -> None:
    corner = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2
    places = np.stack([x, y], axis=1)[:, None, :] + corner
    axes.add_collection(PolyCollection(list(places), facecolors=colour, edgecolors="none"))
