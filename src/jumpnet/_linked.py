"""Kernels that only kernels call: typed and lowered once, linked into each entry that reaches them, compiled there.

Numba compiles every function that it meets to machine code of its own, with what it calls inside, and optimises it
again in each caller. For the hundred kernels of a simulator that is most of the compiler's time, and nobody calls them
from Python. Here a `kernel` ends as unoptimised LLVM code (its *body*); only an `entry` is optimised, whole, and
becomes machine code. Same source, same results.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import MethodType
from typing import Any

from llvmlite import binding as llvm
from numba import njit
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import register_pass
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import NativeLowering

from jumpnet._jit import DISABLED, ENTRY, jit, kept_for, refuse_to_link

__all__ = ["entry", "inlined", "kernel", "pointer"]

OWN = ("internal", "private")
"""Linkages of what has no name outside its module."""


class Body(JITCodeLibrary):
    """The LLVM code of one kernel."""

    _shared_module: Any

    def finalize(self) -> None:
        """Nothing is optimised here."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """For a function that is neither kernel nor entry: this body and those that it reaches, in one module."""
        self._ensure_finalized()
        if self._shared_module is None:
            first, *others = reached([self])
            module = first.clone()
            for part in others:
                module.link_in(part, preserve=True)
            self._shared_module = module
        return self._shared_module


class Whole(JITCodeLibrary):
    """The code of an entry and of all kernels that it reaches."""

    def finalize(self) -> None:
        """Link the bodies, make them this entry's own, and go on as Numba does.

        Another entry may have other constants in kernels of the same name. Private functions have no symbol in the
        object; of internal ones the loader would keep the names, and give them to other objects that ask for theirs.
        """
        for part in reached(self._linking_libraries):
            self._final_module.link_in(part, preserve=True)
        self._linking_libraries: list[Any] = []
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage in (llvm.Linkage.linkonce_odr, llvm.Linkage.weak_odr):
                function.linkage = "private"
        super().finalize()

    def _get_module_for_linking(self) -> Any:
        refuse_to_link(self.name)

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """Machine code, and instead of the code that others would link, two thirds of a file, its names alone."""
        self._ensure_finalized()
        here = (*self._final_module.functions, *self._final_module.global_variables)
        shown = (thing for thing in here if not thing.is_declaration and thing.linkage.name not in OWN)
        names = llvm.parse_assembly("".join(f'@"{thing.name}" = global i8 0\n' for thing in shown))
        return ENTRY + self.name, "object", (self._get_compiled_object(), names.as_bitcode())

    def _optimize_final_module(self) -> None:
        """Leave out what the constants of this entry rule out, before anything is inlined; then optimise."""
        builder = self._codegen._pass_builder()
        first = llvm.newpassmanagers.create_new_module_pass_manager()
        first.add_ipsccp_pass()
        first.add_simplify_cfg_pass()
        first.add_global_dead_code_eliminate_pass()
        first.run(self._final_module, builder)
        super()._optimize_final_module()


def reached(libraries: list[Any]) -> list[Any]:
    """The modules of some libraries and of all bodies that they call, each once and after all that call it.

    The linker leaves out what nothing before it has asked for.
    """
    called_first: list[Any] = []
    seen: set[Any] = set()

    def visit(library: Any) -> None:
        if library in seen:
            return
        seen.add(library)
        if isinstance(library, Body):
            library._ensure_finalized()
            for called in library._linking_libraries:
                visit(called)
        called_first.append(library)

    for library in libraries:
        visit(library)
    return [
        library._final_module if isinstance(library, Body) else library._get_module_for_linking()
        for library in reversed(called_first)
    ]


class FromPython:
    """What a linked kernel is to Python: compiled as an entry when it is called after all."""

    dispatcher: Any
    """Of the kernel; it is told of each entry, so that the next call goes there at once."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.compiled = entry(function)
        self._told: set[Any] = set()

    def __call__(self, *args: Any) -> Any:
        """Call it."""
        result = self.compiled(*args)
        for types, made in self.compiled.overloads.items():
            if types not in self._told:
                self._told.add(types)
                self.dispatcher._insert([of._code for of in types], made.entry_point, made.objectmode)
        return result


@register_pass(mutates_CFG=True, analysis_only=False)
class BodyLowering(NativeLowering):
    """Lower a kernel, and leave it at that."""

    _name = "lower_body"

    def run_pass(self, state: Any) -> bool:
        """Numba's own lowering without its last step."""
        state.library = Body(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        called = FromPython(state.func_id.func)
        state.targetctx.insert_user_function(called, lowered.fndesc, [state.library])
        state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, cfunc=called, env=lowered.env)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class WholeLowering(NativeLowering):
    """Lower an entry, to be linked with bodies."""

    _name = "lower_whole"

    def run_pass(self, state: Any) -> bool:
        """Numba's own lowering into another kind of library."""
        state.library = Whole(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


def _pipeline(state: Any, lowering: Any) -> Any:
    """Numba's pipeline with another lowering."""
    pipeline = DefaultPassBuilder.define_nopython_pipeline(state)
    pipeline.passes = [(lowering, words) if p is NativeLowering else (p, words) for p, words in pipeline.passes]
    pipeline._finalized = False
    pipeline.finalize()
    return [pipeline]


class BodyCompiler(CompilerBase):
    """Compiles to a body."""

    def define_pipelines(self) -> Any:
        """The one pipeline."""
        return _pipeline(self.state, BodyLowering)


class WholeCompiler(CompilerBase):
    """Compiles an entry with its bodies."""

    def define_pipelines(self) -> Any:
        """The one pipeline."""
        return _pipeline(self.state, WholeLowering)


def _keep(dispatcher: Any, compiled: Any) -> None:
    compiled.entry_point.dispatcher = dispatcher
    dispatcher.overloads[tuple(compiled.signature.args)] = compiled


def kernel(function: Callable[..., Any] | None = None, *, inline: bool = False, allocates: bool = False) -> Any:
    """Compile a kernel that only kernels call. `inline` puts it into each caller; `allocates` as for an `entry`."""
    if function is None:
        return partial(kernel, inline=inline, allocates=allocates)
    if DISABLED:
        return function
    made: Any = njit(
        nogil=True,
        error_model="numpy",
        _nrt=allocates,
        forceinline=inline,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=BodyCompiler,
    )(function)
    made.add_overload = MethodType(_keep, made)  # Numba's own would also let Python call it by its address
    return made


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a kernel into each kernel that calls it."""
    return kernel(function, inline=True)


def entry(function: Callable[..., Any] | None = None, *, allocates: bool = False) -> Any:
    """Compile a kernel that Python calls, with all kernels that it reaches; kept on disk whole.

    It makes arrays or lists, or calls a kernel that does, where `allocates`.
    """
    if function is None:
        return partial(entry, allocates=allocates)
    return jit(function, _nrt=allocates, pipeline_class=WholeCompiler)


def pointer(signature: Any, wrapper: Callable[..., Any], source: Callable[..., Any]) -> Any:
    """Compile `wrapper` to a C function pointer of fixed `signature`, with all kernels that it reaches.

    It is kept on disk with the file of `source`. A kernel that takes such a pointer is compiled once, whatever function
    it is given (about 4 ns a call).
    """
    options = {"nopython": True}
    made: Any = CFunc(wrapper, normalize_signature(signature), {}, options, pipeline_class=WholeCompiler)
    kept = kept_for(wrapper, source)
    if kept is not None:
        made._cache = kept
    made.compile()
    return made
