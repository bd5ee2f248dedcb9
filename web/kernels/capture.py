"""LLVM code of jumpnet's functions as Numba makes it, with all they reach, before anything is optimised for a machine.

Numba compiles for the processor that it runs on; here its pipeline is stopped where the whole program of an entry is
linked (`jumpnet.jit.bodies.Whole`), and the code goes on to another machine (`target`). What is linked is not optimised
before either, Numba's own functions included: that would write distances in bytes into it, as this processor's
pointers make them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple
from unittest.mock import patch

from fixed import fields_named
from numba import int64, typeof, types
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler_lock import global_compiler_lock

from jumpnet.jit import bodies, quick_steps

__all__ = ["Code", "entry_code", "pointer_code"]


class Code(NamedTuple):
    """A function in LLVM code: `status symbol(result*, error*, arguments...)`, Numba's own convention."""

    symbol: str
    arguments: tuple[str, ...]
    """LLVM types of its arguments, `i64` or `double`."""
    result: str
    """LLVM type of its result, empty for none."""
    text: str
    """The module, in words."""


class _Linked(Exception):
    """All of an entry's code stands in one module."""


def _stop(library: Any) -> None:
    raise _Linked


@contextmanager
def _unoptimised() -> Iterator[None]:
    nothing: Any = lambda *_: None  # noqa: E731
    kept = tuple(step for step in quick_steps.STEPS if step[1] != "_optimize_functions")  # ours of it would go before
    functions = patch.object(CPUCodeLibrary, "_optimize_functions", nothing)
    final = patch.object(CPUCodeLibrary, "_optimize_final_module", nothing)
    with functions, final, patch.object(quick_steps, "STEPS", kept), fields_named():
        yield


def _code(function: Callable[..., Any], kinds: tuple[Any, ...], allocates: bool) -> Code:
    made = bodies._quick(bodies._dispatcher(function, _nrt=allocates, pipeline_class=bodies.AloneCompiler))
    with _unoptimised():
        made.compile(kinds)
    compiled = made.overloads[kinds]
    stopped = patch.object(bodies.Whole, "_optimize_final_module", _stop)
    with _unoptimised(), stopped, global_compiler_lock, suppress(_Linked):
        compiled.library.finalize()
    signature, context = compiled.signature, compiled.target_context
    machine = context.call_conv.get_function_type(signature.return_type, signature.args)
    result = "" if signature.return_type == types.none else str(context.get_value_type(signature.return_type))
    text = str(compiled.library._final_module)
    return Code(compiled.fndesc.llvm_func_name, tuple(map(str, machine.args[2:])), result, text)


def entry_code(entry: Any, kind: type | None, floats: int = 0) -> Code:
    """The code of an entry that takes the address of a record of that kind (None: any address) and numbers.

    floats: how many of the last arguments are floating-point numbers.
    """
    function = entry.py_func
    count = function.__code__.co_argcount
    first = int64 if kind is None else typeof(kind(0))
    rest = count - 1 - floats
    return _code(function, (first, *[int64] * rest, *[types.float64] * floats), entry._allocates)


def pointer_code(compile_it: Callable[..., Any], where: Any, function: Callable[..., Any]) -> Code:
    """The code of a function that is called by its address, as `compile_it` of module `where` wraps it."""
    with patch.object(where, "pointer", lambda signature, wrapper, source: wrapper):
        wrapper = compile_it(function)
    return _code(wrapper, (int64,) * wrapper.__code__.co_argcount, allocates=True)
