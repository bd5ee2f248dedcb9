"""An option that takes one value is given once: the last of several would count in silence."""

from __future__ import annotations

import subprocess
import sys

import pytest
import typer

from jumpnet.cli import app, main, run_words, verbs
from jumpnet.errors import JumpnetError


def _options(verb: str, single: bool) -> list[str]:
    """The options of a verb that take one value, or several."""
    group = typer.main.get_command(app(verb))
    command = group.commands[verb]
    every = [one for of in (group, command) for one in of.params if one.param_type_name == "option"]
    return [one.opts[0] for one in every if not one.is_flag and one.multiple != single]


@pytest.mark.parametrize("verb", verbs())
def test_every_option_with_one_value_is_refused_twice(verb: str) -> None:
    """Whatever the values, before anything else is looked at; by the short and the long form alike."""
    names = _options(verb, single=True)
    assert "--digits" in names
    for name in names:
        for second in ([name, "2"], [f"{name}=2"]):
            with pytest.raises(JumpnetError, match=rf"^{name} .*found.*, one expected") as refused:
                run_words([verb, name, "1", *second])
            assert "\n" not in str(refused.value)


def test_flags_and_options_with_several_values_may_come_again(capsys) -> None:
    assert _options("prove", single=False)
    assert run_words(["list", "family", "--json", "--json", "--quiet", "--quiet"]) == 0
    twice = ["--then", "mesh.dimension_order"] * 2
    assert run_words(["prove", "mesh:3x3", "--routing", "mesh.west_first", *twice]) == 0
    flags = ["--no-simulate", "--no-simulate", "--simulate", "--no-simulate"]
    assert run_words(["degrade", "mesh:3x3", "--faults", "1", "--seeds", "1", *flags]) == 0
    assert "torus" in capsys.readouterr().out


SAID = "jumpnet: JUMPNET_THREADS='{}' found, a positive number of threads expected\n"


def test_threads_that_there_cannot_be_are_refused_before_a_verb_begins(monkeypatch) -> None:
    """Of a verb that comes to need no threads too; in a process of its own, as a user has it."""
    monkeypatch.setenv("JUMPNET_THREADS", "two")
    done = subprocess.run([sys.executable, "-m", "jumpnet", "list", "family"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", SAID.format("two"))


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "9" * 30])
def test_other_threads_that_there_cannot_be_are_refused(value, monkeypatch, capsys) -> None:
    monkeypatch.setenv("JUMPNET_THREADS", value)
    monkeypatch.setattr("sys.argv", ["jumpnet", "list", "family"])
    with pytest.raises(SystemExit) as end:
        main()
    assert (end.value.code, *capsys.readouterr()) == (2, "", SAID.format(value))
