"""Draw a block diagram: named boxes, and lines between them. Called by the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from matplotlib.patches import Rectangle

from jumpnet.plot.figure import PALETTE

__all__ = ["Block", "block_drawer"]

INK = "#20262e"


class Block(NamedTuple):
    """A box; (x, y) is its middle, y grows downward."""

    name: str
    x: float
    y: float
    width: float = 1.6
    height: float = 0.7
    shade: int = 0
    """Number of its color in the palette."""
    text: str = ""
    """What is written in it, its name where left out."""


def _ends(a: Block, b: Block) -> tuple[tuple[float, float], tuple[float, float]]:
    """Both x and both y of a line: level or upright where one box reaches beside or above the other's middle."""
    beside, above = abs(a.y - b.y) < max(a.height, b.height) / 2, abs(a.x - b.x) < max(a.width, b.width) / 2
    level = a.y if a.height <= b.height else b.y
    upright = a.x if a.width <= b.width else b.x
    if beside:
        return (a.x, b.x), (level, level)
    return ((upright, upright) if above else (a.x, b.x)), (a.y, b.y)


def block_drawer(blocks: Sequence[Block], lines: Sequence[tuple[str, str]], title: str = "") -> Callable[[Any], None]:
    """A function that fills a Matplotlib figure with boxes, and lines between those named.

    Raises KeyError for a line to a box that is not there.

    >>> from matplotlib.figure import Figure
    >>> figure = Figure()
    >>> block_drawer([Block("chip", 0, 0), Block("MBP", 2, 0)], [("chip", "MBP")])(figure)
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['chip', 'MBP']
    """
    at = {block.name: block for block in blocks}
    ends = [_ends(at[a], at[b]) for a, b in lines]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for x, y in ends:
            axes.plot(x, y, color=INK, linewidth=0.9, zorder=1)
        for block in blocks:
            corner = block.x - block.width / 2, block.y - block.height / 2
            color = PALETTE[block.shade % len(PALETTE)]
            for face, alpha in (("white", 1.0), (color, 0.25)):
                box = Rectangle(corner, block.width, block.height, facecolor=face, edgecolor=INK, alpha=alpha, zorder=2)
                axes.add_patch(box)
            axes.text(block.x, block.y, block.text or block.name, ha="center", va="center", fontsize=7, zorder=3)
        axes.set_xlim(min(b.x - b.width / 2 for b in blocks) - 0.3, max(b.x + b.width / 2 for b in blocks) + 0.3)
        axes.set_ylim(max(b.y + b.height / 2 for b in blocks) + 0.3, min(b.y - b.height / 2 for b in blocks) - 0.3)
        axes.set_title(title, loc="left")
        axes.axis("off")

    return draw
