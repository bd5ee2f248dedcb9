"""jumpnet: a laboratory for interconnection networks: exact figures, routes, proofs, simulations.

>>> import jumpnet
>>> jumpnet.network("torus:8x8").metrics().diameter
8
"""

from __future__ import annotations

import sys
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from jumpnet.errors import JumpnetError

__all__ = ["JumpnetError", "LabNetwork", "__version__", "network", "paper", "routing", "simulate", "topology"]

_FACE = {"LabNetwork": "jumpnet.lab", "simulate": "jumpnet.lab"}
"""Names that are loaded from a module when they are first asked for."""


class _NetworkModule(ModuleType):
    """The module `jumpnet.network`, which is also the function: `jumpnet.network("rdt:64")`."""

    def __call__(self, what: Any) -> Any:
        return import_module("jumpnet.lab").network(what)


class _RoutingModule(ModuleType):
    """The package `jumpnet.routing`, also the decorator of a user's algorithm: `@jumpnet.routing("my.own")`."""

    def __call__(self, name: str, **about: Any) -> Any:
        return self.routing(name, **about)


class _PaperModule(ModuleType):
    """The package `jumpnet.paper`, which is also the function: `jumpnet.paper("li2009rdn")`."""

    def __call__(self, *keys: str, full: bool = False) -> Any:
        return import_module("jumpnet.lab").paper(*keys, full=full)


_CALLABLE = {"network": _NetworkModule, "routing": _RoutingModule, "paper": _PaperModule}
"""Modules whose name is also a verb of the Python face: importing one anywhere makes it callable."""


class _Package(ModuleType):
    """This package: its submodules load when first used, and some of them can be called."""

    def __dir__(self) -> list[str]:
        """What people use, and the submodules, which are loaded when they are asked for."""
        parts = (part.name for part in iter_modules(self.__path__))
        return sorted({*__all__, *(name for name in parts if not name.startswith("_"))})

    def __setattr__(self, name: str, value: object) -> None:
        if name in _CALLABLE and isinstance(value, ModuleType):
            value.__class__ = _CALLABLE[name]
        super().__setattr__(name, value)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("jumpnet")
        except PackageNotFoundError:  # a checkout that is not installed
            return "0+unknown"
    if name in _FACE:
        return getattr(import_module(_FACE[name]), name)
    if not name.startswith("_"):
        try:
            return import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


sys.modules[__name__].__class__ = _Package
