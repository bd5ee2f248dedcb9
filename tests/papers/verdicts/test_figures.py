"""What is drawn is what the columns say, and what is committed of it: a wrong name, line, colour or place is seen.

`test_verdicts` reads every figure of the report back; here is shown that reading back sees a wrong one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure as Picture
from tests.papers.verdicts.drawn import BARS, CURVES, OTHERWISE, undrawn

from jumpnet.multicast.territory import territories
from jumpnet.papers import golden, golden_folder
from jumpnet.plot.describe import described
from jumpnet.plot.draw import PATH_COLOUR, drawer
from jumpnet.plot.territory import territory_drawer
from jumpnet.report._drawings import drawing_file, drawing_rows
from jumpnet.report._report import Computed
from jumpnet.report._section import Figure, Section
from jumpnet.report._verdicts import differences, read_verdicts, verdict_file
from jumpnet.report.kudoh1995rhbd import execution_time, figures_10_11
from jumpnet.report.yang2001rdt import figure_6
from jumpnet.topology import build


def _silent(done: int, total: int) -> None:
    """Progress that nobody watches."""


def test_every_figure_is_read_back_or_says_why_not() -> None:
    folder = golden_folder()
    figures = [row["row"] for row in read_verdicts(verdict_file(folder, full=False)) if row["table"] == "figure"]
    known = [*CURVES, *BARS, *(name for names in OTHERWISE.values() for name in names)]
    assert sorted(known) == sorted(figures)
    drawings = read_verdicts(drawing_file(folder))
    assert sorted(row["piece"] for row in drawings) == sorted(f"drawing {name}" for name in figures)
    assert all({"lines", "shapes"} & row.keys() or "texts" in row for row in drawings)


def _one_more(figure: Figure, column: str) -> Figure:
    """The figure with another number in one place of its columns, the drawing as it was."""
    values = list(figure.data[column])
    return replace(figure, data={**figure.data, column: [*values[:-1], values[-1] + 0.5]})


def _redrawn(figure: Figure, change: Callable[[Any], Any]) -> Figure:
    """The figure with its drawing changed, the columns as they were."""

    def draw(picture: Any) -> None:
        figure.draw(picture)
        change(picture.axes[0])

    return replace(figure, draw=draw)


def _receivers() -> Figure:
    return figures_10_11.section(golden("kudoh1995rhbd"), _silent).figures[0]


def test_a_curve_that_is_not_of_the_columns_is_seen() -> None:
    points = [(n, 32, 10 + n) for n in figure_6.NUMBERS]
    figure = figure_6._figure("rdt-figure-6a", "t", points, 1)
    assert undrawn(figure) == []
    for column in ("line: nodes", "line: theorem_3", "nodes", "diameter_by_search"):
        assert len(undrawn(_one_more(figure, column))) == 1, column


@pytest.mark.parametrize("column", ["destinations", "SM", "SM 95% band ±", "LARP"])
def test_a_band_or_a_line_that_is_not_of_the_columns_is_seen(column: str) -> None:
    figure = _receivers()
    assert undrawn(figure) == [] != undrawn(_one_more(figure, column))


def _swapped(axes: Any) -> None:
    one, other = axes.lines[:2]
    mine = one.get_label()
    one.set_label(other.get_label())
    other.set_label(mine)


WRONG: dict[str, Callable[[Any], Any]] = {
    "names changed over": _swapped,
    "one name for all": lambda axes: [line.set_label("SM") for line in axes.lines],
    "one line more": lambda axes: axes.plot([1, 2], [3, 4], label="LARP, ideal"),
    "a line of another name twice": lambda axes: axes.plot(*axes.lines[0].get_data(), label="SM, ideal"),
    "one line less": lambda axes: axes.lines[2].remove(),
    "one band less": lambda axes: axes.collections[2].remove(),
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_a_line_under_another_name_and_one_too_many_are_seen(change: Callable[[Any], Any]) -> None:
    assert undrawn(_redrawn(_receivers(), change)) != []


def test_a_bar_that_is_not_of_the_columns_is_seen() -> None:
    found: Any = {name: 3.25 * n for n, name in enumerate(execution_time.STALLS, 1)}
    figure = execution_time._figure([("run", found)])
    assert undrawn(figure) == [] and len(undrawn(_one_more(figure, "issuing"))) == 1
    assert len(undrawn(_redrawn(figure, lambda axes: axes.containers[0].set_label("reading")))) == 2


def _every_kind(picture: Any) -> None:
    """One artist of each kind that the report draws."""
    axes = picture.subplots()
    axes.plot([0, 1, 2], [0, 1, 4], "o-", label="squares")
    axes.fill_between([0, 1, 2], [0, 1, 2], [1, 2, 5], color="#0072B2")
    axes.scatter([0, 1], [1, 0], c=["#0072B2", "#D55E00"])
    axes.bar([0, 1], [2, 3], label="bars")
    axes.text(0.5, 0.5, "node 0", bbox={"fc": "white"})
    axes.annotate("rank 1", (1, 1), (2, 2), arrowprops={"color": "red", "arrowstyle": "->"})
    axes.imshow([[0, 1], [2, 3]])
    axes.set_xlabel("nodes")
    axes.set_ylabel("hops")
    axes.set_title("a title")
    axes.set_xlim(0, 3)
    axes.set_yticks([0, 4], ["none", "four"])
    axes.legend()


CHANGES: dict[str, Callable[[Any], Any]] = {
    "a point of a line": lambda axes: axes.lines[0].set_data([0, 1, 2], [0, 1, 4.001]),
    "the colour of a line": lambda axes: axes.lines[0].set_color("#009E73"),
    "dashes": lambda axes: axes.lines[0].set_linestyle("--"),
    "the colour of a mark": lambda axes: axes.collections[1].set_facecolor(["#0072B2", "#0072B2"]),
    "the place of a mark": lambda axes: axes.collections[1].set_offsets([[0, 1], [1, 1]]),
    "an area": lambda axes: axes.collections[0].set_alpha(0.1),
    "the length of a bar": lambda axes: axes.patches[1].set_height(4),
    "a text": lambda axes: axes.texts[0].set_text("node 1"),
    "the place of a text": lambda axes: axes.texts[0].set_position((0.5, 0.6)),
    "the box of a text": lambda axes: axes.texts[0].set_bbox({"fc": "red"}),
    "where an arrow points": lambda axes: setattr(axes.texts[1], "xy", (1, 2)),
    "the colour of an arrow": lambda axes: axes.texts[1].arrow_patch.set_color("blue"),
    "the head of an arrow": lambda axes: axes.texts[1].arrow_patch.set_arrowstyle("<-"),
    "a line over the marks": lambda axes: axes.lines[0].set_zorder(9),
    "the width of a line": lambda axes: axes.lines[0].set_linewidth(9),
    "the size of a mark": lambda axes: axes.lines[0].set_markersize(9),
    "an area over the line": lambda axes: axes.collections[0].set_zorder(9),
    "a bar over the line": lambda axes: axes.patches[0].set_zorder(9),
    "hatches of a bar": lambda axes: axes.patches[0].set_hatch("/"),
    "a text under the bars": lambda axes: axes.texts[0].set_zorder(0),
    "the size of a text": lambda axes: axes.texts[0].set_fontsize(3),
    "a text turned": lambda axes: axes.texts[0].set_rotation(90),
    "a text to the left": lambda axes: axes.texts[0].set_ha("right"),
    "an image over all": lambda axes: axes.images[0].set_zorder(9),
    "a square of an image": lambda axes: axes.images[0].set_data([[0, 1], [2, 2]]),
    "the label of an axis": lambda axes: axes.set_ylabel("routers"),
    "a title": lambda axes: axes.set_title("another"),
    "limits": lambda axes: axes.set_xlim(0, 4),
    "a scale": lambda axes: axes.set_yscale("log"),
    "names of ticks": lambda axes: axes.set_yticks([0, 4], ["none", "five"]),
    "a name in the legend": lambda axes: axes.get_legend().get_texts()[0].set_text("cubes"),
    "a colour in the legend": lambda axes: axes.get_legend().legend_handles[0].set_color("red"),
    "one artist less": lambda axes: axes.patches[0].remove(),
    "one not shown": lambda axes: axes.texts[0].set_visible(False),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_another_artist_is_another_drawing(change: Callable[[Any], Any]) -> None:
    figure = Figure("f", "t", "s", _every_kind)
    one, again, other = (
        list(drawing_rows(Computed("k", "s", Section("S", figures=(f,)))))
        for f in (figure, figure, _redrawn(figure, change))
    )
    assert differences(one, again) == [] != differences(one, other)


def test_what_rounding_leaves_does_not_change_a_drawing() -> None:
    near = described(lambda picture: picture.subplots().plot([0, 1 / 3], [1e-17, 2]))
    assert near == described(lambda picture: picture.subplots().plot([0, 0.33333333333], [-0.0, 2]))


def test_routers_are_drawn_over_their_links() -> None:
    """The order is not in the digest. From below: links, the path, routers, their numbers."""
    picture = Picture(figsize=(6.4, 6.9))
    drawer(build("torus:4x4"), highlight=[0, 1])(picture)
    axes: Any = picture.axes[0]
    lines: list[Any] = [part for part in axes.collections if isinstance(part, LineCollection)]
    path, links = (
        {part.get_zorder() for part in lines if (to_hex(part.get_colors()[0]) == PATH_COLOUR) == highlighted}
        for highlighted in (True, False)
    )
    routers = {part.get_zorder() for part in axes.collections if isinstance(part, PathCollection)}
    numbers = {part.get_zorder() for part in axes.texts}
    assert max(links) < min(path) and max(path) < min(routers) and max(routers) < min(numbers)


def test_a_territory_of_another_source_is_another_drawing() -> None:
    where = territories("rdt:16")
    assert described(territory_drawer(where, 0, 1)) != described(territory_drawer(where, 70, 1))
    assert described(territory_drawer(where, 0, 1)) != described(territory_drawer(where, 0, 0))
