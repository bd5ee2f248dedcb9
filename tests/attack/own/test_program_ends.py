"""Code of one's own that ends the program, or raises what no `except Exception` catches: one line, status 2."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from jumpnet import cli, own
from jumpnet.cli._command.watch import WATCH
from jumpnet.errors import JumpnetError
from jumpnet.own.hooks import call_hook
from jumpnet.own.trial import Fault, Trial


class Unusual(BaseException):
    """What only a bare `except:` catches."""


ENDS = [
    ("raise SystemExit", "SystemExit"), ("raise SystemExit(0)", "SystemExit: 0"),
    ("import sys; sys.exit(3)", "SystemExit: 3"),
    ("raise BaseException('two\\nlines')", "BaseException: two"), ("raise GeneratorExit", "GeneratorExit"),
    ("from jumpnet.errors import JumpnetError; raise JumpnetError('')", "JumpnetError"),
    ("from jumpnet.errors import JumpnetError; raise JumpnetError('\\n')", "JumpnetError"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), ENDS)
def test_a_file_that_ends_the_program_is_one_line(tmp_path: Path, text: str, words: str) -> None:
    """`raise SystemExit` at the end of a file gave status 0, and no answer."""
    file = tmp_path / "ends.py"
    file.write_text(f"# a file\n{text}\n")
    with pytest.raises(JumpnetError) as told:
        own.load(file)
    assert str(told.value) == f"{file}:2: {words}"


def test_an_interruption_stays_one(tmp_path: Path) -> None:
    file = tmp_path / "interrupted.py"
    file.write_text("raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        own.load(file)


@pytest.mark.parametrize("error", [SystemExit(0), Unusual("x"), GeneratorExit()])
def test_a_function_that_ends_the_program_is_at_fault(error: BaseException) -> None:
    def ends() -> None:
        raise error

    with pytest.raises(Fault, match=rf"test_program_ends\.py:\d+: {type(error).__name__}"):
        Trial(ends)()
    with pytest.raises(JumpnetError, match=rf"^it: prepare: .*test_program_ends\.py:\d+: {type(error).__name__}"):
        call_hook("it", "prepare", ends)


def test_what_code_of_a_loaded_file_raises_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A class of a loaded file, not asked under guard: its family, here."""
    file = tmp_path / "ending_family.py"
    file.write_text("def ends():\n    raise SystemExit\n")
    own.load(file)
    ends = next(vars(module)["ends"] for name, module in sys.modules.items() if "ending_family" in name)
    monkeypatch.setattr(cli, "run_words", lambda words: ends())
    monkeypatch.setattr(WATCH, "start", lambda: None)
    with pytest.raises(SystemExit) as told:
        cli.main()
    assert told.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"jumpnet: {file}:2: SystemExit"
