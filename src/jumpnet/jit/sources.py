"""Keys for what a kernel rests on: the sources of its file, and what a user's function is frozen with."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import EnumType
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

__all__ = ["content_key", "names_of", "source_key"]

_ROOT_WORDS = os.path.dirname(os.path.dirname(__file__))
_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+(\S+)[ \t]+import[ \t]*(\([^)]*\)|.*)|import[ \t]+(.*))", re.MULTILINE)


SAID_BY_WORDS = ("builtins", "numba", "jumpnet", "functools", "types")
"""Packages whose objects say by their `repr` what they are; so do ufuncs of NumPy."""
_SAID_BY_VERSION = (*SAID_BY_WORDS, "numpy")
"""Packages whose modules and classes are what their names say."""


@cache
def _source(path: str) -> bytes:
    """A source file, read once; empty where there is none."""
    if not os.path.isfile(path):
        return b""
    with open(path, "rb") as file:
        return file.read()


@cache
def _digest(path: str) -> bytes:
    """Of a file's name and text, once for all kernels that rest on it."""
    return hashlib.sha256(os.path.basename(path).encode() + _source(path)).digest()


def _statements(text: str) -> Iterator[re.Match[str]]:
    """The import statements of a source; looked for by the word alone, many times as quick as at every line's start."""
    at = text.find("import")
    while at >= 0:
        found = _IMPORT.match(text, text.rfind("\n", 0, at) + 1)
        if found:
            yield found
        at = text.find("import", max(at + 1, found.end() if found else 0))


@cache
def _imports(path: str) -> frozenset[str]:
    """The jumpnet files that a jumpnet file imports by name; lines of text that look alike may add some."""
    names: set[str] = set()
    for statement in _statements(_source(path).decode(errors="replace")):  # a user's, in the encoding that it names
        module, things, modules = statement.groups(default="")
        if module == "jumpnet" or module.startswith("jumpnet."):
            names |= {module, *(f"{module}.{thing}" for thing in re.findall(r"\w+", things))}
        elif "jumpnet." in modules:
            names |= set(re.findall(r"jumpnet\.[\w.]+", modules))
    return frozenset(file for name in names if (file := _file(name)) is not None)


@cache
def _file(name: str) -> str | None:
    """The file of a module, None for other names; in plain words, as there are a thousand at every start."""
    path = os.sep.join((_ROOT_WORDS, *name.split(".")[1:])) + ".py"
    return path if name != "jumpnet" and os.path.isfile(path) else None


@cache
def source_key(file: str) -> str:
    """Hash of a source file and of every jumpnet file it imports, directly or not.

    >>> len(source_key(__file__))
    16
    """
    todo, seen = [file], {file}
    while todo:
        found = _imports(todo.pop()) - seen
        seen |= found
        todo += found
    return hashlib.sha256(b"".join(map(_digest, sorted(seen)))).hexdigest()[:16]


def content_key(function: Callable[..., Any] | tuple[Callable[..., Any], ...]) -> str:
    """Hash of what the compiled code of a function, or of several, is frozen with.

    That is its code, its defaults, what it closes over and what it reads.

    Inside jumpnet the sources say it all but for closures; in a user's files, functions that are called and values that
    are read may come from anywhere, so they are followed. Raises TypeError for a value that has no stable bytes.

    >>> content_key(lambda x: x + 1) == content_key(lambda x: x + 2)
    False
    """
    digest = hashlib.sha256()
    try:
        _follow(function, digest, {})
    except RecursionError:
        raise TypeError("objects inside objects without end have no stable bytes") from None
    return digest.hexdigest()[:16]


def _follow(thing: Any, digest: Any, seen: dict[Any, Any], names: Iterable[str] = ()) -> None:
    """Feed one value into the digest; functions with all they name, modules with what `names` are in them."""
    thing = getattr(thing, "py_func", thing)  # a compiled function stands for its source
    if id(thing) in seen:
        return
    if isinstance(thing, FunctionType):
        seen[id(thing)] = thing
        _follow_function(thing, digest, seen)
    elif isinstance(thing, np.ndarray) and not thing.dtype.hasobject:
        digest.update(repr((thing.dtype.str, thing.shape)).encode() + np.ascontiguousarray(thing).tobytes())
    elif isinstance(thing, tuple | list | set | frozenset | dict):
        digest.update(f"{type(thing).__name__}{len(thing)}".encode())
        for item in _items(thing):
            _follow(item, digest, seen)
    elif isinstance(thing, ModuleType):
        _follow_module(thing, digest, seen, names)
    elif isinstance(thing, type):
        digest.update(f"{thing.__module__}.{thing.__qualname__}{getattr(thing, '_fields', '')}".encode())
        _follow_class(thing, digest, seen)
    elif thing is None or isinstance(thing, bool | int | float | complex | str | bytes | np.generic):
        digest.update(f"{type(thing).__name__}{thing!r}".encode())
    elif type(thing).__module__.partition(".")[0] in SAID_BY_WORDS or isinstance(thing, np.ufunc | np.dtype):
        words = repr(thing)
        if " at 0x" in words:
            raise TypeError(f"{type(thing).__name__} has no stable bytes")
        digest.update(words.encode())
    else:
        _follow_object(thing, digest, seen)


def _items(thing: Any) -> Iterable[Any]:
    """What a collection holds, in an order that is the same in every process."""
    if isinstance(thing, set | frozenset):
        return sorted(thing, key=repr)
    return thing.items() if isinstance(thing, dict) else thing


def _of_others(module: str | None) -> bool:
    """Whether a module is Python's own or of an installed package, and no file that a user edits."""
    root = (module or "").partition(".")[0]
    known = root in _SAID_BY_VERSION or (root in sys.stdlib_module_names and root != "__main__")
    return known or "site-packages" in (getattr(sys.modules.get(module or ""), "__file__", None) or "")


def _follow_module(module: ModuleType, digest: Any, seen: dict[Any, Any], names: Iterable[str]) -> None:
    """A module's source, and what code takes from it by these names: that may stand in further modules."""
    digest.update(module.__name__.encode())
    if _of_others(module.__name__):
        return
    file = getattr(module, "__file__", None)
    if file and file.endswith(".py"):
        digest.update(source_key(file).encode())
    there = vars(module)
    for name in names:
        if name in there and (id(module), name) not in seen:
            seen[id(module), name] = module
            digest.update(name.encode())
            _follow(there[name], digest, seen, names)


def _follow_class(kind: type, digest: Any, seen: dict[Any, Any]) -> None:
    """The members of a class of a user's own, which the name does not say: numbers of an enumeration, methods."""
    if _of_others(kind.__module__) or id(kind) in seen:
        return
    seen[id(kind)] = kind
    if isinstance(kind, EnumType):
        there: Any = kind.__members__
        _follow([(name, there[name].value) for name in there], digest, seen)
    for name, member in vars(kind).items():
        method = getattr(member, "__func__", getattr(member, "fget", member))  # static methods, properties
        if isinstance(method, FunctionType):
            if method.__code__.co_filename != "<string>" or not name.startswith("__"):  # not what dataclasses make
                _follow(method, digest, seen)
        elif not name.startswith("__") and isinstance(member, bool | int | float | complex | str | bytes | tuple):
            digest.update(f"{name}{member!r}".encode())
    for base in kind.__bases__:
        _follow(base, digest, seen)


def _follow_object(thing: Any, digest: Any, seen: dict[Any, Any]) -> None:
    """An object by what it would be made of again: its `repr` may leave out most of what it holds."""
    seen[id(thing)] = thing
    try:
        parts = thing.__reduce_ex__(4)
    except Exception:
        raise TypeError(f"{type(thing).__name__} has no stable bytes") from None
    if not isinstance(parts, str):
        parts = [list(part) if isinstance(part, Iterator) else part for part in parts]
    _follow(parts, digest, seen)


def _follow_function(function: FunctionType, digest: Any, seen: dict[Any, Any]) -> None:
    own = (function.__globals__.get("__name__") or "").partition(".")[0] == "jumpnet"
    digest.update(function.__qualname__.encode())
    _follow_code(function.__code__, digest)
    for value in (function.__defaults__ or (), *(cell.cell_contents for cell in function.__closure__ or ())):
        _follow(value, digest, seen)
    if own:  # what it names stands in the sources that its file imports
        digest.update(source_key(function.__code__.co_filename).encode())
        return
    names = sorted(names_of(function.__code__))
    for name in names:
        if name in function.__globals__:
            digest.update(name.encode())
            _follow(function.__globals__[name], digest, seen, names)


def _follow_code(code: CodeType, digest: Any) -> None:
    digest.update(code.co_code + repr((code.co_names, code.co_varnames, code.co_freevars)).encode())
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _follow_code(constant, digest)
        else:
            digest.update(repr(constant).encode())


def names_of(code: CodeType) -> set[str]:
    """The global names and attributes that a function and those inside it look up."""
    inner = (names_of(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*inner)
