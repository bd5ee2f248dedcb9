"""What the command line says of an error that nobody foresaw: one line, and the name of a file with all that is known.

The folder of reports is `reports` in the cache folder, or the system's for temporary files. Called by `main` alone.
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from jumpnet.cli._command.output import printable
from jumpnet.jit.cache import cache_folder

__all__ = ["UNFORESEEN", "told"]

UNFORESEEN = 70
"""Exit status after an error of jumpnet's own (EX_SOFTWARE)."""


def told(error: BaseException, words: Sequence[str]) -> str:
    """Write a report of an error that a command ended in; the line that names it."""
    what = printable(" ".join(f"{type(error).__name__}: {error}".split()))[:200]
    report = _write(error, words)
    where = f"please send its report, {printable(str(report))}" if report else "its report cannot be written"
    return f"an error of jumpnet's own, {what}; {where}"


def _write(error: BaseException, words: Sequence[str]) -> Path | None:
    """The file of the report, None where there is no place for one."""
    lines = [
        f"command: {' '.join(map(repr, words))}",
        f"system: Python {sys.version.split()[0]}, {platform.platform()}",
        *traceback.format_exception(error),
    ]
    text = "\n".join(lines)
    for folder in (cache_folder().with_name("reports"), Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            start = time.strftime("jumpnet-%Y%m%d-%H%M%S-")
            handle, name = tempfile.mkstemp(prefix=start, suffix=".txt", dir=folder)
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
        except OSError:
            continue
        return Path(name)
    return None
