"""The Python face: `jumpnet.network("rdt:64")` and what can be asked of it. Above every layer but the command line.

Each method imports the layer it needs when it is called, so that `import jumpnet` stays fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError, written
from jumpnet.files import write_bytes
from jumpnet.lab._attributes import Arrays, not_there
from jumpnet.notices import notice

if TYPE_CHECKING:
    from jumpnet.analysis.deadlock.all_sizes.argument import AllSizes
    from jumpnet.analysis.deadlock.proof import Proof
    from jumpnet.analysis.routes.paths import PathFigures, Route
    from jumpnet.graph.bisection import Bisection
    from jumpnet.graph.metrics import Metrics
    from jumpnet.graph.symmetry import Symmetry
    from jumpnet.lab.curve import Curve
    from jumpnet.lab.report_part import ReportPart
    from jumpnet.lab.setting_types import RunSettings, SearchSettings, SweepSettings
    from jumpnet.networks import Network
    from jumpnet.sim.config.sim_config import SimConfig
    from jumpnet.sim.result.point import Point, Result
    from jumpnet.sim.saturation import Saturation
    from jumpnet.study.degrade import Degradation
    from jumpnet.study.quick import Points

__all__ = ["LabNetwork", "add_graph", "network", "paper", "simulate"]

MOST_SHOWN = 1024
"""Routers of a network that a notebook draws by itself."""


@public
class LabNetwork(Arrays):
    """A network under study. Attributes of its `Network` (`neighbor`, `routers`, ...) are its own too.

    Its tables are built at the first use that needs them; `metrics` of a huge family member never builds them.
    """

    def __init__(self, spec: str, net: Network | None = None) -> None:
        self.spec, self._given = spec, net

    def __repr__(self) -> str:
        return f"network({self.spec!r})"

    @cached_property
    def net(self) -> Network:
        """The network as arrays."""
        if self._given is not None:
            return self._given
        from jumpnet.topology import build

        return build(self.spec)

    if not TYPE_CHECKING:  # which know the names by `Arrays`

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            if name in Arrays.__annotations__:
                return getattr(self.net, name)
            raise AttributeError(not_there(name, dir(self)), name=name, obj=self)

    def __dir__(self) -> list[str]:
        """Its own attributes, and those of its `Network`, which is not built for it."""
        return sorted({*super().__dir__(), *Arrays.__annotations__})

    def metrics(self) -> Metrics:
        """Exact figures: size, degree, diameter, average distance, distribution, cost ratio, gap to the Moore bound.

        >>> network("rdt:64").metrics().diameter
        9
        """
        from jumpnet.graph.metrics import metrics
        from jumpnet.topology import family

        return metrics(self._given if self._given is not None else family(self.spec))

    def bisection(self) -> Bisection:
        """The bisection, exact or as bounds.

        >>> network("torus:4x4").bisection().exact
        8
        """
        from jumpnet.graph.bisection import bisection
        from jumpnet.topology import family

        if self._given is not None:
            return bisection(self.net)
        member = family(self.spec)
        return bisection(self.net, member.halves(self.net), member.bisection_width())

    def symmetry(self) -> Symmetry:
        """Whether it is vertex- and edge-transitive, with the proofs.

        >>> network("torus:4x4").symmetry().edge.transitive
        True
        """
        from jumpnet.graph.symmetry import symmetry
        from jumpnet.topology import family

        known = family(self.spec).automorphisms(self.net) if self._given is None else ()
        return symmetry(self.net, known)

    def _bound(self, routing: Any, vcs: int | None) -> Any:
        from jumpnet.routings import bind, default_routing

        return bind(routing if routing is not None else default_routing(self.net, vcs), self.net, vcs)

    def route(
        self, source: Any, destination: Any, routing: Any = None, draw: int = 0, take: Sequence[int] = ()
    ) -> Route:
        """The channels of one route; routers as numbers, text such as `1,2`, or nodes of a NetworkX graph.

        draw: of the start hook; take: candidate at each hop, else the first. Raises JumpnetError when none arrives.

        >>> len(network("torus:8x8").route("0,0", "3,4"))
        7
        """
        from jumpnet.analysis.routes.paths import route

        s, d = (self.net.router_at(written(end) if isinstance(end, int) else str(end)) for end in (source, destination))
        return route(self._bound(routing, None), s, d, draw, take)

    def paths(self, routing: Any = None) -> PathFigures:
        """Exact lengths of all routes of a routing.

        >>> network("torus:4x4").paths().maximum
        4
        """
        from jumpnet.analysis.routes.paths import path_figures

        return path_figures(self._bound(routing, None))

    def prove(self, routing: Any = None, vcs: int | None = None) -> Proof:
        """Whether a routing can deadlock: a checked certificate, or a shortest cycle.

        >>> network("torus:4x4").prove("torus.dimension_order").deadlock_free
        False
        """
        from jumpnet.analysis.deadlock.prove import prove

        return prove(self._bound(routing, vcs))

    def prove_all_sizes(self, routing: Any = None, vcs: int | None = None) -> AllSizes:
        """Whether a routing is free of deadlock on all meshes or tori of so many dimensions, with the rules.

        >>> network("torus:4x4").prove_all_sizes().deadlock_free
        True
        """
        from jumpnet.analysis.deadlock.all_sizes.argument import prove_all_sizes

        return prove_all_sizes(self._bound(routing, vcs))

    def simulate(self, routing: Any = None, **settings: Unpack[RunSettings]) -> Result:
        """One point of the flit-level simulator; the settings are those of `jumpnet simulate`.

        They are named with their types in `jumpnet.lab.setting_types` and described by `jumpnet list setting`; a load
        that is left out is 0.1, and a notice says so.

        >>> network("torus:4x4").simulate(load=0.05, packet_flits="1").saturated
        False
        """
        from jumpnet.sim.simulate import simulate

        found = simulate(self.net, routing, **settings)
        if not settings.keys() & {"load", "trace", "config"}:
            notice(f"no load found, so {found.config.load:.4g} flits are offered a terminal and cycle")
        return found

    def curve(self, loads: float | Iterable[float], routing: Any = None, **settings: Unpack[RunSettings]) -> Curve:
        """Points of rising load, up to the first that saturates; `+` puts several curves into one picture.

        >>> network("torus:4x4").curve([0.1, 0.2], packet_flits="1", measure_cycles=500)
        torus:4x4, torus.dateline: load 0.1, latency 18.42 cycles
        torus:4x4, torus.dateline: load 0.2, latency 19.68 cycles
        """
        from jumpnet.lab.curve import curve

        return curve(self.net, loads, routing, **settings)

    def find_saturation(self, routing: Any = None, **settings: Unpack[SearchSettings]) -> Saturation[Point]:
        """The highest load that the sources keep up with, by search; settings as in `simulate`, and `resolution`.

        >>> found = network("torus:4").find_saturation(packet_flits="1", measure_cycles=2000, warmup_cycles=500)
        >>> found.load < found.saturated_load
        True
        """
        from jumpnet.sim.saturation import find_saturation

        return find_saturation(self.net, routing, **settings)

    def sweep(
        self,
        routing: str | Sequence[str] | None = None,
        *,
        store: str | Path | None = None,
        workers: int | None = None,
        **settings: Unpack[SweepSettings],
    ) -> Points:
        """All combinations of settings, on all cores; lists name several values, of the routing and of `load` too.

        `store`: a file that keeps the points, so that a sweep which was interrupted goes on. Settings are those of
        `simulate`, routings by their names. A network given as arrays or as a graph, or of a family that a notebook
        defines, is named by what it is; routings and patterns of one's own stand in a file that is loaded.

        >>> short = {"packet_flits": "1", "warmup_cycles": 50, "measure_cycles": 300}
        >>> [row["vcs"] for row in network("torus:4x4").sweep(load=0.1, vcs=[2, 4], workers=1, **short)]
        [2, 4]
        """
        from jumpnet.own import needed
        from jumpnet.sim.config.sim_config import SimConfig
        from jumpnet.sim.config.unknown import refuse_unknown
        from jumpnet.study.quick import curves_over, run_curves
        from jumpnet.study.settings import settings as of_points
        from jumpnet.topology.named import name_by_content

        known = of_points() if "kind" in settings else SimConfig.model_fields
        refuse_unknown(settings, known, ("kind", "network", "routing", "store", "workers"))
        axes: dict[str, Any] = {**settings} if routing is None else {**settings, "routing": routing}
        by_spec = self._given is None and "" not in needed([self.spec])  # other processes can make it
        spec = self.spec if by_spec else name_by_content(self.net)
        return run_curves(curves_over(spec, axes), None if store is None else Path(store), workers)

    def degrade(
        self,
        faults: int | Iterable[int] = (0, 1, 2, 5),
        routing: str | None = None,
        *,
        kind: Literal["nodes", "links"] = "nodes",
        seeds: int | Iterable[int] = (1, 2, 3),
        vcs: int | None = None,
        config: SimConfig | None = None,
    ) -> Degradation:
        """What is left with some routers (or links: `kind`) broken: a row for each number of faults, each proved anew.

        Means are over `seeds`, these or so many of them; with `config` the saturation at each step is searched too. See
        `study.degrade.degradation_table`.

        >>> [row["faults"] for row in network("torus:4x4").degrade([0, 1], seeds=[1])]
        [0, 1]
        """
        from jumpnet.study.degrade import DEFAULT_ROUTING, Degradation, degradation_table, numbers

        which = numbers("seeds", range(1, seeds + 1) if isinstance(seeds, int) else seeds)
        counts = numbers("faults", [faults] if isinstance(faults, int) else faults)
        return Degradation(degradation_table(self.net, counts, kind, which, routing or DEFAULT_ROUTING, vcs, config))

    @property
    def nodes(self) -> list[Any]:
        """What stands for each router, by number: the node objects of a NetworkX graph, labels of a file, or numbers.

        >>> import networkx
        >>> net = network(networkx.path_graph("abc"))
        >>> net.nodes[2], net.route("a", "c").nodes
        ('c', ['a', 'b', 'c'])
        """
        from jumpnet.graph.links import nodes_of

        return nodes_of(self.net)

    def to_networkx(self) -> Any:
        """The network as a NetworkX graph; one that it was made from comes back equal: `graph.exchange.to_networkx`.

        >>> network("torus:4x4").to_networkx().number_of_edges()
        32
        """
        from jumpnet.graph.exchange import to_networkx

        return to_networkx(self.net)

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: the drawing, of networks that can be looked at."""
        return self.draw().decode() if self.net.routers <= MOST_SHOWN else None

    def draw(
        self, file: str | Path | None = None, highlight: Sequence[int | str] = (), title: str | None = None
    ) -> bytes:
        """A picture, as `jumpnet draw` makes it; written to `file` (.svg, .png, .pdf) when given, else SVG bytes.

        `highlight` is a path to show, its routers named as in `route`.

        >>> network("torus:4x4").draw()[:5]
        b'<?xml'
        """
        from jumpnet.plot.draw import drawer, size_inches
        from jumpnet.plot.figure import render
        from jumpnet.plot.formats import Picture, picture_format

        kind = "svg" if file is None else picture_format(file)
        draw = drawer(self.net, [self.net.router_at(str(router)) for router in highlight], title)
        made = Picture(render(draw, name=self.spec, size_inches=size_inches(self.net), formats=(kind,))[kind])
        if file is not None:
            write_bytes(file, made)
        return made


@public
def network(what: str | Any) -> LabNetwork:
    """A network by its spec string, a `Network` (`from jumpnet.networks import Network`), or a NetworkX graph.

    Raises JumpnetError for a spec that names no network, at once, and for things that are none of these.

    >>> network("torus:8x8").routers
    64
    """
    if isinstance(what, LabNetwork):
        return what
    if isinstance(what, str):
        from jumpnet.topology import family

        return LabNetwork(family(what).spec)
    from jumpnet.networks import Network

    if isinstance(what, Network):
        from jumpnet.topology import held

        return LabNetwork(what.spec, held(what))
    if hasattr(what, "nodes") and hasattr(what, "edges"):
        from jumpnet.graph.exchange import from_networkx

        made = from_networkx(what)
        return LabNetwork(made.spec, made)
    found = type(what).__name__
    hint = "; networkx.from_numpy_array, .from_pandas_edgelist and such make one" if hasattr(what, "shape") else ""
    raise JumpnetError(f"{found} found, a spec string, a Network or a NetworkX graph expected{hint}")


@public
def add_graph(name: str, what: str | Any) -> str:
    """Name a NetworkX graph, or what else `network` takes, and return its spec `graph:NAME`.

    Raises JumpnetError for what is no network, and for a name that a spec cannot have.

    >>> add_graph("small", network("torus:3x3"))
    'graph:small'
    """
    from jumpnet.topology.named import add_graph as named

    return named(name, network(what).net)


@public
def simulate(what: str | Any, routing: Any = None, **settings: Unpack[RunSettings]) -> Result:
    """One point of the flit-level simulator on a network, as `network(what).simulate(...)`.

    Loads are in flits per terminal and cycle, times in cycles, lengths in flits. Raises JumpnetError for bad settings.

    >>> simulate("torus:4x4", load=0.05, packet_flits="1").saturated
    False
    """
    return network(what).simulate(routing, **settings)


@public
def paper(*keys: str, full: bool = False) -> Iterator[ReportPart]:
    """The report's sections of some papers (all without keys), computed one at a time.

    full: the long runs too, minutes to hours. Raises JumpnetError for an unknown key.

    >>> next(paper("li2009rdn")).key
    'li2009rdn'
    """
    from jumpnet.lab.report_part import ReportPart
    from jumpnet.report import compute

    yield from (ReportPart(part.key, part.name, part.section) for part in compute(keys, full=full))
