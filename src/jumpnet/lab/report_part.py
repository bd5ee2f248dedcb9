"""A section of a paper as the Python face gives it: its cells as rows, its first figure as picture.

Made by `lab.network.paper`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jumpnet.api.shown import Shown, columns
from jumpnet.plot.results import Drawing, drawing
from jumpnet.report import Computed, cell_rows

__all__ = ["ReportPart"]


@dataclass(frozen=True)
class ReportPart(Computed, Shown):
    """One section, recomputed: which paper and file it belongs to, and what it found."""

    @columns(
        {
            "paper, section, number, table, row, column": "where the cell stands",
            "printed, computed, difference": "the paper's figure, ours, ours less the paper's, in the table's unit",
            "verdict, stated": "equal, rounded or differs; whether no computation of ours stands behind it",
            "claim, place": "the golden entry that it shows",
            "reading, detail, note": "which reading it follows, how it was computed, why it differs",
        }
    )
    def rows(self) -> list[dict[str, Any]]:
        """A row for each cell of its tables, as in `jumpnet paper --json`."""
        return list(cell_rows(self))

    def __repr__(self) -> str:
        """Paper, section, title."""
        return f"ReportPart({self.key}, {self.name}: {self.section.title})"


@drawing.register
def _part(result: ReportPart) -> Drawing:
    if not result.section.figures:
        return drawing.dispatch(object)(result)
    return Drawing(result.section.figures[0].draw, (7.2, 4.0))
