"""Pages that are a session: all their blocks run one after another in one folder, as a reader would run them.

A page with a ```console block or a notebook's {code-cell} is one. A ```python block whose first line is `# name.py` is
that file; the others are run in one namespace. Lines below a command are among those that it prints, in this order;
`...` stands for others. `python -m tests.docs.sessions PAGE` runs a page in the current folder.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jumpnet.cli import run_words
from jumpnet.jit.cache import cache_folder

BLOCK = re.compile(r"^```(\{code-cell\}|[a-z]+)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
OPTIONS = re.compile(r"\A(?::[^\n]*\n)+\n?")
FILE = re.compile(r"\A# (\w+\.(?:py|toml))\n")


@dataclass(frozen=True)
class Step:
    """One block of a page."""

    kind: str
    """`console`, `python`, or the name of a file to write."""
    text: str


def is_session(page: Path) -> bool:
    """Whether the blocks of a page belong together."""
    text = page.read_text(encoding="utf-8")
    return "```console" in text or "```{code-cell}" in text


def steps(page: Path) -> list[Step]:
    """The blocks of a session, in order."""
    found = []
    for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        name = FILE.match(text)
        if language in ("python", "toml") and name:
            found.append(Step(name[1], text))
        elif language in ("python", "{code-cell}"):
            found.append(Step("python", OPTIONS.sub("", text)))
        elif language == "console":
            found.append(Step("console", text))
    return found


def commands(text: str) -> list[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines below it."""
    made: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            made.append((line[2:], []))
        elif made[-1][0].endswith("\\"):
            made[-1] = (made[-1][0][:-1] + line.strip(), [])
        else:
            made[-1][1].append(line)
    return made


def plain(line: str) -> str:
    """A line with single blanks, and without the lines of tables."""
    return " ".join(re.sub(r"[│┃┆]", " ", line).split())


def missing(expected: list[str], printed: str) -> list[str]:
    """Lines that are not among those printed, in order; one that ends in `...` is the beginning of one."""
    left = iter([plain(line) for line in printed.splitlines()])
    wanted = [plain(line) for line in expected if plain(line) not in ("", "...")]
    return [line for line in wanted if not any(agrees(line, found) for found in left)]


def agrees(line: str, found: str) -> bool:
    """Whether a printed line is the one on the page."""
    return found.startswith(line[:-3].rstrip()) if line.endswith("...") else found == line


class Session:
    """A reader's shell and Python in the current folder, with compiled kernels but no points of earlier runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "session"}
        self.count = 0
        tools = folder / ".tools"
        tools.mkdir()
        for name, words in (("jumpnet", "-m jumpnet"), ("python", "")):
            (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
            (tools / name).chmod(0o755)
        cache = folder / ".cache"
        cache.mkdir()
        if cache_folder().is_dir():
            (cache / "kernels").symlink_to(cache_folder(), target_is_directory=True)
        os.environ |= {
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "JUMPNET_CACHE_DIR": str(cache),
            "COLUMNS": "120",
            "MPLBACKEND": "Agg",
        }

    def run(self, step: Step) -> None:
        """One block; AssertionError where it does not do what the page says."""
        if step.kind == "console":
            self._shell(step.text)
        elif step.kind == "python":
            self._python(step.text)
        else:
            (self.folder / step.kind).write_text(step.text, encoding="utf-8")

    def _shell(self, text: str) -> None:
        for command, expected in commands(text):
            simple = command.startswith("jumpnet ") and not set(command) & set("|<>&;$`*")
            status, printed = self._verb(command) if simple else self._command(command)
            assert status == 0 or command.startswith("timeout"), f"{command}: {printed}"
            assert not (lines := missing(expected, printed)), f"{command} does not print {lines[0]!r}:\n{printed}"

    def _verb(self, command: str) -> tuple[int, str]:
        """One of our verbs, without another process: its status and what it prints."""
        printed, said = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
            status = run_words(shlex.split(command)[1:])
        return status, f"{printed.getvalue()}\n{said.getvalue()}"

    def _command(self, command: str) -> tuple[int, str]:
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, capture_output=True, text=True)
        return done.returncode, f"{done.stdout}\n{done.stderr}"

    def _python(self, text: str) -> None:
        # A file, because a relation is compiled with the source it came from.
        file = self.folder / f".block_{self.count}.py"
        self.count += 1
        file.write_text(text, encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(text, str(file), "exec", dont_inherit=True), self.names)


if __name__ == "__main__":
    session = Session(Path.cwd())
    for step in steps(Path(sys.argv[1])):
        session.run(step)
