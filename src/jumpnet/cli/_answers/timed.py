"""`jumpnet machine --timed`: the same machine with time, its messages in the simulator. Called by `machine`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from jumpnet.cli._options.machine import Hardware
from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace

__all__ = ["timed_figures", "timed_settings"]


PARTS = ("protocol", "directory", "line_bytes", "page_bytes", "caches", "hints", "translation", "pruning", "page_entry")


def timed_settings(hardware: Hardware, options: dict[str, Any], design: dict[str, Any]) -> dict[str, Any]:
    """Settings of a machine with time. options: as of the functional machine. design: what only a timed one has."""
    same = {key: options[key] for key in PARTS}
    pages = frozenset(options.get("update_pages", ()))
    return {"clusters_of": hardware.clusters_of, "update_pages": pages, **same, **design}


def timed_figures(source: Trace, hardware: Hardware, options: dict[str, Any], design: dict[str, Any]) -> dict[str, Any]:
    """Figures of a machine with time; options, design: as of `timed_settings`.

    Raises JumpnetError for what it does not know.
    """
    of_streams = {key: options[key] for key in ("line_bytes", "page_bytes", "placement", "homes") if key in options}
    streams = streams_of(source, clusters_of=hardware.clusters_of, processors=hardware.processors, **of_streams)
    found = closed_loop(streams, hardware.network, **timed_settings(hardware, options, design))
    timing = asdict(found.timing)
    sent, counts = sum(timing.pop("messages").values()), timing.pop("caches")
    del timing["destinations_histogram"], timing["transactions"]
    return {
        **timing,
        **{f"timed_{name}": count for name, count in counts.items()},
        "network_messages": sent,
        "direct_cycles": found.direct_cycles,
        "network_share": found.network_share,
        "network_latency_mean": found.network_latency_mean,
        "queueing_mean": found.queueing_mean,
        "routing": found.routing,
        "link_flits": found.link_flits,
        **({"fallbacks": found.fallbacks} if design["branches"] != "packets" else {}),
    }
