"""A matplotlibrc of the user's own counts, wherever Matplotlib finds it; what it leaves open is as we draw it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

OWN = "axes.prop_cycle: cycler('color', ['123456'])\nfont.size: 19\naxes.titlesize: 30\nlines.linestyle: --\n"
DRAWN = """
from jumpnet.plot.describe import described
from jumpnet.plot.figure import render
def draw(figure):
    axes = figure.subplots()
    (line,) = axes.plot([1, 2])
    title = axes.set_title("x")
    print(line.get_color(), axes.xaxis.label.get_fontsize(), axes.yaxis.get_ticklabels()[0].get_fontsize(),
          title.get_fontsize(), line.get_linestyle(), axes.spines["top"].get_visible())
render(draw, formats=("svg",))
render(draw, formats=("svg",), style={"font.size": 8, "axes.titlesize": 12})
print(described(lambda figure: figure.subplots().plot([1, 2])))
"""


def _drawn(folder: Path, **environment: str) -> list[str]:
    there = {key: value for key, value in os.environ.items() if key != "MATPLOTLIBRC"}
    done = subprocess.run(
        [sys.executable, "-c", DRAWN],
        cwd=folder,
        env={**there, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize("place", ["here", "variable", "home"])
def test_a_file_of_the_user_goes_before_what_we_set(place: str, tmp_path: Path) -> None:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    plain = _drawn(folder, MPLCONFIGDIR=str(home))
    assert plain[0] == "#0072B2 9.5 9.5 10.5 - False"
    file = {"here": folder / "matplotlibrc", "variable": tmp_path / "mine.rc", "home": home / "matplotlibrc"}[place]
    file.write_text(OWN, encoding="utf-8")
    found = _drawn(folder, MPLCONFIGDIR=str(home), **({"MATPLOTLIBRC": str(file)} if place == "variable" else {}))
    assert found[0] == "#123456 19.0 19.0 30.0 -- False", (
        "colour, sizes and line are the user's, the frame ours; labels are as large as the user's text"
    )
    assert found[1] == "#123456 8.0 8.0 12.0 -- False", "a style that is asked for goes before both, labels with it"
    assert found[2] == plain[2], "digests of the report are ours alone"
