"""Discovery by folder scan: a new topology, routing, pattern or verb is one new file, and no list is edited.

A part that stands above a registry's own may define entries too; the registry knows that file by name only. Used by
`topology`, `routings`, `traffic`, `multicast`, `report` and `cli`.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

from jumpnet.above import call_above
from jumpnet.errors import JumpnetError, nearest, unknown_name
from jumpnet.files import modules_in

__all__ = ["NEEDS", "Registry", "instances", "modules", "or_own", "subclasses", "users"]

T = TypeVar("T")
NEEDS = "--load FILE.py, in Python jumpnet.own.load"
"""What makes a file of the user's known; that it is imported does not."""
SURELY = 0.8
"""A name of this similarity to one of ours is taken for a slip, and not for a name of the user's own."""


def or_own(error: JumpnetError, name: str, known: Iterable[str]) -> JumpnetError:
    """The error for an unknown name, with a word of files of one's own unless a known name is hardly mistaken."""
    if nearest(name, known, SURELY):
        return error
    said = str(error)
    return JumpnetError(f"{said}{' One' if said.endswith('?') else '; one'} of your own needs {NEEDS}")


@cache
def _names(package: str, inner: bool = False) -> list[str]:
    """Full names of a package's public modules in alphabetical order; `inner`: those of the packages in it too."""
    found = modules_in(importlib.import_module(package).__path__, inner)
    return [f"{package}.{name}" for name in found if not any(part.startswith("_") for part in name.split("."))]


def modules(package: str) -> Iterator[ModuleType]:
    """Import and yield the public modules of a package in alphabetical order.

    Those that define no entry are helpers which other parts use; names with `_` are helpers of the folder alone.


    >>> any(m.__name__.endswith(".torus") for m in modules("jumpnet.topology"))
    True
    """
    yield from map(importlib.import_module, _names(package))


@cache
def _text(module: str) -> str:
    """The source of a module, which need not be loaded; empty where there is none."""
    package, _, name = module.rpartition(".")
    for folder in getattr(sys.modules.get(package), "__path__", ()):  # a tenth of the time of Python's own way
        file = os.path.join(folder, f"{name}.py")
        if os.path.isfile(file):
            return Path(file).read_text(encoding="utf-8")
    spec = find_spec(module)
    return Path(spec.origin).read_text(encoding="utf-8") if spec is not None and spec.origin else ""


def instances(kind: type[T]) -> Callable[[ModuleType], Iterator[tuple[str, T]]]:
    """Entries of a registry whose things are objects of one class, each with a `name`."""

    def entries(module: ModuleType) -> Iterator[tuple[str, T]]:
        for _, thing in inspect.getmembers(module, lambda member: isinstance(member, kind)):
            yield thing.name, thing

    return entries


def subclasses(base: type[T]) -> Callable[[ModuleType], Iterator[tuple[str, type[T]]]]:
    """Entries of a registry whose things are subclasses of one class, each with a `name` (empty in abstract ones)."""

    def entries(module: ModuleType) -> Iterator[tuple[str, type[T]]]:
        for _, thing in inspect.getmembers(module, inspect.isclass):
            name = getattr(thing, "name", "")
            if issubclass(thing, base) and name and thing.__module__ == module.__name__:
                yield name, thing

    return entries


class Users:
    """What users have added, to all registries: filled by `jumpnet.own`."""

    def __init__(self) -> None:
        self.extended = False
        """Whether this process has anything, of any kind, that is not ours."""
        self.modules: list[tuple[str, ModuleType]] = []
        """Files and packages that are loaded, with their names: what they define is found as in a file of ours."""
        self.loading = ""
        """Name of the one that is being loaded."""
        self.origins: dict[str, set[str]] = {}
        """By name of an entry, of any kind, the names of those that define one; empty for one added by hand."""
        self.registries: list[Registry[Any]] = []
        """All there are: what a file defines belongs to those whose parts it has imported."""

    def search(self) -> None:
        """Let every registry find what is its own in all that is loaded: only then are `origins` whole."""
        for registry in self.registries:
            registry._users()

    def added(self, name: str) -> list[Any]:
        """What users have added under a name, of any kind."""
        return [registry._added[name] for registry in self.registries if name in registry._added]

    def forget(self, origin: str) -> None:
        """Leave out what a file or package has added."""
        self.modules = [each for each in self.modules if each[0] != origin]
        for registry in self.registries:
            registry._forget(origin)

    def find_packages(self) -> None:
        """Load the packages that add to jumpnet where they are installed; once, and where a name is not known."""
        call_above("find_packages")


users = Users()


class Registry(Generic[T]):
    """Things by name: those found in the files of a package and of the packages in it, on first use, and a user's own.

    `kind` is the word for error messages; `entries(module)` yields the (name, thing) pairs a module defines; `above`
    names modules of parts above that define some as well. They are loaded on first use, when everything below is there.
    """

    def __init__(
        self,
        kind: str,
        package: str,
        entries: Callable[[ModuleType], Iterable[tuple[str, T]]],
        above: Iterable[str] = (),
    ):
        self.kind = kind
        self._package = package
        self._entries = entries
        self._above = tuple(above)
        self._known: dict[str, T] | None = None
        self._added: dict[str, T] = {}
        self._origin: dict[str, str] = {}
        self._searched = 0
        users.registries.append(self)

    def all(self) -> dict[str, T]:
        """Every entry by name, in alphabetical order."""
        if self._known is None:
            self._known = self._load(self._files())
        users.find_packages()
        return dict(sorted({**self._known, **self._users()}.items()))

    def _users(self) -> dict[str, T]:
        """What a user has added: in this process, in files and in packages."""
        while self._searched < len(users.modules):
            origin, module = users.modules[self._searched]
            self._searched += 1
            for name, thing in self._entries(module):
                if self._added.get(name) is not thing and self.shipped(name) is not thing:
                    self._add_from(origin, name, thing)
        return self._added

    def shipped(self, name: str) -> T | None:
        """Our own entry of that name; only files that hold the name as text are loaded for it."""
        if self._known is not None:
            return self._known.get(name)
        return self._load(file for file in self._files() if f'"{name}"' in _text(file)).get(name)

    def _add_from(self, origin: str, name: str, thing: T) -> None:
        """Add what a user's file or package defines; raises JumpnetError for a name that is taken."""
        place = "" if users.loading else f"{origin}: "
        if self.shipped(name) is not None:
            raise JumpnetError(f"{place}{self.kind} {name!r} is there already, another name expected")
        other = self._origin.get(name, "") if name in self._added else ""
        if other not in ("", origin):
            raise JumpnetError(f"{place}{self.kind} {name!r} is in {other} already, another name expected")
        self._put(origin, name, thing)

    def _put(self, origin: str, name: str, thing: T) -> None:
        if not isinstance(name, str) or not name:
            raise JumpnetError(f"{self.kind} named {name!r} found, a text expected")
        users.origins.setdefault(name, set()).add(origin)
        self._origin[name] = origin
        self._added[name] = thing

    def _forget(self, origin: str) -> None:
        for name in [name for name, found in self._origin.items() if found == origin]:
            users.origins[name].discard(origin)
            del self._origin[name], self._added[name]
        self._searched = min(self._searched, len(users.modules))

    def mentioning(self, *texts: str) -> dict[str, T]:
        """Every entry whose file holds all these texts, by name; others may be among them, and those of users are.

        For what few entries can answer: to read all files takes less than a tenth of the time to load them.
        """
        if self._known is not None:
            return self.all()
        files = [name for name in self._files() if all(text in _text(name) for text in texts)]
        return dict(sorted({**self._load(files), **self._users()}.items()))

    def get(self, name: str) -> T:
        """The entry called `name`; raises JumpnetError with the nearest valid name, or how to load one of one's own.

        An entry whose file has its name (`torus.dateline` in `torus/dateline.py`) is found without loading the others.
        """
        file = f"{self._package}.{name}"
        known = dict(self._users())
        if name not in known and self._known is None and file in self._files():
            known = self._load([file])
        if name not in known:
            known = self._known if self._known and name in self._known else self.all()
        if name not in known:
            raise or_own(unknown_name(self.kind, name, known), name, known)
        return known[name]

    def _files(self) -> list[str]:
        """Full names of the modules that may define entries."""
        return [*_names(self._package, inner=True), *self._above]

    def _load(self, files: Iterable[str]) -> dict[str, T]:
        """The entries of some modules by name."""
        known: dict[str, T] = {}
        for module in map(importlib.import_module, files):
            for name, thing in self._entries(module):
                if name in known and known[name] is not thing:
                    raise JumpnetError(f"two files define the {self.kind} {name!r}; {module.__name__} is one")
                known[name] = thing
        return known

    def add(self, name: str, thing: T) -> None:
        """Add a user's own entry for this process; the same name added again replaces it (notebooks).

        A file of the user's that is being loaded may not take a name of ours.
        """
        users.extended = True
        if users.loading:
            self._add_from(users.loading, name, thing)
        else:
            self._put("", name, thing)
