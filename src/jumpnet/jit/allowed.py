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
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler import DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import NativeLowering, NopythonTypeInference

from jumpnet.jit.bodies import OwnCompiler, checked_of
from jumpnet.jit.same_numbers import SameNumbers, fault_of_power, fault_of_power_call

__all__ = ["allowed"]

NUMPY = (
    "all", "amax", "amin", "any", "arange", "argmax", "argmin", "argsort", "array", "array_equal", "asarray",
    "ceil", "concatenate", "copy", "count_nonzero", "cumprod", "cumsum", "diff", "eye",
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
SETS_ITEM = ("setitem", "delitem")
"""`operator.setitem`; `a[k] = x` is looked at by its operands."""
WITHOUT_ORDER = ("len", "sorted", "min", "max", "set", "bool")
"""Builtin functions whose answer does not show in which order a set has its members."""
DICTIONARY = ("clear", "pop", "popitem", "setdefault", "update")
"""Methods that change a dictionary."""
DIVIDES = (np.remainder, np.fmod, np.floor_divide, np.divmod)
"""Over arrays, the least number by -1 ends the process."""
BLANK = ("empty", "empty_like")
"""Functions of NumPy whose numbers are those that memory held before, so that a packet might find what another left."""
UNCHECKED = ", which is not checked: array[index] expected"
PRINTS = "print found, which may stand in hooks that run in Python alone: raise expected"
"""From compiled code it asks for Python's lock, which a run of the simulator waits for without end."""
CATCHES = ("mark_try_block", "end_try_block", "exception_match")
"""What Numba puts in where a function has `try`."""
CUT = "a float written to an array of whole numbers found, which would be cut: // or int() expected"
ORDER = "the order of a set found, which is another one in compiled code: sorted(...) expected"
SLICE_OF_LIST = "a slice of a list set to a list found, which may be the same one: steps with single numbers expected"
"""Numba writes it while it still reads it; Python copies it first."""
CHANGED_IN_LOOP = (
    "a dictionary changed in a loop over one found, which compiled code ends without a word: a loop over sorted(...) "
    "expected"
)
"""Python raises an error once there is another key."""
INVERTED = "~ of a truth value found, which is another number in compiled code: not expected"
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
        return getattr(made, "__name__", "") not in (*BY_NAME, *IN_PLACE, *REMAINDERS, *UNSEEDED, *SETS_ITEM)
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
    if _root(made) == "numpy" and name in BLANK:
        return f"{name} found, which holds what was there before: zeros expected"
    return f"{name} found{UNCHECKED}"


def _shows_order(function: Any, given: list[Any]) -> bool:
    """Whether a call answers something else for a set whose members are in another order."""
    if not any(isinstance(kind, types.Set) for kind in given):
        return False
    if isinstance(function, types.BoundFunction):
        return not isinstance(function.this, types.Set)
    made: Any = getattr(function, "typing_key", None)
    return _root(made) == "builtins" and getattr(made, "__name__", "") not in WITHOUT_ORDER


def _changes_dictionary(line: Any, typemap: Any) -> bool:
    """Whether a line changes a dictionary, or hands one on to a function that might."""
    if isinstance(line, ir.SetItem | ir.StaticSetItem | ir.DelItem):
        return isinstance(typemap[line.target.name], types.DictType)
    found = getattr(line, "value", None)
    if not isinstance(found, ir.Expr):
        return False
    if found.op == "getattr":
        return isinstance(typemap[found.value.name], types.DictType) and found.attr in DICTIONARY
    given = (typemap[each.name] for each in found.args) if found.op == "call" else ()
    return any(isinstance(kind, types.DictType) for kind in given) and isinstance(
        typemap[found.func.name], types.Dispatcher
    )


def _fault_of_loop(header: list[Any], lines: list[Any], typemap: Any) -> Any:
    """The line within a loop over a dictionary that changes one; None where there is none.

    header: the lines that take the next key, or that ask in a loop of another kind whether it goes on.
    """
    values = (getattr(line, "value", None) for line in header)
    steps = (found for found in values if isinstance(found, ir.Expr) and found.op == "iternext")
    if not any(isinstance(typemap[step.value.name], types.DictIteratorType) for step in steps):
        return None
    return next((line for line in lines if _changes_dictionary(line, typemap)), None)


def _fault(found: Any, typemap: Any) -> str:
    """What is wrong with an expression; empty where nothing is."""
    if found.op == "call":
        function = typemap[found.func.name]
        given = len(found.args) + len(found.kws) + MANY * (found.vararg is not None)
        if not _may_call(function, given):
            return _refusal(function)
        kinds = [typemap[each.name] for each in found.args]
        return ORDER if _shows_order(function, kinds) else fault_of_power_call(function, kinds)
    if found.op == "getiter":
        return ORDER if isinstance(typemap[found.value.name], types.Set) else ""
    if found.op == "getattr":
        kind = typemap[found.value.name]
        if isinstance(kind, types.Set) and found.attr == "pop":
            return ORDER
        if isinstance(kind, types.Buffer) and found.attr not in ATTRIBUTES:
            return f"{found.attr} found{UNCHECKED}"
        if isinstance(kind, types.UnicodeType | types.StringLiteral):
            return f"{found.attr} of a text found{UNCHECKED}"
    elif found.op == "unary" and found.fn is operator.invert:
        return INVERTED if isinstance(typemap[found.value.name], types.Boolean) else ""
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
    return fault_of_power(found, left, right)


def _is_slice(line: Any, typemap: Any) -> bool:
    """Whether what is set is more than one place."""
    index = getattr(line, "index_var", None) or line.index
    return isinstance(index, slice) or isinstance(typemap.get(getattr(index, "name", "")), types.SliceType)


def _fault_of_line(line: Any, typemap: Any) -> str:
    """Why a line of a user's function may not be, empty where it may."""
    if isinstance(line, ir.Print):
        return PRINTS
    if isinstance(line, ir.SetItem | ir.StaticSetItem):
        to, value = typemap[line.target.name], typemap[line.value.name]
        if isinstance(to, types.List) and isinstance(value, types.List) and _is_slice(line, typemap):
            return SLICE_OF_LIST
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
        blocks = state.func_ir.blocks
        for loop in compute_cfg_from_blocks(blocks).loops().values():
            inside = [line for label in sorted(loop.body) for line in blocks[label].body]
            if found := _fault_of_loop(blocks[loop.header].body, inside, state.typemap):
                raise errors.TypingError(CHANGED_IN_LOOP, loc=found.loc)
        return False


class AllowedCompiler(OwnCompiler):
    """Numba's compiler to a body, that looks at every call once types are known."""

    def define_pipelines(self) -> Any:
        """The one pipeline."""
        made = DefaultPassBuilder.define_nopython_pipeline(self.state)
        made.add_pass_after(_Look, NopythonTypeInference)
        made.passes = [(SameNumbers if step is NativeLowering else step, words) for step, words in made.passes]
        made.finalize()
        return [made]


def allowed(function: Any) -> Any:
    """What Numba knows of a function that is compiled with checks and looked at."""
    return checked_of(function, AllowedCompiler)
