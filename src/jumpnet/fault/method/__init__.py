"""Methods that find a direction for each fault: one file = one method, found by folder scan.

A method is a module with NAME, SUMMARY and `reconfigure(array, bad, breaks=None) -> Reconfiguration`.

>>> sorted(methods())
['exact', 'graph', 'local']
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Protocol

from jumpnet.api.public import public
from jumpnet.fault.array import WaferArray
from jumpnet.fault.breaks import Breaks
from jumpnet.fault.configuration import Reconfiguration
from jumpnet.registry import Registry
from jumpnet.terms import Array

__all__ = ["Method", "method", "methods"]


class Method(Protocol):
    """Finds a configuration of an array with defective elements and broken links, switches and tracks."""

    def __call__(self, array: WaferArray, bad: Array, breaks: Breaks | None = None) -> Reconfiguration: ...


def _entries(module: ModuleType) -> Iterator[tuple[str, Method]]:
    if hasattr(module, "NAME") and hasattr(module, "reconfigure"):  # files of users may define anything
        yield module.NAME, module.reconfigure


_methods: Registry[Method] = Registry("reconfiguration method", __name__, _entries)


def methods() -> dict[str, Method]:
    """Every method by name."""
    return _methods.all()


@public
def method(name: str) -> Method:
    """The method called `name`; raises JumpnetError with the nearest name.

    >>> from jumpnet.fault.defects import from_places
    >>> array = WaferArray(4, 4)
    >>> method("exact")(array, from_places(array, [(2, 2), (3, 3)])).repaired
    True
    """
    return _methods.get(name)
