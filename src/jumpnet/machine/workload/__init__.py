"""Workloads that ship with jumpnet: small parallel programs over recorded arrays. One file = one program.

Their structure (who owns what, where the barriers and locks are) is that of the SPLASH programs they stand in for; no
code of those is here. `workload("lu:processors=8,n=64").trace()` is a trace like one read from a file.
"""

from __future__ import annotations

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.machine.records import Trace
from jumpnet.machine.workload._recorder import Shared, Space, add, inlined, load, lock, runner, store, unlock
from jumpnet.machine.workload._workload import Program, Workload, shares
from jumpnet.registry import Registry, subclasses
from jumpnet.settings.settings import make
from jumpnet.spec import split

__all__ = [
    "Program", "Shared", "Space", "Workload", "add", "inlined", "load", "lock", "open_workload", "register", "runner",
    "shares", "store", "unlock", "workload", "workloads",
]  # fmt: skip


_registry: Registry[type[Workload]] = Registry("workload", __name__, subclasses(Workload))


def workloads() -> dict[str, type[Workload]]:
    """Every registered workload by name.

    >>> {"barnes", "fft", "gas", "grid", "lu", "radix", "water"} <= set(workloads())
    True
    """
    return _registry.all()


@public
def register(cls: type[Workload]) -> type[Workload]:
    """Class decorator that adds a user's own workload for this process (`docs/howto-workloads.md` has an example)."""
    _registry.add(cls.name, cls)
    return cls


@public
def workload(spec: str, processors: int | None = None) -> Workload:
    """The workload that a spec names, with its sizes checked: `NAME` or `NAME:key=value,...`.

    >>> workload("water:steps=2", processors=16).spec
    'water:processors=16,steps=2'
    """
    name, positional, keyed = split(spec)
    cls = _registry.get(name)
    if positional:
        raise JumpnetError(f"{name}: {positional[0]!r} found, key=value expected")
    if processors is not None:
        keyed["processors"] = str(processors)
    return make(cls, keyed)


def open_workload(text: str) -> Trace:
    """The trace of `NAME,key=value,...`, which is what follows `workload:` where a trace file may be named.

    >>> open_workload("lu,processors=4,n=32").processors
    4
    """
    name, _, rest = text.partition(",")
    return workload(f"{name}:{rest}").trace()
