"""An error that nobody foresaw is one line and the name of a report; memory that runs out is one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.attack.command_line.command import HANGS

import jumpnet.cli
from jumpnet.cli import main
from jumpnet.cli._command.report import UNFORESEEN
from jumpnet.cli._command.watch import Watch
from jumpnet.errors import UnforeseenError


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


def test_of_a_function_that_people_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """There it is one line; here a report, of what was raised."""
    monkeypatch.setenv("JUMPNET_CACHE_DIR", str(tmp_path))
    error = UnforeseenError("bind(...): an error that nobody foresaw")
    error.__cause__ = KeyError("inner")
    status, line = said(error, monkeypatch, capsys)
    (report,) = (tmp_path / "reports").iterdir()
    assert status == UNFORESEEN and "KeyError: 'inner'" in line and "KeyError" in report.read_text(encoding="utf-8")


def test_memory_that_ran_out(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(MemoryError(), monkeypatch, capsys) == (2, "jumpnet: memory ran out")


def test_what_an_end_leaves_half_made_is_no_word(capfd: pytest.CaptureFixture[str]) -> None:
    """An object that is interrupted while it is made may fail when it is taken down: LLVM's did."""

    class Half:
        def __del__(self) -> None:
            del self.never_made  # type: ignore[attr-defined]

    watch = Watch()
    before, sys.unraisablehook = sys.unraisablehook, watch._lost
    try:
        Half()
        assert "never_made" in capfd.readouterr().err
        watch.terminated = True
        Half()
        assert capfd.readouterr().err == ""
    finally:
        sys.unraisablehook = before


def test_signals_are_heard_where_a_thousand_files_are_open(tmp_path: Path) -> None:
    code = (
        "import os, resource, signal, sys, jumpnet.cli as c\n"
        "most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, most), most))\n"
        "files = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]\n"
        "sys.argv = ['jumpnet', '--version']\n"
        "c.main()\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANGS, check=False)
    assert (found.returncode, found.stderr) == (0, "")
