"""Figures of a network beyond distance in one object: bisection, connectivity, wiring width, symmetry.

Called by the `metrics` verb with `--structure`, and by notebooks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.graph.bisection import EXACT_ROUTERS, Bisection, NothingToHalve, bisection
from jumpnet.graph.layout import linear_layout
from jumpnet.graph.spectrum import algebraic_connectivity
from jumpnet.graph.symmetry import symmetry
from jumpnet.networks import Network
from jumpnet.terms import I64, Array

__all__ = ["Structure", "structure"]


@dataclass(frozen=True)
class Structure:
    """What `bisection`, `spectrum`, `layout` and `symmetry` say of a network."""

    bisection_exact: int | None
    """Links; None when only bounds are proved, or there is nothing to halve."""
    bisection_upper: int | None
    bisection_lower: int | None
    """None where terminals stand at fewer than two routers, which `bisection_method` says then."""
    bisection_method: str
    straight_cut: int | None
    """Links of the best straight cut of a grid, None for other networks."""
    algebraic_connectivity: float | None
    """Second smallest Laplacian eigenvalue; None where it did not converge."""
    wiring_width: int
    """Tracks of a linear layout in order of router numbers, each level its own."""
    cut_width: int
    """Most links over a gap of that layout."""
    vertex_transitive: bool | None
    vertex_reason: str
    edge_transitive: bool | None
    edge_reason: str

    def to_dict(self) -> dict[str, Any]:
        """Keys and values for JSON."""
        return asdict(self)


def structure(
    net: Network,
    generators: Iterable[I64] = (),
    halves: Iterable[Array] = (),
    say: Callable[[str], None] = lambda words: None,
    claimed: tuple[int, str] | None = None,
) -> Structure:
    """Bisection, algebraic connectivity, wiring width and symmetry of a network.

    generators: known automorphisms, as in `symmetry`; halves, claimed: as in `bisection`; say: told what is being
    computed. Raises JumpnetError beyond 2^20 routers. Cost: that of the four.

    >>> from jumpnet.topology import build
    >>> found = structure(build("hypercube:4"))
    >>> found.bisection_exact, found.edge_transitive, round(found.algebraic_connectivity, 6)
    (8, True, 2.0)
    """
    say("bisection and its eigenvalue")
    cut, nothing = _halved(net, halves, claimed)
    even = bool((net.terminals == net.terminals[0]).all())
    connectivity = None if cut is None else cut.connectivity
    small = net.routers <= EXACT_ROUTERS  # halved by trial, without an eigenvalue
    if not even or (connectivity is None and small):  # Bounds of uneven terminals use another eigenvalue.
        say("algebraic connectivity")
        try:
            connectivity = algebraic_connectivity(net)
        except JumpnetError:
            connectivity = None
    say("wiring width")
    line = linear_layout(net)
    say("symmetry")
    found = symmetry(net, generators)
    return Structure(
        bisection_exact=None if cut is None else cut.exact,
        bisection_upper=None if cut is None else cut.upper,
        bisection_lower=None if cut is None else cut.lower,
        bisection_method=nothing if cut is None else cut.method,
        straight_cut=None if cut is None or cut.straight_cut is None else cut.straight_cut.links,
        algebraic_connectivity=connectivity,
        wiring_width=line.tracks,
        cut_width=line.cut_width,
        vertex_transitive=found.vertex.transitive,
        vertex_reason=found.vertex.reason,
        edge_transitive=found.edge.transitive,
        edge_reason=found.edge.reason,
    )


def _halved(net: Network, halves: Iterable[Array], claimed: tuple[int, str] | None) -> tuple[Bisection | None, str]:
    """The bisection, or None and why there is none."""
    try:
        return bisection(net, halves, claimed), ""
    except NothingToHalve as nothing:
        return None, str(nothing).removeprefix(f"{net.spec}: ")
