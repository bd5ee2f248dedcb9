"""What is made when compiled code needs it, and not before: Numba takes a third of a second to load.

Decorators give a `Later`, which knows its Python function and how to make what Numba knows. The first `made` loads
Numba, tells it of what waits (`when_compiling`) and makes that one. In code that is compiled, a `Later` stands for what
it makes.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import update_wrapper
from threading import RLock
from types import ModuleType
from typing import Any

__all__ = ["Deferred", "Later", "compiler", "in_compiled_code", "when_compiling"]

OF_NUMBA = frozenset(
    ("targetoptions", "overloads", "signatures", "stats", "compile", "inspect_llvm", "inspect_asm", "inspect_types")
)
"""What is asked of the compiled thing itself. Anything else must not load Numba."""
_waiting: list[Callable[[], None]] = []
_lock = RLock()
_state: dict[str, Any] = {}


def compiler() -> Any:
    """The part of the package that uses Numba (`jit.compiler`), loaded, with all that waited for it."""
    with _lock:
        if "compiler" not in _state:
            from jumpnet.jit import compiler as _compiler

            _state["compiler"] = _compiler
        while _waiting:
            _waiting.pop(0)()
    return _state["compiler"]


def when_compiling(register: Callable[[], None]) -> Callable[[], None]:
    """Call a function that teaches Numba something once Numba is there: now, or when it has been loaded."""
    _waiting.append(register)
    if "compiler" in _state:
        compiler()
    return register


class Deferred:
    """A module of Numba by name, loaded when something of it is asked for; for the code of intrinsics."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        compiler()
        return getattr(importlib.import_module(self._module), name)


class Later:
    """What `make()` makes of a Python function, made when it is first called or compiled code calls it."""

    def __init__(self, function: Callable[..., Any], make: Callable[[], Any]) -> None:
        update_wrapper(self, function)
        self.py_func, self._make = function, make
        self._made: Any = None

    @property
    def made(self) -> Any:
        """The thing itself, as Numba knows it."""
        if self._made is None:
            compiler()
            with _lock:
                if self._made is None:
                    self._made = self._make()
        return self._made

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks of a value that compiled code names."""
        return compiler().type_of(self.made)

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call it."""
        return self.made(*args, **named)

    def __getattr__(self, name: str) -> Any:
        if name in OF_NUMBA:
            return getattr(self.made, name)
        raise AttributeError(f"{type(self).__name__} has no {name}")

    def __reduce__(self) -> str:
        """Workers have the same by name."""
        return self.py_func.__qualname__

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.py_func.__module__}.{self.py_func.__qualname__}>"


def in_compiled_code(load: Callable[[], ModuleType], *names: str) -> list[Any]:
    """Functions of a module that is loaded for the compiler alone, each as a `Later`.

    `load` imports it by a statement, as what kernels rest on is told by such (`jit.sources`).
    """

    def one(name: str) -> Later:
        def stands_for(*args: Any) -> Any:
            """Compiled code only."""

        stands_for.__name__ = stands_for.__qualname__ = name
        return Later(stands_for, lambda: getattr(load(), name))

    return [one(name) for name in names]
