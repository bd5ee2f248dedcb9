"""Steps of Numba's that it takes thousands of times a kernel, with the same outcome for less.

Loaded with Numba, when something must be compiled. Nothing here says what code becomes, only how long Numba takes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from typing import Any

from numba.core import base, codegen, config, event, imputils, ir, lowering, postproc, transforms, typeinfer
from numba.core import errors as numba_errors
from numba.core.typing import context, templates

__all__ = ["quick_steps"]

errors: Any = numba_errors  # what is used of it is not declared
HOLDS_NONE = frozenset((str, int, float, bool, type(None), ir.Loc, ir.Scope, ir.Const, ir.Global, ir.FreeVar, ir.Arg))
"""Types of what an instruction holds that is no variable, and holds none."""


class Context:
    """`new_error_context`: an error of Numba's that comes out of the block says where it was, too."""

    __slots__ = ("_words",)

    def __init__(self, words: str, *args: Any, **named: Any) -> None:
        self._words = words, args, named
        place = named.get("loc")
        if place is not None and not place.filename.startswith(errors._numba_path):
            errors.loc_info.update(named)

    def __enter__(self) -> None:
        """Nothing before."""

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        """The words are put together when somebody needs them."""
        if isinstance(error, errors.NumbaError):
            error.add_context(errors._format_msg(*self._words))


def _variables(values: Iterable[Any]) -> list[Any]:
    """The variables in some values, in order."""
    found: list[Any] = []
    for value in values:
        if type(value) in HOLDS_NONE:
            continue
        if isinstance(value, ir.Var):
            found.append(value)
        elif isinstance(value, ir.Inst):
            found += value.list_vars()
        elif isinstance(value, list | tuple):
            found += _variables(value)
        elif isinstance(value, dict):
            found += _variables(value.values())
    return found


def _of_statement(self: Any) -> list[Any]:
    return _variables(self.__dict__.values())


def _of_expression(self: Any) -> list[Any]:
    return _variables(self._kws.values())


def _post_processed(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """`PostProcessor.run`, which follows the lifetimes of all variables only where they are to be written down.

    Each pass that changes a function asks for them; without generators and lifted loops the last one alone reads them.
    """
    code = self.func_ir
    if emit_dels or code.is_generator:
        POST_PROCESSED(self, emit_dels, extend_lifetimes)
        return
    code.blocks = transforms.canonicalize_cfg(code.blocks)
    code.variable_lifetime = postproc.VariableLifetime(code.blocks)  # computes what it is asked for
    code.generator_info = None


POST_PROCESSED = postproc.PostProcessor.run


def _optimized(self: Any, module: Any) -> None:
    """`_optimize_functions`, without a set of passes for each function that is elsewhere."""
    module.data_layout = self._codegen._data_layout
    for function in module.functions:
        if not function.is_declaration:
            passes, builder = self._codegen._function_pass_manager()
            with self._recorded_timings.record(f"Function passes on {function.name!r}", builder):
                passes.run(function, builder)


def _started(kind: str, data: Any = None) -> None:
    """`start_event` and, below, `end_event`, where nobody listens: Numba tells of each call of LLVM."""
    if event._registered.get(kind):
        STARTED(kind, data)


def _ended(kind: str, data: Any = None, exc_details: Any = None) -> None:
    if event._registered.get(kind):
        ENDED(kind, data, exc_details)


def _triggered(kind: str, data: Any = None) -> AbstractContextManager[None]:
    return TRIGGERED(kind, data) if event._registered.get(kind) else nullcontext()


def _settings_as_they_are() -> None:
    """`reload_config`: the disk and the environment were looked at for the entry, before these steps were taken."""


@cache
def _relative(path: str, folder: str) -> str:
    return str(PATH_OF(ir.Loc(path, 0)))


def _path(self: Any) -> str:
    """`_get_path` of a place in a source, worked out once a file: Numba words errors that it catches itself."""
    return _relative(self.filename, os.getcwd())


PATH_OF = ir.Loc._get_path
STARTED, ENDED, TRIGGERED = event.start_event, event.end_event, event.trigger_event


def _takes_place(function: Any) -> bool:
    """`_has_loc`: whether a function has an argument `loc`, by its code where nothing says otherwise."""
    code = getattr(function, "__code__", None)
    if code is None or hasattr(function, "__wrapped__") or hasattr(function, "__signature__"):
        return bool(TAKES_PLACE(function))
    return "loc" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


TAKES_PLACE = base._has_loc


def _registered() -> tuple[int, ...]:
    """How much Numba has been taught: operations and how they are typed, attributes, conversions."""
    typed, lowered = templates.builtin_registry, imputils.builtin_registry
    of = (typed.functions, typed.attributes, typed.globals, lowered.functions, lowered.getattrs, lowered.setattrs)
    return tuple(map(len, (*of, lowered.casts, lowered.constants)))


def _refreshed(self: Any) -> None:
    """`refresh` of a context, with all that Numba has been taught, and below of types: where there is more to learn.

    Numba goes through all of it for each intrinsic that a kernel calls.
    """
    if REFRESHED.get(self) != _registered():
        REFRESH(self)
        REFRESHED[self] = _registered()


def _refreshed_types(self: Any) -> None:
    if REFRESHED.get(self) != _registered():
        REFRESH_TYPES(self)
        REFRESHED[self] = _registered()


REFRESH, REFRESH_TYPES = base.BaseContext.refresh, context.BaseContext.refresh
REFRESHED: dict[Any, tuple[int, ...]] = {}
"""What contexts were taught last."""

STEPS = (
    (errors, "new_error_context", Context),
    (lowering, "new_error_context", Context),
    (typeinfer, "new_error_context", Context),
    (ir.Stmt, "list_vars", _of_statement),
    (ir.Expr, "list_vars", _of_expression),
    (postproc.PostProcessor, "run", _post_processed),
    (codegen.CPUCodeLibrary, "_optimize_functions", _optimized),
    (event, "start_event", _started),
    (event, "end_event", _ended),
    (event, "trigger_event", _triggered),
    (base, "_has_loc", _takes_place),
    (config, "reload_config", _settings_as_they_are),
    (ir.Loc, "_get_path", _path),
    (base.BaseContext, "refresh", _refreshed),
    (context.BaseContext, "refresh", _refreshed_types),
)
"""Where each stands in Numba, and what takes its place."""


@contextmanager
def quick_steps() -> Iterator[None]:
    """Let Numba take these steps while our kernels compile, and its own for kernels of the user's."""
    before = [getattr(owner, name) for owner, name, _ in STEPS]
    for owner, name, ours in STEPS:
        setattr(owner, name, ours)
    try:
        yield
    finally:
        for (owner, name, _), theirs in zip(STEPS, before, strict=True):
            setattr(owner, name, theirs)
