"""Discovery by folder scan: a new topology, routing, pattern or verb is one new file, and no list is edited.

A part that stands above a registry's own may define entries too; the registry knows that file by name only. Used by
`topology`, `routing`, `traffic`, `multicast`, `paper` and `cli`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Generic, TypeVar

from jumpnet.errors import JumpnetError, unknown_name

__all__ = ["Registry", "instances", "modules", "subclasses"]

T = TypeVar("T")


def modules(package: str) -> Iterator[ModuleType]:
    """Import and yield the public modules of a package in alphabetical order (names with `_` are helpers).

    >>> any(m.__name__.endswith(".torus") for m in modules("jumpnet.topology"))
    True
    """
    root = importlib.import_module(package)
    for info in sorted(pkgutil.iter_modules(root.__path__), key=lambda i: i.name):
        if not info.name.startswith("_"):
            yield importlib.import_module(f"{package}.{info.name}")


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


class Registry(Generic[T]):
    """Things by name: those found in a package's files on first use, and those a user adds while running.

    `kind` is the word for error messages; `entries(module)` yields the (name, thing) pairs a module defines; `above`
    names modules of parts above that define some as well. They are loaded on first use, when everything below is there.
    """

    extended = False
    """Whether this process has anything, of any kind, that a user has added."""

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

    def all(self) -> dict[str, T]:
        """Every entry by name, in alphabetical order."""
        if self._known is None:
            known: dict[str, T] = {}
            for module in (*modules(self._package), *map(importlib.import_module, self._above)):
                for name, thing in self._entries(module):
                    if name in known and known[name] is not thing:
                        raise JumpnetError(f"two files define the {self.kind} {name!r}; {module.__name__} is one")
                    known[name] = thing
            self._known = known
        return dict(sorted({**self._known, **self._added}.items()))

    def get(self, name: str) -> T:
        """The entry called `name`; raises JumpnetError with the nearest valid name."""
        known = self.all()
        if name not in known:
            raise unknown_name(self.kind, name, known)
        return known[name]

    def add(self, name: str, thing: T) -> None:
        """Add a user's own entry for this process; the same name added again replaces it (notebooks)."""
        self._added[name] = thing
        Registry.extended = True
