"""A record of sizes and array addresses that a kernel takes as one number: `m.buffer` is a size, `m.lane` an array.

A kernel that took all arrays of a run as arguments would pass hundreds of machine words at every call, and compile for
minutes. Here `m` is the address of a row of int64 numbers, as a type of its own whose attributes are single loads; flat
arrays are indexed through their addresses. A table is an array whose rows have a number of columns known to the code:
`m.end[e]` is a row, itself a flat array, and `m.end[e, 2]` a number. Nothing checks an index, and none may be negative.
Used by the memory of the simulator, of the timed machine and of the router chip.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import DTypeLike

from jumpnet.jit.decorator import DISABLED, intrinsic, types

__all__ = ["RecordMemory", "reader_of"]


class _Numbers64(np.ndarray):
    """An array whose single numbers have 64 bits, as they have in compiled code whatever the array has."""

    def __getitem__(self, where: Any) -> Any:
        found = super().__getitem__(where)
        return np.int64(found) if isinstance(found, np.integer) else found


class RecordMemory:
    """Sizes and arrays of a run by name, and the record that kernels read them from.

    A subclass says where: `PLACE` is the number of each field in the record, `ARRAYS` the fields that are addresses of
    flat arrays, with the type of their numbers (None: that of the array), `TABLES` those of int64 tables, with their
    columns.
    """

    PLACE: ClassVar[Mapping[str, int]]
    ARRAYS: ClassVar[Mapping[str, DTypeLike | None]] = {}
    TABLES: ClassVar[Mapping[str, int]] = {}

    def __init__(self, **values: Any) -> None:
        self._record = np.zeros(len(self.PLACE), np.int64)
        self._place: int = self._record.ctypes.data
        self.replace(**values)

    def replace(self, **values: Any) -> None:
        """Set sizes, or go on with other arrays (one of them has grown)."""
        for name, value in values.items():
            if name in self.ARRAYS:
                value = np.ascontiguousarray(value, self.ARRAYS[name]).reshape(-1)
                value = value.view(_Numbers64) if DISABLED and value.dtype.itemsize < 8 else value
            if name in self.TABLES:
                assert value.flags.c_contiguous and value.dtype == np.int64 and value.shape[1] == self.TABLES[name]
            self.__dict__[name] = value
            is_address = name in self.ARRAYS or name in self.TABLES
            self._record[self.PLACE[name]] = value.ctypes.data if is_address else value

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Sizes and arrays."""

    @property
    def address(self) -> Any:
        """What kernels take."""
        return self if DISABLED else self._place


def reader_of(memory: type[RecordMemory]) -> Any:
    """The function by which kernels take a memory of a class: from the address (int64) of its record.

    For arrays of int64, none of whose fields is known as a constant.
    """
    if DISABLED:
        return lambda address: address

    @cache
    def kind() -> Any:
        from jumpnet.jit.records.record_types import RecordType

        name, arrays = f"{memory.__module__}.{memory.__qualname__}", dict.fromkeys(memory.ARRAYS, types.int64)
        return RecordType(name, memory.PLACE, arrays, (), memory.TABLES)

    @intrinsic
    def memory_at(typingctx, address):
        return kind()(types.int64), lambda context, builder, signature, args: args[0]

    return memory_at
