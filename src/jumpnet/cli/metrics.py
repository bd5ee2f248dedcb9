"""`jumpnet metrics`: the exact figures of networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from jumpnet.cli._command.output import emit_json, number, print_rows, progress_bar, progress_line
from jumpnet.cli._options.shared import AsJson, family_names
from jumpnet.graph.metrics import Metrics, metrics
from jumpnet.topology import Family, family

if TYPE_CHECKING:
    from jumpnet.graph.structure import Structure

NAME = "metrics"
PANEL = "Networks"
EXAMPLE = "jumpnet metrics rdt:64 torus:16x16"

FIGURES = {
    "routers": "routers",
    "terminals": "terminals",
    "links": "links",
    "degree": "degree (largest)",
    "degree_min": "degree (smallest)",
    "directed": "directed",
    "connected": "connected",
    "diameter": "diameter",
    "average_distance": "average distance",
    "average_distance_with_self": "average distance, zero pairs too",
    "terminal_diameter": "diameter between terminals",
    "average_terminal_distance": "average distance between terminals",
    "uniform_load_bound": "uniform load at most (flits a terminal and cycle)",
    "radius": "radius",
    "cost_ratio": "cost ratio (degree + diameter) / log2 routers",
}
"""Row titles of the table for a person, in order; the JSON has every figure."""


def _cell(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return number(float(value), ".4f")


STRUCTURE = {
    "bisection_exact": "bisection (links)",
    "bisection_upper": "bisection at most",
    "bisection_lower": "bisection at least",
    "straight_cut": "straight cut (links)",
    "algebraic_connectivity": "algebraic connectivity",
    "wiring_width": "wiring width of a line (tracks)",
    "vertex_transitive": "vertex-transitive",
    "edge_transitive": "edge-transitive",
}
"""Row titles of `--structure`."""


def _print_structure(specs: list[str], found: list[Structure]) -> None:
    rows = [[title, *(_cell(getattr(s, key)) for s in found)] for key, title in STRUCTURE.items()]
    rows[0][1:] = [
        f"{_cell(s.bisection_lower)} to {_cell(s.bisection_upper)}" if s.bisection_exact != s.bisection_upper else cell
        for s, cell in zip(found, rows[0][1:], strict=True)
    ]
    print_rows("structure", ["figure", *specs], rows)
    for spec, one in zip(specs, found, strict=True):
        unknown = "" if one.bisection_exact == one.bisection_upper else "not known, somewhere between the "
        typer.echo(f"{spec}, bisection: {unknown}{one.bisection_method}")


def _print_table(found: list[Metrics]) -> None:
    rows = [[title, *(_cell(getattr(m, key)) for m in found)] for key, title in FIGURES.items()]
    gaps = [m.moore_bound_gap for m in found]
    if len(found) > 1:
        fewest = min(m.channels for m in found)
        loads = [None if (most := m.uniform_load_bound) is None else most * fewest / m.channels for m in found]
        title = f"the same at the cost of {fewest:,} channels"
        rows.insert(list(FIGURES).index("uniform_load_bound") + 1, [title, *map(_cell, loads)])
    rows.append(["diameter above the Moore bound's", *("none" if g is None else str(g.excess) for g in gaps)])
    print_rows("exact figures", ["figure", *(m.spec for m in found)], rows)


def _print_distances(found: list[Metrics]) -> None:
    """How many ordered pairs are so far apart, and their share of all; nothing beyond a network's diameter."""
    rows = []
    for distance in range(max(len(m.distance_counts) for m in found)):
        cells = []
        for m in found:
            pairs = m.distance_counts[distance] if distance < len(m.distance_counts) else None
            share = 0.0 if pairs is None else 100 * pairs / m.routers**2
            cells += ["", ""] if pairs is None else [f"{pairs:,}", number(share, ".2f")]
        rows.append([distance, *cells])
    print_rows("ordered pairs by distance", ["distance", *(head for m in found for head in (m.spec, "%"))], rows)


def run(
    specs: Annotated[
        list[str],
        typer.Argument(metavar="SPEC", help="Networks, e.g. rdt:64 torus:16x16x16.", autocompletion=family_names),
    ],
    connected: bool = typer.Option(
        False, "--connected", help="Refuse networks in which a router cannot reach another."
    ),
    more: bool = typer.Option(
        False, "--structure", help="Also bisection, algebraic connectivity, wiring width and symmetry."
    ),
    as_json: AsJson = False,
    distances: Annotated[bool, typer.Option("--distances", help="Also the ordered pairs at each distance.")] = False,
) -> None:
    """Exact figures: routers, links, degree, diameter, average distance, cost ratio; if asked, bisection too."""
    members = [family(spec) for spec in specs]
    found = (_metrics(member, connected) for member in members)
    if as_json:
        emit_json(
            one.to_dict() | {"remarks": list(member.remarks)} | (_structure(member).to_dict() if more else {})
            for member, one in zip(members, found, strict=True)
        )
    else:
        measured = list(found)
        _print_table(measured)
        for member in members:
            for remark in member.remarks:
                typer.echo(f"{member.spec}: {remark}")
        if distances:
            _print_distances(measured)
        if more:
            _print_structure([member.spec for member in members], [_structure(member) for member in members])


def _metrics(member: Family, connected: bool) -> Metrics:
    with progress_bar(f"searches of {member.spec}") as progress:
        return metrics(member, require_connected=connected, progress=progress)


def _structure(member: Family) -> Structure:
    from jumpnet.graph.structure import structure  # its eigenvalues need much of SciPy

    net = member.build()
    with progress_line(member.spec) as say:
        return structure(net, member.automorphisms(net), member.halves(net), say, member.bisection_width())
