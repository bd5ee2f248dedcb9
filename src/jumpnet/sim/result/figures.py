"""Results whose figures are attributes too, and the names and types of those that every simulated point has.

Declared for editors and type checkers; a test holds the names against a run. Units end the names, and
docs/simulator.md says what each is. Used by `result` and `multicast`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jumpnet.errors import nearest


def latencies(kind: str, percents: tuple[int, ...] = (50, 90, 95, 99)) -> str:
    """The columns of one latency, the mean first."""
    parts = ("mean", "half_width", *(f"p{percent}" for percent in percents), "max")
    return ", ".join(f"{kind}_latency_{part}_cycles" for part in parts)


MEASURED = {
    "spec, routing, traffic, injection": "network, routing, pattern and process, as specs",
    "packet_flits, buffer_flits": "length of packets and of a buffer, flits",
    "vcs, seed": "virtual channels of a port; seed of what is drawn",
    "load, offered_load": "asked for, and what the sources were told to create, flits per terminal and cycle",
    "accepted_load, accepted_load_half_width": "delivered, flits per terminal and cycle; 95 % confidence",
    "converged, saturated": "whether the mean latency is known to the precision asked for; whether sources fall behind",
    "warmup_detected": "whether warm-up was seen to pass",
    "warmup_cycles, measured_cycles, cycles, drained": "phases of the run, in cycles; whether the drain ended",
    "packets, flit_hops": "measured packets; routers traversed by delivered flits, counted",
    "cpu_seconds, flit_hops_per_cpu_second": "time of the kernels, CPU seconds, and speed",
    "source_lag": "part of the time by which sources are behind",
    "channel_load_mean, channel_load_max": "flits per cycle of a link",
    "deadlocked, deadlock": "whether packets wait in a ring, and the ring: router, output port, vc",
    "hash": "name of the point by what went in",
}
"""Columns of every simulated point, with units."""
COLUMNS = MEASURED | {
    latencies("packet"): "from creation to the tail's arrival; mean, 95 % confidence, percentiles, largest, cycles",
    latencies("network"): "from the head's leaving the terminal to the arrival of the tail, cycles",
    latencies("flit"): "of each flit by itself, from its leaving to its arrival, cycles",
    "latency_histogram, flit_latency_histogram": "entry k counts packets, or flits, of k cycles; of stored points",
    "hops_mean": "routers traversed by a packet",
    "channel_load_by_rank, channel_load_max_by_rank": "flits per cycle of a link, by rank, level or dimension",
    "buffer_occupancy_mean_flits, buffer_occupancy_max_flits": "of an input buffer, flits",
    "buffer_occupancy_by_rank_flits": "the mean by rank, level or dimension, flits",
    "accepted_min_by_source, accepted_max_by_source": "least and largest accepted load of a source, flits per cycle",
    "fairness_jain": "Jain's index of them, 1 when all are equal",
    "longest_wait_cycles": "longest time of a flit at the front of a buffer, cycles",
    "starved": "whether that is more than ten times deadlock_cycles",
}
"""Columns of a point of packets to one destination."""


class Figures:
    """Results whose figures are attributes too."""

    if not TYPE_CHECKING:  # which know the names that are declared

        def __getattr__(self, name: str) -> Any:
            figures = self.__dict__.get("figures", {})
            if name in figures:
                return figures[name]
            if not name.startswith("_") and hasattr(self.__dict__.get("config"), name):
                raise AttributeError(f"{type(self).__name__} has no {name!r}; its settings have it: .config.{name}")
            close = nearest(name, figures)
            hint = f"; did you mean {close!r}?" if close else ""
            raise AttributeError(f"{type(self).__name__} has no {name!r}{hint}")


class ReplyFigures(Figures):
    """What points with replies have besides; those of several classes have more, by name in `figures`."""

    if TYPE_CHECKING:
        request_packets: int
        reply_packets: int
        request_packet_latency_mean_cycles: float
        request_network_latency_mean_cycles: float
        request_flit_latency_mean_cycles: float
        request_hops_mean: float
        request_packet_latency_p50_cycles: float
        request_packet_latency_p90_cycles: float
        request_packet_latency_p95_cycles: float
        request_packet_latency_p99_cycles: float
        request_packet_latency_max_cycles: int
        request_network_latency_p50_cycles: float
        request_network_latency_p90_cycles: float
        request_network_latency_p95_cycles: float
        request_network_latency_p99_cycles: float
        request_network_latency_max_cycles: int
        request_flit_latency_p50_cycles: float
        request_flit_latency_p90_cycles: float
        request_flit_latency_p95_cycles: float
        request_flit_latency_p99_cycles: float
        request_flit_latency_max_cycles: int
        reply_packet_latency_mean_cycles: float
        reply_network_latency_mean_cycles: float
        reply_flit_latency_mean_cycles: float
        reply_hops_mean: float
        reply_packet_latency_p50_cycles: float
        reply_packet_latency_p90_cycles: float
        reply_packet_latency_p95_cycles: float
        reply_packet_latency_p99_cycles: float
        reply_packet_latency_max_cycles: int
        reply_network_latency_p50_cycles: float
        reply_network_latency_p90_cycles: float
        reply_network_latency_p95_cycles: float
        reply_network_latency_p99_cycles: float
        reply_network_latency_max_cycles: int
        reply_flit_latency_p50_cycles: float
        reply_flit_latency_p90_cycles: float
        reply_flit_latency_p95_cycles: float
        reply_flit_latency_p99_cycles: float
        reply_flit_latency_max_cycles: int


class PointFigures(ReplyFigures):
    """What every simulated point has."""

    if TYPE_CHECKING:
        offered_load: float
        accepted_load: float
        accepted_load_half_width: float
        packet_latency_mean_cycles: float
        network_latency_mean_cycles: float
        flit_latency_mean_cycles: float
        hops_mean: float
        packet_latency_p50_cycles: float
        packet_latency_p90_cycles: float
        packet_latency_p95_cycles: float
        packet_latency_p99_cycles: float
        packet_latency_max_cycles: int
        network_latency_p50_cycles: float
        network_latency_p90_cycles: float
        network_latency_p95_cycles: float
        network_latency_p99_cycles: float
        network_latency_max_cycles: int
        flit_latency_p50_cycles: float
        flit_latency_p90_cycles: float
        flit_latency_p95_cycles: float
        flit_latency_p99_cycles: float
        flit_latency_max_cycles: int
        packet_latency_half_width_cycles: float
        network_latency_half_width_cycles: float
        flit_latency_half_width_cycles: float
        converged: bool
        saturated: bool
        warmup_detected: bool
        warmup_cycles: int
        measured_cycles: int
        cycles: int
        drained: bool
        packets: int
        flit_hops: int
        cpu_seconds: float
        flit_hops_per_cpu_second: float
        source_lag: float
        channel_load_mean: float
        channel_load_max: float
        channel_load_by_rank: dict[int, float]
        channel_load_max_by_rank: dict[int, float]
        buffer_occupancy_mean_flits: float
        buffer_occupancy_max_flits: float
        buffer_occupancy_by_rank_flits: dict[int, float]
        accepted_min_by_source: float
        accepted_max_by_source: float
        fairness_jain: float
        longest_wait_cycles: int
        starved: bool
        deadlocked: bool
        deadlock: Any
