"""Degradation studies: what is left of a network against the number of its faults, with confidence bands over seeds.

One point is one network, kind and number of faults, seed and routing: figures of `analysis.degradation`, with its
proof, and if wanted the saturation load by simulation. Fault sets of a seed are nested. Used by `jumpnet degrade`, the
report, and studies of kind `degrade`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from jumpnet.analysis.degradation import DEFAULT_ROUTING, DegradedFigures, degraded_figures
from jumpnet.api.public import public
from jumpnet.api.shown import Shown, columns
from jumpnet.errors import JumpnetError, written
from jumpnet.fault.random_faults import with_faults
from jumpnet.networks import Network
from jumpnet.sim.config.sim_config import SimConfig, preset
from jumpnet.sim.measure.statistics import half_width
from jumpnet.sim.saturation import find_saturation
from jumpnet.topology import as_network, build

__all__ = ["BANDED", "Degradation", "degradation_point", "degradation_table", "numbers", "point_row", "short_runs"]

BANDED = (
    "endpoints",
    "reachable",
    "average_distance",
    "average_route",
    "longest_route",
    "load_maximum",
    "load_shift",
    "ideal_throughput",
    "vcs",
    "saturation_load",
    "saturation_throughput",
)
"""Figures of a point that a table averages over its seeds."""
RESOLUTION = 0.05
"""Relative width to which saturation is searched."""
MOST_NUMBERS = 10_000
"""Numbers of faults, or seeds, of one table."""


class Degradation(list[dict[str, Any]], Shown):
    """Rows of `degradation_table`, one for each number of faults, each with its points."""

    @columns(
        {
            "spec, kind, faults, routing": "network, what fails, how many of it, routing",
            "seeds, proofs": "orders of faults, counted; verdicts of the proofs, counted",
            "endpoints, endpoints_half_width": "terminals at routers that work; 95 % confidence, as below",
            "reachable, reachable_half_width": "part of their pairs that the routing delivers",
            "average_distance, average_distance_half_width": "hops",
            "average_route, average_route_half_width, longest_route, longest_route_half_width": "hops",
            "load_maximum, load_maximum_half_width": "largest channel load, flits per cycle at load 1",
            "load_shift, load_shift_half_width": "it over that of the whole network",
            "ideal_throughput, ideal_throughput_half_width": "load that fills it, flits per terminal and cycle",
            "vcs, vcs_half_width": "virtual channels of a port",
            "saturation_load, saturation_load_half_width": "highest load that is held, flits per terminal and cycle",
            "saturation_throughput, saturation_throughput_half_width": "largest accepted load, likewise",
        }
    )
    def rows(self) -> list[dict[str, Any]]:
        """A row for each number of faults; means by name, and beside them their half widths."""
        return [_flat(row) for row in self]

    def __repr__(self) -> str:
        """One line: what fails where, and how many of it."""
        counts = ", ".join(str(row["faults"]) for row in self)
        what = " ".join(str(self[0][key]) for key in ("spec", "routing", "kind")) if self else ""
        return f"Degradation({what}: {counts})"


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the table without its points, each band as two numbers."""
    flat: dict[str, Any] = {key: row[key] for key in ("spec", "kind", "faults", "routing")} | {
        "seeds": len(row["seeds"])
    }
    flat["proofs"] = ", ".join(f"{count} {verdict}" for verdict, count in row["verdicts"].items())
    for key in BANDED:
        flat |= {key: row[key]["mean"], f"{key}_half_width": row[key]["half_width"]}
    return flat


def short_runs(**settings: Any) -> SimConfig:
    """The simulation settings of a point: the preset `booksim` with a short window, and changes.

    >>> short_runs(packet_flits="4").measure_cycles
    3000
    """
    return preset("booksim", **{"warmup_cycles": 1000, "measure_cycles": 3000, "drain": False, **settings})


def point_row(found: DegradedFigures, whole_load: float, config: SimConfig | None = None) -> dict[str, Any]:
    """One point as a flat object. `whole_load`: largest channel load without faults, what the shift is counted from.

    With `config` the saturation load is searched, where the routing is proved free of deadlock.
    """
    measured = found.verdict in ("free", "deadlock", "unproved")
    load = found.load_maximum
    row: dict[str, Any] = {
        "spec": found.network.spec,
        "routing": found.bound.name if found.bound is not None else None,
        "kind": found.kind,
        "faults": len(found.faults),
        "seed": found.seed,
        "faulty": [[int(r), int(p)] if p >= 0 else int(r) for r, p in found.faults],
        "endpoints": found.endpoints,
        "connected": float(found.connected),
        "reachable": float(found.reachable),
        "average_distance": float(found.average_distance) if measured else None,
        "average_route": float(found.average_route) if measured else None,
        "longest_route": found.longest_route if measured else None,
        "load_maximum": load if measured else None,
        "load_shift": load / whole_load if measured and whole_load > 0 else None,
        "load_by_rank": {str(r): list(v) for r, v in found.load_by_rank.items()} if measured else None,
        "ideal_throughput": 1.0 / load if measured and load > 0 else None,
        "vcs": found.bound.vcs if found.bound is not None else None,
        "verdict": found.verdict,
        "why": found.why,
        "certificate": found.certificate_hash,
        "saturation_load": None,
        "saturation_throughput": None,
    }
    if config is not None and found.verdict == "free" and found.bound is not None and found.network.endpoints > 1:
        start = config.replace(load=min(1.0, max(0.02, 0.6 / load)))
        search = find_saturation(found.network, found.bound, start, resolution=RESOLUTION)
        row["saturation_load"], row["saturation_throughput"] = search.load, search.throughput
    return row


def degradation_point(
    spec: str,
    kind: str,
    faults: int,
    seed: int,
    routing: str = DEFAULT_ROUTING,
    vcs: int | None = None,
    config: SimConfig | None = None,
) -> dict[str, Any]:
    """One point by itself, its load compared with the whole network's. Cost: two proofs, and the search with `config`.

    >>> row = degradation_point("torus:4x4", "links", 2, 1, "up_down")
    >>> row["verdict"], row["reachable"], row["faults"]
    ('free', 1.0, 2)
    """
    net = build(spec)
    whole = degraded_figures(net, kind, 0, seed, routing, vcs).load_maximum
    return {**point_row(degraded_figures(net, kind, faults, seed, routing, vcs), whole, config), "spec": net.spec}


def _band(values: Sequence[float]) -> dict[str, float | None]:
    """Mean and half width of the 95 % confidence interval; None where it cannot be known."""
    if not values:
        return {"mean": None, "half_width": None}
    width = half_width(values)
    return {"mean": math.fsum(values) / len(values), "half_width": width if math.isfinite(width) else None}


def _row_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """One row of the table from the points of one number of faults."""
    verdicts = [str(row["verdict"]) for row in rows]
    table: dict[str, Any] = {key: rows[0][key] for key in ("spec", "kind", "faults")}
    table["routing"] = next((row["routing"] for row in rows if row["routing"]), None)
    table["seeds"] = [row["seed"] for row in rows]
    table["verdicts"] = {v: verdicts.count(v) for v in sorted(set(verdicts))}
    for key in BANDED:
        table[key] = _band([float(row[key]) for row in rows if row[key] is not None])
    table["points"] = list(rows)
    return table


def numbers(name: str, given: Any) -> list[int]:
    """Whole numbers that were given as a list or likewise; raises JumpnetError, by their name, for what is none.

    >>> numbers("faults", range(3))
    [0, 1, 2]
    """
    try:
        found = [operator.index(one) for one in islice(given, MOST_NUMBERS + 1)]
    except TypeError:
        said = " ".join(written(given).split())[:60]
        raise JumpnetError(f"{name} {said} found, whole numbers such as [0, 1, 2] expected") from None
    if len(found) > MOST_NUMBERS:
        raise JumpnetError(f"more than {MOST_NUMBERS} {name} found, at most so many expected")
    return found


@public
def degradation_table(
    network: str | Network,
    faults: Iterable[int],
    kind: str = "nodes",
    seeds: Sequence[int] = (1, 2, 3),
    routing: str = DEFAULT_ROUTING,
    vcs: int | None = None,
    config: SimConfig | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    keep: Callable[[DegradedFigures], None] = lambda found: None,
) -> list[dict[str, Any]]:
    """A row for each number of faults: means over the seeds with 95 % half widths, and the points themselves.

    kind: `nodes` or `links`. config: settings under which the saturation load of each point is searched, None for no
    simulation. progress(done, points) is called before each. `keep` is handed the figures of each point (certificates
    are theirs). Means run over the points that have the figure; `verdicts` counts what the proofs said. Raises
    JumpnetError for more faults than there is to fail, and for routings that do not fit the whole network.

    >>> table = degradation_table("torus:4x4", [0, 1], seeds=(1, 2), routing="up_down")
    >>> [row["endpoints"]["mean"] for row in table], table[1]["verdicts"]
    ([16.0, 15.0], {'free': 2})
    """
    net = as_network(network)
    counts = sorted(set(faults))
    if not counts or not seeds:
        raise JumpnetError("no number of faults or no seed found, at least one of each expected")
    with_faults(net, kind, counts[-1], max(seeds))  # too many faults are refused before anything is computed
    whole = degraded_figures(net, kind, 0, seeds[0], routing, vcs)
    total, done, table = len(counts) * len(seeds), 0, []
    for count in counts:
        rows = []
        for seed in seeds:
            progress(done, total)
            # Without faults all seeds are one network; its run is repeated, as other seeds draw other traffic.
            found = degraded_figures(net, kind, count, seed, routing, vcs)
            keep(found)
            drawn = config.replace(seed=seed) if config is not None else None
            rows.append({**point_row(found, whole.load_maximum, drawn), "spec": net.spec})
            done += 1
        table.append(_row_of(rows))
    progress(total, total)
    return table
