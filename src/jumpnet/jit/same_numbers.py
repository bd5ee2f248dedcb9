"""Lowering of functions of a user's own that raises where a number would be another one than in Python.

Compiled, `2 ** -k` of whole numbers is 0, and `int(x)` of a float beyond 64 bits is any number. Whether that happens
shows when the function runs: then it raises, as a division by zero does. Used by `jit.allowed`.
"""

from __future__ import annotations

import builtins
import math
import operator
from typing import Any

import numpy as np
from llvmlite import ir as code
from numba import types
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower

from jumpnet.jit.bodies import BodyLowering

__all__ = ["SameNumbers", "fault_of_power", "fault_of_power_call"]

POWERS = (operator.pow, operator.ipow)
POWER_CALLS = (builtins.pow, operator.pow, np.power)
ROUNDINGS = (int, round, math.floor, math.ceil, math.trunc)
"""What makes a whole number of a float, besides types such as `np.int64`."""
BELOW_0 = "a whole number to a power below 0 found, which is 0 in compiled code: 1 / (a ** b) expected"
BEYOND = "a float without a whole number of {} bits for it found, a look (if) before the step expected"


def fault_of_power(found: Any, left: Any, right: Any) -> str:
    """Why two types may not be raised to a power; single numbers are looked at when the function runs."""
    whole = (types.Integer, types.Boolean)
    if found.fn not in POWERS or not isinstance(getattr(right, "dtype", right), whole):
        return ""
    if not isinstance(getattr(left, "dtype", left), whole):
        return ""
    constant = found.static_rhs if isinstance(found.static_rhs, int) else -1
    arrays = isinstance(left, types.Array) or isinstance(right, types.Array)
    return BELOW_0 if arrays and constant < 0 else ""


def fault_of_power_call(function: Any, given: list[Any]) -> str:
    """The same of a call; the operator is looked at."""
    if getattr(function, "typing_key", None) not in POWER_CALLS:
        return ""
    kinds = [getattr(kind, "dtype", kind) for kind in given]
    return "pow found: a ** b expected" if all(isinstance(kind, types.Integer) for kind in kinds) else ""


class _SameNumbers(Lower):
    """Numba's, with a look at what powers and roundings are given."""

    def _raise_unless(self, right: Any, words: str) -> None:
        with self.builder.if_then(self.builder.not_(right), likely=False):
            self.call_conv.return_user_exc(self.builder, ValueError, (words,))

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """A power of whole numbers has an exponent of 0 or more."""
        kinds = self.typeof(expr.lhs.name), self.typeof(expr.rhs.name)
        fixed = isinstance(expr.static_rhs, int) and expr.static_rhs >= 0
        signed = isinstance(kinds[1], types.Integer) and kinds[1].signed
        if op in POWERS and isinstance(kinds[0], types.Integer | types.Boolean) and signed and not fixed:
            exponent = self.loadvar(expr.rhs.name)
            self._raise_unless(self.builder.icmp_signed(">=", exponent, exponent.type(0)), BELOW_0)
        return super().lower_binop(resty, expr, op)

    def lower_call(self, resty: Any, expr: Any) -> Any:
        """A float that becomes a whole number has one of so many bits."""
        function, made = self.typeof(expr.func.name), self.fndesc.calltypes[expr].return_type
        rounds = isinstance(function, types.NumberClass) or getattr(function, "typing_key", None) in ROUNDINGS
        if rounds and len(expr.args) == 1 and isinstance(made, types.Integer):
            kind = self.typeof(expr.args[0].name)
            if isinstance(kind, types.Float):
                value = self.context.cast(self.builder, self.loadvar(expr.args[0].name), kind, types.float64)
                bits = made.bitwidth - made.signed
                low, high = (-(2.0**bits) if made.signed else 0.0), 2.0**bits
                cut = self.builder.fcmp_ordered("<", value, code.Constant(value.type, high))
                self._raise_unless(self.builder.and_(cut, self._above(value, low, made)), BEYOND.format(made.bitwidth))
        return super().lower_call(resty, expr)

    def _above(self, value: Any, low: float, made: Any) -> Any:
        """Whether what is behind the point cut off a number is no less than the least one; that of 64 bits is exact."""
        if made.bitwidth == 64 and made.signed:
            return self.builder.fcmp_ordered(">=", value, code.Constant(value.type, low))
        return self.builder.fcmp_ordered(">", value, code.Constant(value.type, low - 1.0))


@register_pass(mutates_CFG=True, analysis_only=False)
class SameNumbers(BodyLowering):
    """Lower a function of a user's own to a body."""

    _name = "lower_own_body"

    def lower_of(self, state: Any) -> Any:
        """Numba's step by step."""
        return _SameNumbers
