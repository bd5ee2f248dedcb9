"""The one way to open a file that comes from anywhere, and the one way to write one.

Readers get a regular file of at most so many bytes, else one line: a pipe or a device is never waited for and never
read without end. What is written takes the place of an older file when it is whole. Used by every reader and writer.
"""

from __future__ import annotations

import os
import pkgutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from jumpnet.errors import JumpnetError, file_error

__all__ = ["modules_in", "must_be_regular", "open_regular", "read_bytes", "read_text", "replaced", "write_bytes"]

PIECE = 1 << 20
"""Bytes read at a time."""


def open_regular(path: Path, expected: str) -> IO[bytes]:
    """A regular file, open for reading; raises JumpnetError for anything else. The caller closes it."""
    if not str(path).isprintable():
        raise JumpnetError(f"{str(path)!r} found, a file name expected")
    try:
        if path.is_dir():
            raise JumpnetError(f"{path}: not a regular file; {expected}")
        # Never wait for a pipe, and look at what was opened, not at what had that name before.
        file = open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb")  # noqa: SIM115 - the caller's
    except (OSError, ValueError) as error:
        if isinstance(error, JumpnetError):
            raise
        raise file_error(path, error, expected) from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise JumpnetError(f"{path}: not a regular file; {expected}")
    return file


def must_be_regular(path: str | os.PathLike[str], expected: str) -> None:
    """Raise JumpnetError, with what is expected, unless there is a regular file that can be read."""
    open_regular(Path(path), expected).close()


def read_bytes(path: str | os.PathLike[str], most: int, expected: str) -> bytes:
    """The bytes of a regular file; raises JumpnetError for anything else, and for more than `most` bytes.

    >>> read_bytes("/dev/null", 100, "a study file expected")
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: /dev/null: not a regular file; a study file expected
    """
    pieces, left = [], most + 1
    with open_regular(Path(path), expected) as file:
        try:
            if os.fstat(file.fileno()).st_size > most:  # told before it is read; it may still grow meanwhile
                left = 0
            # In pieces: at once it would take the memory for `most`, however few they are.
            while left and (piece := file.read(min(PIECE, left))):
                pieces.append(piece)
                left -= len(piece)
        except OSError as error:
            raise file_error(path, error, expected) from None
    if not left:
        raise JumpnetError(f"{os.fspath(path)}: more than {most} bytes found, at most {most} expected")
    return b"".join(pieces)


def read_text(path: str | os.PathLike[str], most: int, expected: str, encoding: str = "utf-8") -> str:
    """The same as text, whose lines end in a newline; raises JumpnetError for bytes that are none."""
    try:
        text = read_bytes(path, most, expected).decode(encoding)
    except UnicodeDecodeError as error:
        raise file_error(path, error, expected) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def modules_in(folders: Iterable[str], inner: bool = False) -> list[str]:
    """Names of the Python modules in folders, in order; `inner`: those in their packages too, as `package.module`.

    Raises JumpnetError for a folder that cannot be read, as where too many files are open: `pkgutil` takes that for an
    empty one, and whatever is asked for would be unknown.
    """
    names: set[str] = set()
    for folder in folders:
        try:
            os.listdir(folder)
        except NotADirectoryError:  # within an archive
            pass
        except OSError as error:
            raise file_error(folder, error, "a folder that can be read expected") from None
        for module in pkgutil.iter_modules([folder]):
            names.add(module.name)
            if inner and module.ispkg:
                names |= {f"{module.name}.{each}" for each in modules_in([os.path.join(folder, module.name)])}
    return sorted(names)


WRITABLE = "a file that can be written expected"
"""What is expected of a file that cannot be written."""


@contextmanager
def replaced(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write, which takes its place when all of it is there: whatever ends the work leaves an older one whole.

    It is written in place where nothing could take that place alone: a pipe or device, a file with several names, one
    in a folder that may not be written. A link leads to the file that is replaced. Raises JumpnetError for what the
    system refuses; what else is raised within comes out.
    """
    partial: Path | None = None
    try:
        try:
            place, partial = _beside(Path(path))
            made = (partial or place).open("wb" if partial is None else "xb")
        except PermissionError:  # to make a file; this one may be written all the same
            partial, made = None, Path(path).open("wb")  # noqa: SIM115 - closed below
        except ValueError as error:  # a zero in the name
            raise file_error(path, error, WRITABLE) from None
        with made as file:
            yield file
        if partial is not None:
            if place.exists():
                with suppress(OSError):  # file systems without rights
                    partial.chmod(stat.S_IMODE(place.stat().st_mode))
            partial.replace(place)
            partial = None
    except OSError as error:
        raise file_error(path, error, WRITABLE) from None
    finally:
        if partial is not None:
            partial.unlink(missing_ok=True)


def _beside(path: Path) -> tuple[Path, Path | None]:
    """The file that a path leads to, and the name of a new one in its folder; none where it is written in place."""
    try:
        about = path.stat()
    except FileNotFoundError:
        about = None
    # What is below /dev and /proc stands for files that are open already, such as the standard output.
    open_already = path.absolute().parts[1:2] in (("dev",), ("proc",))
    alone = about is None or (stat.S_ISREG(about.st_mode) and about.st_nlink == 1 and os.access(path, os.W_OK))
    if open_already or not alone:
        return path, None
    place = Path(os.path.realpath(path))
    return place, place.with_name(f".jumpnet-{os.urandom(8).hex()}.partial")  # short: a name may be as long as it can


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file, whole or not at all; raises JumpnetError where it cannot be written.

    >>> write_bytes("/no/such/folder/a.csv", b"a,b")
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: /no/such/folder/a.csv: no such file or directory, a file that can be written expected
    """
    with replaced(path) as file:
        file.write(data)
