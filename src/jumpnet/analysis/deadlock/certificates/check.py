"""Certificates in text, checked: `check_certificate` hands a file to the checker that outsiders use.

That checker (`tools/check_certificate.py`, which wheels have too) imports nothing of the package; here it only gets a
regular file of bounded length. Called by `cli/check`; user-facing too.
"""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import IO, Any, NamedTuple

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.files import open_regular

__all__ = ["Checked", "check_certificate"]

OF_A_KIND = {
    b"jumpnet-grid-certificate 1\n": "check_grid_certificate",
    b"jumpnet-orbit-certificate 1\n": "check_orbit_certificate",
}
"""First lines of files that have a checker of their own."""
HERE = Path(__file__).parents[3]
MOST_BYTES = 512 << 20
"""Most text that is read here: the checker keeps the states of packets to one destination, and takes some ten times
what their text does."""


class Checked(NamedTuple):
    """What an accepted certificate proves."""

    head: dict[str, Any]
    """network, routing, condition, and the counts of what was checked; 0 states where none are listed."""
    words: list[str]
    """The same for people, with what was not checked."""


@cache
def _checker(name: str) -> ModuleType:
    """A checker, from the installed package or from `tools` of a checkout."""
    for folder in (HERE / "tools", HERE.parents[1] / "tools"):
        spec = spec_from_file_location(name, folder / f"{name}.py")
        if (folder / f"{name}.py").is_file() and spec is not None and spec.loader is not None:
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    raise JumpnetError(f"no checker found beside {HERE}; jumpnet is not installed completely")


class _TooMuch(Exception):
    """No ValueError, which the checker would take for one of the line's."""


@dataclass
class _Bounded:
    """A file that refuses to be read beyond so many bytes: a small packed one may hold very much."""

    file: IO[bytes]
    left: int
    ahead: bytes
    """What was read to see what kind of file it is."""

    def first_line(self) -> bytes:
        """The relevant part of it; empty where none can be read, which the checker then reports."""
        try:
            self.ahead = self.file.readline(max(map(len, OF_A_KIND)))
        except (OSError, EOFError, zlib.error):
            return b""
        return self.ahead

    def _counted(self, data: bytes) -> bytes:
        self.left -= len(data)
        if self.left < 0:
            raise _TooMuch
        return data

    def readline(self, most: int) -> bytes:
        """At most so many bytes of a line."""
        first, self.ahead = self.ahead, b""
        return self._counted(first if first.endswith(b"\n") else first + self.file.readline(most - len(first)))

    def read(self, most: int) -> bytes:
        """At most so many bytes."""
        first, self.ahead = self.ahead, b""
        return self._counted(first + self.file.read(most - len(first)))


@public
def check_certificate(path: str | Path) -> Checked:
    """Check a certificate that `write_certificate` or anyone else wrote, plain or packed (.gz).

    Raises JumpnetError, with the number of the line, for a file that does not prove what it says.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "two.cert")
    ...     _ = path.write_text("no certificate")
    ...     check_certificate(path)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    jumpnet.errors.JumpnetError: ...two.cert: line 1: cut off, or longer than 65536 bytes
    """
    checker = _checker("check_certificate")
    with open_regular(Path(path), "a certificate expected") as file:
        text = gzip.GzipFile(fileobj=file) if Path(path).suffix == ".gz" else file
        try:
            bounded = _Bounded(text, MOST_BYTES, b"")  # type: ignore[arg-type]
            checker = _checker(OF_A_KIND.get(bounded.first_line(), "check_certificate"))
            head = checker.check(bounded)
        except checker.Refused as why:
            raise JumpnetError(f"{path}: {why}") from None
        except _TooMuch:
            most = f"{MOST_BYTES >> 20} MiB"
            raise JumpnetError(f"{path}: more than {most} of text, for which check_certificate.c is made") from None
    return Checked(head, list(checker.in_words(head)))
