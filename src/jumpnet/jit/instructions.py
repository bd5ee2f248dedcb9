"""Single instructions that change no result: hints for memory, what threads count by, and where code is kept apart."""

from __future__ import annotations

from typing import Any

from jumpnet.jit.decorator import cgutils, instruction, ir

__all__ = ["add_for_all", "let_others_run", "prefetch", "prefetch_far", "read_of_all", "stay_apart"]


def _hint(write: int, locality: int) -> Any:
    """Code that asks for an element."""

    def build(builder, array, index):
        place = builder.bitcast(builder.gep(array, [index]), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [place.type, *[ir.IntType(32)] * 3])
        hint = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(hint, [place, *(ir.IntType(32)(number) for number in (write, locality, 1))])

    return build


@instruction(_hint(1, 3))
def prefetch(array: Any, index: int) -> None:
    """Element `index` of an array will be changed soon: a hint without effect."""


@instruction(_hint(0, 2))
def prefetch_far(array: Any, index: int) -> None:
    """It will be used later: into the second cache, which can wait for more rows at a time than the first."""


def _add(builder, array, index):
    builder.atomic_rmw("add", builder.gep(array, [index]), ir.IntType(64)(1), "seq_cst")


@instruction(_add)
def add_for_all(array: Any, index: int) -> None:
    """Add 1 to an element that other threads add to; what was written before is visible to a reader of the sum."""
    array[index] += 1


@instruction(lambda builder, array, index: builder.load_atomic(builder.gep(array, [index]), "seq_cst", 8))
def read_of_all(array: Any, index: int) -> int:
    """An element that other threads change."""
    return int(array[index])


@instruction(lambda builder: builder.function.attributes.add("noinline"))
def stay_apart() -> None:
    """Keep the kernel that says this a function of its own: rare work must not take registers from what is hot,
    nor make its function larger: LLVM's time grows faster than a function."""


def _yield(builder):
    kind = ir.FunctionType(ir.IntType(32), [])
    builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])


@instruction(_yield)
def let_others_run() -> None:
    """Give the core away for a moment (POSIX)."""
