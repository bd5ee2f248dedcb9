"""Compiled kernels on disk: one file for each kernel, signature and processor, with a checksum.

A file's name says all that its code depends on (sources, signature, processor, versions), so that a changed source
never runs old code; the checksum covers the name too, so that a renamed file is no other kernel. What is unpickled
from a file is code: the folder must be its owner's alone. A file that is damaged is set aside and the kernel compiled
again; where the folder cannot be used, kernels are compiled anew in every process, and one line says so. There is no
other place that they could come from.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jumpnet.jit import lock as _kernel_lock
from jumpnet.jit.announced import COMPILING
from jumpnet.notices import notice

__all__ = ["BUILT_IN", "Codec", "KernelCache", "OtherNumbaError", "cache_folder", "not_owned"]

BUILT_IN = Path(__file__).parents[1] / "kernels"
"""The kernels that came with the package, compiled for common levels of processors when it was built."""

MADE_BY = "made_by"
"""The file beside them that says what compiled them: `numba 0.68.1 llvmlite 0.50.0`."""

MARK = b"jumpnet kernel 2\n"
CHECKSUM_BYTES = 32
MOST_BYTES = 1 << 28
"""A larger file is no kernel."""


class Codec(NamedTuple):
    """How Numba's compiled kernels become bytes and back, so that this file needs nothing of Numba."""

    versions: Callable[[], str]
    """Of everything that wrote the bytes: another version cannot read them."""
    dumps: Callable[[Any], bytes]
    reduce: Callable[[Any], Any]
    """A compiled kernel as something that can be pickled."""
    rebuild: Callable[[Any, Any], Any]
    """`rebuild(target_context, reduced)`: the kernel again."""
    keepable: Callable[[Any], bool]
    """Whether a compiled kernel may be used by another process."""
    processor: Callable[[], Any]
    """What kernels are compiled for here."""
    levels: Callable[[], tuple[Any, ...]]
    """What else runs here: the common levels, best first, in the same form."""
    loads: Callable[[bytes], Any] = pickle.loads
    """The bytes as what `rebuild` takes."""
    made_by: Callable[[str], str] | None = None
    """`versions` of kernels that others compiled, where their bytes run whatever is installed; None where not."""


class OtherNumbaError(Exception):
    """Kept code needs what is only in the Numba that compiled it, and another one is installed."""


def _not_to_be_had() -> None:
    raise OtherNumbaError


def cache_folder() -> Path:
    """Where kernels are kept: `JUMPNET_CACHE_DIR`, or `jumpnet` in the user's cache folder."""
    home = os.environ.get("JUMPNET_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "jumpnet"
    )
    return Path(home) / "kernels"


@cache
def _say(words: str) -> None:
    """One line on the error stream, once a process."""
    notice(words)


@cache
def _made_by(folder: Path) -> str:
    """What compiled the kernels that came with the package, empty where it is not said."""
    try:
        return (folder / MADE_BY).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


@cache
def not_owned(folder: Path) -> str:
    """Why a folder is not its owner's alone to write to, empty where it is; makes the folder where there is none."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except OSError as error:
        return f"{error.strerror or error}"
    if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o022):
        return "others may write there, and what is read from it is trusted"
    return ""


def _checksum(name: str, data: bytes) -> bytes:
    return hashlib.sha256(f"{name}\n".encode() + data).digest()


def _bytes_of(path: Path) -> bytes:
    """What is in a kernel's file; nothing where it is a pipe, a device, a folder or too large, without waiting."""

    def opened(name: str, flags: int) -> int:
        return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))

    try:
        with open(path, "rb", opener=opened) as file:
            found = os.fstat(file.fileno())
            whole = stat.S_ISREG(found.st_mode) and found.st_size <= MOST_BYTES
            return file.read(MOST_BYTES) if whole else b""
    except IsADirectoryError:
        return b""


def _usable(folder: Path) -> bool:
    why = not_owned(folder)
    if why:
        _say(f"kernels are not kept in {folder} ({why}): every run compiles them anew; set JUMPNET_CACHE_DIR")
    return not why


class KernelCache:
    """The kept kernels of one function; what Numba expects of a cache.

    `key()` says what the function's code depends on beside its signature and the processor, None when that cannot be
    said: then nothing is kept. It is asked for at the first call, when the function's module is loaded whole. Where
    `shared`, one process compiles while others that want the same kernel wait (`jit.lock`).
    """

    def __init__(
        self,
        name: str,
        key: Callable[[], str | None],
        codec: Codec,
        folder: Callable[[], Path] = cache_folder,
        shared: bool = False,
    ) -> None:
        self._name = "".join(c if c.isalnum() or c in "_." else "-" for c in name)
        self._key, self._codec, self._folder = cache(key), codec, folder
        self._enabled, self._shared = True, shared

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder())

    def enable(self) -> None:
        """Keep and find kernels."""
        self._enabled = True

    def disable(self) -> None:
        """Neither keep nor find any."""
        self._enabled = False

    def flush(self) -> None:
        """Forget the kernels of this function."""
        for path in self._folder().glob(f"{self._name}-*"):
            path.unlink(missing_ok=True)

    def _name_of(self, signature: Any, processor: Any, versions: str = "") -> str | None:
        """The file of one compiled form; None for a type that has another name in every process."""
        words = repr((signature, processor))
        key = self._key() if self._enabled else None
        if key is None or " at 0x" in words:
            return None
        parts = (MARK.decode(), key, versions or self._codec.versions(), str(sys.implementation.cache_tag), words)
        return f"{self._name}-{hashlib.sha256(chr(10).join(parts).encode()).hexdigest()[:24]}.kernel"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The kept kernel of a signature, None when it must be compiled."""
        found = self._built_in(signature, target_context) if BUILT_IN.is_dir() else None
        if found is not None:
            return found
        name = self._name_of(signature, self._codec.processor())
        folder = self._folder()
        if not name or not _usable(folder):
            return None
        found = self._read(folder / name, target_context)
        if found is None and self._shared:
            COMPILING.begins(folder / name)
            _kernel_lock.take(folder / name)
            found = self._read(folder / name, target_context)  # another process may have been quicker
            if found is not None:
                self._over(folder / name)
        return found

    def _built_in(self, signature: Any, target_context: Any) -> Any:
        """The kernel that came with the package, whatever compiled it where it needs nothing of that."""
        versions, maker = self._codec.versions(), _made_by(BUILT_IN)
        theirs = self._codec.made_by(maker) if self._codec.made_by and maker else versions
        context = target_context if theirs == versions else _not_to_be_had
        for level in self._codec.levels():
            name = self._name_of(signature, level, theirs)
            found = self._read(BUILT_IN / name, context) if name else None
            if found is not None:
                return found
        return None

    def _read(self, path: Path, target_context: Any) -> Any:
        """The kernel in a file; a damaged file is set aside."""
        try:
            data = _bytes_of(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            _say(f"kernel {path.name} cannot be read ({error.strerror}); it is compiled again")
            return None
        start = len(MARK) + CHECKSUM_BYTES
        if data[: len(MARK)] == MARK and _checksum(path.name, data[start:]) == data[len(MARK) : start]:
            try:
                return self._codec.rebuild(target_context, self._codec.loads(data[start:]))
            except OtherNumbaError:
                return None
            except RuntimeWarning:  # of the environment's words for Numba, which it reads when it is loaded
                raise
            except Exception:
                pass
        with contextlib.suppress(OSError):
            path.replace(path.with_suffix(".damaged"))
        _say(f"kernel {path.name} was damaged; it is set aside and compiled again")
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled kernel: whole or not at all, whoever else writes it."""
        name, folder = self._name_of(signature, self._codec.processor()), self._folder()
        if name is None:
            return
        try:
            if self._codec.keepable(compiled) and _usable(folder):
                self._write(folder / name, compiled)
        finally:
            self._over(folder / name)

    def _over(self, path: Path) -> None:
        """Nobody compiles this kernel any more."""
        COMPILING.ended(path)
        _kernel_lock.give_back(path)

    def _write(self, path: Path, compiled: Any) -> None:
        data = self._codec.dumps(self._codec.reduce(compiled))
        temporary = ""
        try:
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f"{path.stem}.", suffix=".part")
            with os.fdopen(handle, "wb") as file:
                file.write(MARK + _checksum(path.name, data) + data)
            os.replace(temporary, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            _say(f"kernels cannot be kept in {path.parent} ({error.strerror}): every run compiles them anew")
