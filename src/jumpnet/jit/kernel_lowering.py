"""Lowering of kernels that count no references: without what Numba does so that counts come out right.

Numba marks where each variable is last used, reads what a variable holds before it is written, and writes nothing into
it at its end, all of it for arrays that are to be given back. Kernels of numbers and addresses have none. Loaded with
Numba, when something must be compiled.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, ir
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import IRLegalization
from numba.core.untyped_passes import InlineClosureLikes

__all__ = ["FOR_REFERENCES", "InlineClosures", "KernelLower", "lower_of"]

FOR_REFERENCES = (IRLegalization,)
"""Steps that write down where variables end."""


@register_pass(mutates_CFG=True, analysis_only=False)
class InlineClosures(InlineClosureLikes):
    """Numba's own, which goes through the lifetimes of all variables twice, where there are closures or new arrays."""

    _name = "inline_closures"

    def run_pass(self, state: Any) -> bool:
        """Look first."""
        values = (s.value for block in state.func_ir.blocks.values() for s in block.body if isinstance(s, ir.Assign))
        makes = any(isinstance(value, ir.Expr) and value.op == "make_function" for value in values)
        return (makes or state.flags.nrt) and super().run_pass(state)


class KernelLower(Lower):
    """Numba's, for functions without references and without what debuggers ask for."""

    _disable_sroa_like_opt = False

    def storevar(self, value: Any, name: str, argidx: Any = None) -> None:
        """Write a variable."""
        self._alloca_var(name, self.typeof(name))
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def alloca_lltype(self, name: str, lltype: Any, datamodel: Any = None) -> Any:
        """Room for a variable."""
        return cgutils.alloca_once(self.builder, lltype, name=name, zfill=False)


def lower_of(flags: Any) -> type[Lower]:
    """Which lowering a function compiled with some flags gets."""
    return Lower if flags.nrt or flags.debuginfo else KernelLower
