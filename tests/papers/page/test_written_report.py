"""A report written and read back: each picture is that of its own drawing, the right way up; every section is there."""

from __future__ import annotations

import csv
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.papers.page.page_tree import Element, parsed

from jumpnet.plot.figure import render
from jumpnet.report._report import Computed
from jumpnet.report._section import Cell, Figure, Section, Table
from jumpnet.report._write import write_report

PREFIXED = re.compile(r"(?<=#)[\w-]+|^[\w-]+$")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def _draw(points: tuple[float, ...], figure: Any) -> None:
    """A line with a mark at each point, in a legend, and a word."""
    axes = figure.subplots()
    axes.plot(range(len(points)), points, "o-", label=f"{len(points)} points")
    axes.text(0.5, points[0], "here")
    axes.legend()


POINTS = {"first": (0.0, 1.0), "second": (5.0, 1.0, 4.0), "third": (2.0, 2.5, 1.0, 7.0)}


def _figure(name: str) -> Figure:
    explored = "net=torus:4x4&picked=1.6" if name == "second" else ""
    data = {name: list(POINTS[name])}
    return Figure(name, f"The {name}", "s", partial(_draw, POINTS[name]), data, explored=explored)


def _part(name: str, *figures: str) -> Computed:
    tables = [Table(f"table {n} of {name}", "s", ["c"], [(name, [Cell("1", n)])]) for n in (1, 2)]
    return Computed("li2009rdn", name, Section(f"Section {name}", name, tables, [_figure(f) for f in figures]))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a report of two sections, the first with two figures, each with two tables."""
    parts = [_part("one", "first", "second"), _part("two", "third")]
    return write_report(parts, tmp_path_factory.mktemp("report")).parent


@pytest.fixture(scope="module")
def page(report: Path) -> Element:
    """Its page."""
    return parsed((report / "index.html").read_text(encoding="utf-8"))


def _svg(data: bytes) -> Element:
    text = data.decode("utf-8")
    return parsed(re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)).one("svg")


def _drawn(svg: Element, prefix: str = "") -> list[tuple[str, dict[str, str], list[str]]]:
    """Every element of a picture in order, with its attributes and words; ids without a prefix."""

    def own(value: str) -> str:
        return value.replace(f"#{prefix}", "#").removeprefix(prefix)

    return [(p.tag, {n: own(v) for n, v in p.attributes.items()}, p.words) for p in svg.walk() if p.tag != "metadata"]


@pytest.mark.parametrize("name", POINTS)
def test_a_figure_shows_its_own_drawing(name: str, report: Path, page: Element) -> None:
    """As a file and, element by element, on the page."""
    kinds = ("svg", "png") if name == "second" else ("svg",)
    made = render(partial(_draw, POINTS[name]), name=name, formats=kinds)
    for kind, data in made.items():
        assert (report / "figures" / f"{name}.{kind}").read_bytes() == data, kind
    shown = page.by_id()[f"figure-{name}"].one("svg")
    wanted = _drawn(_svg(made["svg"]))
    assert _drawn(shown, f"{name}-") == wanted
    assert sum(tag == "use" for tag, _, _ in wanted) > 2 * len(POINTS[name])
    box = {"viewbox", "width", "height"}
    assert {n: shown.attributes[n] for n in box} == {n: _svg(made["svg"]).attributes[n] for n in box}


def test_the_file_of_a_figure_has_its_own_numbers(report: Path) -> None:
    for name, points in POINTS.items():
        with (report / "figures" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            head, *rows = csv.reader(file)
        assert head == [name] and tuple(float(value) for (value,) in rows) == points


def test_every_section_is_on_the_page_with_its_tables_and_figures(report: Path, page: Element) -> None:
    at = page.by_id()
    sections = [part.attributes["id"] for part in page.all("section")]
    assert sections == ["li2009rdn-one", "li2009rdn-two"]
    for name, figures in (("one", ["first", "second"]), ("two", ["third"])):
        box = at[f"li2009rdn-{name}"]
        assert [part.attributes["id"] for part in box.all("figure")] == [f"figure-{figure}" for figure in figures]
        assert [caption.text for caption in box.all("caption")] == [f"table {n} of {name}" for n in (1, 2)]
        files = [link.attributes["href"] for link in box.all("a") if link.attributes["href"].startswith("tables/")]
        assert files == [f"tables/li2009rdn-{name}-{n}.csv" for n in (1, 2)]
        for n, file in enumerate(files, 1):
            with (report / file).open(encoding="utf-8", newline="") as lines:
                assert [row[:4] for row in csv.reader(lines)][1:] == [[name, "c", "1", str(n)]]


def _places(path: str) -> list[tuple[float, float]]:
    """The corners of an SVG path of straight lines."""
    numbers = [float(found) for found in NUMBER.findall(path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def test_a_picture_stands_the_right_way_up() -> None:
    """The corners of a line where the limits of the axes put them: to the right and up, in proportion."""
    points, limits = [(0.5, 10.0), (1.0, 35.0), (1.75, 20.0)], (0.0, 2.0, 0.0, 40.0)

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        axes.plot(*zip(*points, strict=True))
        axes.axis(limits)

    picture = _svg(render(draw, formats=("svg",))["svg"])
    at = picture.by_id()
    frame = _places(at["patch_2"].one("path").attributes["d"])
    left, right, top, bottom = (pick(p[n] for p in frame) for n, pick in ((0, min), (0, max), (1, min), (1, max)))
    lines = [_places(path.attributes["d"]) for path in picture.all("path") if path.within(lambda p: p is at["axes_1"])]
    (line,) = [found for found in lines if len(found) == len(points) and "clip-path" in _attributes(picture, found)]
    for (x, y), (right_of, down) in zip(points, line, strict=True):
        assert right_of == pytest.approx(left + (right - left) * x / limits[1], abs=0.01)
        assert down == pytest.approx(bottom - (bottom - top) * y / limits[3], abs=0.01)


def _attributes(picture: Element, corners: list[tuple[float, float]]) -> dict[str, str]:
    """The attributes of the path with these corners."""
    return next(p.attributes for p in picture.all("path") if _places(p.attributes["d"]) == corners)


def test_a_picture_of_a_network_opens_in_the_page_beside_it(report: Path) -> None:
    links = re.findall(r'<a href="(explore[^"]*)">', (report / "index.html").read_text(encoding="utf-8"))
    assert links == ["explore.html#net=torus:4x4&amp;picked=1.6"]
    assert 'data-spec="torus:4x4"' in (report / "explore.html").read_text(encoding="utf-8")
