"""Results whose figures are attributes too, and the names and types of those that every simulated point has.

Declared for editors and type checkers; a test holds the names against a run. Units end the names, and
docs/simulator.md says what each is. Used by `result` and `multicast`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jumpnet.errors import nearest

__all__ = ["Figures", "PointFigures", "ReplyFigures"]


def _near(name: str, figures: Mapping[str, Any]) -> str:
    """The figure that a wrong name is like, in words."""
    close = nearest(name, figures)
    return f"; did you mean {close!r}?" if close else ""


class Figures:
    """Results whose figures are attributes too."""

    if not TYPE_CHECKING:  # which know the names that are declared

        def __getattr__(self, name: str) -> Any:
            figures = self.__dict__.get("figures", {})
            if name in figures:
                return figures[name]
            raise AttributeError(f"{type(self).__name__} has no {name!r}{_near(name, figures)}")


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
