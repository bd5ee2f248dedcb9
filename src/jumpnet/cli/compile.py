"""`jumpnet compile`: compile every kernel ahead of its first use, on all cores, for this machine or for others."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

import typer

from jumpnet.cli._command.output import emit_json, print_rows, progress_bar
from jumpnet.cli._options.files import writable_folder
from jumpnet.cli._options.shared import AsJson
from jumpnet.cli._warm_ups import GROUPS, steps
from jumpnet.errors import JumpnetError, file_error, unknown_name
from jumpnet.jit.cache import BUILT_IN, cache_folder
from jumpnet.jit.processor import LEVELS
from jumpnet.process.threads import processors

LONGEST_WORDS = 2000
"""Letters of what a process said that are shown."""
NAME = "compile"
PANEL = "Housekeeping"
EXAMPLE = "jumpnet compile --jobs 2"


def _environment(level: str, into: Path, group: str) -> dict[str, str]:
    """What a compiling process is given: kernels go below `into`, for this processor or for a level.

    A machine goes the way that it goes for most: with one thread. The others compile what several threads need.
    """
    threads = "1" if group == "machine" else "2"
    given = {**os.environ, "JUMPNET_CACHE_DIR": str(into), "JUMPNET_THREADS": threads}
    return given | ({"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": ""} if level else {})


def _command(group: str) -> list[str]:
    return [sys.executable, "-m", "jumpnet.cli._warm_ups", group]


def _compiled(jobs: int, level: str, into: Path) -> Iterator[tuple[str, str | None]]:
    """Run every group in a process of its own, `jobs` at a time: its name and None after each of its steps.

    At its end its name and what it said when something failed, nothing else. An interruption ends them all.
    """
    started: list[subprocess.Popen[str]] = []
    told: SimpleQueue[tuple[str, str | None]] = SimpleQueue()
    over = threading.Event()

    def one(group: str) -> None:
        said, text = "an error that was not foreseen", {"encoding": "utf-8", "errors": "replace"}
        try:
            with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+", **text) as words:  # type: ignore[call-overload]
                given = {"env": _environment(level, into, group), "stdout": subprocess.PIPE, "stderr": words}
                made = subprocess.Popen(_command(group), cwd=folder, **text, **given)  # type: ignore[call-overload]
                started.append(made)
                if over.is_set():
                    made.kill()
                for _ in made.stdout:
                    told.put((group, None))
                status = made.wait()
                words.seek(0)
                said = (words.read().strip()[-LONGEST_WORDS:] or f"ended with status {status}") if status else ""
        except OSError as error:
            said = f"{error.strerror or error}"
        finally:  # whatever happens: it is waited for
            told.put((group, said))

    with ThreadPoolExecutor(jobs) as pool:
        try:
            for group in GROUPS:
                pool.submit(one, group)
            running = len(GROUPS)
            while running:
                name, said = told.get()
                running -= said is not None
                yield name, said
        finally:
            over.set()
            pool.shutdown(wait=False, cancel_futures=True)
            for made in started:
                made.kill()


def _count(folder: Path) -> int:
    return sum(1 for _ in folder.glob("*.kernel"))


def run(
    jobs: int = typer.Option(0, help="Processes; as many as there are cores if left out."),
    level: str = typer.Option(
        "", "--for", help=f"Processors to compile for: {', '.join(LEVELS)}; this one if left out."
    ),
    into: str = typer.Option("", help="Folder to write; the user's cache of kernels if left out."),
    as_json: AsJson = False,
) -> None:
    """Compile every kernel ahead of its first use, so that nothing waits for the compiler later."""
    if level and level not in LEVELS:
        raise unknown_name("level", level, LEVELS)
    if jobs < 0:
        raise JumpnetError(f"--jobs {jobs} found, 0 or more expected")
    try:
        folder = writable_folder(Path(into).resolve() if into else cache_folder().parent)
        (folder / "kernels").mkdir(mode=0o700, exist_ok=True)
        before = _count(folder / "kernels")
    except JumpnetError:
        raise
    except (OSError, ValueError, RuntimeError) as error:  # a name that no folder has, or cyclic links
        raise file_error(into, error, "a folder expected") from None
    built_in = _count(BUILT_IN) if BUILT_IN.is_dir() else 0  # before, as these may be what is made
    failed, done, groups = [], 0, 0
    total = sum(map(steps, GROUPS))
    with progress_bar("compiling") as progress:
        progress(0, total)
        for group, said in _compiled(jobs or processors(), level, folder):
            done, groups = done + (said is None), groups + (said is not None)
            progress(done, total)
            failed += [f"{group}: {said}"] if said else []
    made = _count(folder / "kernels") - before
    row = {"folder": str(folder / "kernels"), "compiled": made, "came_with_the_package": built_in, "groups": groups}
    if as_json:
        emit_json([row])
    else:
        print_rows("compiled kernels", [key.replace("_", " ") for key in row], [list(row.values())])
    if failed:
        raise JumpnetError("; ".join(failed).replace("\n", "; "))
