"""How results show themselves: as rows, as a pandas DataFrame, as a table in a notebook, as a picture.

Every result of the Python face is `Shown`; it says its rows, and the layer of plots knows its picture.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from jumpnet.errors import JumpnetError

if TYPE_CHECKING:  # pandas is optional; for type checkers that do not find it, a table is anything
    from pandas import DataFrame

__all__ = ["Shown", "ShownCurves", "columns", "data_frame", "short"]

F = TypeVar("F", bound=Callable[..., Any])
MOST_ROWS = 60
"""Rows of a table in a notebook."""
PLAIN = (str, int, float, Fraction, type(None))


def data_frame(rows: Sequence[Mapping[str, Any]]) -> DataFrame:
    """The rows as a pandas DataFrame; raises JumpnetError when pandas is missing."""
    try:
        import pandas
    except ImportError:
        raise JumpnetError("pandas is missing: pip install 'jumpnet[data]'") from None
    return pandas.DataFrame(rows)


def short(value: Any) -> str:
    """A value in a table: numbers to 6 digits that count.

    >>> short(1 / 3), short("free"), short(None)
    ('0.333333', 'free', '')
    """
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def columns(*said: Mapping[str, str]) -> Callable[[F], F]:
    """Put what the columns of `rows` are, with units, into its docstring: `help` of a result tells it."""

    def told(rows: F) -> F:
        lines = [f"    {names}: {what}" for group in said for names, what in group.items()]
        rows.__doc__ = "\n".join([f"{rows.__doc__}\n\nColumns:\n", *lines])
        return rows

    return told


class Shown:
    """A result of the Python face: `rows()`, and from them `to_pandas()`, `plot()` and the table of a notebook."""

    def rows(self) -> list[dict[str, Any]]:
        """The result as flat objects; of a dataclass its fields with one value, in one row."""
        said = {part.name: getattr(self, part.name) for part in fields(self) if part.repr}  # type: ignore[arg-type]
        plain = {key: value for key, value in said.items() if isinstance(value, PLAIN)}
        return [{key: float(value) if isinstance(value, Fraction) else value for key, value in plain.items()}]

    def to_pandas(self) -> DataFrame:
        """The rows as a pandas DataFrame; raises JumpnetError when pandas is missing."""
        return data_frame(self.rows())

    def plot(self, file: str | Path | None = None) -> bytes:
        """What there is to see of it, else its rows as a picture: SVG, or written to `file` by its ending."""
        # Plots stand above what they draw.
        made: bytes = importlib.import_module("jumpnet.plot.results").picture_of(self, file)
        return made

    def _repr_html_(self) -> str:
        """What a notebook shows: a table; of one row its figures below each other."""
        rows = self.rows()
        if len(rows) == 1:
            plain = ((key, value) for key, value in rows[0].items() if not isinstance(value, list | dict | tuple))
            lines = [f"<th>{escape(key)}</th><td>{escape(short(value))}</td>" for key, value in plain]
        else:
            heads = list(dict.fromkeys(key for row in rows for key, value in row.items() if isinstance(value, PLAIN)))
            lines = ["".join(f"<th>{escape(head)}</th>" for head in heads)]
            shown = ([escape(short(row.get(head))) for head in heads] for row in rows[:MOST_ROWS])
            lines += ["".join(f"<td>{cell}</td>" for cell in cells) for cells in shown]
        more = f"<p>{len(rows) - MOST_ROWS} more rows</p>" if len(rows) > MOST_ROWS else ""
        return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>" + more


class ShownCurves(Shown):
    """Simulated points of several loads: their picture is latency over load."""

    def networks(self) -> dict[str, Any]:
        """The networks by spec that are at hand: no spec tells how to build some of them."""
        return {}

    def plot(
        self,
        file: str | Path | None = None,
        *,
        over: str = "accepted",
        per: str = "terminal",
        log: bool = False,
        latency: str = "",
    ) -> bytes:
        """Latency over load, a line for each network and routing: SVG, or written to `file` by its ending.

        The axes are those of `jumpnet plot`: `over` the accepted or offered load, `per` terminal, link, port or length,
        `log` for latency; `latency` is packet, network or flit, and multicast or acknowledge of multicasts;
        the first of them that the points have, if left out.
        """
        made: bytes = importlib.import_module("jumpnet.plot.results").picture_of_curves(
            self, file, over=over, per=per, log=log, latency=latency
        )
        return made
