"""`jumpnet machine`: the coherence traffic of a memory trace on a shared-memory machine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jumpnet.cli._answers.timed import timed_figures, timed_settings
from jumpnet.cli._command.output import emit_json, print_figures, print_rows
from jumpnet.cli._command.output import number as shown
from jumpnet.cli._options.machine import Coherence, Hardware, Placing, Timing, TraceFormat, TraceName
from jumpnet.cli._options.shared import AsJson
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.machine.closed_loop import chosen_machine, on_network
from jumpnet.machine.place import best_placement, check_placing
from jumpnet.machine.trace import Trace, open_trace
from jumpnet.machine.traffic import Traffic, coherence_traffic, processors_of
from jumpnet.machine.update_pages import measured_pages

NAME = "machine"
PANEL = "Machine and coherence"
EXAMPLE = "jumpnet machine workload:water,processors=16 --clusters-of 4 --network rdt:4 --encoding SM"
PAGES = ("measured", "measured-multicast")
"""How `--pages` counts a message to many: a packet each, or one."""


def _figures(found: Traffic) -> dict[str, Any]:
    return {
        "nodes": found.nodes,
        "references": found.references,
        "messages": found.messages,
        "destinations_histogram": {str(k): v for k, v in found.destinations_histogram.items()},
        "destinations_mean": found.destinations_mean,
        "misses": found.misses,
        "pages": found.pages,
        "lines": found.lines,
        "packets": found.packets,
        "packets_multicast": found.packets_multicast,
        **found.machine,
    }


def _deliveries(found: Traffic) -> dict[str, Any]:
    return {
        "receivers_mean": found.receivers_mean,
        "unnecessary": found.unnecessary,
        "evicted": found.evicted,
        "broadcasts": found.broadcasts,
        "directory_bits": found.directory_bits,
    }


def _check_pages(coherence: Coherence) -> None:
    """Raise JumpnetError for a choice of pages that there is not, or not under this protocol."""
    if coherence.pages not in ("", *PAGES):
        raise unknown_name("choice of pages", coherence.pages, PAGES)
    if coherence.pages and coherence.protocol != "mixed":
        found = f"--pages {coherence.pages} with protocol {coherence.protocol}"
        raise JumpnetError(f"{found} found, mixed expected")


def _measured_pages(
    how: str, source: Trace, hardware: Hardware, options: dict[str, Any]
) -> tuple[tuple[int, ...], dict[str, int]]:
    """The pages by update, and figures of the choice."""
    machine = {key: value for key, value in options.items() if key != "protocol"}
    found = measured_pages(
        source, hardware.processors, multicast=how == PAGES[1], clusters_of=hardware.clusters_of, **machine
    )
    figures = {
        "pages_updated": len(found.update_pages),
        "packets_invalidate": found.invalidate_packets,
        "packets_update": found.update_packets,
    }
    return found.update_pages, figures


def _placed(
    source: Trace, network: str, encoding: str, placing: Placing, options: dict[str, Any]
) -> tuple[Traffic, dict[str, Any]]:
    """The traffic of processes put near those they share with, and figures of where they were put."""
    before, found, metric, placed = best_placement(
        source, network, encoding, metrics=placing.metrics, seed=placing.seed, **options
    )
    old = {f"{key}_before": value for key, value in {"messages": before.messages, **_deliveries(before)}.items()}
    row = {"place": metric or "as it was", "slots": placed.slot.tolist(), "distance": placed.after}
    return found, {**row, "distance_before": placed.before, **old}


def _with_processors(
    source: Trace, hardware: Hardware, placing: Placing, timing: Timing, encoding: str, options: dict[str, Any]
) -> Hardware:
    """The hardware with its number of processors. Raises JumpnetError for what a machine refuses whatever the trace.

    A trace that does not say how many processors it has is read for it, after what is wrong with any number.
    """
    told = source.processors if hardware.processors is None else hardware.processors
    _refuse(replace(hardware, processors=told), placing, timing, encoding, options)
    if told is None:
        told = processors_of(source)
        _refuse(replace(hardware, processors=told), placing, timing, encoding, options)
    return replace(hardware, processors=told)


def _refuse(hardware: Hardware, placing: Placing, timing: Timing, encoding: str, options: dict[str, Any]) -> None:
    """Raise JumpnetError as `_with_processors`, as far as it can be told where the number is not known."""
    network, processors, known = hardware.network, hardware.processors, dict(options)
    if placing.place_by:
        check_placing(network, hardware.clusters_of, placing.metrics, placing.seed, options["placement"])
    if timing.timed:
        settings = timed_settings(hardware, options, timing.design(encoding))
        if processors is None:
            chosen_machine(network, **settings)
        else:
            on_network(network, processors, **settings)
    if processors is None and known.pop("homes", None):
        known["placement"] = "first-touch"
    nothing = Trace("no references", 1 if processors is None else processors, lambda: iter(()))
    coherence_traffic(nothing, clusters_of=hardware.clusters_of, encoding_name=encoding, network=network, **known)


def _traffic(
    source: Trace, hardware: Hardware, placing: Placing, encoding: str, options: dict[str, Any]
) -> tuple[Traffic, dict[str, Any]]:
    """The traffic, and figures of where processes were put where they were."""
    same = {"clusters_of": hardware.clusters_of, "processors": hardware.processors, **options}
    if placing.place_by:
        return _placed(source, hardware.network, encoding, placing, same)
    return coherence_traffic(source, encoding_name=encoding, network=hardware.network, **same), {}


def run(
    trace: TraceName,
    coherence: Coherence,
    hardware: Hardware,
    placing: Placing,
    timing: Timing,
    format_name: TraceFormat = "",
    as_json: AsJson = False,
) -> None:
    """Coherence messages of a trace: how many, to how many nodes, and what a directory encoding costs."""
    timing.check(coherence, hardware, placing)
    placing.check(hardware)
    _check_pages(coherence)
    options = {**hardware.settings(), **coherence.settings(), **placing.settings()}
    source = open_trace(trace, format_name)
    encoding = coherence.encoding if hardware.network else coherence.encoding_name
    hardware = _with_processors(source, hardware, placing, timing, encoding, options)
    chosen: dict[str, Any] = {}
    if coherence.pages:
        options["update_pages"], chosen = _measured_pages(coherence.pages, source, hardware, options)
    found, placed = _traffic(source, hardware, placing, encoding, options)
    row = {"trace": source.name, "protocol": coherence.protocol, "directory": coherence.directory}
    row |= {**_figures(found), **chosen}
    if hardware.network:
        row |= {"network": hardware.network, "encoding": encoding, **_deliveries(found)}
    row |= placed
    if timing.timed:
        row |= timed_figures(source, hardware, options, timing.design(encoding))
    emit_json([row]) if as_json else _show(row, found)


def _show(row: dict[str, Any], found: Traffic) -> None:
    """A table of the figures, and one of the messages by their number of destinations."""
    print_figures(row["trace"], ((k, v) for k, v in row.items() if k != "destinations_histogram"))
    total = max(1, found.messages)
    rows = [[k, v, shown(100 * v / total, ".2f")] for k, v in found.destinations_histogram.items()]
    print_rows("messages by destinations", ["destinations", "messages", "%"], rows)
