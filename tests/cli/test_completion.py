"""What a shell is answered when it asks how a line may go on, as Bash splits it; one question by a real Bash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jumpnet.cli import run_words

FREE = "dfsssp lash minimal nue up_down"
"""Routings for whatever network."""
ASK = "_JUMPNET_COMPLETE"


def asked(pieces: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """The answer to a line, in the pieces that Bash makes of it; `_` stands for one not begun yet."""
    words = ["" if piece == "_" else piece for piece in pieces.split()]
    monkeypatch.setenv(ASK, "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "\n".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    with pytest.raises(SystemExit) as end:
        run_words([])
    assert end.value.code == 0
    return set(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("pieces", "answer"),
    [
        ("jumpnet prov", "prove"),
        ("jumpnet metrics --js", "--json"),
        ("jumpnet metrics toru", "torus"),
        ("jumpnet simulate torus : 8x8 --traffic torn", "tornado"),
        ("jumpnet metrics rdt : 64,a", "64,assignment="),
        ("jumpnet metrics rdt :", "R= assignment= m= n= side="),
        ("jumpnet metrics dragonfly : 2,arrangement = p", "palmtree"),
        ("jumpnet simulate rdt : 8 --set drain =", "true false"),
        ("jumpnet simulate torus : 4x4 --set injection = on", "onoff"),
        ("jumpnet new pro", "protocol"),
        ("jumpnet simulate mesh : 8 --per l", "link length"),
        ("jumpnet protocol me", "mesi"),
        ("jumpnet paper ya", "yang2001rdt"),
        ("jumpnet workload wa", "water"),
        ("jumpnet workload water : mol", "molecules="),
        ("jumpnet multicast rdt : 8 --scheme LP", "LPRA"),
        ("jumpnet metrics torus : 4x4 --load to", ""),  # a file, which the shell itself completes
        ("jumpnet metrics --load = to", ""),
        ("jumpnet prove --routing torus.date", "torus.dateline"),  # no network yet
        ("jumpnet prove rdt : 8 --routing torus.date", ""),
        ("jumpnet prove fattree : 4 --routing _", f"fattree.anca_booksim fattree.nca {FREE}"),
        ("jumpnet simulate torus : 8x8 mesh : 8x8 --routing _", FREE),
        ("jumpnet simulate torus : 8x8 @ torus.date", "torus.dateline"),
        ("jumpnet route none : 8 --routing torus.date", "torus.dateline"),  # said by the command itself
    ],
)
def test_a_line_goes_on(
    pieces: str, answer: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked(pieces, monkeypatch, capsys) == set(answer.split())


OWN = """
print("said while it is loaded")
import jumpnet
from jumpnet.routings import routing

@routing("mine.first")
def first(net, here, head, out):
    return 0

@routing("mine.broken", fits=lambda net: True)
def broken(net, here, head, out):
    return 0
"""
"""Of two routings one fits; the other says neither that it does nor why not."""


@pytest.mark.parametrize(
    "pieces",
    [
        "jumpnet --load own.py prove torus : 4x4 --routing mine",
        "jumpnet --load=own.py prove torus : 4x4 --routing mine",
        "jumpnet prove torus : 4x4 --load = own.py --routing mine",
        "jumpnet simulate torus : 4x4 --load 0.1 --load own.py --load none.py --routing mine",
        "jumpnet prove torus : 4x4 --routing mine JUMPNET_LOAD",
    ],
)
def test_names_of_own_files_are_known(
    pieces: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files that the line names before the word, or the environment; what they print is no answer."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(OWN)
    line = pieces.removesuffix(" JUMPNET_LOAD")
    if line != pieces:
        monkeypatch.setenv("JUMPNET_LOAD", f"none.py{os.pathsep}own.py")
    assert asked(line, monkeypatch, capsys) == {"mine.first"}
    assert asked("jumpnet prove torus : 4x4 --routing hype", monkeypatch, capsys) == set()


def test_files_in_folders_with_blanks_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Zsh and fish hand over the line as it was typed."""
    (tmp_path / "my nets").mkdir()
    (tmp_path / "my nets" / "own.py").write_text(OWN)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(ASK, "complete_fish")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", r"jumpnet --load ~/my\ nets/own.py prove torus:4x4 --routing mine")
    with pytest.raises(SystemExit):
        run_words([])
    assert capsys.readouterr().out.split() == ["mine.first"]


def test_bash_completes_a_real_line(tmp_path: Path) -> None:
    command = tmp_path / "jumpnet"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m jumpnet "$@"\n')
    command.chmod(0o755)
    script = f"""
        PATH={tmp_path}:$PATH
        eval "$({ASK}=source_bash jumpnet)"
        COMP_WORDS=(jumpnet prove torus : 4x4 --routing torus.dat) COMP_CWORD=6
        _jumpnet_completion jumpnet
        echo "${{COMPREPLY[*]}}"
    """
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("torus.dateline\n", "")


@pytest.mark.parametrize(("shell", "line"), [("zsh", "compdef _jumpnet"), ("fish", "complete --command jumpnet")])
def test_other_shells_get_a_script_and_an_answer(
    shell: str, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(ASK, f"source_{shell}")
    with pytest.raises(SystemExit):
        run_words([])
    assert line in capsys.readouterr().out
    monkeypatch.setenv(ASK, f"complete_{shell}")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "jumpnet prove torus:4x4 --routing torus.dat")
    with pytest.raises(SystemExit):
        run_words([])
    said = capsys.readouterr().out
    assert "torus.dateline" in said and "mesh" not in said
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "jumpnet metrics --load to")
    with pytest.raises(SystemExit):
        run_words([])
    assert "torus" not in capsys.readouterr().out  # a file is asked for
