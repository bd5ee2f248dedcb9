"""What kernels are made of: the `jit` decorator, arrays at addresses, and the cache on disk; `jit.linked` has the rest.

Kernels anywhere in jumpnet are decorated with `jit`, or by `jit.linked`. Nothing here loads Numba before something must
be compiled (`jit.later`, `jit.compiler`). With NUMBA_DISABLE_JIT=1 everything here degrades to plain Python with the
same results. The cache on disk (`jit.cache`) is keyed by the kernel's sources (`jit.sources`), so that an edit never
runs stale code.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from jumpnet.jit.cache import Codec, KernelCache
from jumpnet.jit.later import Deferred, Later, compiler
from jumpnet.jit.sources import content_key, source_key

__all__ = [
    "DISABLED",
    "address_of",
    "carray",
    "cgutils",
    "instruction",
    "intrinsic",
    "ir",
    "jit",
    "kept_for",
    "open_i16",
    "open_i32",
    "open_i64",
    "types",
]


def _disabled() -> bool:
    """Whether Numba is told to compile nothing; where it is loaded, it has been told in more ways."""
    numba = sys.modules.get("numba")
    if numba is not None:
        return bool(numba.config.DISABLE_JIT)
    try:
        return bool(int(os.environ.get("NUMBA_DISABLE_JIT") or "0"))
    except ValueError:
        return False


DISABLED = _disabled()
"""True under NUMBA_DISABLE_JIT=1: every kernel is then the plain Python function."""

types, cgutils, ir = Deferred("numba.core.types"), Deferred("numba.core.cgutils"), Deferred("llvmlite.ir")
"""For the code of intrinsics."""


def kept_for(function: Callable[..., Any], source: Callable[..., Any], codec: Codec) -> KernelCache | None:
    """The kept kernels of a function whose meaning is that of `source`; None where that has no source file."""
    try:
        file = inspect.getsourcefile(source)
    except TypeError:
        return None
    if file is None or not Path(file).is_file():
        return None
    where = f"{function.__qualname__}:{function.__code__.co_firstlineno}:{source.__code__.co_firstlineno}"

    def key() -> str | None:
        try:
            return f"{source_key(__file__)} {source_key(file)} {content_key(source)} {content_key(function)} {where}"
        except TypeError:
            return None

    ours = Path(file).is_relative_to(Path(__file__).parents[1])
    return KernelCache(f"{Path(file).stem}.{function.__qualname__}", key, codec, shared=ours)


def jit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a kernel: cached on disk, releases the GIL, raises no Python objects.

    Options are Numba's.

    Use it bare (`@jit`) or with options (`@jit(inline="always")`).
    """
    if function is None:
        return lambda f: jit(f, **options)
    if DISABLED:
        return function
    settings = {"nogil": True, "error_model": "numpy", **options}
    keep = settings.pop("cache", True)

    def make() -> Any:
        numba = compiler()
        return numba.numba_jit(function, kept_for(function, function, numba.NUMBA) if keep else None, settings)

    return Later(function, make)


def intrinsic(function: Callable[..., Any]) -> Any:
    """Numba's decorator of functions that compiled code alone can call."""
    return Later(function, lambda: compiler().intrinsic(function))


def instruction(build: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Decorate a function of plain Python with what it is in compiled code, a few machine instructions.

    `build(builder, *args)` makes them of the arguments, int64 numbers and addresses of arrays, and gives the int64
    value; where it gives None the value is 0.
    """

    def instructed(function: Callable[..., Any]) -> Any:
        if DISABLED:
            return function

        def typed(typingctx, *kinds):
            def code(context, builder, signature, args):
                value = build(builder, *args)
                return ir.IntType(64)(0) if value is None else value

            return types.int64(*(types.int64 if isinstance(kind, types.Integer) else kind for kind in kinds)), code

        own = inspect.signature(function)
        first = inspect.Parameter("typingctx", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        typed.__name__ = function.__name__
        typed.__signature__ = own.replace(parameters=[first, *own.parameters.values()])  # type: ignore[attr-defined]
        return Later(function, lambda: compiler().intrinsic(typed))

    return instructed


def _of_numba(name: str, make: Callable[[], Any]) -> Any:
    def stands_for(*args: Any) -> Any:
        """Compiled code only."""

    stands_for.__name__ = stands_for.__qualname__ = name
    return Later(stands_for, make)


carray = _of_numba("carray", lambda: compiler().carray)
_pointer_i64 = _of_numba("_pointer_i64", lambda: compiler().as_pointer(types.int64))
_pointer_i32 = _of_numba("_pointer_i32", lambda: compiler().as_pointer(types.int32))
_pointer_i16 = _of_numba("_pointer_i16", lambda: compiler().as_pointer(types.int16))


@jit(inline="always")
def address_of(array):
    """The address of a contiguous array's first element, as int64. The caller keeps the array alive."""
    return np.int64(array.ctypes.data)


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
