"""How linked kernels (`jit.linked`) are compiled: bodies of kernels, and entries with all they reach.

Loaded with Numba, when something must be compiled.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from types import MethodType
from typing import Any

from llvmlite import binding as llvm
from numba import njit, typeof, types
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import DumpParforDiagnostics, InlineOverloads, NativeLowering, NopythonRewrites
from numba.core.untyped_passes import (
    FindLiterallyCalls,
    InlineClosureLikes,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    WithLifting,
)

from jumpnet.jit.compiler import ENTRY, refuse_to_link
from jumpnet.jit.kernel_lowering import FOR_REFERENCES, InlineClosures, KernelLower, lower_of
from jumpnet.jit.loaded import RESULTS, Form, Loaded
from jumpnet.jit.own_runtime import own_runtime
from jumpnet.jit.passes import in_one_round, simply
from jumpnet.jit.plain_types import operations_remembered, taken_as
from jumpnet.jit.quick_steps import quick_steps

__all__ = ["BodyLowering", "WholeCompiler", "checked_of", "entry_code", "kernel_of", "pointer_code"]

OWN = ("internal", "private")
"""Linkages of what has no name outside its module."""


UNUSED = (WithLifting, FindLiterallyCalls, LiteralUnroll, LiteralPropagationSubPipelinePass, DumpParforDiagnostics)
"""Steps of Numba's that are for what no kernel holds: contexts, loops over tuples of several types, parallel loops."""
FOR_ARRAYS = (InlineOverloads, NopythonRewrites)
"""Steps that look for array expressions, and for functions of arrays that Numba puts into their callers."""
SELDOM = 200_000
"""New objects after which garbage is looked for while kernels compile; 0.2 KB each."""
SHARED = (llvm.Linkage.linkonce_odr, llvm.Linkage.weak_odr)
COUNTING = ("NRT_incref", "NRT_decref")
"""Numba's functions that count references; code that counts none is not to need the rest of its memory manager."""


class Body(JITCodeLibrary):
    """The LLVM code of one kernel."""

    _shared_module: Any

    def finalize(self) -> None:
        """Nothing is optimised across functions here."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """This body and those that it reaches in one module, which several entries or other functions link."""
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

    all_have_addresses = False
    """Whether it is only given functions with an address (`jit.own_runtime`)."""

    def finalize(self) -> None:
        """Link the bodies, make them this entry's own, and go on as Numba does.

        Another entry may have other constants in kernels of the same name. Private functions have no symbol in the
        object; of internal ones the loader would keep the names, and give them to other objects that ask for theirs.
        """
        for library in self._linking_libraries:
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._linking_libraries: list[Any] = []
        wanted = [function.name for function in self._final_module.functions if function.is_declaration]
        self._final_module.link_in(own_runtime(wanted, self.all_have_addresses))
        for name in wanted:
            function = self._final_module.get_function(name)
            if not function.is_declaration:
                function.linkage = "private"
        for function in self._final_module.functions:
            shared = function.linkage in SHARED or function.name in COUNTING
            if shared and not function.is_declaration:
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
        self._optimize()
        last = llvm.newpassmanagers.create_new_module_pass_manager()
        last.add_global_dead_code_eliminate_pass()
        last.run(self._final_module, builder)

    def _optimize(self) -> None:
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


class Alone(Whole):
    """The same for code that `jit.loaded` calls, and nothing of Numba."""

    all_have_addresses = True


class ShortLoops(Alone):
    """The same for an entry whose loops go round a few times each."""

    def _optimize(self) -> None:
        in_one_round(self._final_module, self._codegen._tm)


class Seldom(Alone):
    """The same for an entry that runs seldom."""

    def _optimize(self) -> None:
        simply(self._final_module, self._codegen._tm)


class Called:
    """What a body is to Numba; Python never calls it (`jit.linked`)."""


@register_pass(mutates_CFG=True, analysis_only=False)
class BodyLowering(NativeLowering):
    """Lower a kernel, and leave it at that."""

    _name = "lower_body"
    lowering_class: Any = None

    def lower_of(self, state: Any) -> Any:
        """Which lowering, step by step."""
        return lower_of(state.flags)

    def run_pass(self, state: Any) -> bool:
        """Numba's own lowering without its last step."""
        self.lowering_class = self.lower_of(state)
        state.library = Body(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        called = Called()
        state.targetctx.insert_user_function(called, lowered.fndesc, [state.library])
        state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, cfunc=called, env=lowered.env)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class WholeLowering(NativeLowering):
    """Lower an entry, to be linked with bodies."""

    _name = "lower_whole"
    library = Whole
    lowering_class: Any = None

    def run_pass(self, state: Any) -> bool:
        """Numba's own lowering into another kind of library."""
        self.lowering_class = lower_of(state.flags)
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.flags.no_compile |= state.flags.no_cpython_wrapper
        return bool(super().run_pass(state))


def _pipeline(state: Any, lowering: Any) -> Any:
    """Numba's pipeline with another lowering, and without what kernels have no use for."""
    pipeline = DefaultPassBuilder.define_nopython_pipeline(state)
    left_out = UNUSED if state.flags.nrt else (*UNUSED, *FOR_ARRAYS)
    if lower_of(state.flags) is KernelLower:
        left_out = (*left_out, *FOR_REFERENCES)
    others = {NativeLowering: lowering, InlineClosureLikes: InlineClosures}
    pipeline.passes = [(others.get(p, p), words) for p, words in pipeline.passes if p not in left_out]
    pipeline._finalized = False
    pipeline.finalize()
    return [pipeline]


class OwnCompiler(CompilerBase):
    """Numba's, with types of operations remembered and quick steps meanwhile."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function; those that it calls are compiled inside."""
        with operations_remembered(), quick_steps():
            return super().compile_extra(func)


class BodyCompiler(OwnCompiler):
    """Compiles to a body."""

    def define_pipelines(self) -> Any:
        """The one pipeline."""
        return _pipeline(self.state, BodyLowering)


class WholeCompiler(OwnCompiler):
    """Compiles an entry with its bodies."""

    def define_pipelines(self) -> Any:
        """The one pipeline."""
        return _pipeline(self.state, WholeLowering)


def _compiler_of(library: type[Alone]) -> Any:
    """Compiles an entry with its bodies, to be called without Numba."""
    name = library.__name__
    made: Any = type(f"{name}Lowering", (WholeLowering,), {"_name": f"lower_{name}", "library": library})
    lowering = register_pass(mutates_CFG=True, analysis_only=False)(made)
    return type(f"{name}Compiler", (OwnCompiler,), {"define_pipelines": lambda own: _pipeline(own.state, lowering)})


AloneCompiler = _compiler_of(Alone)
COMPILERS = {"": AloneCompiler, "short loops": _compiler_of(ShortLoops), "seldom": _compiler_of(Seldom)}
"""By the sort of an entry (`jit.linked.entry`)."""


def _keep(dispatcher: Any, compiled: Any) -> None:
    if compiled.entry_point is not None:
        compiled.entry_point.dispatcher = dispatcher
    dispatcher.overloads[tuple(compiled.signature.args)] = compiled


def _compile(dispatcher: Any, signature: Any) -> Any:
    """Numba's `compile` without its timers: each call of LLVM tells those of all kernels that are under way."""
    args, result = normalize_signature(signature)
    with global_compiler_lock, dispatcher._compiling_counter:
        if tuple(args) not in dispatcher.overloads:
            dispatcher.add_overload(dispatcher._compiler.compile(args, result))
        return dispatcher.overloads[tuple(args)].entry_point


def _dispatcher(function: Any, **options: Any) -> Any:
    """Numba's dispatcher of a function that Python does not call by it."""
    given = {"nogil": True, "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True, **options}
    made: Any = njit(**given)(function)
    made.add_overload = MethodType(_keep, made)  # Numba's own would also let Python call it by its address
    return made


def _quick(made: Any) -> Any:
    """The same of a kernel."""
    made.compile = MethodType(_compile, made)
    return made


def _call_template(dispatcher: Any, args: Any, kws: Any) -> Any:
    """Numba's `get_call_template`, with arguments as a kernel takes them; once for these, as each is a class."""
    _, folded = dispatcher.fold_argument_types(args, kws)
    taken = taken_as(tuple(folded), dispatcher.py_func)
    if taken not in dispatcher.templates:
        dispatcher.templates[taken] = type(dispatcher).get_call_template(dispatcher, taken, {})
    return dispatcher.templates[taken]


def kernel_of(function: Any, inline: bool, allocates: bool) -> Any:
    """A kernel that only kernels call."""
    made = _quick(_dispatcher(function, _nrt=allocates, forceinline=inline, pipeline_class=BodyCompiler))
    made.templates, made.get_call_template = {}, MethodType(_call_template, made)
    return made


def checked_of(function: Any, pipeline: Any) -> Any:
    """A function with checked indices that kernels call, typed for what it is called with, as Numba does."""
    return _dispatcher(function, boundscheck=True, error_model="python", pipeline_class=pipeline)


def _machine_type(kind: Any) -> str:
    return "i8*" if kind.is_pointer else str(kind)


def _form(compiled: Any, symbol: str) -> Form:
    """What is to be known of an entry's code."""
    made, context = compiled.signature, compiled.target_context
    function = context.call_conv.get_function_type(made.return_type, made.args)
    given = types.unliteral(made.return_type)
    is_tuple = isinstance(given, types.BaseTuple)
    results = tuple(given) if is_tuple else () if given == types.none else (given,)
    names = tuple(str(result) for result in results)
    if not RESULTS.keys() >= set(names) or isinstance(given, types.BaseNamedTuple):
        raise TypeError(f"an entry gives back numbers alone, {given} found")
    module = compiled.library._final_module
    outside = (thing for thing in (*module.functions, *module.global_variables) if thing.is_declaration)
    needs = tuple(thing.name for thing in outside if not thing.name.startswith("llvm."))
    return Form(symbol, tuple(map(_machine_type, function.args[2:])), names, is_tuple, needs)


def _code(compiled: Any, symbol: str) -> Loaded:
    address = compiled.library.get_pointer_to_function(symbol)
    return Loaded(_form(compiled, symbol), compiled.library._get_compiled_object(), address)


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look for garbage seldom: Numba makes millions of small objects that live as long as a kernel compiles."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], SELDOM), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@global_compiler_lock
@_few_collections()
def entry_code(function: Any, args: tuple[Any, ...], allocates: bool = False, sort: str = "") -> Loaded:
    """Compile a function for arguments such as these, with all kernels that it reaches, to code without a wrapper."""
    made = _quick(_dispatcher(function, _nrt=allocates, pipeline_class=COMPILERS[sort]))
    kinds = tuple(typeof(value) for value in args)
    made.compile(kinds)
    compiled = made.overloads[kinds]
    return _code(compiled, compiled.fndesc.llvm_func_name)


@global_compiler_lock
@_few_collections()
def pointer_code(signature: str, wrapper: Any) -> Loaded:
    """Compile a function to one that C can call, with all kernels that it reaches."""
    made: Any = CFunc(wrapper, normalize_signature(signature), {}, {"nopython": True}, pipeline_class=WholeCompiler)
    compiled = made._compile_uncached()
    return _code(compiled, compiled.fndesc.llvm_cfunc_wrapper_name)
