"""Simulate one point with multicasts: warm up, measure, drain, with confidence bands and a verdict on saturation.

The phases are those of `sim.simulate`, whose keys the figures share; without multicasts (`multicast_share` 0) the
packets and their times are the same, bit for bit. `compare` sends the same multicasts in three ways and says what
branching and combining gain; the search for saturation is that of `sim.saturation`.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from jumpnet.api.public import public
from jumpnet.api.shown import columns
from jumpnet.errors import JumpnetError, written
from jumpnet.networks import Network
from jumpnet.sim.config.sim_config import SimConfig, changed, preset, split_settings
from jumpnet.sim.measure.statistics import half_width, merge_batches
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.run import MulticastRun
from jumpnet.sim.multicast.trees import Trees, trees_for
from jumpnet.sim.result.figures import MEASURED, latencies
from jumpnet.sim.result.point import Point, told
from jumpnet.sim.result.point_name import provenance
from jumpnet.sim.saturation import Saturation, search_load
from jumpnet.terms import I64
from jumpnet.topology import as_network

__all__ = ["MulticastResult", "compare", "find_multicast_saturation", "simulate_multicasts"]


CAST = {
    "multicast_share, destinations": "share of messages that are multicasts; terminals of one",
    "destination_sets, sigma": "different sets of a source; deviation of their offsets in nodes, 0 for anywhere",
    "repeated, acknowledge": "whether packets are repeated; whether receivers answer, and how",
    "ack_flits, ack_delay_cycles": "length of an answer, flits, and time to make it, cycles",
    "combining_entries, remake_cycles": "combining buffers of a router; time to make a packet anew, cycles",
    latencies("multicast", (50, 90, 99)): "from creation until the last destination has it, cycles",
    "multicasts": "measured, counted",
    "receivers_per_multicast": "terminals that receive",
    "remade_per_multicast, fallbacks_per_multicast": "packets made anew; branchings counted by a terminal",
    "link_flits_per_multicast, ack_link_flits_per_multicast": "flits over links, of all packets and of acknowledges",
}
"""Columns of a point of multicasts, beside those of every point."""


@dataclass(frozen=True, eq=False)
class MulticastResult(Point):
    """One simulated point with multicasts; `routing` is the kind of its trees with its options."""

    if TYPE_CHECKING:  # its figures depend on the scheme

        def __getattr__(self, name: str) -> Any: ...

    cast: MulticastConfig
    times: Mapping[str, I64]
    """(n, 3) of each kind measured, `packet`, `multicast`, `acknowledge`: multicast, cycles of creation and arrival."""
    provenance: Mapping[str, str] = field(default_factory=provenance)

    @property
    def hash(self) -> str:
        """Name of the point by what went in."""
        settings = {**self.config.model_dump(), **self.cast.model_dump()}
        text = json.dumps({"spec": self.spec, "trees": self.routing, **settings}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def __repr__(self) -> str:
        """One line: what went in, and the figures that are looked at first."""
        first = [key for key in ("accepted_load", "multicast_latency_mean_cycles") if key in self.figures]
        said = "saturated, " if self.figures["saturated"] else ""
        said += ", ".join(f"{key} {self.figures[key]:.4g}" for key in first)
        return f"MulticastResult({self.spec}, {self.routing}, load {self.config.load:.4g}: {said})"

    @columns(MEASURED, CAST)
    def rows(self) -> list[dict[str, Any]]:
        """Everything in one row."""
        return [{**self.row(), "load": self.config.load}]

    def row(self) -> dict[str, Any]:
        """Everything as one flat object: names, settings that matter for a point, figures, hash."""
        cast = self.cast.model_dump(exclude={"multicast", "scheme", "tree_routing"})
        return {
            "spec": self.spec,
            "routing": self.routing,
            **cast,
            **told(self.config, self.figures),
            "hash": self.hash,
        }

    def distributions(self) -> dict[str, list[int]]:
        """Measured messages of each kind by latency, up to the longest: entry k counts those of k cycles."""
        return {
            f"{kind}_latency_histogram": np.bincount(times[:, 2] - times[:, 1]).tolist()
            for kind, times in self.times.items()
            if len(times)
        }


@public
def simulate_multicasts(
    network: str | Network,
    routing: str = "",
    config: SimConfig | None = None,
    cast: MulticastConfig | None = None,
    *,
    name: str = "booksim",
    trees: Trees | None = None,
    **settings: Any,
) -> MulticastResult:
    """Latency until the last destination and until the last acknowledge, of multicasts and packets under load.

    `load` counts the flits that a terminal creates in a cycle, those of a multicast once, however it is sent. The
    settings are those of `SimConfig` and `MulticastConfig`, on top of `config` and `cast` or of the preset `name`;
    `trees` are those of another run with the same network, routing and scheme, which are then not made again. Raises
    JumpnetError for bad settings, and for trees of something else. Cost: some 0.2 microseconds a flit and link, 0.1 ms
    to a few for each tree.

    >>> point = simulate_multicasts("mesh:4x4", load=0.03, packet_flits="4", destinations=3, acknowledge="direct",
    ...                             warmup_cycles=500, measure_cycles=2000)
    >>> point.saturated, point.acknowledge_latency_mean_cycles > point.multicast_latency_mean_cycles > 20
    (False, True)
    """
    net = as_network(network)
    mine, own = split_settings(settings, MulticastConfig, ("routing", "config", "cast", "name", "trees"))
    chosen = changed(config, name, mine)
    if cast is not None and not isinstance(cast, MulticastConfig):
        raise JumpnetError(f"cast {written(cast):.40} found, a MulticastConfig(destinations=3) expected")
    casts = cast.replace(**own) if cast is not None else MulticastConfig(**own)
    run = MulticastRun(net, routing, chosen, casts, trees)
    while run.facts.phase != "done":
        run.step()
    run.engine.check()
    return MulticastResult(
        spec=net.spec,
        routing=run.trees.name,
        config=run.config.replace(vcs=run.trees.vcs),
        figures=run.figures(),
        cast=casts,
        times=run.measured_times(),
    )


def find_multicast_saturation(
    network: str | Network, routing: str = "", *, name: str = "booksim", resolution: float = 0.02, **settings: Any
) -> Saturation[MulticastResult]:
    """Search the saturation load to a relative `resolution` (0..1); about ten runs, all on the same trees.

    Other arguments as in `simulate_multicasts`; `load` is where the search starts. The throughput counts what receivers
    get, so that it is above the load. Raises JumpnetError as `simulate_multicasts` does.

    >>> found = find_multicast_saturation("mesh:3x3", destinations=3, packet_flits="4", flow_control="cut_through",
    ...                                   resolution=0.2, warmup_cycles=200, measure_cycles=1000)
    >>> 0.1 < found.load < found.saturated_load < 0.5, found.throughput > found.load
    (True, True)
    """
    net = as_network(network)
    mine, own = split_settings(settings, MulticastConfig, ("routing", "name", "resolution"))
    base, cast = preset(name, **mine), MulticastConfig(**own)
    trees = trees_for(net, routing, base, cast)

    def simulated(load: float) -> MulticastResult:
        return simulate_multicasts(net, routing, base.replace(load=load, drain=False), cast, trees=trees)

    return search_load(simulated, base.load, resolution)


def _ratio(slow: I64, fast: I64) -> tuple[float, float]:
    """Ratio of two ways' mean times over the same multicasts, and its half width by groups of them in order of time.

    Not a number where a way did not deliver them all.
    """
    if not len(fast) or len(slow) != len(fast) or (slow[:, :2] != fast[:, :2]).any():
        return math.nan, math.inf
    ones = np.ones(len(fast), np.int64)
    groups = [merge_batches(times[:, 2] - times[:, 1], ones, 20) for times in (slow, fast)]
    ratio = groups[0] / groups[1]
    return float((slow[:, 2] - slow[:, 1]).mean() / (fast[:, 2] - fast[:, 1]).mean()), half_width(ratio)


@public
def compare(
    network: str | Network, routing: str = "", *, name: str = "booksim", **settings: Any
) -> list[tuple[str, MulticastResult, dict[str, Any]]]:
    """The same multicasts sent in three ways: (way, result, gains), the first way's gains over the two others.

    Ways: `branching` with combined acknowledges, `direct` where each receiver answers, `repeated` as one packet to each
    destination. Gains: `multicast_gain`, how many times longer the last destination waits when packets are repeated;
    `combining_gain`, how many times longer the source waits for all acknowledges when each receiver answers. Arguments
    as in `simulate_multicasts`, and errors; all ways are measured over the window that the first one takes.

    >>> found = compare("mesh:3x3", load=0.03, packet_flits="4", destinations=3, warmup_cycles=200, measure_cycles=2000)
    >>> [way for way, *_ in found], found[0][2]["multicast_gain"] > 1.0
    (['branching', 'direct', 'repeated'], True)
    """
    for key in ("acknowledge", "repeated"):
        if key in settings:
            raise JumpnetError(f"{key} {settings[key]!r} found in a comparison, which sets it itself")
    first = simulate_multicasts(network, routing, name=name, **settings, acknowledge="combined")
    window = {"warmup_cycles": first.warmup_cycles, "measure_cycles": first.measured_cycles}
    deadlocked_early = first.measured_cycles == 0
    config = first.config if deadlocked_early else first.config.replace(**window)
    direct, repeated = (
        simulate_multicasts(network, routing, config, first.cast, acknowledge="direct", repeated=one_by_one)
        for one_by_one in (False, True)
    )
    gains: dict[str, float | None] = {}
    for gain, kind, other in (("multicast_gain", "multicast", repeated), ("combining_gain", "acknowledge", direct)):
        found = zip((gain, f"{gain}_half_width"), _ratio(other.times[kind], first.times[kind]), strict=True)
        gains |= {key: value if math.isfinite(value) else None for key, value in found}
    return [("branching", first, gains), ("direct", direct, {}), ("repeated", repeated, {})]
