"""The one place that imports Numba: the `jit` decorator, C-style function pointers, and the kernel cache.

Kernels anywhere in jumpnet are decorated with `jit`. With NUMBA_DISABLE_JIT=1 everything here degrades to plain
Python with the same results. The cache on disk is keyed by a hash of the kernel's file and of every jumpnet file it
imports, so that an edit never runs stale code.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import carray, cfunc, njit, prange, types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    models,
    overload,
    register_model,
)

__all__ = [
    "DISABLED",
    "AbstractTemplate",
    "AttributeTemplate",
    "address_of",
    "borrow",
    "carray",
    "cgutils",
    "infer_getattr",
    "infer_global",
    "intrinsic",
    "ir",
    "jit",
    "lower_builtin",
    "lower_getattr_generic",
    "models",
    "open_i16",
    "open_i32",
    "open_i64",
    "overload",
    "pointer",
    "prange",
    "register_model",
    "signature",
    "types",
    "why_not_compiled",
]


def _ask_for_blas_later() -> None:
    """Let Numba not load SciPy's linear algebra, a quarter of a second, before a kernel multiplies matrices.

    It does when its functions of arrays are loaded, to know whether BLAS is there; kernels that need it ask again.
    """
    from numba.np import linalg

    ask = getattr(linalg, "ensure_blas", None)
    if ask is None:  # a version of Numba that does it in another way
        return
    linalg.ensure_blas = lambda: None
    from numba.np import arraymath

    linalg.ensure_blas = arraymath.ensure_blas = ask


DISABLED = bool(numba.config.DISABLE_JIT)
"""True under NUMBA_DISABLE_JIT=1: every kernel is then the plain Python function."""

if not DISABLED:
    _ask_for_blas_later()

_ROOT = Path(__file__).parent


def _cache_root() -> Path:
    home = os.environ.get("JUMPNET_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "jumpnet"
    )
    return Path(home) / "kernels"


_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+(\S+)[ \t]+import[ \t]*(\([^)]*\)|.*)|import[ \t]+(.*))", re.MULTILINE)


@cache
def _source(path: Path) -> bytes:
    """A source file, read once."""
    return path.read_bytes()


@cache
def _imports(path: Path) -> set[Path]:
    """The jumpnet files that a jumpnet file imports by name; lines of text that look alike may add some."""
    names: set[str] = set()
    for module, things, modules in _IMPORT.findall(_source(path).decode()):
        if module == "jumpnet" or module.startswith("jumpnet."):
            names |= {module, *(f"{module}.{thing}" for thing in re.findall(r"\w+", things))}
        elif "jumpnet." in modules:
            names |= set(re.findall(r"jumpnet\.[\w.]+", modules))
    files = (_ROOT.joinpath(*name.split(".")[1:]).with_suffix(".py") for name in names)
    return {file for file in files if file.is_file() and file != _ROOT.with_suffix(".py")}


@cache
def source_key(file: str) -> str:
    """Hash of a source file and of every jumpnet file it imports, directly or not: the name of its cache folder."""
    todo, seen = [Path(file)], set()
    while todo:
        path = todo.pop()
        if path not in seen and path.is_file():
            seen.add(path)
            todo.extend(_imports(path))
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(seen):
        digest.update(path.name.encode())
        digest.update(_source(path))
    return digest.hexdigest()[:16]


def _use_cache_of(function: Callable[..., Any]) -> bool:
    """Point Numba's cache at the folder of this function's sources; False where there is no source file."""
    try:
        file = inspect.getsourcefile(function)
    except TypeError:
        return False
    if file is None or not Path(file).is_file():
        return False
    numba.config.CACHE_DIR = str(_cache_root() / source_key(file))
    return True


def jit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a kernel: cached on disk, releases the GIL, raises no Python objects. Options are Numba's.

    Use it bare (`@jit`) or with options (`@jit(inline="always")`).
    """
    if function is None:
        return lambda f: jit(f, **options)
    settings = {"nogil": True, "error_model": "numpy", **options}
    settings["cache"] = settings.get("cache", True) and _use_cache_of(function)
    compiled = njit(**settings)(function)
    if settings["cache"] and not DISABLED and "<" not in function.__qualname__:
        # A name that is the same in every process: the cache key of a pointer's wrapper, which closes over this
        # kernel, holds it; Numba's own random name would make every process compile the wrapper anew.
        place = (
            source_key(str(inspect.getsourcefile(function))),
            function.__qualname__,
            function.__code__.co_firstlineno,
        )
        compiled._set_uuid(":".join(map(str, place)))
    return compiled


def pointer(signature: Any, wrapper: Callable[..., Any], source: Callable[..., Any]) -> Any:
    """Compile `wrapper` to a C function pointer of fixed `signature`, cached with the file of `source`.

    A kernel that takes such a pointer is compiled once and cached, whatever function it is given (about 4 ns a call).
    """
    return cfunc(signature, cache=_use_cache_of(source), nopython=True)(wrapper)


def why_not_compiled(error: Exception, function: Callable[..., Any]) -> str:
    """One line for a compiler's refusal: `file:line: reason`, the line being in the file of `function` if possible.

    The compiler's message is a page of text; its first sentence says what, and the deepest line of the user's own file
    where.
    """
    file = inspect.getsourcefile(function) or ""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    noise = ("Failed in nopython", "During: ", "- ", "There are ", "* ", "Enabling", "File ", ">>>")
    lines = [w.strip() for w in text.splitlines()]
    reason = next((w for w in lines if w and not w.startswith(noise)), type(error).__name__)
    call = next((w[4:] for w in lines if w.startswith(">>> ")), "")
    places = re.findall(r"at (\S+) \((\d+)\)", text) + re.findall(r'File "([^"]+)", line (\d+)', text)
    found = [int(n) for f, n in places if os.path.basename(f) == os.path.basename(file)]
    line = found[0] if found else function.__code__.co_firstlineno
    unknown = re.search(r"name '(\w+)' is not defined", text)
    if unknown:
        source, first = inspect.getsourcelines(function)
        line = next((first + k for k, w in enumerate(source) if re.search(rf"\b{unknown[1]}\b", w)), line)
    return f"{file or 'the relation'}:{line}: {reason[:160]} {call[:80]}".strip()


def _as_pointer(element: Any) -> Any:
    @intrinsic
    def convert(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

        return types.CPointer(element)(types.int64), codegen

    return convert


_pointer_i64 = _as_pointer(types.int64)
_pointer_i32 = _as_pointer(types.int32)
_pointer_i16 = _as_pointer(types.int16)


@jit(inline="always")
def address_of(array):
    """The address of a contiguous array's first element, as int64. The caller keeps the array alive."""
    return np.int64(array.ctypes.data)


if DISABLED:

    def borrow(array: Any) -> Any:
        """The array itself."""
        return array

else:

    @intrinsic
    def borrow(typingctx: Any, array: Any) -> Any:
        """The same array without its owner; jitted code only. The caller keeps the owner alive.

        Passing an array to a kernel that is not inlined counts references atomically, some 10 ns each; a borrowed one
        has none to count. A kernel that hands many arrays to small helpers borrows them once at its entry.
        """

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            made = context.make_array(signature.args[0])(context, builder, value=args[0])
            made.meminfo = cgutils.get_null_value(made.meminfo.type)
            made.parent = cgutils.get_null_value(made.parent.type)
            return made._getvalue()

        return array(array), codegen


@jit(inline="always")
def open_i64(address, shape):
    """The int64 array of `shape` (int or tuple) at an address; jitted code only."""
    return carray(_pointer_i64(address), shape)


@jit(inline="always")
def open_i32(address, shape):
    """The int32 array of `shape` (int or tuple) at an address; jitted code only."""
    return carray(_pointer_i32(address), shape)


@jit(inline="always")
def open_i16(address, shape):
    """The int16 array of `shape` (int or tuple) at an address; jitted code only."""
    return carray(_pointer_i16(address), shape)
