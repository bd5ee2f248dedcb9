"""What every verb takes: `--quiet` and `--digits`."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter

import pytest

import jumpnet
from jumpnet.cli import run_words
from jumpnet.cli._command.output import as_shown, number, print_rows, show_digits
from jumpnet.cli._command.verbs import PANELS, panel_of, verbs
from jumpnet.cli.list import PAGE, setting_rows
from jumpnet.errors import JumpnetError
from jumpnet.notices import QUIET, be_quiet, is_quiet, notice
from jumpnet.routings import routings

METRICS = ["metrics", "torus:8x8"]
SATURATED = [
    "simulate", "dragonfly:2", "--routing", "dragonfly.minimal", "--traffic", "bad_dragonfly", "--load", "0.2",
    "--packet-flits", "2", "--cycles", "1200",
]  # fmt: skip


@pytest.fixture(autouse=True)
def talking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notices are said again after each test: `--quiet` sets a variable of the process."""
    monkeypatch.setenv(QUIET, "")


@pytest.mark.parametrize(
    "words", [["--digits", "3", *METRICS], [*METRICS, "--digits=3"], ["metrics", "--digits", "3", "torus:8x8"]]
)
def test_digits_wherever_they_stand(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    run_words(words)
    assert " 4.06 " in (said := capsys.readouterr().out) and "4.0635" not in said
    run_words(METRICS)
    assert " 4.0635 " in capsys.readouterr().out


@pytest.mark.parametrize("digits", ["0", "18", "-1"])
def test_digits_that_no_number_has(digits: str) -> None:
    with pytest.raises(JumpnetError, match=f"--digits {digits} found, 1 to 17 expected"):
        run_words([*METRICS, f"--digits={digits}"])


def test_quiet_leaves_the_answer_alone(capsys: pytest.CaptureFixture[str]) -> None:
    run_words(SATURATED)
    loud = capsys.readouterr().out
    run_words([*SATURATED, "--quiet"])
    quiet = capsys.readouterr().out
    assert "hint: " in loud and "hint: " not in quiet and "saturated" in quiet


def test_quiet_is_for_one_verb(capsys: pytest.CaptureFixture[str]) -> None:
    run_words([*METRICS, "--quiet"])
    assert not is_quiet()
    with pytest.raises(JumpnetError):
        run_words(["metrics", "torus:0", "--quiet"])
    assert not is_quiet()


@pytest.mark.parametrize(("value", "quiet"), [("0", False), ("", False), ("no", False), ("1", True), ("true", True)])
def test_a_variable_that_is_0_asks_for_no_quiet(value: str, quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(QUIET, value)
    assert is_quiet() == quiet


@pytest.mark.parametrize(
    ("digits", "usual", "value", "text"),
    [(2, ".6g", 1300.0, "1300"), (2, ".4g", 13.04, "13"), (3, ".4f", 999.7, "1000"), (None, ".6g", 999999.7, "1000000"),
     (None, ".4g", 12345.6, "12346"), (None, ".4f", 2.5, "2.5000"), (2, ".6g", 1.3e-7, "1.3e-07"),
     (2, ".6g", -1300.0, "-1300"), (None, ".6g", float("inf"), "inf"), (2, ".6g", float("nan"), "nan")],
)  # fmt: skip
def test_a_number_is_written_out(digits: int | None, usual: str, value: float, text: str) -> None:
    show_digits(digits)
    assert number(value, usual) == text
    assert (digits is None and usual != ".4g") or usual == ".4f" or as_shown(value) == text
    show_digits(None)


def test_a_load_that_nobody_gave_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    short = ["simulate", "torus:4x4", "--packet-flits", "1", "--cycles", "200"]
    run_words(short)
    said = capsys.readouterr().err
    assert "jumpnet: no --load given: simulated at 0.1 flits per terminal and cycle, which is the default; " in said
    run_words([*short, "--load", "0.1"])
    assert "--load" not in capsys.readouterr().err


def test_a_notice_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    notice("said")
    be_quiet()
    notice("not said")
    assert capsys.readouterr().err == "jumpnet: said\n"


def _cells(table: str) -> dict[str, list[str]]:
    """The rows of printed tables by their first cell."""
    lines = [line.strip()[1:-1].split("│") for line in table.splitlines() if "│" in line]
    rows = [[cell.strip() for cell in cells] for cells in lines]
    return {row[0]: row[1:] for row in rows}


def test_a_point_is_a_page_and_all_of_it_is_there_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "torus:4x4", "--load", "0.2", "--packet-flits", "1"]
    words += ["--set", "warmup_cycles=100", "--set", "measure_cycles=8000"]
    run_words([*words, "--json"])
    row = json.loads(capsys.readouterr().out)
    run_words(words)
    page = _cells(capsys.readouterr().out)
    latency, width = (row[f"packet_latency_{figure}_cycles"] for figure in ("mean", "half_width"))
    assert page["packet"][0] == f"{latency:.4g} ± {width:.2g}" and page["packet"][-1] == str(
        row["packet_latency_max_cycles"]
    )
    assert page["accepted load"] == [f"{row['accepted_load']:.4g} ± {row['accepted_load_half_width']:.2g}"]
    assert page["saturated"] == ["no"] and "deadlocked" not in page and len(page) < 30
    run_words([*words, "--all"])
    every = _cells(capsys.readouterr().out)
    assert every.keys() == row.keys() - {"hint"} and every["drained"] == ["yes"]


def test_no_cell_says_true_or_false_and_none_has_six_digits() -> None:
    shown = [as_shown(cell) for cell in (True, False, {0: 1 / 3}, 2 / 3, None)]
    assert shown == ["yes", "no", "0: 0.3333", "0.6667", ""]


def test_distances_are_a_table_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    run_words(["metrics", "torus:32x32", "rdt:8"])
    brief = capsys.readouterr().out
    assert len(brief.splitlines()) < 25 and "distance 3" not in brief
    run_words(["metrics", "torus:32x32", "rdt:8", "--distances"])
    rows = _cells(capsys.readouterr().out)
    assert rows["16"] == ["63,488", "6.05", "", ""] and rows["1"][2:] == ["320", "7.81"]
    counts = [int(rows[str(distance)][0].replace(",", "")) for distance in range(33)]
    assert sum(counts) == 1024**2


def test_the_first_page_of_names_counts_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    run_words(["list", "--json"])
    counts = Counter(json.loads(line)["kind"] for line in capsys.readouterr().out.splitlines())
    run_words(["list"])
    page = _cells(capsys.readouterr().out)
    assert {kind: int(cells[0]) for kind, cells in page.items()} == {**counts, "setting": len(setting_rows())}
    for kind, cells in page.items():
        assert cells[-1] == f"jumpnet list {kind}"


@pytest.mark.parametrize("words", [["list", "setting"], ["list", "family"], ["list", "--for", "torus:4x4"]])
def test_lists_are_no_wider_than_a_page_where_there_is_no_screen(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run_words(words)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= PAGE
    run_words([*words, "--csv"])
    read = [*csv.DictReader(io.StringIO(capsys.readouterr().out))]
    run_words([*words, "--json"])
    assert read == [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_verbs_stand_in_panels(capsys: pytest.CaptureFixture[str]) -> None:
    assert {panel_of(module) for module in verbs().values()} == set(PANELS)
    run_words(["--help"])
    said = capsys.readouterr().out
    at = [said.index(f"─ {panel} ─") for panel in PANELS]
    assert at == sorted(at) and at[0] < said.index("│ metrics ") < at[1] < said.index("│ prove ") < at[2]
    assert "Commands" not in said and "--quiet" in said


def test_an_option_that_is_there_or_not_takes_no_value_in_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    run_words(["simulate", "--help"])
    shown = capsys.readouterr().out
    flags = [line for line in shown.splitlines() if "<bool>" in line]
    assert "--find-saturation" in shown and all("--help" in line for line in flags), "that one is Typer's"


def test_no_name_is_cut_off_on_a_narrow_screen(capsys: pytest.CaptureFixture[str]) -> None:
    name = "mesh.dimension_order_of_a_long_name"
    print_rows("points", ["routing", "load"], [[name, 0.1]], 24)
    cells = [line.split("│")[1].strip() for line in capsys.readouterr().out.splitlines() if "│" in line]
    assert "".join(cells) == name


@pytest.mark.parametrize("spec", ["cmesh:2x2", "torus:4x4", "srt2d:8"])
def test_the_first_routing_listed_for_a_network_is_the_one_it_gets(
    spec: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its settings: `lash:paths=balanced` is not `lash`, which is listed too."""
    run_words(["list", "routing", "--for", spec, "--json"])
    listed = [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()]
    net = jumpnet.network(spec)
    assert listed[0] == net.prove().routing
    assert sorted({*listed} - {"lash:paths=balanced"}) == sorted(
        name for name, routing in routings().items() if routing.misfit(net.net) is None
    )
    assert len({*listed}) == len(listed)
