"""Letters that a picture's fonts do not have: taken from another font of this machine, else said in one line.

Matplotlib draws a box in place of each, and warns of every one in every format and of every family it does not find.
Used by `figure.render`.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import matplotlib
from matplotlib.font_manager import findfont, fontManager, get_font
from matplotlib.text import Text

from jumpnet.notices import notice

__all__ = ["quietly", "with_letters"]

MOST_SHOWN = 10
"""Letters that the line names."""


def with_letters(figure: Any) -> None:
    """Give each text of a figure the fonts that its letters need; say which letters, and which fonts, are not here.

    Cost: nothing for texts in ASCII; the first time that a letter is missing, a look into all fonts of the machine.
    """
    known = {font.name.lower() for font in fontManager.ttflist}
    for family in matplotlib.rcParams["font.family"]:
        if f"font.{family}" not in matplotlib.rcParams and family.lower() not in known:
            notice(f"font {family!r} of the style is not on this machine, another is taken")
    lost: dict[str, str] = {}
    for text in figure.findobj(Text):
        wanted = [letter for letter in text.get_text() if not letter.isascii() and letter.isprintable()]
        fonts = _fonts(text) if wanted else []
        families = {each: _family_with(each) for each in wanted if not any(_has(font, each) for font in fonts)}
        lost |= {letter: "" for letter, family in families.items() if not family}
        if others := [family for family in dict.fromkeys(families.values()) if family]:
            text.set_fontfamily([*text.get_fontfamily(), *others])
    if lost:
        shown = "".join([*lost][:MOST_SHOWN]) + "..." * (len(lost) > MOST_SHOWN)
        notice(f"no font of this machine has {shown}: boxes are drawn, a font with these letters expected")


@contextmanager
def quietly() -> Iterator[None]:
    """While Matplotlib draws: it says nothing of letters and fonts that it does not find."""
    log = logging.getLogger("matplotlib.font_manager")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", r"(?s)Glyph .* missing from ", UserWarning)
            yield
    finally:
        log.setLevel(before)


def _fonts(text: Text) -> list[str]:
    """Files of the fonts that Matplotlib looks into for a text, the first first."""
    found: list[str] = []
    settings: Any = matplotlib.rcParams
    for family in text.get_fontfamily():
        for name in settings.get(f"font.{family}", [family]):
            looks = text.get_fontproperties().copy()
            looks.set_family([name])
            try:
                found.append(str(findfont(looks, fallback_to_default=False)))
            except ValueError:  # not on this machine
                continue
    return found or [str(findfont(text.get_fontproperties()))]


@cache
def _has(file: str, letter: str) -> bool:
    return bool(get_font(file).get_char_index(ord(letter)))


@cache
def _family_with(letter: str) -> str:
    """The family of a font of this machine that has a letter, the first by name; empty where there is none."""
    for font in sorted(fontManager.ttflist, key=lambda font: (font.name, font.fname)):
        try:
            if "last resort" not in font.name.lower() and _has(font.fname, letter):  # that one has boxes alone
                return str(font.name)
        except (OSError, RuntimeError):  # a file that is gone, or is no font
            continue
    return ""
