"""A compiler for functions of a user's own, that lets them call what keeps to its arrays, and nothing else.

Numba checks the indices that a function writes; what its NumPy functions do inside, nobody checks: `np.add` with an
`out` of another size, `a += b` and `np.bincount` of a number below 0 read or write beyond their arrays. So, once types
are known, each call is looked at, by whatever name it is reached. Loaded with Numba, when something must be compiled.
"""

from __future__ import annotations

import operator
import random
from typing import Any

import numpy as np
from numba import literal_unroll, prange, types
from numba.core import errors, ir
from numba.core.compiler import DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import NativeLowering, NopythonTypeInference

from jumpnet.jit.bodies import BodyLowering, OwnCompiler, checked_of

__all__ = ["allowed"]

NUMPY = (
    "all", "amax", "amin", "any", "arange", "argmax", "argmin", "argsort", "array", "array_equal", "asarray",
    "ceil", "concatenate", "copy", "count_nonzero", "cumprod", "cumsum", "diff", "empty", "empty_like", "eye",
    "flatnonzero", "full", "full_like", "identity", "max", "mean", "min", "nonzero", "ones", "ones_like",
    "prod", "ravel", "searchsorted", "shape", "size", "sort", "stack", "std", "sum",
    "transpose", "unique", "var", "where", "zeros", "zeros_like",
)  # fmt: skip
"""Functions of NumPy that were tried with arrays and numbers of all kinds; ufuncs without an `out` besides."""
ATTRIBUTES = (
    "T", "all", "any", "argmax", "argmin", "argsort", "astype", "copy", "cumprod", "cumsum", "dtype", "fill",
    "flatten", "imag", "item", "itemsize", "max", "mean", "min", "nbytes", "ndim", "nonzero", "prod", "ravel",
    "real", "shape", "size", "sort", "std", "strides", "sum", "take", "transpose", "var", "view",
)  # fmt: skip
"""Attributes and methods of arrays, likewise."""
PYTHON = ("builtins", "math", "cmath", "operator", "_operator")
BY_NAME = ("getattr", "setattr", "hasattr")
"""Builtin functions that reach an attribute which is not seen here."""
IN_PLACE = (
    "iadd",
    "iand",
    "ifloordiv",
    "ilshift",
    "imatmul",
    "imod",
    "imul",
    "ior",
    "ipow",
    "irshift",
    "isub",
    "itruediv",
    "ixor",
)
"""What changes an array by another one, called by its name; `a += 1` of a number is no call."""
MANY = 100
"""Arguments that a `*` may stand for, as nobody counts them."""
REMAINDERS = ("mod",)
"""`operator.mod`; `%` is looked at by its operands."""
UNSEEDED = ("hash",)
"""Of a text it is another number in each process."""
DIVIDES = (np.remainder, np.fmod, np.floor_divide, np.divmod)
"""Over arrays, the least number by -1 ends the process."""
UNCHECKED = ", which is not checked: array[index] expected"
PRINTS = "print found, which may stand in hooks that run in Python alone: raise expected"
"""From compiled code it asks for Python's lock, which a run of the simulator waits for without end."""
CATCHES = ("mark_try_block", "end_try_block", "exception_match")
"""What Numba puts in where a function has `try`."""
CUT = "a float written to an array of whole numbers found, which would be cut: // or int() expected"
REMAINDER = "the remainder of an array in place, or of one without dimensions, found: a = a % b expected"
"""Numba's own loop ends the process for the least integer by -1; where it makes the array anew it looks."""


def _root(thing: Any) -> str:
    return str(getattr(thing, "__module__", None) or "").partition(".")[0]


def _is_extended(function: Any) -> bool:
    """Whether somebody else than Numba says how a function or an attribute is compiled."""
    makers = (getattr(template, "_overload_func", template) for template in getattr(function, "templates", ()))
    return any(_root(maker) not in ("numba", "jumpnet", "abc", "") for maker in makers)


def _may_call(function: Any, count: int) -> bool:
    """Whether a function of this type may be called with so many arguments."""
    if isinstance(function, types.Dispatcher):
        return bool(getattr(function.dispatcher, "targetoptions", {}).get("boundscheck"))
    if isinstance(function, types.RecursiveCall | types.FunctionType):
        return False
    if not isinstance(function, types.Function):
        return True  # methods are seen where they are taken; types, errors and named tuples make a value
    made: Any = function.typing_key
    if _is_extended(function):
        return False
    if isinstance(made, np.ufunc):
        return count <= made.nin and made not in DIVIDES
    if _root(made) in PYTHON or isinstance(made, str):
        return getattr(made, "__name__", "") not in (*BY_NAME, *IN_PLACE, *REMAINDERS, *UNSEEDED)
    if _root(made) == "numpy":
        name = str(made.__name__)
        return name in NUMPY and made is getattr(np, name)
    return "jumpnet" in (_root(made), _root(getattr(made, "_defn", None))) or made in (prange, literal_unroll)


def _refusal(function: Any) -> str:
    made = getattr(function, "typing_key", function)
    made = getattr(made.dispatcher, "py_func", "object mode") if isinstance(made, types.Dispatcher) else made
    name = getattr(made, "__name__", None) or getattr(made, "_name", made)
    if name in CATCHES:
        return "try found, which compiled code cannot have: a look (if) before the step expected"
    if isinstance(getattr(made, "__self__", None), random.Random | np.random.RandomState):
        return f"{name} found, which no seed of a run repeats: a draw that the function gets expected"
    return f"{name} found{UNCHECKED}"


def _fault(found: Any, typemap: Any) -> str:
    """What is wrong with an expression; empty where nothing is."""
    if found.op == "call":
        function = typemap[found.func.name]
        given = len(found.args) + len(found.kws) + MANY * (found.vararg is not None)
        if not _may_call(function, given):
            return _refusal(function)
    elif found.op == "getattr":
        kind = typemap[found.value.name]
        if isinstance(kind, types.Buffer) and found.attr not in ATTRIBUTES:
            return f"{found.attr} found{UNCHECKED}"
        if isinstance(kind, types.UnicodeType | types.StringLiteral):
            return f"{found.attr} of a text found{UNCHECKED}"
    elif found.op in ("inplace_binop", "binop"):
        return _fault_of_operator(found, typemap[found.lhs.name], typemap[found.rhs.name])
    return ""


def _fault_of_operator(found: Any, left: Any, right: Any) -> str:
    """The same of an operator between two types."""
    in_place = found.op == "inplace_binop"
    if in_place and isinstance(right, types.Array):
        return f"an array changed by another in place found{UNCHECKED}"
    arrays = [kind for kind in (left, right) if isinstance(kind, types.Array)]
    is_remainder = found.fn in (operator.mod, operator.imod)
    if is_remainder and arrays and (in_place or not any(kind.ndim for kind in arrays)):
        return REMAINDER
    return ""


def _fault_of_line(line: Any, typemap: Any) -> str:
    """Why a line of a user's function may not be, empty where it may."""
    if isinstance(line, ir.Print):
        return PRINTS
    if isinstance(line, ir.SetItem | ir.StaticSetItem):
        to, value = typemap[line.target.name], typemap[line.value.name]
        kept, given = getattr(to, "dtype", to), getattr(value, "dtype", value)
        return CUT if isinstance(kept, types.Integer) and isinstance(given, types.Float | types.Complex) else ""
    found = getattr(line, "value", None)
    return _fault(found, typemap) if isinstance(found, ir.Expr) else ""


@register_pass(mutates_CFG=False, analysis_only=True)
class _Look(AnalysisPass):
    """Refuses a function for a call that may leave its arrays."""

    _name = "jumpnet_allowed"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Look at every expression."""
        for block in state.func_ir.blocks.values():
            for line in block.body:
                if fault := _fault_of_line(line, state.typemap):
                    raise errors.TypingError(fault, loc=line.loc)
        return False


class AllowedCompiler(OwnCompiler):
    """Numba's compiler to a body, that looks at every call once types are known."""

    def define_pipelines(self) -> Any:
        """The one pipeline."""
        made = DefaultPassBuilder.define_nopython_pipeline(self.state)
        made.add_pass_after(_Look, NopythonTypeInference)
        made.passes = [(BodyLowering if step is NativeLowering else step, words) for step, words in made.passes]
        made.finalize()
        return [made]


def allowed(function: Any) -> Any:
    """What Numba knows of a function that is compiled with checks and looked at."""
    return checked_of(function, AllowedCompiler)
