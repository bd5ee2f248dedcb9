"""What a picture of a study takes: styles as Matplotlib writes them, units that a network has."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.plot.axis import load_axis
from jumpnet.plot.figure import read_style, render
from jumpnet.topology import build

LINES = [
    'axes.facecolor: "#eeeeee"', 'axes.edgecolor : "#111111"  # dark', "axes.labelcolor: 222222 # no sign",
    'text.color: "red" # "#00ff00"', "# only a comment", "", "axes.prop_cycle: cycler('color', ['001122', '334455'])",
    'font.family: "DejaVu Sans"',
]  # fmt: skip


def test_a_style_is_read_as_matplotlib_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "own.mplstyle"
    file.write_text("\n".join(LINES), encoding="utf-8")
    found = read_style(str(file))
    assert found["axes.facecolor"] == "#eeeeee" and len(found) == 6
    assert found == dict(matplotlib.rc_params_from_file(str(file), use_default_template=False))


@pytest.mark.parametrize(
    "line", ['backend: "agg"', 'axes.facecolor: "#eeeeee', "axes.facecolor", ": red", "axes.colour: red"]
)
def test_a_line_that_is_no_look_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "own.mplstyle"
    file.write_text(f"# mine\n{line}\n", encoding="utf-8")
    with pytest.raises(JumpnetError, match=r"own\.mplstyle, line 2: .* found, a setting of how a picture looks"):
        read_style(str(file))


@pytest.mark.parametrize("unit", ["link", "length"])
def test_a_network_without_links_has_no_loads_for_each(unit: str) -> None:
    with pytest.raises(JumpnetError, match=f"loads per {unit} found, but mesh:1x1 has no link: per terminal expected"):
        load_axis(per=unit).share("mesh:1x1")


def test_ports_are_the_ends_of_links_and_of_those_to_terminals() -> None:
    net = build("mesh:3")
    assert (net.links, net.endpoints) == (2, 3)
    assert load_axis(per="port").share("mesh:3") == 3 / (2 * 2 + 2 * 3)


@pytest.mark.parametrize("style", [None, {"pdf.fonttype": 3}])
def test_fonts_of_a_pdf_are_such_as_publishers_take(style: dict[str, object] | None) -> None:
    """TrueType, unless the user's style says otherwise; letters beyond one byte too."""
    made = render(lambda figure: figure.suptitle("torus → mesh"), formats=("pdf",), style=style)["pdf"]
    assert (b"/Subtype /Type3" in made) == (style is not None)
    assert (b"/FontFile2" in made) == (style is None)
