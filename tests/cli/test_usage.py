"""Wrong command lines: one line on the error stream, exit status 2, the nearest valid name, never a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

from jumpnet.cli import main, verbs

WRONG = [
    (["lsit"], "unknown verb 'lsit'; did you mean 'list'?"),
    (["list", "--jsn"], "did you mean '--json'?"),
    (["list", "famly"], "did you mean 'family'?"),
    (["list", "a", "b"], "unexpected extra argument"),
    (["paper", "yang2001rtd"], "did you mean 'yang2001rdt'?"),
    (["paper", "--only", "tabel_2"], "did you mean 'table_2'?"),
    (["draw"], "Missing argument"),
    (["draw", "rdtt:16"], "did you mean 'rdt'?"),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=lambda w: " ".join(w) if isinstance(w, list) else "")
def test_one_line_and_status_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["jumpnet", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    said = capsys.readouterr()
    assert stop.value.code == 2
    assert said.err.startswith("jumpnet: ") and said.err.count("\n") == 1 and message in said.err
    assert said.out == ""


def test_every_verb_names_itself_like_its_file() -> None:
    from importlib import import_module

    for verb, module in verbs().items():
        assert verb == import_module(module).NAME


def test_a_reader_that_leaves_is_no_traceback() -> None:
    code = "import sys; from jumpnet.cli import main; sys.argv = ['jumpnet', 'list', '--json']; main()"
    writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert writer.stdout is not None and writer.stderr is not None
    writer.stdout.readline()
    writer.stdout.close()
    errors = writer.stderr.read().decode()
    writer.wait(timeout=60)
    writer.stderr.close()
    assert "Traceback" not in errors
