"""Numbers in the digits of other scripts, which `int` and `float` read: one line, wherever a number is expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from jumpnet.cli import run_words
from jumpnet.errors import JumpnetError
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.spec import is_count
from jumpnet.study.booksim.run import configuration
from jumpnet.topology import build
from jumpnet.traffic import bind

ONE, FOUR = "\u0967", "\u096a"
"""1 and 4 in Devanagari."""

OPTIONS = (
    ("metrics", f"torus:{FOUR}x4"),
    ("simulate", "torus:4x4", "--load", f"\u0966.{ONE}"),
    ("simulate", "torus:4x4", f"--load=\u0966.{ONE}"),
    ("prove", "torus:4x4", "--vcs", ONE),
    ("simulate", "torus:4x4", "--set", f"measure_cycles={FOUR}"),
    ("simulate", "torus:4x4", "torus:3x3", "--load", f"0.1,{ONE}e-1"),
    ("chip", "decode", FOUR * 9),
)


@pytest.mark.parametrize("words", OPTIONS, ids=" ".join)
def test_commands(words: tuple[str, ...]) -> None:
    with pytest.raises(JumpnetError, match=f"[{ONE}{FOUR}].* found, .*expected"):
        run_words(list(words))


@pytest.mark.parametrize("line", [f"injection_rate = {ONE};", f"k = {FOUR};", f"seed = {ONE};"])
def test_booksims_files(line: str, tmp_path: Path) -> None:
    file = tmp_path / "own.cfg"
    file.write_text(f"topology = torus; routing_function = dim_order; n = 2; {line}", encoding="utf-8")
    with pytest.raises(JumpnetError, match=f"= [{ONE}{FOUR}] found, .*expected"):
        configuration(file, {})


@pytest.mark.parametrize("ask", [
    lambda: bind(f"hotspot:nodes={ONE}", build("torus:4x4")),
    lambda: packet_lengths(f"{ONE}*0.5+{FOUR}*0.5"),
    lambda: packet_lengths(f"{ONE}..{FOUR}"),
    lambda: build(f"hypercube:{FOUR}"),
    lambda: build(f"torus:{FOUR}x{FOUR}"),
])  # fmt: skip
def test_specs_and_settings(ask: object) -> None:
    with pytest.raises(JumpnetError, match=f"[{ONE}{FOUR}].* found|unknown"):
        ask()  # type: ignore[operator]


def test_a_matrix_of_links(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(f"0,{ONE}\n1,0\n", encoding="utf-8")
    with pytest.raises(JumpnetError, match=f"{ONE}' found, a number of links"):
        build(f"file:{tmp_path / 'm.csv'}")
    assert is_count("12") and not is_count(ONE)
