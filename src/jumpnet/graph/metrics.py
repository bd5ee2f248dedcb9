"""The exact figures of a network in one object: size, degree, distances, cost ratio, gap to the Moore bound.

Called by the `metrics` verb, the paper sections and notebooks. Big members of families with a neighbor function are
searched without ever building their tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from math import isclose, log2
from typing import Any, ClassVar, Protocol

import numpy as np

from jumpnet.api.shown import Shown, columns
from jumpnet.errors import JumpnetError, nearest
from jumpnet.graph._bfs_one import record_of, tabulate
from jumpnet.graph._own_neighbors import neighbors_pointer, refuse_fault
from jumpnet.graph.distance_figures import DistanceFigures
from jumpnet.graph.distances import Progress, distance_counts, search_bytes, silent
from jumpnet.graph.moore import MooreGap, moore_gap
from jumpnet.memory import require, table_bytes
from jumpnet.networks import Implicit, Network
from jumpnet.terms import NO_ROUTER

__all__ = ["TABLE_LIMIT_BYTES", "Member", "Metrics", "metrics"]

TABLE_LIMIT_BYTES = 2**28
"""A network whose tables would take more than this is searched by its neighbor function, where it has one."""
VISIT_LIMIT = 1 << 46
"""Most routers that the searches of one network may visit, each search all of them; weeks of work are refused."""
MOORE_LIMIT = 4096
"""Largest diameter for which the Moore bound, a number of that many digits, is computed."""


class Member(Protocol):
    """What `metrics` needs of a member of a family, before anything is built (`jumpnet.topology.Family`)."""

    name: ClassVar[str]

    @property
    def spec(self) -> str:
        """The canonical spec string."""

    def size(self) -> tuple[int, int] | None:
        """(routers, ports), or None when only building tells."""

    def implicit(self) -> Implicit | None:
        """The network by a neighbor function, or None."""

    def build(self) -> Network:
        """The network as arrays."""

    def claims(self) -> Mapping[str, int | Fraction | float]:
        """Figures by name that must come out."""


@dataclass(frozen=True)
class Metrics(Shown):
    """Exact figures of a network. Figures that need a path between all routers are None where `connected` is False."""

    spec: str
    """Canonical spec string."""
    family: str
    """Family name."""
    routers: int
    terminals: int
    """Endpoints that inject."""
    links: int
    """Two-way links; channels of a directed network."""
    channels: int
    """One-way channels."""
    degree: int
    """Largest number of links (outgoing channels) of a router."""
    degree_min: int
    """Smallest number."""
    directed: bool
    connected: bool
    """Whether every router reaches every other (strongly, when directed)."""
    diameter: int | None
    """Largest distance, hops. This and the figures below are None where the network is not `connected`: a type checker
    wants `assert found.diameter is not None` first."""
    average_distance: Fraction | None
    """Over ordered pairs of different routers."""
    average_distance_with_self: Fraction | None
    """Over all ordered pairs, those of a router and itself at distance 0."""
    distance_counts: tuple[int, ...]
    """Ordered pairs of routers by distance, from 0; pairs without a path are left out."""
    terminal_diameter: int | None
    """Largest distance between the routers of two terminals."""
    average_terminal_distance: Fraction | None
    """Over ordered pairs of terminals on different routers."""
    uniform_load_bound: Fraction | None
    """Flits a terminal and cycle of uniform traffic at most: all channels busy, all packets on shortest paths."""
    radius: int | None
    """Smallest eccentricity."""
    eccentricity_counts: dict[int, int] | None
    """Number of routers of each eccentricity (largest distance from the router)."""
    cost_ratio: float | None
    """(degree + diameter) / log2(routers), li2009rdn section 3."""
    moore_bound_gap: MooreGap | None
    """How far routers, degree and diameter are from the Moore bound."""
    searches: int
    """Breadth-first searches that the figures took: one per known orbit, else one per router; a long path takes one,
    an axis of a large mesh too."""

    @columns(
        {
            "spec, family": "network and family",
            "routers, terminals, links, channels": "counted; a link is two channels",
            "degree, degree_min": "links of a router, most and least",
            "directed, connected": "whether channels are one-way; whether there is a path between all routers",
            "diameter, radius": "largest and smallest eccentricity, hops",
            "average_distance, average_distance_with_self": "over ordered pairs of routers, hops",
            "distance_counts, eccentricity_counts": "pairs, or routers, by hops",
            "terminal_diameter, average_terminal_distance": "between terminals, hops over links",
            "uniform_load_bound": "uniform traffic at most, flits a terminal and cycle",
            "cost_ratio": "(degree + diameter) / log2(routers), without unit",
            "moore_bound_gap": "how far routers, degree and diameter are from the Moore bound",
            "searches": "breadth-first searches that it took",
        }
    )
    def rows(self) -> list[dict[str, Any]]:
        """Every figure in one row, as `to_dict` gives them."""
        return [self.to_dict()]

    def to_dict(self) -> dict[str, Any]:
        """Keys and values for JSON: averages as floats, exact integers otherwise.

        >>> from jumpnet.topology import build
        >>> metrics(build("torus:4x4")).to_dict()["eccentricity_counts"]
        {'4': 16}
        """
        result: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        for key, value in result.items():
            if isinstance(value, Fraction):
                result[key] = float(value)
        result["distance_counts"] = list(self.distance_counts)
        if self.eccentricity_counts is not None:
            result["eccentricity_counts"] = {str(k): n for k, n in self.eccentricity_counts.items()}
        gap = self.moore_bound_gap
        if gap is not None:
            result["moore_bound_gap"] = {
                "routers_fraction": float(gap.fraction),
                "least_diameter": gap.least_diameter,
                "diameter_excess": gap.excess,
                "least_average_distance": float(gap.least_average_distance),
            }
        return result


@dataclass(frozen=True)
class _Size:
    """The figures that need no search."""

    terminals: int
    channels: int
    degree: int
    degree_min: int


def _size_of(net: Network | Implicit) -> _Size:
    if isinstance(net, Network):
        degrees = net.degrees
        return _Size(net.endpoints, net.channels, int(degrees.max(initial=0)), int(degrees.min()))
    assert net.orbits is not None
    table = np.empty((net.orbits.representative.size, net.ports), np.int64)
    out = np.empty(net.ports, np.int64)
    record = record_of(net)
    tabulate(neighbors_pointer(net), record, net.orbits.representative, table, out)
    refuse_fault(net, record)
    degrees = (table != NO_ROUTER).sum(axis=1)
    return _Size(net.routers, int((degrees * net.orbits.size).sum()), int(degrees.max()), int(degrees.min()))


def _open(member: Member, most_bytes: int) -> Network | Implicit:
    """The network, by its neighbor function where its tables would be bigger; refused where it would not fit memory."""
    size = member.size()
    estimate = 0 if size is None else table_bytes(*size)
    if size is not None and size[0] >= 2**62:
        raise JumpnetError(f"{member.spec}: {size[0]:,} routers found, fewer than 2^62 expected")
    if size is not None and estimate > most_bytes:
        what = f"{member.spec} of {size[0]:,} routers"
        require(search_bytes(*size, 1), what)  # what one search takes, before the orbits are listed
        implicit = member.implicit()
        if implicit is not None and implicit.orbits is not None:
            searches = implicit.orbits.size.size
            require(search_bytes(implicit.routers, implicit.ports, searches), what)
            if searches * implicit.routers > VISIT_LIMIT:
                raise JumpnetError(f"{what} needs {searches:,} searches, at most {VISIT_LIMIT // size[0]:,} expected")
            return implicit
    if size is not None:
        require(estimate, f"{member.spec} of {size[0]:,} routers with {size[1]:,} ports")
    return member.build()


def _gap(routers: int, degree: int, figures: DistanceFigures, directed: bool) -> MooreGap | None:
    diameter = figures.diameter
    if diameter is None or (diameter > MOORE_LIMIT and degree > 2):
        return None
    return moore_gap(routers, degree, diameter, directed=directed)


def _load_bound(size: _Size, distance: Fraction | None) -> Fraction | None:
    """All channels together, over the channels that the packets of a terminal take in a cycle at full load."""
    return Fraction(size.channels, size.terminals) / distance if size.terminals and distance else None


def metrics(
    source: Network | Member,
    *,
    require_connected: bool = False,
    progress: Progress = silent,
    most_table_bytes: int | None = None,
) -> Metrics:
    """The exact figures of a network, or of a member of a family, whose tables need not be built for it.

    A member whose tables would take more than `most_table_bytes`, TABLE_LIMIT_BYTES by default, is searched by its
    neighbor function where the family has one and knows its orbits. progress: as in `distance_counts`. Raises
    JumpnetError for a job that would not fit memory (before it starts, with the estimate), with `require_connected`
    when some router does not reach another, and for a figure of a user's own family that is not what its `claims()`
    says.
    Cost: that of `distance_counts`.

    >>> from jumpnet.topology import family
    >>> found = metrics(family("rdt:64"))
    >>> found.diameter, found.degree, float(found.average_distance)
    (9, 8, 5.647008547008547)
    """
    most_bytes = TABLE_LIMIT_BYTES if most_table_bytes is None else most_table_bytes
    net: Network | Implicit = source if isinstance(source, Network) else _open(source, most_bytes)
    figures = distance_counts(net, progress=progress)
    if require_connected and not figures.connected:
        raise JumpnetError(f"{source.spec}: some routers cannot reach each other, a connected network expected")
    size = _size_of(net)
    connected, diameter = figures.connected, figures.diameter
    far: dict[int, int] = {}
    if connected:
        distances, which = np.unique(figures.eccentricity, return_inverse=True)
        routers = np.zeros(distances.size, np.int64)
        np.add.at(routers, which, figures.stands_for)
        far = dict(zip(distances.tolist(), routers.tolist(), strict=True))
    result = Metrics(
        spec=source.spec,
        family=source.family if isinstance(source, Network) else source.name,
        routers=net.routers,
        terminals=size.terminals,
        links=size.channels if net.directed else size.channels // 2,
        channels=size.channels,
        degree=size.degree,
        degree_min=size.degree_min,
        directed=net.directed,
        connected=connected,
        diameter=diameter,
        average_distance=figures.average,
        average_distance_with_self=figures.average_with_self,
        distance_counts=figures.counts,
        terminal_diameter=figures.terminal_diameter,
        average_terminal_distance=figures.terminal_average,
        uniform_load_bound=_load_bound(size, figures.uniform_average),
        radius=min(far) if connected else None,
        eccentricity_counts=far if connected else None,
        cost_ratio=None if diameter is None or net.routers < 2 else (size.degree + diameter) / log2(net.routers),
        moore_bound_gap=_gap(net.routers, size.degree, figures, net.directed),
        searches=figures.searches,
    )
    if not isinstance(source, Network) and type(source).__module__.partition(".")[0] != "jumpnet":
        _hold_claims(source, result)
    return result


def _hold_claims(member: Member, found: Metrics) -> None:
    """Refuse claims of a user's own family that do not come out; those of ours are held by the law tests."""
    for name, claimed in member.claims().items():
        if not hasattr(found, name):
            close = nearest(name, (field.name for field in fields(found)))
            meant = f"; did you mean {close!r}?" if close else ""
            raise JumpnetError(f"family {member.name}: claims() names {name!r}, which is no figure of `metrics`{meant}")
        figure = getattr(found, name)
        equal = isclose(figure, claimed) if isinstance(claimed, float) and figure is not None else figure == claimed
        if not equal:
            raise JumpnetError(f"family {member.name}: claims() says {name} {claimed}, {member.spec} has {figure}")
