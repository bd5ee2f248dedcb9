"""`--help` of every verb: each option is described in a sentence, and the example at its end works."""

from __future__ import annotations

import shlex
from importlib import import_module
from pathlib import Path

import pytest
import typer

from jumpnet.cli import app, main, verbs

NEEDS_FILES = {"booksim", "check", "plot", "replay", "results", "store", "sweep"}
"""Verbs whose examples read files of the user's; tests/docs runs those of the guides."""
LONG = {"degrade", "machine", "paper", "simulate"}
"""Verbs whose examples take seconds; their tests run them on less."""


@pytest.mark.parametrize("verb", verbs())
def test_every_option_is_described_in_a_sentence(verb: str) -> None:
    command = typer.main.get_command(app(verb)).commands[verb]  # type: ignore[attr-defined]
    for parameter in command.params:
        said = parameter.help
        assert said and said[0].isupper() and said.endswith("."), f"{parameter.name}: {said!r}"
    assert command.help.endswith(".")


@pytest.mark.parametrize("verb", verbs())
def test_every_verb_answers_in_json_where_asked(verb: str) -> None:
    """As the README says."""
    command = typer.main.get_command(app(verb)).commands[verb]  # type: ignore[attr-defined]
    assert any("--json" in parameter.opts for parameter in command.params)


@pytest.mark.parametrize("verb", verbs())
def test_the_example_is_a_command(verb: str) -> None:
    words = shlex.split(import_module(verbs()[verb]).EXAMPLE)
    command = typer.main.get_command(app(verb)).commands[verb]  # type: ignore[attr-defined]
    assert words[:2] == ["jumpnet", verb]
    command.make_context(verb, words[2:])  # raises where a word is no option, or of another type


@pytest.mark.parametrize("verb", sorted(verbs().keys() - NEEDS_FILES - LONG))
def test_the_example_works(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("jumpnet.cli.compile.GROUPS", ("chip", "wafers"))  # test_warm_ups runs all of them
    monkeypatch.setattr("sys.argv", shlex.split(import_module(verbs()[verb]).EXAMPLE))
    with pytest.raises(SystemExit) as stop:
        main()
    said = capsys.readouterr()
    assert stop.value.code == 0, said.err
    assert said.out or list(tmp_path.iterdir())


def test_the_help_of_the_full_report_says_what_takes_long() -> None:
    command = typer.main.get_command(app("paper")).commands["paper"]  # type: ignore[attr-defined]
    said = next(parameter.help for parameter in command.params if parameter.name == "full")
    assert "minutes" in said and "600 CPU seconds" in said and "65,536 nodes (as much, 2.5 GB)" in said


@pytest.mark.parametrize(
    ("line", "status"), [("--help", 0), ("--version", 0), ("metrics --help", 0), ("list family --json", 2)]
)
def test_help_does_without_a_number_of_threads(
    line: str, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUMPNET_THREADS", "abc")
    monkeypatch.setattr("sys.argv", ["jumpnet", *line.split()])
    with pytest.raises(SystemExit) as stop:
        main()
    said = capsys.readouterr()
    assert stop.value.code == status and bool(said.out) == (status == 0)
    told = "jumpnet: JUMPNET_THREADS='abc' found, a positive number of threads expected\n"
    assert said.err == ("" if status == 0 else told)
