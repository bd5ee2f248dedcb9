"""An error that nobody foresaw is one line and the name of a report; memory that runs out is one line."""

from __future__ import annotations

from pathlib import Path

import pytest

import jumpnet.cli
from jumpnet.cli import main
from jumpnet.cli._report import UNFORESEEN


def said(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int | str | None, str]:
    def fails(words: object) -> int:
        raise error

    monkeypatch.setattr(jumpnet.cli, "run_words", fails)
    monkeypatch.setattr("sys.argv", ["jumpnet", "metrics", "torus:4x4\x1b[2J"])
    with pytest.raises(SystemExit) as stop:
        main()
    (line,) = capsys.readouterr().err.splitlines()
    return stop.value.code, line


@pytest.mark.parametrize(
    "error", [ZeroDivisionError("two\nlines \x1b[2J"), RecursionError(), AssertionError("x" * 10**5)]
)
def test_one_line_and_a_report(
    tmp_path: Path, error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUMPNET_CACHE_DIR", str(tmp_path))
    status, line = said(error, monkeypatch, capsys)
    (report,) = (tmp_path / "reports").iterdir()
    assert status == UNFORESEEN and line.startswith(f"jumpnet: an error of jumpnet's own, {type(error).__name__}")
    assert str(report) in line and "\x1b" not in line and len(line) < 600
    text = report.read_text(encoding="utf-8")
    assert "Traceback" in text and "in fails" in text and r"'torus:4x4\x1b[2J'" in text


def test_without_a_place_for_reports(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("JUMPNET_CACHE_DIR", "/dev/null")
    monkeypatch.setattr("tempfile.tempdir", "/dev/null")
    status, line = said(KeyError("key"), monkeypatch, capsys)
    assert status == UNFORESEEN and line.endswith("KeyError: 'key'; its report cannot be written")


def test_memory_that_ran_out(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(MemoryError(), monkeypatch, capsys) == (2, "jumpnet: memory ran out")
