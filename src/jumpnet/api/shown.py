"""How results show themselves: as rows, as a pandas DataFrame, as a table in a notebook, as a picture.

Every result of the Python face is `Shown`; it says its rows, and the layer of plots knows its picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from html import escape
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from jumpnet.above import call_above
from jumpnet.api.public import public
from jumpnet.errors import JumpnetError

if TYPE_CHECKING:  # pandas is optional; for type checkers that do not find it, a table is anything
    from pandas import DataFrame

__all__ = ["Shown", "ShownCurves", "columns", "data_frame", "short"]

F = TypeVar("F", bound=Callable[..., Any])
MOST_ROWS = 60
"""Rows of a table in a notebook."""
POINT = (
    "spec",
    "routing",
    "traffic",
    "load",
    "offered_load",
    "accepted_load",
    "packet_latency_mean_cycles",
    "packet_latency_half_width_cycles",
    "multicast_latency_mean_cycles",
    "saturated",
)
"""Columns of simulated points that a notebook shows, with the settings that differ."""
LATENCIES = {"packet_latency_mean_cycles", "multicast_latency_mean_cycles"}
"""Rows without any are shown whole."""
NAMES = 3
"""The first of them, which name the curve; settings that differ between the points follow."""
FIGURES = ("offered_load", "accepted_load")
"""One of these is the first figure of a row: settings stand before."""
PLAIN = (str, int, float, Fraction, type(None))


def data_frame(rows: Sequence[Mapping[str, Any]]) -> DataFrame:
    """The rows as a pandas DataFrame; raises JumpnetError when pandas is missing."""
    try:
        import pandas
    except ImportError:
        raise JumpnetError("pandas is missing: pip install 'jumpnet[data]'") from None
    return pandas.DataFrame(rows)


def short(value: Any) -> str:
    """A value in a table, as in those of the command line: numbers to 4 digits that count, yes and no.

    >>> short(1 / 3), short(6635630.5), short("free"), short(None), short(True)
    ('0.3333', '6635630', 'free', '', 'yes')
    """
    if value is None or isinstance(value, bool):
        return {None: "", True: "yes", False: "no"}[value]
    if not isinstance(value, float):
        return str(value)
    text = f"{value:.4g}"
    return f"{value:.0f}" if "e+" in text else text  # more digits before the point than count


def columns(*said: Mapping[str, str]) -> Callable[[F], F]:
    """Put what the columns of `rows` are, with units, into its docstring: `help` of a result tells it."""

    def told(rows: F) -> F:
        lines = [f"    {names}: {what}" for group in said for names, what in group.items()]
        rows.__doc__ = "\n".join([f"{rows.__doc__}\n\nColumns:\n", *lines])
        return rows

    return told


@public
class Shown:
    """A result of the Python face: `rows()`, and from them `to_pandas()`, `plot()` and the table of a notebook."""

    def __init_subclass__(cls) -> None:
        """Its methods are called by people too."""
        super().__init_subclass__()
        public(cls)

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
        made: bytes = call_above("picture_of_result", self, file)
        return made

    def _repr_html_(self) -> str:
        """What a notebook shows: a table; of one row its figures below each other."""
        rows, more = self.rows(), ""
        if len(rows) == 1:
            plain = ((key, value) for key, value in rows[0].items() if not isinstance(value, list | dict | tuple))
            lines = [f"<th>{escape(key)}</th><td>{escape(short(value))}</td>" for key, value in plain]
        else:
            heads, left = self._heads(rows)
            lines = ["".join(f"<th>{escape(head)}</th>" for head in heads)]
            shown = ([escape(short(row.get(head))) for head in heads] for row in rows[:MOST_ROWS])
            lines += ["".join(f"<td>{cell}</td>" for cell in cells) for cells in shown]
            more = f"<p>{len(rows) - MOST_ROWS} more rows</p>" if len(rows) > MOST_ROWS else ""
            more += f"<p>{left} more columns: <code>to_pandas()</code></p>" if left else ""
        return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>" + more

    def _heads(self, rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], int]:
        """The columns of a notebook's table of several rows, and how many others there are, but for empty ones."""
        said = (key for row in rows for key, value in row.items() if value is not None and isinstance(value, PLAIN))
        return list(dict.fromkeys(said)), 0


class ShownCurves(Shown):
    """Simulated points of several loads: their picture is latency over load."""

    def _heads(self, rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], int]:
        """Of some sixty columns what tells points apart: what was set differently, the load, latency with its error."""
        all_heads, _ = super()._heads(rows)
        before = takewhile(lambda head: head not in FIGURES, all_heads)
        unlike = [head for head in before if head not in POINT and len({row.get(head) for row in rows}) > 1]
        wanted = [head for head in (*POINT[:NAMES], *unlike, *POINT[NAMES:]) if head in all_heads]
        heads = [head for head in wanted if head != "offered_load" or "load" not in all_heads]
        return (heads, len(all_heads) - len(heads)) if LATENCIES & {*heads} else (all_heads, 0)

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
        made: bytes = call_above("picture_of_curves", self, file, over=over, per=per, log=log, latency=latency)
        return made
