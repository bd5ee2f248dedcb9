"""jumpnet: a laboratory for interconnection networks: exact figures, routes, proofs, simulations.

>>> import jumpnet
>>> jumpnet.network("torus:8x8").metrics().diameter
8
"""

# ruff: noqa: F811 (overloads, which ruff takes for definitions made twice, as `overload` is made here)
from __future__ import annotations

import sys
from types import ModuleType

from jumpnet.above import answered_by

TYPE_CHECKING = False
"""As type checkers take it. `typing` itself is not loaded, nor what else takes a while: a command that is interrupted
while this package loads has Python's own traceback (`__main__`)."""

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Unpack, overload

    from jumpnet import topology
    from jumpnet.errors import JumpnetError
    from jumpnet.lab import LabNetwork
    from jumpnet.report_part import ReportPart
    from jumpnet.routing import Routing
    from jumpnet.routing.fields import RoutingFields
    from jumpnet.sim.result import Result
    from jumpnet.sim.setting_types import RunSettings

    __version__: str
else:

    def overload(signature):
        return signature


__all__ = [
    "JumpnetError", "LabNetwork", "__version__", "add_graph", "network", "paper", "routing", "simulate", "topology",
]  # fmt: skip


def _module(name: str) -> Any:
    from importlib import import_module

    return import_module(name)


# A function here whose name is also a submodule's has two signatures: pyright takes a name that is declared once for
# the submodule as soon as somebody writes `import jumpnet.network` (decision 0079).
@overload
def network(what: str) -> LabNetwork:
    """By its spec string."""


@overload
def network(what: Any) -> LabNetwork:
    """By an object."""


def network(what: str | Any) -> LabNetwork:
    """A network by its spec string, a `Network` (`from jumpnet.network import Network`), or a NetworkX graph.

    Raises JumpnetError for a spec that names no network, at once, and for things that are none of these.

    >>> network("torus:8x8").routers
    64
    """
    from jumpnet import lab

    return lab.network(what)


def add_graph(name: str, what: str | Any) -> str:
    """Name a NetworkX graph, or what else `network` takes, and return its spec `graph:NAME`, which works like others.

    The name is known in this process and in those of its sweeps; in a file for `--load`, wherever that is loaded.
    Points are named by what the network is, not by the name alone.

    >>> import networkx
    >>> network(add_graph("ring", networkx.cycle_graph(8))).metrics().diameter
    4
    """
    from jumpnet import lab

    return lab.add_graph(name, what)


def simulate(what: str | Any, routing: Any = None, **settings: Unpack[RunSettings]) -> Result:
    """One point of the flit-level simulator on a network; the settings are those of `jumpnet list setting`.

    >>> simulate("torus:4x4", load=0.05, packet_flits="1").saturated
    False
    """
    from jumpnet import lab

    return lab.simulate(what, routing, **settings)


@overload
def paper(*, full: bool = False) -> Iterator[ReportPart]:
    """All of the report."""


@overload
def paper(*keys: str, full: bool = False) -> Iterator[ReportPart]:
    """Some papers of it."""


def paper(*keys: str, full: bool = False) -> Iterator[ReportPart]:
    """The report's sections of some papers (all without keys), computed one at a time.

    >>> next(paper("li2009rdn")).key
    'li2009rdn'
    """
    from jumpnet import lab

    return lab.paper(*keys, full=full)


@overload
def routing(name: str) -> Callable[[Callable[..., int]], Routing]:
    """With a name alone."""


@overload
def routing(name: str, **about: Unpack[RoutingFields]) -> Callable[[Callable[..., int]], Routing]:
    """With fields of `Routing`."""


def routing(name: str, **about: Unpack[RoutingFields]) -> Callable[[Callable[..., int]], Routing]:
    """Decorator of a routing algorithm of one's own, `@jumpnet.routing("my.own")`.

    `about` is what `routing` of the submodule takes: `from jumpnet.routing import routing`.
    """
    return _module("jumpnet.routing").routing(name, **about)


_FUNCTIONS = {"network", "paper", "routing"}
"""Functions here whose names are also those of submodules. `from jumpnet.routing import bind` finds the submodule;
`import jumpnet.routing as r` gives the function, as Python looks `r` up here, and `r.bind` is the submodule's."""


_ELSEWHERE = {"JumpnetError": "jumpnet.errors", "LabNetwork": "jumpnet.lab"}
"""Classes that are loaded when they are asked for."""


answered_by(
    explanation_of_proof="jumpnet.analysis.deadlock.explain:explain",
    find_packages="jumpnet.own:load_packages",
    picture_of_curves="jumpnet.plot.results:picture_of_curves",
    picture_of_result="jumpnet.plot.results:picture_of",
)


class _Package(ModuleType):
    """This package: its submodules load when first used, and leave its functions alone."""

    def __dir__(self) -> list[str]:
        """What people use, and the submodules, which are loaded when they are asked for."""
        from pkgutil import iter_modules

        parts = (part.name for part in iter_modules(self.__path__))
        return sorted({*__all__, *(name for name in parts if not name.startswith("_"))})

    def __setattr__(self, name: str, value: object) -> None:
        # The import system puts a submodule that it has loaded here.
        if name in _FUNCTIONS and isinstance(value, ModuleType):
            # One dictionary for both, so that what is loaded or changed later is found by either.
            vars(self)[name].__dict__ = vars(value)
        else:
            super().__setattr__(name, value)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("jumpnet")
        except PackageNotFoundError:  # a checkout that is not installed
            return "0+unknown"
    if name in _ELSEWHERE:
        return getattr(_module(_ELSEWHERE[name]), name)
    if not name.startswith("_"):
        try:
            return _module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


sys.modules[__name__].__class__ = _Package
