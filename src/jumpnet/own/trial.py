"""Functions of a user's own run in plain Python, under guard.

Compiled code checks no index, so a function from outside the package is tried before kernels call it: in plain Python,
on arrays that refuse writes and indices out of range, with a bound on the lines it runs. Compiled functions that it
names run as the plain functions behind them. `routings` and `traffic` say on what it is tried.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable
from functools import cache
from types import CellType, CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import numpy as np

from jumpnet.arrays.locked import read_only
from jumpnet.errors import JumpnetError
from jumpnet.jit.sources import names_of
from jumpnet.own.recursion import must_not_recur
from jumpnet.own.unchecked import globals_of, must_be_checkable
from jumpnet.own.whose import PACKAGE, code_of, helper_of, of_others

__all__ = [
    "UNLIKE",
    "Fault",
    "Guarded",
    "Trial",
    "guarded",
    "place",
    "read_only",
    "reason_of",
    "rebuilt",
    "shown",
    "whole",
]

_COMPILERS = ("numba", "llvmlite")
NOBODYS = (PACKAGE, "<__array_function__ internals>", "<string>")
"""Beginnings of file names in which no error of a user's is placed."""
MOST_LINES = 500_000
"""Lines that one call may run; a loop that has no end is told from a long one by them."""

UNLIKE = "(64 bits passed, or a power below 0?)"
"""Why compiled code may answer otherwise than plain Python did."""
LONGEST_VALUE = 60
"""Characters of a value that a line shows."""
_INTEGERS = (int, np.integer)
_PARTS = (np.ndarray, np.void)


class Fault(Exception):
    """What a function does that it must not, with its place `file:line`."""


class _Misuse(Exception):
    """An array is used as it must not be."""


class _Endless(BaseException):
    """A call has run too many lines. Where the user's code catches it all the same, it is raised again."""

    def __init__(self, again: Callable[[], None]) -> None:
        super().__init__()
        self._again = again

    def __del__(self) -> None:
        """Python has stopped to trace when this was raised; nobody holds it any more, so somebody has caught it."""
        self._again()


def whole(value: Any) -> bool:
    """Whether a value is a whole number, as compiled functions have them."""
    return isinstance(value, int | np.integer | np.bool_)


def shown(value: Any) -> str:
    """A value in a few words, on one line.

    >>> shown([1, 2])
    '[1, 2]'
    """
    try:
        words = " ".join(repr(value).split())
    except Exception:  # a user's own class; a number of so many digits that Python does not write it
        words = f"a value of type {type(value).__name__}"
    return words if len(words) <= LONGEST_VALUE else f"{words[:LONGEST_VALUE]}..."


class Guarded(np.ndarray):
    """An array that tells of indices out of range, below 0 too, and of writes where it may only be read."""

    label = "an array"

    def __array_finalize__(self, source: Any) -> None:
        """Parts of an array are called as the whole."""
        self.label = getattr(source, "label", self.label)

    def _inside(self, index: Any) -> None:
        shape = self.shape
        for axis, k in enumerate(index if isinstance(index, tuple) else (index,)):
            if isinstance(k, _INTEGERS) and axis < len(shape) and not 0 <= k < shape[axis]:
                there = f"0 to {shape[axis] - 1} expected" if shape[axis] else "but it is empty"
                raise _Misuse(f"index {k} of {self.label} found, {there}")

    def __getitem__(self, index: Any) -> Any:
        self._inside(index)
        found = super().__getitem__(index)
        return found if isinstance(found, _PARTS) else found.item()

    def __setitem__(self, index: Any, value: Any) -> None:
        if not self.flags.writeable:
            raise _Misuse(f"{self.label}[{_words(index)}] is written, which may only be read")
        self._inside(index)
        if type(value) is not int and self.dtype.kind == "i" and np.asarray(value).dtype.kind not in "iub":
            raise _Misuse(f"{shown(value)} is written to {self.label}[{_words(index)}], a whole number expected")
        super().__setitem__(index, value)

    def setflags(self, *args: Any, **flags: Any) -> None:
        """Nobody makes it writable."""
        raise _Misuse(f"the flags of {self.label} are set, which may only be read")

    def __iter__(self) -> Any:
        return (self[k] for k in range(len(self)))


def _words(index: Any) -> str:
    return ", ".join(map(str, index)) if isinstance(index, tuple) else str(index)


def guarded(array: Any, label: str, writable: bool = False) -> Guarded:
    """A guarded view of an array."""
    made: Guarded = (array if writable else read_only(array)).view(Guarded)
    made.label = label
    return made


class _Names:
    """A module whose compiled functions are the plain ones behind them."""

    def __init__(self, module: ModuleType, swap: Callable[[str, Any], Any]) -> None:
        self._module, self._swap = module, swap

    def __getattr__(self, name: str) -> Any:
        return self._swap(name, getattr(self._module, name))


class _Rebuilding:
    """Other versions of functions and of what they name, each made once."""

    def __init__(self, make: Callable[[Any], Any] | None) -> None:
        """make: as for `rebuilt`."""
        self._make = make
        self._done: dict[Any, tuple[Any, Any]] = {}
        """What each thing became, and the thing itself, so that no other gets its number."""

    def _swap(self, name: str, thing: Any, code: CodeType) -> Any:
        """What code gets by a name in place of a thing."""
        if (source := helper_of(thing)) is not None:
            return self.copied(source)
        if isinstance(thing, tuple):
            return _tuple(thing, lambda part: self._swap(name, part, code))
        if isinstance(thing, np.ndarray):
            if thing.dtype.hasobject or thing.dtype.kind in "mM":
                where = f"{code.co_filename}:{code.co_firstlineno}"
                raise JumpnetError(f"{where}: {name} is an array of {thing.dtype}, numbers expected")
            return guarded(thing, name) if self._make is None else thing
        if not isinstance(thing, ModuleType) or of_others(thing.__name__):
            must_be_checkable(thing)
            return thing
        if self._make is None:
            return _Names(thing, lambda name, part: self._swap(name, part, code))
        return self._module(thing, code)

    def _module(self, thing: ModuleType, code: CodeType) -> ModuleType:
        """A module with other versions of what code asks of it; the compiler takes a module for what it holds."""
        if (id(thing), code) not in self._done:
            made, held = ModuleType(thing.__name__), vars(thing)
            self._done[id(thing), code] = thing, made  # before what it holds: that may be itself
            vars(made).update(held)
            vars(made).update({name: self._swap(name, held[name], code) for name in names_of(code) & held.keys()})
        made = self._done[id(thing), code][1]
        return made

    def copied(self, source: FunctionType) -> Any:
        """Another version of a plain function."""
        if id(source) in self._done:
            return self._done[id(source)][1]
        code, names = source.__code__, dict(source.__globals__)
        must_be_checkable(code)
        cells = tuple(CellType() for _ in source.__closure__ or ())
        made = FunctionType(code, names, source.__name__, None, cells or None)
        made.__qualname__, made.__module__ = source.__qualname__, source.__module__
        if source.__defaults__ is not None:
            made.__defaults__ = tuple(self._swap("a default", thing, code) for thing in source.__defaults__)
        if source.__kwdefaults__ is not None:
            named = source.__kwdefaults__.items()
            made.__kwdefaults__ = {name: self._swap(name, thing, code) for name, thing in named}
        result = made if self._make is None else self._make(made)
        self._done[id(source)] = source, result
        for name in sorted(globals_of(code) & names.keys()):
            names[name] = self._swap(name, names[name], code)
        for name, cell, old in zip(code.co_freevars, cells, source.__closure__ or (), strict=True):
            try:
                held = old.cell_contents
            except ValueError:  # a name of the outer function that has no value yet
                continue
            cell.cell_contents = self._swap(name, held, code)
        return result


def rebuilt(function: Any, make: Callable[[Any], Any] | None = None) -> Any:
    """A function, and with it other versions of the helpers that it names, that those name, and so on.

    make: what becomes of the plain function, and of each helper, compiled or not. Without it all stay plain, in modules
    too, and arrays that they name are guarded. Raises JumpnetError for what cannot be checked, and for a function to be
    made that calls itself.
    """
    if make is not None:
        must_not_recur(function, helper_of)
    source = getattr(function, "py_func", function)
    return _Rebuilding(make).copied(source) if isinstance(source, FunctionType) else function


def _tuple(things: tuple[Any, ...], swap: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Compiled code may call functions that a tuple holds."""
    made = [swap(thing) for thing in things]
    if all(a is b for a, b in zip(made, things, strict=True)):
        return things
    return type(things)(*made) if hasattr(things, "_fields") else tuple(made)


class Trial:
    """A function to be run in plain Python under guard; what it does wrong is a `Fault`."""

    def __init__(self, function: Any, who: str = "", compiled: bool = True) -> None:
        """who: whose function it is, for the line of JumpnetError where it is refused before it runs.

        compiled: whether it is compiled later, where it may not call itself.
        """
        self.function = function
        self.lines = 0
        """Lines run by all calls so far."""
        try:
            if compiled:
                must_not_recur(function, helper_of)
            self._plain = rebuilt(function)
        except JumpnetError as error:
            raise JumpnetError(f"{who}: {error}" if who else str(error)) from None
        self._left = 0
        self._runs = False
        self._compiles: FrameType | None = None
        """The call of Numba's that is under way."""

    def __call__(self, *args: Any) -> Any:
        """Run it once."""
        before, self._left, self._runs, self._compiles = sys.gettrace(), MOST_LINES, True, None
        sys.settrace(self._enter)
        try:
            with np.errstate(divide="raise", invalid="ignore", over="ignore"):
                return self._plain(*args)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # of whatever kind: it is the user's code that raises it
            self._runs = False
            sys.settrace(None)
            raise Fault(f"{place(self.function, error)}: {reason_of(error)}") from None
        finally:
            self._runs = False
            sys.settrace(before)
            self.lines += MOST_LINES - self._left

    def at(self, reason: str) -> Fault:
        """A fault of what it has returned or written."""
        return Fault(f"{place(self.function)}: {reason}")

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Count the lines of all but the guard itself, and what Numba does to compile a list or a helper."""
        if frame.f_code.co_filename == __file__ or self._compiles is not None:
            return None
        if frame.f_globals.get("__name__", "").partition(".")[0] in _COMPILERS:
            self._compiles, frame.f_trace_lines = frame, False
            return self._compiled
        frame.f_trace_opcodes = _turns_on_a_line(frame.f_code)
        return self._step

    def _step(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line" or event == "opcode":
            self._left -= 1
            if self._left < 0:
                raise _Endless(self._again)
        return self._step

    def _compiled(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Count on, once Numba has ended."""
        if event == "return" and frame is self._compiles:
            self._compiles = None
        return self._compiled

    def _again(self) -> None:
        """Trace on in the frames that run, after the word that this call must end was caught."""
        if not self._runs:
            return
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code is not _CALL:
            frame.f_trace = self._step
            frame = frame.f_back
        sys.settrace(self._enter)


_CALL = Trial.__call__.__code__


@cache
def _turns_on_a_line(code: CodeType) -> bool:
    """Whether a loop stands on one line, whose turns Python need not tell as lines."""
    line_of = {at: line for first, stop, line in code.co_lines() for at in range(first, stop)}
    turns = (step for step in dis.get_instructions(code) if "JUMP_BACKWARD" in step.opname)
    return any(line_of.get(step.argval) == line_of.get(step.offset) for step in turns)


def place(function: Any, error: BaseException | None = None) -> str:
    """`file:line` of an error in a user's own code, else of the function's first line."""
    trace, found = getattr(error, "__traceback__", None), ""
    while trace is not None:
        code, module = trace.tb_frame.f_code, trace.tb_frame.f_globals.get("__name__", "")
        if not code.co_filename.startswith(NOBODYS) and not of_others(module):
            found = f"{code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    known = code_of(function)
    first = f"{known.co_filename}:{known.co_firstlineno}" if known else repr(function)
    return found or first


def reason_of(error: BaseException) -> str:
    """An error in a few words, on one line."""
    if isinstance(error, _Misuse):
        return str(error)
    if isinstance(error, _Endless):
        return f"{MOST_LINES} lines run in one call, an end expected"
    if isinstance(error, ZeroDivisionError | FloatingPointError):
        return "division by zero"
    if isinstance(error, RecursionError):
        return "calls itself without end"
    if isinstance(error, AttributeError) and (fields := getattr(type(error.obj), "_fields", ())):  # of a `View`, say
        return f"{error.name!r} found, one of {', '.join(name for name in fields if name != 'address')} expected"
    words = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' if words else ''}{words[:160]}"
