"""What code refers to in Numba's extensions, in an entry's own code instead, so that it runs without Numba.

Memory of arrays that an entry makes and gives up again is `malloc` and `free`: two of Numba's functions with the same
meaning, for entries that need no others. Arrays that come from Python have no owner there (`jit.loaded`), and none made
here gets out. And a function among the arguments has an address (`jit.linked.Pointer`), so that Numba's way to ask
Python for one is never gone. Loaded with Numba.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llvmlite import ir
from llvmlite.binding import parse_assembly

__all__ = ["own_runtime"]

WORD, BYTES = ir.IntType(64), ir.IntType(8).as_pointer()
ALLOCATE, END = "NRT_MemInfo_alloc_aligned", "NRT_MemInfo_call_dtor"
MEMORY = (ALLOCATE, END)
ASK_PYTHON = "numba_gil_ensure"
"""What Numba calls first where it asks Python for the address of a function."""
HEAD_BYTES = 48
"""What Numba keeps of an array's memory (`struct MemInfo`): six words."""
COUNT, DATA, SIZE = 0, 3, 4
"""Words of it: references, address of the numbers, size in bytes."""


def _allocate(module: Any) -> None:
    """(size, align) -> the head of so many bytes at an aligned address, with one reference; null if there are none."""
    malloc = ir.Function(module, ir.FunctionType(BYTES, [WORD]), "malloc")
    function = ir.Function(module, ir.FunctionType(BYTES, [WORD, ir.IntType(32)]), ALLOCATE)
    size, align = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    wide = builder.zext(align, WORD)
    head = builder.call(malloc, [builder.add(size, builder.add(wide, WORD(HEAD_BYTES)))])
    none = builder.icmp_unsigned("==", builder.ptrtoint(head, WORD), WORD(0))
    with builder.if_then(none, likely=False):
        builder.ret(head)
    words = builder.bitcast(head, WORD.as_pointer())
    last = builder.add(builder.ptrtoint(head, WORD), builder.add(wide, WORD(HEAD_BYTES - 1)))
    first = builder.and_(last, builder.neg(wide))
    for place in range(HEAD_BYTES // 8):
        value = {COUNT: WORD(1), DATA: first, SIZE: size}.get(place, WORD(0))
        builder.store(value, builder.gep(words, [WORD(place)]))
    builder.ret(head)


def _end(module: Any) -> None:
    """Give the memory of a head back, when the last reference is gone."""
    free = ir.Function(module, ir.FunctionType(ir.VoidType(), [BYTES]), "free")
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [BYTES]), END)
    builder = ir.IRBuilder(function.append_basic_block())
    builder.call(free, function.args)
    builder.ret_void()


def _never(module: Any, name: str) -> None:
    """A function that is not to be called: the process ends there."""
    builder = ir.IRBuilder(ir.Function(module, ir.FunctionType(ir.IntType(32), []), name).append_basic_block())
    builder.call(ir.Function(module, ir.FunctionType(ir.VoidType(), []), "llvm.trap"), [])
    builder.unreachable()


def own_runtime(wanted: Iterable[str], all_have_addresses: bool) -> Any:
    """A module that defines what it can of what is wanted.

    wanted: names that an entry refers to outside itself. all_have_addresses: of functions that it is given.
    """
    names = set(wanted)
    module = ir.Module("own runtime")
    if names & set(MEMORY) and not {name for name in names if name.startswith("NRT_")} - set(MEMORY):
        _allocate(module)
        _end(module)
    if all_have_addresses and ASK_PYTHON in names:
        _never(module, ASK_PYTHON)
    return parse_assembly(str(module))
