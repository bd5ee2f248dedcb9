"""jumpnet: a laboratory for interconnection networks: exact figures, routes, proofs, simulations.

>>> import jumpnet
>>> jumpnet.network("torus:8x8").metrics().diameter
8
"""

from __future__ import annotations

from jumpnet.above import answered_by

TYPE_CHECKING = False
"""As type checkers take it. `typing` itself is not loaded, nor what else takes a while: a command that is interrupted
while this package loads has Python's own traceback (`__main__`)."""

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Unpack

    from jumpnet import topology
    from jumpnet.errors import JumpnetError
    from jumpnet.lab.network import LabNetwork
    from jumpnet.lab.report_part import ReportPart
    from jumpnet.lab.setting_types import RunSettings
    from jumpnet.routings import Routing
    from jumpnet.routings.fields import RoutingFields
    from jumpnet.sim.result.point import Result

    __version__: str

__all__ = [
    "JumpnetError", "LabNetwork", "__version__", "add_graph", "network", "paper", "routing", "simulate", "topology",
]  # fmt: skip


def _module(name: str) -> Any:
    from importlib import import_module

    return import_module(name)


def network(what: str | Any) -> LabNetwork:
    """A network by its spec string, a `Network` (`from jumpnet.networks import Network`), or a NetworkX graph.

    Raises JumpnetError for a spec that names no network, at once, and for things that are none of these.

    >>> network("torus:8x8").routers
    64
    """
    from jumpnet.lab import network as lab

    return lab.network(what)


def add_graph(name: str, what: str | Any) -> str:
    """Name a NetworkX graph, or what else `network` takes, and return its spec `graph:NAME`, which works like others.

    The name is known in this process and in those of its sweeps; in a file for `--load`, wherever that is loaded.
    Points are named by what the network is, not by the name alone.

    >>> import networkx
    >>> network(add_graph("ring", networkx.cycle_graph(8))).metrics().diameter
    4
    """
    from jumpnet.lab import network as lab

    return lab.add_graph(name, what)


def simulate(what: str | Any, routing: Any = None, **settings: Unpack[RunSettings]) -> Result:
    """One point of the flit-level simulator on a network; the settings are those of `jumpnet list setting`.

    >>> simulate("torus:4x4", load=0.05, packet_flits="1").saturated
    False
    """
    from jumpnet.lab import network as lab

    return lab.simulate(what, routing, **settings)


def paper(*keys: str, full: bool = False) -> Iterator[ReportPart]:
    """The report's sections of some papers (all without keys), computed one at a time.

    >>> next(paper("li2009rdn")).key
    'li2009rdn'
    """
    from jumpnet.lab import network as lab

    return lab.paper(*keys, full=full)


def routing(name: str, **about: Unpack[RoutingFields]) -> Callable[[Callable[..., int]], Routing]:
    """Decorator of a routing algorithm of one's own, `@jumpnet.routing("my.own")`.

    `about` are fields of `Routing`; the same as `from jumpnet.routings import routing`.
    """
    return _module("jumpnet.routings").routing(name, **about)


_ELSEWHERE = {"JumpnetError": "jumpnet.errors", "LabNetwork": "jumpnet.lab.network"}
"""Classes that are loaded when they are asked for."""


answered_by(
    explanation_of_proof="jumpnet.analysis.deadlock.explain:explain",
    find_packages="jumpnet.own:load_packages",
    picture_of_curves="jumpnet.plot.results:picture_of_curves",
    picture_of_result="jumpnet.plot.results:picture_of",
)


def __dir__() -> list[str]:
    """What people use, and the submodules, which are loaded when they are asked for."""
    from pkgutil import iter_modules

    parts = (part.name for part in iter_modules(__path__))
    return sorted({*__all__, *(name for name in parts if not name.startswith("_"))})


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
