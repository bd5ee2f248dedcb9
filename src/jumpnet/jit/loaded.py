"""Kept machine code without Numba: an object file in, a function that Python can call out.

Numba takes a third of a second to load. To run what is compiled, LLVM's loader (`llvmlite.binding`, a tenth of that)
and `ctypes` are enough. A kept kernel is a line of JSON (`Form`) and the object file. Arrays are passed as Numba passes
them: owner, parent, size, bytes of a number, address, shape, strides. Kernels that go this way count no references, so
there is no owner.
"""

from __future__ import annotations

import ctypes
import json
import os
import pickle
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from typing import Any, NamedTuple

import llvmlite.binding as llvm

from jumpnet.jit.arguments import flat
from jumpnet.jit.cache import Codec
from jumpnet.jit.processor import levels_of

__all__ = ["CODE", "RESULTS", "Form", "Loaded", "levels", "load", "processor"]

C_TYPES: dict[str, Any] = {
    "i8*": ctypes.c_void_p, "i64": ctypes.c_int64, "i32": ctypes.c_int32, "i16": ctypes.c_int16, "i8": ctypes.c_int8,
    "double": ctypes.c_double, "float": ctypes.c_float,
}  # fmt: skip
"""LLVM's types of arguments, every pointer being `i8*`."""
RESULTS: dict[str, Any] = {
    "int64": ctypes.c_int64, "int32": ctypes.c_int32, "int16": ctypes.c_int16, "int8": ctypes.c_int8,
    "uint64": ctypes.c_uint64, "uint32": ctypes.c_uint32, "uint16": ctypes.c_uint16, "uint8": ctypes.c_uint8,
    "float64": ctypes.c_double, "float32": ctypes.c_float, "bool": ctypes.c_bool,
}  # fmt: skip
"""Numba's types of results."""
RAISED = 1
"""Status of a function that has raised an error of its own."""


class Form(NamedTuple):
    """What is known of kept machine code."""

    symbol: str
    """The function's name in the object file."""
    arguments: tuple[str, ...]
    """Types of its machine arguments (`C_TYPES`)."""
    results: tuple[str, ...]
    """Types of its results (`RESULTS`): none, or one, or those of a tuple."""
    is_tuple: bool
    needs: tuple[str, ...]
    """What the code refers to outside itself."""


class Loaded(NamedTuple):
    """Machine code in memory."""

    form: Form
    object_file: bytes
    address: int

    @property
    def data(self) -> bytes:
        """What the disk keeps."""
        return json.dumps(self.form).encode() + b"\n" + self.object_file

    def call(self) -> Callable[[tuple[Any, ...]], Any]:
        """The function, of a tuple of arguments of the kinds that it was compiled for."""
        form = self.form
        slots = [(f"r{k}", RESULTS[name]) for k, name in enumerate(form.results)]
        result = type("Result", (ctypes.Structure,), {"_fields_": slots})
        pointers = (ctypes.c_void_p, ctypes.c_void_p)
        code = ctypes.CFUNCTYPE(ctypes.c_int32, *pointers, *(C_TYPES[t] for t in form.arguments))(self.address)
        names = [name for name, _ in slots]
        is_tuple, byref, pointer = form.is_tuple, ctypes.byref, ctypes.c_void_p

        def call(args: tuple[Any, ...]) -> Any:
            found, error = result(), pointer()
            status = code(byref(found), byref(error), *flat(args))
            if status:
                _raise(status, error.value)
            if is_tuple:
                return tuple([getattr(found, name) for name in names])
            return found.r0 if names else None

        return call


def _raise(status: int, error: int | None) -> None:
    """Raise what a kernel has raised: Numba keeps it pickled in the code, with its arguments."""
    if status != RAISED or not error:
        raise SystemError(f"a kernel ended with status {status}")
    where = ctypes.c_void_p.from_address(error).value
    size = ctypes.c_int32.from_address(error + ctypes.sizeof(ctypes.c_void_p)).value
    kind, given, *_ = pickle.loads(ctypes.string_at(where or 0, size))
    raise kind(*(given or ()))


@cache
def processor() -> tuple[str, str, str]:
    """Triple, processor and features that kernels are compiled for here, as Numba has them."""
    name, features = os.environ.get("NUMBA_CPU_NAME"), os.environ.get("NUMBA_CPU_FEATURES")
    if features is None:
        found = llvm.get_host_cpu_features()
        if os.environ.get("NUMBA_ENABLE_AVX") == "0":
            found = type(found)({word: has and not word.startswith("avx") for word, has in found.items()})
        features = found.flatten()
    return llvm.get_process_triple(), llvm.get_host_cpu_name() if name is None else name, features


@cache
def levels() -> tuple[tuple[str, str, str], ...]:
    """The same for the common levels that this processor can run; none where kernels for a level are being made."""
    if os.environ.get("NUMBA_CPU_NAME") is not None:
        return ()
    features = llvm.get_host_cpu_features()
    there = (name for name, has in features.items() if has)
    return tuple((llvm.get_process_triple(), level, "") for level in levels_of(there))


@cache
def _target() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_triple(llvm.get_process_triple())


_engines: list[Any] = []
"""Code in use is never given back."""


def load(data: bytes, prepare: Callable[[], Any]) -> Loaded:
    """Kept machine code, ready to run. `prepare` is called where it needs what only Numba has."""
    head, _, object_file = data.partition(b"\n")
    symbol, arguments, results, is_tuple, needs = json.loads(head)
    form = Form(symbol, tuple(arguments), tuple(results), is_tuple, tuple(needs))
    # One engine each: two objects may have a name in common that is not the same function.
    machine = _target().create_target_machine(codemodel="jitdefault")
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    if any(llvm.address_of_symbol(name) is None for name in needs):
        prepare()
        if any(llvm.address_of_symbol(name) is None for name in needs):
            raise ValueError(f"{symbol} needs {', '.join(needs)}")
    engine.add_object_file(llvm.ObjectFileRef.from_data(object_file))
    engine.finalize_object()
    _engines.append(engine)
    address = engine.get_function_address(symbol)
    if not address:
        raise ValueError(f"{symbol} is not there")
    return Loaded(form, object_file, address)


def _made_by(versions: str) -> str:
    return f"machine code 1, {versions}"


@cache
def _versions() -> str:
    return _made_by(f"numba {version('numba')} llvmlite {version('llvmlite')}")


CODE = Codec(
    _versions,
    bytes,
    lambda made: made.data,
    lambda prepare, data: load(data, prepare),
    lambda made: True,
    processor,
    levels,
    bytes,
    _made_by,
)
"""How machine code is kept: nothing of it is unpickled. What compiled it is not needed to run it, but for a symbol that
only Numba has (`Form.needs`)."""
