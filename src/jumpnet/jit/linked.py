"""Kernels that only kernels call: typed and lowered once, linked into each entry that reaches them, compiled there.

Numba compiles every function that it meets to machine code of its own, with what it calls inside, and optimises it
again in each caller. For the hundred kernels of a simulator that is most of the compiler's time, and nobody calls them
from Python. Here a `kernel` ends as unoptimised LLVM code (its *body*); only an `entry` is optimised, whole, and
becomes machine code, which the disk keeps and which runs without Numba. Same source, same results. `jit.bodies`
compiles.
"""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable
from functools import cached_property, partial
from threading import RLock
from typing import Any

from jumpnet.jit.arguments import Pointed, kinds_of, words
from jumpnet.jit.cache import KernelCache
from jumpnet.jit.decorator import DISABLED, instruction, ir, jit, kept_for
from jumpnet.jit.later import Later, compiler
from jumpnet.jit.loaded import CODE, Loaded

__all__ = ["address_of_entry", "called", "checked", "entry", "inlined", "kernel", "pointer"]

_lock = RLock()


def _bodies() -> Any:
    """The compilers, with Numba."""
    compiler()
    from jumpnet.jit import bodies as _bodies

    return _bodies


def _bodies_entry(function: Callable[..., Any], args: tuple[Any, ...], allocates: bool, sort: str) -> Loaded:
    """Machine code of an entry, compiled."""
    made: Loaded = _bodies().entry_code(function, args, allocates, sort)
    return made


def _found_or_made(kept: KernelCache | None, name: Any, make: Callable[[], Loaded]) -> Loaded:
    """Machine code from the disk, or compiled and kept."""
    with _lock:
        found = None if kept is None else kept.load_overload(name, lambda: compiler().ready_to_run())
        if found is None:
            found = make()
            if kept is not None:
                kept.save_overload(name, found)
        return found


class Entry(Later):
    """A kernel that Python calls, compiled for the kinds of arguments that it is called with."""

    def __init__(self, function: Callable[..., Any], allocates: bool = False, sort: str = "") -> None:
        # What has kinds that Numba alone knows, and who compiles a call of an entry, finds it as Numba would have it.
        super().__init__(function, lambda: jit(function, _nrt=allocates, pipeline_class=_bodies().WholeCompiler).made)
        self._allocates, self._sort = allocates, sort
        self._calls: dict[Any, Callable[[tuple[Any, ...]], Any]] = {}
        self._codes: dict[Any, Loaded] = {}

    @cached_property
    def _kept(self) -> KernelCache | None:
        return kept_for(self.py_func, self.py_func, CODE)

    @cached_property
    def _parameters(self) -> inspect.Signature:
        return inspect.signature(self.py_func)

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call it."""
        kinds = kinds_of(args)
        call = self._calls.get(kinds)
        if call is None or named:
            return self._first_call(args, named)
        return call(args)

    def _first_call(self, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        given = self._parameters.bind(*args, **named)
        given.apply_defaults()
        args = given.args
        kinds = kinds_of(args)
        told = kinds and [words(kind) for kind in kinds]
        if kinds is None or None in (told or ()):
            return self.made(*args)
        if kinds not in self._calls:
            self._calls[kinds] = self._code(kinds, told, args).call()
        return self._calls[kinds](args)

    def _code(self, kinds: Any, told: Any, args: tuple[Any, ...]) -> Loaded:
        if kinds not in self._codes:
            make = partial(_bodies_entry, self.py_func, args, self._allocates, self._sort)
            name = told, self._allocates, self._sort
            self._codes[kinds] = _found_or_made(self._kept, name, make)
        return self._codes[kinds]

    def address(self, *args: Any) -> int:
        """Where its machine code for arguments such as these lies, compiled if need be; kernels call it by this
        (`called`)."""
        kinds = kinds_of(args)
        assert kinds is not None
        return self._code(kinds, [words(kind) for kind in kinds], args).address


class Kernel(Later):
    """A kernel that kernels call; it is compiled as an entry when Python calls it after all."""

    def __init__(self, function: Callable[..., Any], inline: bool, allocates: bool) -> None:
        super().__init__(function, lambda: _bodies().kernel_of(function, inline, allocates))
        self._entry = entry(function, allocates=allocates)

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call it."""
        return self._entry(*args, **named)


def kernel(function: Callable[..., Any] | None = None, *, inline: bool = False, allocates: bool = False) -> Any:
    """Compile a kernel that only kernels call. `inline` puts it into each caller; `allocates` as for an `entry`.

    function: in Python, or one that is compiled for Python's calls already.
    """
    if function is None:
        return partial(kernel, inline=inline, allocates=allocates)
    return function if DISABLED else Kernel(getattr(function, "py_func", function), inline, allocates)


def checked(function: Callable[..., Any]) -> Any:
    """Compile a user's function that only compiled code calls: indices are checked, and each call looked at."""

    def make() -> Any:
        compiler()
        from jumpnet.jit.allowed import allowed  # with Numba

        return allowed(function)

    return function if DISABLED else Later(function, make)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a kernel into each kernel that calls it."""
    return kernel(function, inline=True)


def entry(function: Callable[..., Any] | None = None, *, allocates: bool = False, sort: str = "") -> Any:
    """Compile a kernel that Python calls, with all kernels that it reaches; kept on disk whole.

    It makes arrays or lists, or calls a kernel that does, where `allocates`. It gives back numbers alone, and runs
    without Numba once it is on the disk, unless it makes lists. Of the sort "short loops" its loops are compiled
    as they stand, in three quarters of LLVM's time; of the sort "seldom" it is simplified once, in a quarter of that.
    """
    if function is None:
        return partial(entry, allocates=allocates, sort=sort)
    if DISABLED:
        return function
    return Entry(function, allocates, sort)


def address_of_entry(entry: Any, *args: Any) -> Any:
    """What `called` takes: where an entry's code for arguments such as these lies; in plain Python the function."""
    return entry if DISABLED else entry.address(*args)


def _by_entry(builder: Any, function: Any, answer: Any, *arguments: Any) -> Any:
    byte, status = ir.IntType(8).as_pointer(), ir.IntType(32)
    where = [
        builder.bitcast(answer, byte),
        builder.bitcast(builder.gep(answer, [ir.IntType(64)(1)]), byte.as_pointer()),
    ]
    kinds = [argument.type for argument in (*where, *arguments)]
    code = builder.inttoptr(function, ir.FunctionType(status, kinds).as_pointer())
    return builder.sext(builder.call(code, [*where, *arguments]), ir.IntType(64))


@instruction(_by_entry)
def called(function, answer, a, b, c, d, e):
    """Call an entry of five numbers by its address (`address_of_entry`): 0, or not where it has raised an error.

    What it gives back, a number, is then answer[0]; answer has room for another one.
    """
    answer[0] = function(a, b, c, d, e)
    return 0


class Pointer(Pointed):
    """A function that C can call, compiled or from the disk."""

    def __init__(self, signature: str, wrapper: Callable[..., Any], source: Callable[..., Any]) -> None:
        self.words, self.__wrapped__ = signature, wrapper
        kept = kept_for(wrapper, source, CODE)
        self._code = _found_or_made(kept, signature, lambda: _bodies().pointer_code(signature, wrapper))

    @property
    def address(self) -> int:
        """Where it is."""
        return self._code.address

    @property
    def ctypes(self) -> Any:
        """The same for Python: a function of int64 numbers."""
        return ctypes.CFUNCTYPE(
            ctypes.c_int64, *[ctypes.c_int64] * len(inspect.signature(self.__wrapped__).parameters)
        )(self.address)

    @property
    def _numba_type_(self) -> Any:
        return compiler().pointer_type(self.words)

    def __wrapper_address__(self) -> int:
        """What Numba asks for."""
        return self.address

    def signature(self) -> Any:
        """What Numba asks for."""
        return compiler().pointer_type(self.words).signature


def pointer(signature: str, wrapper: Callable[..., Any], source: Callable[..., Any]) -> Any:
    """Compile `wrapper` to a C function pointer of fixed `signature`, with all kernels that it reaches.

    signature: of int64 numbers, `"int64(int64, int64)"`. It is kept on disk with the file of `source`. A kernel that
    takes such a pointer is compiled once, whatever function it is given (about 4 ns a call).
    """
    return Pointer(signature, wrapper, source)
