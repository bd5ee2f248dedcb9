"""What jumpnet takes from Numba: the `jit` decorator and the kernel cache; `_linked` has function pointers.

Kernels anywhere in jumpnet are decorated with `jit`. With NUMBA_DISABLE_JIT=1 everything here degrades to plain
Python with the same results. The cache on disk (`_kernel_cache`) is keyed by the kernel's sources (`_sources`),
so that an edit never runs stale code.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba import carray, njit, prange, types
from numba.core import cgutils
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.core.serialize import dumps
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    overload,
    register_model,
)

from jumpnet._kernel_cache import Codec, KernelCache
from jumpnet._processor import levels_of
from jumpnet._sources import content_key, source_key

__all__ = [
    "DISABLED",
    "ENTRY",
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
    "kept_for",
    "lower_builtin",
    "lower_getattr_generic",
    "lower_setattr_generic",
    "models",
    "open_i16",
    "open_i32",
    "open_i64",
    "overload",
    "prange",
    "refuse_to_link",
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


def _keepable(compiled: Any) -> bool:
    return not compiled.library.has_dynamic_globals and all(lifted.can_cache for lifted in compiled.lifted)


def _processor() -> Any:
    """Triple, processor and features that kernels are compiled for here."""
    return cpu_target.target_context.codegen().magic_tuple()


@cache
def _levels() -> tuple[Any, ...]:
    """The same for the common levels that this processor can run; none where kernels for a level are being made."""
    if numba.config.CPU_NAME is not None:
        return ()
    features = llvmlite.binding.get_host_cpu_features()
    triple = _processor()[0]
    return tuple((triple, level, "") for level in levels_of(name for name, there in features.items() if there))


ENTRY = "entry "
"""What the names of libraries begin with that are kept without the code that others would link (see `_linked`)."""


def refuse_to_link(name: str) -> Any:
    """Say that an entry cannot be called by compiled code: on the disk it has its machine code only."""
    raise RuntimeError(f"{name} is an entry, which Python calls: a kernel calls kernels")


def _rebuilt(context: Any, reduced: Any) -> Any:
    made = CompileResult._rebuild(context, *reduced)
    if made.library.name.startswith(ENTRY):
        made.library._get_module_for_linking = partial(refuse_to_link, made.library.name)
    return made


_CODEC = Codec(
    f"numba {numba.__version__} llvmlite {llvmlite.__version__}",
    dumps,
    lambda compiled: compiled._reduce(),
    _rebuilt,
    _keepable,
    _processor,
    _levels,
)


def kept_for(function: Callable[..., Any], source: Callable[..., Any]) -> KernelCache | None:
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

    ours = Path(file).is_relative_to(Path(__file__).parent)
    return KernelCache(f"{Path(file).stem}.{function.__qualname__}", key, _CODEC, shared=ours)


def jit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a kernel: cached on disk, releases the GIL, raises no Python objects. Options are Numba's.

    Use it bare (`@jit`) or with options (`@jit(inline="always")`).
    """
    if function is None:
        return lambda f: jit(f, **options)
    settings = {"nogil": True, "error_model": "numpy", **options}
    keep = settings.pop("cache", True)
    compiled = njit(**settings)(function)
    kept = kept_for(function, function) if keep and not DISABLED else None
    if kept is not None:
        compiled._cache = kept
    return compiled


def why_not_compiled(error: Exception, function: Callable[..., Any]) -> str:
    """One line for a compiler's refusal: `file:line: reason`, the line being in the file of `function` if possible.

    The compiler's message is a page of text, what lies deepest first: its first sentence says what, the first line of
    the user's own file where, and the first compiled function, if that is not `function` itself, in which helper.
    """
    file = inspect.getsourcefile(function) or ""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    noise = ("Failed in nopython", "During: ", "- ", "There are ", "* ", "Enabling", "File ", ">>>")
    lines = [w.strip() for w in text.splitlines()]
    reason = next((w for w in lines if w and not w.startswith(noise)), type(error).__name__)
    if reason.startswith("liveness info missing"):  # what Numba says of it
        reason = "a loop without end, a way out of it expected"
    call = next((w[4:] for w in lines if w.startswith(">>> ")), "")
    places = re.findall(r'(?:at |File ")(\S+?)(?: \(|", line )(\d+)', text)
    found = [int(n) for f, n in places if os.path.basename(f) == os.path.basename(file)]
    inside = re.search(r"callee type: type\(CPUDispatcher\(<function (\S+) at", text)
    if inside and inside[1].rpartition(".")[2] != function.__name__:
        reason = f"helper {inside[1].rpartition('.')[2]}: {reason}"
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
        has none to count. A kernel that hands many arrays to small functions borrows them once at its entry.
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
