"""Seals: what a file holds is used only when this user's program wrote it, and not a bit of it has changed since.

A seal at the end of a file holds a digest, which tells damage, and the digest signed with a key (HMAC-SHA256), which
tells forgeries. The key is made at random when it is first needed; it lies in a folder that is its owner's alone.
Nothing of a file is looked at before its seal. Used by `sim.measure.checkpoint`, whose arrays go to compiled code
unchecked, by `analysis.deadlock.walks.checkpoint`, whose arrays become a proof, and by `sim.result.point_cache`, whose
figures become answers.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import io
import os
import secrets
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.files import open_regular
from jumpnet.jit.cache import cache_folder, not_owned
from jumpnet.memory import require
from jumpnet.terms import Array

__all__ = [
    "EVERY_CPU_SECONDS", "add_arrays", "keep_arrays", "kept_arrays", "key_file", "must_be_interval", "must_have_folder",
    "owners_key", "put_seal", "sealed",
]  # fmt: skip

EVERY_CPU_SECONDS = 60.0
"""CPU seconds between two checkpoints where nothing else is said: what is shorter writes none."""

MARK = b"\njumpnet seal 1\n"
DIGEST_BYTES = KEY_BYTES = 32
SEAL_BYTES = len(MARK) + 2 * DIGEST_BYTES
PIECE = 1 << 20


def key_file() -> Path:
    """Where the key lies: in `keys`, beside the folder of the kernels."""
    return cache_folder().with_name("keys") / "checkpoint.key"


def owners_key() -> bytes:
    """The key, made when there is none; raises JumpnetError where it cannot be kept, or is not its owner's alone."""
    path = key_file()
    why = not_owned(path.parent)
    if not why:
        try:
            if not path.exists():
                _make(path)
            with open_regular(path, "a key expected; remove it") as file:
                key, found = file.read(KEY_BYTES + 1), os.fstat(file.fileno())
        except OSError as error:
            why = error.strerror or str(error)
        else:
            if len(key) != KEY_BYTES:
                why = f"{path.name} is no key; remove it"
            elif hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o077):
                why = f"others may read {path.name}"
    if why:
        raise JumpnetError(f"no key for checkpoints in {path.parent} ({why}); set JUMPNET_CACHE_DIR")
    return key


def _make(path: Path) -> None:
    """Write a new key; of processes that do so at once, the first one's stays."""
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        os.unlink(temporary)


def put_seal(file: IO[bytes], key: bytes) -> None:
    """Seal what was written to a file open for reading and writing."""
    file.seek(0)
    digest = hashlib.sha256()
    while piece := file.read(PIECE):
        digest.update(piece)
    file.write(MARK + digest.digest() + _signed(digest.digest(), key))


def _signed(digest: bytes, key: bytes) -> bytes:
    return hmac.digest(key, digest, "sha256")


def sealed(path: Path, key: bytes, expected: str) -> bytes:
    """What a sealed file holds; raises JumpnetError for one that is damaged, or was sealed with another key."""
    with open_regular(path, expected) as file:
        size = os.fstat(file.fileno()).st_size
        require(2 * size, str(path))
        body = file.read(max(0, size - SEAL_BYTES))
        seal = file.read(SEAL_BYTES)
    if len(seal) != SEAL_BYTES or not seal.startswith(MARK):
        raise JumpnetError(f"{path}: not whole, or nothing that was sealed; {expected}")
    digest, signed = seal[len(MARK) : -DIGEST_BYTES], seal[-DIGEST_BYTES:]
    if hashlib.sha256(body).digest() != digest:
        raise JumpnetError(f"{path}: damaged, its digest differs; {expected}")
    if not hmac.compare_digest(_signed(digest, key), signed):
        raise JumpnetError(f"{path}: sealed with another key than {key_file()}, or forged; {expected}")
    return body


def must_be_interval(every_cpu_seconds: float) -> None:
    """Raise JumpnetError for no time between two checkpoints."""
    if not every_cpu_seconds >= 0.0:
        raise JumpnetError(f"{every_cpu_seconds} CPU seconds between checkpoints found, 0 or more expected")


def must_have_folder(path: Path) -> None:
    """Raise JumpnetError where the folder that a file is to lie in is not there."""
    if not path.parent.is_dir():
        raise JumpnetError(f"{path}: folder {path.parent} not found, an existing one expected")


def add_arrays(digest: Any, arrays: Iterable[Array]) -> None:
    """Feed arrays into a digest, with their shapes and types."""
    for array in arrays:
        digest.update(f"{array.shape}{array.dtype}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())


def keep_arrays(path: Path, arrays: Mapping[str, Array], key: bytes) -> None:
    """Write arrays beside their place, seal, flush, rename, flush the folder: a kill leaves the last file whole."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("w+b") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
            put_seal(file, key)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def kept_arrays(path: Path, key: bytes, expected: str) -> dict[str, Array]:
    """The arrays of such a file; raises JumpnetError for anything else than what was sealed with the key."""
    try:
        with np.load(io.BytesIO(sealed(path, key, expected)), allow_pickle=False) as archive:
            found = {name: archive[name] for name in archive.files}
        found["about"]
    except (ValueError, KeyError, EOFError, TypeError, AttributeError, zipfile.BadZipFile) as error:
        if isinstance(error, JumpnetError):
            raise
        raise JumpnetError(f"{path}: no checkpoint found, {expected}") from None
    return found
