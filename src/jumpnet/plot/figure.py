"""Turn a drawing function into pictures: SVG for pages, PNG for slides, the same bytes every time.

The drawing function receives a Matplotlib figure and calls its methods, so that `report/` need not import Matplotlib.
Called by `report` and `cli`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.style
from cycler import cycler
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import LogFormatter

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.files import read_text
from jumpnet.plot.fonts import quietly, with_letters

__all__ = ["PALETTE", "STYLE", "logarithmic", "read_style", "render"]

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#000000")
"""Okabe and Ito's colours, which colour-blind readers can tell apart."""

STYLE_FILE = ".mplstyle"
NO_LOOKS = ("backend", "figure.hooks", "keymap", "pgf", "text.latex", "text.usetex", "webagg")
"""Beginnings of settings that a style may not have: they load or run something."""
BEFORE_COMMENT = re.compile(r'(?:[^#"]|"[^"]*")*')
"""What a line of a style says, as Matplotlib reads it: a `#` between double quotes begins no comment."""
STYLE_BYTES = 1 << 20
"""Most that a style is read of."""
STYLE: dict[str, Any] = {
    "axes.prop_cycle": cycler(color=PALETTE),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#d5d9e0",
    "grid.linewidth": 0.6,
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.labelsize": 9.5,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "auto",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,  # TrueType: many publishers refuse fonts of type 3, which Matplotlib takes by itself
    "path.simplify": True,
}
OURS = {"text.usetex": False}
"""What no matplotlibrc changes: names from outside are no TeX, which would run a program."""
NO_LETTER = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\ufffe\\uffff]")
"""What a text of XML may not have, and a terminal should not get."""
LONGEST_TEXT = 5000
"""Characters of a title or name: each takes a millisecond, and a million of them once took minutes."""
SIZES = ("axes.titlesize", "axes.labelsize", "legend.fontsize")
"""Sizes of ours that keep their ratio to the font's."""


def _looks(style: Mapping[str, Any]) -> dict[str, Any]:
    """Our settings, and in their place those of a matplotlibrc of the user's own, then those of a style."""
    file = Path(matplotlib.matplotlib_fname())
    said: dict[str, Any] = {}
    if file != Path(matplotlib.get_data_path()) / "matplotlibrc":  # the one that Matplotlib comes with
        rc = matplotlib.rc_params_from_file(file, use_default_template=False)
        said = {key: value for key, value in rc.items() if key in STYLE}
    said |= style
    larger = said.get("font.size", STYLE["font.size"]) / STYLE["font.size"]
    return {**STYLE, **{key: larger * STYLE[key] for key in SIZES}, **said, **OURS}


def render(
    draw: Callable[[Any], None],
    *,
    name: str = "figure",
    size_inches: tuple[float, float] = (7.2, 4.0),
    dots_per_inch: int = 160,
    formats: tuple[str, ...] = ("svg", "png"),
    style: Mapping[str, Any] | None = None,
) -> dict[str, bytes]:
    """Draw once and return the picture in each format (`svg`, `png`, `pdf`); `name` salts the ids inside the SVG.

    `style`: Matplotlib settings that go before ours (`read_style`), and before those of the user's own matplotlibrc.
    Deterministic: no date and no random ids. The SVG has no background, the PNG a white one. Cost: about 0.3 s each.

    >>> render(lambda figure: figure.subplots().plot([1, 2]), formats=("svg",))["svg"][:5]
    b'<?xml'
    """
    chosen: Any = {**_looks(style or {}), "svg.hashsalt": f"jumpnet {name}"}
    with matplotlib.rc_context(chosen), quietly():
        figure = Figure(figsize=size_inches, layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure)
        _plain_texts(figure)
        with_letters(figure)
        made: dict[str, bytes] = {}
        for kind in formats:
            out = io.BytesIO()
            if kind == "svg":
                FigureCanvasSVG(figure)
                figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
            elif kind == "png":
                FigureCanvasAgg(figure)
                figure.savefig(out, format="png", dpi=dots_per_inch, facecolor="white", metadata={"Software": None})
            else:
                figure.savefig(out, format=kind, metadata={"CreationDate": None})
            made[kind] = out.getvalue()
    return made


def _plain_texts(figure: Figure) -> None:
    """Names from outside as texts that fonts and formats can show; numbers of an axis are written later, by others.

    Raises JumpnetError for a text that is too long.
    """
    for text in figure.findobj(Text):
        if (length := len(text.get_text())) > LONGEST_TEXT:
            raise JumpnetError(f"a text of {length} characters found in a picture, at most {LONGEST_TEXT} expected")
        text.set_text(NO_LETTER.sub("\ufffd", text.get_text().encode("utf-8", "replace").decode()))
        if text.get_text():
            text.set_parse_math(False)  # what stands between two dollar signs may be no formula


def read_style(name: str) -> dict[str, Any]:
    """Settings of a Matplotlib style: its name, such as `ggplot`, or a file; raises JumpnetError for what is none.

    >>> read_style("grayscale")["image.cmap"]
    'gray'
    """
    library: dict[str, Any] = matplotlib.style.library
    if name in library:
        return dict(library[name])
    if not name.endswith(STYLE_FILE):
        raise unknown_name("style (or file .mplstyle)", name, library)
    text = read_text(name, STYLE_BYTES, "a Matplotlib style expected")
    found: dict[str, Any] = {}
    checked: Any = matplotlib.RcParams()
    for number, line in enumerate(text.splitlines(), 1):
        said = "".join(BEFORE_COMMENT.findall(line)[:1])
        key, _, value = (part.strip() for part in said.partition(":"))
        try:
            if said.strip():
                if key.startswith(NO_LOOKS):
                    raise ValueError
                if len(value) > 1 and value[0] == value[-1] == '"':
                    value = value[1:-1]
                checked[key] = value  # it knows the names, and reads the value
                found[key] = checked[key]
        except (KeyError, ValueError):
            said = f"{line.strip()[:60]!r} found, a setting of how a picture looks expected"
            raise JumpnetError(f"{name}, line {number}: {said}") from None
    return found


def logarithmic(axes: Any) -> None:
    """Make the y axis of some Matplotlib axes logarithmic, with plain numbers up to 10,000: 600 and not 6 x 10^2."""
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(LogFormatter())
    axes.yaxis.set_minor_formatter(LogFormatter())
