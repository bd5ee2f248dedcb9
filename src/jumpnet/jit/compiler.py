"""What jumpnet takes from Numba, loaded when something must be compiled (`jit.later`), and kernels that Numba keeps.

Kernels that count references or give back arrays, and those that other compiled code links (`jit`), are kept in Numba's
own form. They come from the disk with Numba only; others need it not (`jit.loaded`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import llvmlite
import numba
from numba import carray, njit, types
from numba.core import cgutils
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_cast,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
)

from jumpnet.jit.cache import Codec
from jumpnet.jit.loaded import levels, processor

__all__ = [
    "ENTRY",
    "NUMBA",
    "AbstractTemplate",
    "AttributeTemplate",
    "Conversion",
    "as_pointer",
    "carray",
    "cgutils",
    "infer_getattr",
    "infer_global",
    "intrinsic",
    "lower_builtin",
    "lower_cast",
    "lower_getattr_generic",
    "lower_setattr_generic",
    "models",
    "numba_jit",
    "pointer_type",
    "ready_to_run",
    "refuse_to_link",
    "register_model",
    "signature",
    "type_of",
    "types",
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


_ask_for_blas_later()


def _keepable(compiled: Any) -> bool:
    return not compiled.library.has_dynamic_globals and all(lifted.can_cache for lifted in compiled.lifted)


ENTRY = "entry "
"""What the names of libraries begin with that are kept without the code that others would link (see `jit.linked`)."""


def refuse_to_link(name: str) -> Any:
    """Say that an entry cannot be called by compiled code: on the disk it has its machine code only."""
    raise RuntimeError(f"{name} is an entry, which Python calls: a kernel calls kernels")


def _rebuilt(context: Any, reduced: Any) -> Any:
    context.refresh()
    made = CompileResult._rebuild(context, *reduced)
    if made.library.name.startswith(ENTRY):
        made.library._get_module_for_linking = partial(refuse_to_link, made.library.name)
    return made


NUMBA = Codec(
    lambda: f"numba {numba.__version__} llvmlite {llvmlite.__version__}",
    dumps,
    lambda compiled: compiled._reduce(),
    _rebuilt,
    _keepable,
    processor,
    levels,
)


def numba_jit(function: Callable[..., Any], kept: Any, options: dict[str, Any]) -> Any:
    """Numba's dispatcher of a function, with its kept kernels if there are any."""
    compiled = njit(**options)(function)
    if kept is not None:
        compiled._cache = kept
    return compiled


def ready_to_run() -> None:
    """Let machine code find what Numba has for it: memory for arrays, errors."""
    cpu_target.target_context.refresh()


def type_of(made: Any) -> Any:
    """Numba's type of a global value of compiled code."""
    context = cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(made)


def pointer_type(words: str) -> Any:
    """Numba's type of a function that is passed by its address, by its signature."""
    args, result = normalize_signature(words)
    return types.FunctionType(result(*args))


def as_pointer(element: Any) -> Any:
    """The intrinsic that makes a pointer to such numbers of an address."""

    @intrinsic
    def convert(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

        return types.CPointer(element)(types.int64), codegen

    return convert
