"""A record of sizes and array addresses that a kernel takes as one number: `m.buffer` is a size, `m.lane` an array.

A kernel that took all arrays of a run as arguments would pass hundreds of machine words at every call, and compile for
minutes. Here `m` is the address of a row of int64 numbers, as a type of its own whose attributes are single loads; flat
arrays are indexed through their addresses. Used by the simulator's and the timed machine's memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from jumpnet._jit import (
    DISABLED,
    AttributeTemplate,
    infer_getattr,
    ir,
    lower_getattr_generic,
    models,
    register_model,
    types,
)

__all__ = ["RecordMemory", "RecordType"]

WORD = ir.IntType(64)


class RecordType(types.Type):
    """Type of `m` in compiled code.

    place: number of each field in the record. arrays: element type, int32 or int64, of the fields that are addresses.
    known: fields whose value is a constant of the code. The record must not change while a kernel runs.
    """

    def __init__(
        self, name: str, place: Mapping[str, int], arrays: Mapping[str, Any], known: Mapping[str, int]
    ) -> None:
        self.place, self.known = dict(place), dict(known)
        self.arrays = {field: types.CPointer(element) for field, element in arrays.items()}
        super().__init__(name=name)


class RecordMemory:
    """Sizes and int64 arrays of a run by name, and the record that kernels read them from.

    A subclass says where: `PLACE` is the number of each field in the record, `ARRAYS` the fields that are addresses.
    """

    PLACE: ClassVar[Mapping[str, int]]
    ARRAYS: ClassVar[tuple[str, ...]]

    def __init__(self, **values: Any) -> None:
        self._record = np.zeros(len(self.PLACE), np.int64)
        self.replace(**values)

    def replace(self, **values: Any) -> None:
        """Set sizes, or go on with other arrays (one of them has grown)."""
        for name, value in values.items():
            if name in self.ARRAYS:
                value = np.ascontiguousarray(value, np.int64).reshape(-1)
            self.__dict__[name] = value
            self._record[self.PLACE[name]] = value.ctypes.data if name in self.ARRAYS else value

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Sizes and arrays."""

    @property
    def address(self) -> Any:
        """What kernels take."""
        return self if DISABLED else int(self._record.ctypes.data)


if not DISABLED:

    @register_model(RecordType)
    class _RecordModel(models.PrimitiveModel):
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, WORD)

    @infer_getattr
    class _RecordAttributes(AttributeTemplate):
        key = RecordType

        def generic_resolve(self, kind: Any, name: str) -> Any:
            if name in kind.arrays:
                return kind.arrays[name]
            return types.int64 if name in kind.place else None

    @lower_getattr_generic(RecordType)
    def _load(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
        if name in kind.known:
            return ir.Constant(WORD, kind.known[name])
        record = builder.inttoptr(value, WORD.as_pointer())
        word = builder.load(builder.gep(record, [ir.Constant(WORD, kind.place[name])]))
        word.set_metadata("invariant.load", builder.module.add_metadata([]))
        if name in kind.arrays:
            return builder.inttoptr(word, context.get_value_type(kind.arrays[name]))
        return word
