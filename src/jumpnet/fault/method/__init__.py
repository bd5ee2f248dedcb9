"""Methods that find a direction for each fault: one file = one method, found by folder scan.

A method is a module with NAME, SUMMARY and `reconfigure(array, bad) -> Reconfiguration`.

>>> sorted(methods())
['exact', 'graph', 'local']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

from jumpnet.fault.array import WaferArray
from jumpnet.fault.configuration import Reconfiguration
from jumpnet.registry import Registry
from jumpnet.terms import Array

__all__ = ["Method", "method", "methods"]

Method = Callable[[WaferArray, Array], Reconfiguration]


def _entries(module: ModuleType) -> Iterator[tuple[str, Method]]:
    yield module.NAME, module.reconfigure


_methods: Registry[Method] = Registry("reconfiguration method", __name__, _entries)


def methods() -> dict[str, Method]:
    """Every method by name."""
    return _methods.all()


def method(name: str) -> Method:
    """The method called `name`; raises JumpnetError with the nearest name.

    >>> from jumpnet.fault.defects import from_places
    >>> array = WaferArray(4, 4)
    >>> method("exact")(array, from_places(array, [(2, 2), (3, 3)])).repaired
    True
    """
    return _methods.get(name)
