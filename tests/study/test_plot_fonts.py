"""Letters that a picture's fonts lack come from another font of the machine; else one line says so."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from jumpnet.plot import fonts
from jumpnet.plot.figure import render

FORMATS = ("svg", "png", "pdf")
WITHOUT = {"font.family": ["cmr10"], "axes.formatter.use_mathtext": True}
"""A font without Cyrillic, that comes with Matplotlib; so does DejaVu Sans, which has it."""
BOTH = {**WITHOUT, "font.family": ["cmr10", "DejaVu Sans"]}
TITLE = "Сеть"


@pytest.fixture(autouse=True)
def own_fonts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The fonts of Matplotlib alone, none of the machine; no warning passes."""
    ours = [font for font in fonts.fontManager.ttflist if font.name in ("DejaVu Sans", "cmr10")]
    monkeypatch.setattr(fonts.fontManager, "ttflist", ours)
    fonts._family_with.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
    fonts._family_with.cache_clear()


def _drawn(title: str, style: dict[str, Any] | None = None) -> dict[str, bytes]:
    def draw(figure: Any) -> None:
        axes = figure.subplots()
        axes.plot([1, 2], label=title)
        axes.set_title(title)
        axes.legend()

    return render(draw, formats=FORMATS, style=style)


def test_letters_come_from_another_font(capsys: pytest.CaptureFixture[str]) -> None:
    """The same picture as where the user names that font after the first."""
    assert _drawn(TITLE, WITHOUT) == _drawn(TITLE, BOTH)
    assert capsys.readouterr().err == ""
    assert _drawn(TITLE, WITHOUT)["png"] != _drawn("Сети", WITHOUT)["png"]


def test_letters_that_no_font_has_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    _drawn("東京 東 × →")
    assert capsys.readouterr().err == (
        "jumpnet: no font of this machine has 東京: boxes are drawn, a font with these letters expected\n"
    )
    _drawn("".join(chr(0x4E00 + place) for place in range(30)))
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "...: boxes" in said and len(said) < 120


def test_a_font_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    _drawn("torus", {"font.family": ["No Such Font", "DejaVu Sans"]})
    said = "jumpnet: font 'No Such Font' of the style is not on this machine, another is taken\n"
    assert capsys.readouterr().err == said
    _drawn("torus", {"font.family": ["sans-serif"]})
    assert capsys.readouterr().err == ""
