"""What every verb takes: `--quiet` and `--digits`."""

from __future__ import annotations

import pytest

from jumpnet.cli import run_words
from jumpnet.cli._output import _shown, number, show_digits
from jumpnet.errors import JumpnetError
from jumpnet.notices import QUIET, be_quiet, is_quiet, notice

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
    assert usual != ".6g" or _shown(value) == text
    show_digits(None)


def test_a_load_that_nobody_gave_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    short = ["simulate", "torus:4x4", "--packet-flits", "1", "--cycles", "200"]
    run_words(short)
    assert "jumpnet: no --load found, so 0.1 flits are offered a terminal and cycle\n" in capsys.readouterr().err
    run_words([*short, "--load", "0.1"])
    assert "--load" not in capsys.readouterr().err


def test_a_notice_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    notice("said")
    be_quiet()
    notice("not said")
    assert capsys.readouterr().err == "jumpnet: said\n"
