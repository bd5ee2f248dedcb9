"""Which functions are a user's own, and which of those that it names a function of a user's is compiled with."""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

from jumpnet.api import public as _public

__all__ = ["PACKAGE", "code_of", "helper_of", "is_own", "made_outside", "of_others"]

PACKAGE = str(Path(__file__).parents[1]) + os.sep
"""How the names of our files begin."""
_MAKERS = ("<string>", dataclasses.__file__, _public.__file__)
"""Where the constructor of a dataclass, what is around it, and `dataclasses.replace` are."""
_OTHERS = ("jumpnet", "numba", "numpy")


def code_of(function: Any) -> CodeType | None:
    """The code of a function, also of a compiled or partial one; None where it has none."""
    function = getattr(function, "func", function)  # of functools.partial
    return getattr(getattr(function, "py_func", function), "__code__", None)


def is_own(function: Any) -> bool:
    """Whether a function comes from outside the package.

    >>> is_own(is_own), is_own(Path.exists)
    (False, True)
    """
    if function is None or not callable(function):
        return False
    code = code_of(function)
    return code is None or not code.co_filename.startswith(PACKAGE)


def made_outside() -> bool:
    """Whether the `__post_init__` that asks belongs to a dataclass which code from outside the package makes.

    Functions of ours trust the numbers that go with them: with others, or on other networks, they are as good as a
    user's own.
    """
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename in _MAKERS:
        frame = frame.f_back
    return frame is None or not frame.f_code.co_filename.startswith(PACKAGE)


def is_helper(function: FunctionType) -> bool:
    """Whether a plain function is one that a user's function is compiled with: not Python's own, nor a library's.

    >>> import numpy as np
    >>> is_helper(is_helper), is_helper(Path.exists), is_helper(np.roll)
    (False, False, False)
    """
    return not of_others(function.__module__ or "")


def helper_of(thing: Any) -> FunctionType | None:
    """The plain function behind one that a user's function is compiled with; None for anything else."""
    source = getattr(thing, "py_func", thing)
    return source if isinstance(source, FunctionType) and (source is not thing or is_helper(source)) else None


def of_others(module: str) -> bool:
    """Whether a module is ours, Python's own or a library's that compiles."""
    root = module.partition(".")[0]
    return root in _OTHERS or (root in sys.stdlib_module_names and root != "__main__")
