"""What is drawn is what the columns say: a figure that computes its curve again, or lacks a point, is seen.

`test_verdicts` reads every figure of the report back; here is shown that reading back sees a wrong one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.papers.drawn import BARS, CURVES, OTHERWISE, undrawn

from jumpnet.paper._section import Figure
from jumpnet.paper._verdicts import read_verdicts, verdict_file
from jumpnet.paper.kudoh1995rhbd import execution_time, figures_10_11
from jumpnet.paper.yang2001rdt import figure_6
from jumpnet.papers import golden, golden_folder


def _silent(done: int, total: int) -> None:
    """Progress that nobody watches."""


def test_every_figure_is_read_back_or_says_why_not() -> None:
    figures = [
        row["row"] for row in read_verdicts(verdict_file(golden_folder(), full=False)) if row["table"] == "figure"
    ]
    known = [*CURVES, *BARS, *(name for names in OTHERWISE.values() for name in names)]
    assert sorted(known) == sorted(figures)


def _one_more(figure: Figure, column: str) -> Figure:
    """The figure with another number in one place of its columns, the drawing as it was."""
    values = list(figure.data[column])
    return replace(figure, data={**figure.data, column: [*values[:-1], values[-1] + 0.5]})


def test_a_curve_that_is_not_of_the_columns_is_seen() -> None:
    points = [(n, 32, 10 + n) for n in figure_6.NUMBERS]
    figure = figure_6._figure("rdt-figure-6a", "t", points, 1)
    assert undrawn(figure) == []
    for column in ("line: nodes", "line: theorem_3", "nodes", "diameter_by_search"):
        assert len(undrawn(_one_more(figure, column))) == 1, column


@pytest.mark.parametrize("column", ["destinations", "SM", "SM 95% band ±", "LARP"])
def test_a_band_or_a_line_that_is_not_of_the_columns_is_seen(column: str) -> None:
    figure = figures_10_11.section(golden("kudoh1995rhbd"), _silent).figures[0]
    assert undrawn(figure) == [] != undrawn(_one_more(figure, column))


def test_a_bar_that_is_not_of_the_columns_is_seen() -> None:
    found: Any = {name: 3.25 * n for n, name in enumerate(execution_time.STALLS, 1)}
    figure = execution_time._figure([("run", found)])
    assert undrawn(figure) == [] and len(undrawn(_one_more(figure, "issuing"))) == 1
