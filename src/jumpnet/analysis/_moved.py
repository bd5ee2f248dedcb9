"""Modules of the Python API that have another place now: what was imported from the old one still is."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

__all__ = ["MOVED", "find_moved"]

MOVED = {
    "jumpnet.analysis.paths": "jumpnet.analysis.routes.paths",
    "jumpnet.analysis.deadlock.certificate": "jumpnet.analysis.deadlock.cycles.checker",
    "jumpnet.analysis.deadlock.certificate_check": "jumpnet.analysis.deadlock.certificates.check",
    "jumpnet.analysis.deadlock.certificate_file": "jumpnet.analysis.deadlock.certificates.text",
    "jumpnet.analysis.deadlock.uniform": "jumpnet.analysis.deadlock.orbits.labels",
}
"""The new place of each, by the old one."""


class _Finder:
    """Finds old places, each as a module that has the names of the new one."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name in MOVED else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """As usual."""

    def exec_module(self, module: ModuleType) -> None:
        now = import_module(MOVED[module.__name__])
        vars(module).update({"__doc__": now.__doc__, **{name: getattr(now, name) for name in now.__all__}})


def find_moved() -> None:
    """Let old places be found, behind all others: what is there is found as before."""
    sys.meta_path.append(_Finder())
