"""`jumpnet booksim FILE [FILE ...] [key=value ...]`: BookSim2 configurations as they are, with its statistics block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from jumpnet.cli._command.output import emit_json, printable, progress_line, say
from jumpnet.cli._options.shared import AsJson
from jumpnet.errors import JumpnetError, UnforeseenError
from jumpnet.notices import notice
from jumpnet.sim.batches import Batches
from jumpnet.sim.result import Result
from jumpnet.study.booksim.run import run_file, statistics

NAME = "booksim"
PANEL = "Simulation and studies"
EXAMPLE = "jumpnet booksim mesh88_lat injection_rate=0.004"


def run(
    file: str = typer.Argument(..., metavar="FILE", help="BookSim2 configuration file."),
    more: list[str] = typer.Argument(
        None,
        metavar="[FILE] [KEY=VALUE]",
        help="Further files, each a run of its own, and settings over those of every file.",
    ),
    as_json: AsJson = False,
) -> None:
    """Run BookSim2 configuration files, each on its own; a key that is not supported is named."""
    files, changes, words = list[Path](), dict[str, str](), more or []
    if "" in (file, *words):
        raise JumpnetError("'' found, a BookSim configuration or key=value expected")
    if Path(file).exists() or "=" not in file:
        files.append(Path(file))
    else:  # settings may come first, as BookSim2 takes them
        words = [file, *words]
    for word in words:
        key, equals, value = word.partition("=")
        if equals and key.strip() in changes:
            raise JumpnetError(f"{word!r} found, one value of each key expected")
        if equals:
            changes[key.strip()] = value.strip()
        elif Path(word).exists():
            files.append(Path(word))
        else:
            raise JumpnetError(f"{word!r} found, key=value or another file expected")
    if not files:
        raise JumpnetError(f"no FILE found beside {' '.join(words)}, one expected")
    files = _without_folders(files)
    if len(files) == 1:
        _answer(run_file(files[0], changes, _tell), as_json, {})
    elif not _run_all(files, changes, as_json):
        raise typer.Exit(2)


def _without_folders(files: Sequence[Path]) -> list[Path]:
    """The files, without the folders that a shell's `*` names among them; a notice for each that is left out.

    What lies in a folder is not looked at, as its files need not be configurations. Folders alone are an error.
    """
    folders = [file for file in files if file.is_dir()]
    if len(folders) == len(files):
        raise JumpnetError(f"{folders[0]}: a folder found, a BookSim configuration expected, as {folders[0] / 'FILE'}")
    for folder in folders:
        notice(printable(f"{folder} is a folder and left out; name the configurations in it to run them"))
    return [file for file in files if file not in folders]


def _tell(why: str) -> None:
    notice(printable(why))


def _answer(result: Result | Batches, as_json: bool, name: Mapping[str, str]) -> None:
    """Print the answer to one file; name: what stands before it, where there are several."""
    if as_json:
        emit_json([{**name, **result.row()}])
        return
    for what, said in name.items():
        print(printable(f"{what} {said}"))
    print(statistics(result), flush=True)


def _run_all(files: Sequence[Path], changes: Mapping[str, str], as_json: bool) -> bool:
    """Run each file on its own, and go on after one that is refused, in a line; whether none was."""
    refused = 0
    for file in files:
        try:
            with progress_line() as tell:
                tell(str(file))
                result = run_file(file, changes, _tell)
            _answer(result, as_json, {"file": str(file)})
        except UnforeseenError:
            raise
        except JumpnetError as error:
            say(printable(str(error)))
            refused += 1
    return refused == 0
