"""Committed figures of the report that are damaged are one line: neither no difference nor an error of our own."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from jumpnet import papers
from jumpnet.errors import JumpnetError
from jumpnet.report import _kept
from jumpnet.report._verdicts import read_verdicts, record, versions

ROWS = [{"paper": "p", "section": "s", "piece": str(n)} for n in range(3)]


def lines(*rows: object, header: object = None) -> str:
    given = {"lines": len(rows)} if header is None else header
    return "".join(f"{json.dumps(row)}\n" for row in (given, *rows))


@pytest.mark.parametrize(
    "text",
    [
        "", lines(*ROWS)[:-20], lines(*ROWS[:2], header={"lines": 3}), lines({}, header={"a": 1}), lines({}),
        lines(None), lines(1, [], header=1), lines("paper section"), lines({"paper": "p", "section": 3}),
        lines(*ROWS) + "\0", lines(*ROWS) + "[" * 100_000, lines(*ROWS) + "9" * 6000,
        lines(header={"lines": 0, "versions": [1]}),
    ],
)  # fmt: skip
def test_verdicts(tmp_path: Path, text: str) -> None:
    path = tmp_path / "verdicts.jsonl"
    path.write_text(lines(*ROWS), encoding="utf-8")
    assert read_verdicts(path) == ROWS
    path.write_text(text, encoding="utf-8")
    for ask in (lambda: read_verdicts(path), lambda: versions(path), lambda: record(path, (), "")):
        with pytest.raises(JumpnetError, match="paper --record"):
            ask()
    assert path.read_text(encoding="utf-8") == text


def test_files_that_are_none(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, tmp_path / "none"):
        with pytest.raises(JumpnetError, match="paper --record"):
            read_verdicts(path)


def test_printed_numbers_and_kept_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(papers, "golden_folder", lambda: tmp_path)
    monkeypatch.setattr(_kept, "golden_folder", lambda: tmp_path)
    (tmp_path / "kept").mkdir()
    for data in (b"[", b"a = '", b"\xff", b"a = " + b"9" * 6000, b"a = " + b"[" * 100_000):
        (tmp_path / "yang2001rdt.toml").write_bytes(data)
        with pytest.raises(JumpnetError, match="the printed numbers of a paper expected"):
            papers.golden.__wrapped__("yang2001rdt")
    for data in (b"[" * 100_000, b"\xff", b"[]"):
        _kept.kept_file(tmp_path, "p", "s").write_bytes(data)
        with pytest.raises(JumpnetError, match="expected"):
            _kept.kept("p", "s")
