"""`jumpnet machine`: the coherence traffic of a memory trace on a shared-memory machine."""

from __future__ import annotations

import re
from typing import Any

from jumpnet.cli import _machine_options as on
from jumpnet.cli._options import AsJson
from jumpnet.cli._output import emit_json, print_rows
from jumpnet.cli._output import number as shown
from jumpnet.cli._timed import timed_figures
from jumpnet.coherence.encoding import encodings
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.files import read_text
from jumpnet.machine.place import METRICS, best_placement
from jumpnet.machine.timed.design import costs_of
from jumpnet.machine.trace import SPACE_BITS, Trace, open_trace
from jumpnet.machine.traffic import Traffic, coherence_traffic
from jumpnet.machine.update_pages import measured_pages

NAME = "machine"
PANEL = "Machine and coherence"
EXAMPLE = "jumpnet machine workload:water,processors=16 --clusters-of 4 --network rdt:4 --encoding SM"
MAX_FILE_BYTES = 1 << 28
"""Of a list of pages."""
SEED = 1
PAGES = ("measured", "measured-multicast")
"""How `--pages` counts a message to many: a packet each, or one."""


def _encoding(name: str) -> str:
    """The registered spelling: `full-map` is `full_map`."""
    return name.replace("-", "_") if name.replace("-", "_") in encodings() else name


def _caches(text: str) -> tuple[int, int] | None:
    """`infinite`, or `SIZE,WAYS` with K or M after the size."""
    if text == "infinite":
        return None
    found = re.fullmatch(r"([0-9]{1,12})([KM]?),([0-9]{1,6})", text)
    if found is None:
        raise JumpnetError(f"caches {text!r} found, infinite or SIZE,WAYS such as 16K,4 expected")
    return int(found[1]) * {"": 1, "K": 1 << 10, "M": 1 << 20}[found[2]], int(found[3])


def _numbers(path: str, columns: int, what: str) -> list[list[int]]:
    """Lines of so many whole numbers (hexadecimal after 0x); `#` starts a comment."""
    text = read_text(path, MAX_FILE_BYTES, f"lines of {what} expected", "ascii")
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        try:
            row = [int(word, 0) for word in words]
        except ValueError:
            row = []
        if words and (len(row) != columns or min(row) < 0 or max(row) >= 1 << SPACE_BITS):
            raise JumpnetError(f"{path}:{number}: {line.strip()[:40]!r} found, {what} expected")
        rows += [row] if words else []
    return rows


SHARING = ("invalidate", "msi", "mixed")
"""Protocols under which a sole reader has to ask, unless told otherwise."""


def _pair(text: str) -> tuple[int, int] | None:
    found = re.fullmatch(r"([0-9]{1,6}),([0-9]{1,6})", text)
    if text and found is None:
        raise JumpnetError(f"translation {text!r} found, entries of two stages such as 64,1024 expected")
    return (int(found[1]), int(found[2])) if found else None


def _refuse_unused(
    options: dict[str, Any], encoding_name: str, network: str, place_by: str, seed: int, homes: str
) -> None:
    """Raise JumpnetError for an option that would change nothing without another one."""
    by_page, protocol = options["directory"] == "page", options["protocol"]
    for unused, what, needed in (
        (encoding_name and not network, f"--encoding {encoding_name}", "--network"),
        (seed != SEED and not place_by, f"--seed {seed}", "--place"),
        (homes and options["placement"] != "first-touch", "--homes", "--placement first-touch"),
        (options["pruning"] and not by_page, f"--pruning {options['pruning']}", "--directory page"),
        (options["page_entry"] != "never_cleared" and not by_page, "--page-entry", "--directory page"),
        (options["hints"] and options["caches"] is None, "--hints", "--caches of limited size"),
        (options["exclusive"] and protocol not in SHARING, "--exclusive", "--protocol invalidate or mixed"),
        (options.get("update_pages") and protocol != "mixed", "--update-pages", "--protocol mixed"),
    ):
        if unused:
            raise JumpnetError(f"{what} found without {needed}")


def _design(timed: bool, multicast: bool, cost: list[str] | None, **design: Any) -> dict[str, Any]:
    """What only a machine with time has; raises JumpnetError for what it is given without, or without what it needs."""
    entries, inside = design["combining_entries"], design["branches"] != "packets"
    given = {"multicast": multicast, "acknowledges": design["acknowledges"] != "single"}
    given |= {"outstanding": design["outstanding"] != 1, "locks": design["synchronisation"] != "message"}
    given |= {
        "memory-processors": design["memory_processors"] != 1,
        "migrate": design["migrates"] != 0,
        "cost": bool(cost),
    }
    given |= {"branches": inside, "combining-entries": entries is not None}
    for name, is_given in given.items():
        if is_given and not timed:
            raise JumpnetError(f"--{name} found without --timed")
    if inside and not multicast:
        raise JumpnetError(f"--branches {design['branches']} found without --multicast")
    if entries is not None and (not inside or design["acknowledges"] != "combined"):
        raise JumpnetError(f"--combining-entries {entries} found without --branches routers --acknowledges combined")
    return {**design, "costs": costs_of(cost or ())}


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


def _pages(
    how: str, source: Trace, processors: int | None, clusters_of: int, options: dict[str, Any]
) -> tuple[tuple[int, ...], dict[str, int]]:
    """The pages by update, and figures of the choice."""
    if how not in PAGES:
        raise unknown_name("choice of pages", how, PAGES)
    if options["protocol"] != "mixed":
        raise JumpnetError(f"--pages {how} with protocol {options['protocol']} found, mixed expected")
    machine = {key: value for key, value in options.items() if key != "protocol"}
    found = measured_pages(source, processors, multicast=how == PAGES[1], clusters_of=clusters_of, **machine)
    figures = {
        "pages_updated": len(found.update_pages),
        "packets_invalidate": found.invalidate_packets,
        "packets_update": found.update_packets,
    }
    return found.update_pages, figures


def run(
    trace: on.TraceName,
    format_name: on.TraceFormat = "",
    protocol: on.Protocol = "invalidate",
    update_pages: on.UpdatePages = "",
    pages: on.Pages = "",
    directory: on.Directory = "page",
    page_entry: on.PageEntry = "never_cleared",
    encoding_name: on.Encoding = "",
    clusters_of: on.ClustersOf = 1,
    caches: on.Caches = "infinite",
    hints: on.Hints = False,
    exclusive: on.Exclusive = False,
    translation: on.Translation = "",
    pruning: on.Pruning = 0,
    network: on.Network = "",
    processors: on.Processors = None,
    line_bytes: on.LineBytes = 32,
    page_bytes: on.PageBytes = 4096,
    placement: on.Placement = "first-touch",
    place_by: on.PlaceBy = "",
    seed: on.Seed = SEED,
    homes: on.Homes = "",
    timed: on.Timed = False,
    multicast: on.Multicast = False,
    branches: on.Branches = "packets",
    acknowledges: on.Acknowledges = "single",
    combining_entries: on.CombiningEntries = None,
    outstanding: on.Outstanding = 1,
    locks: on.Locks = "message",
    memory_processors: on.MemoryProcessors = 1,
    migrate: on.Migrate = 0,
    cost: on.Cost = None,
    as_json: AsJson = False,
) -> None:
    """Coherence messages of a trace: how many, to how many nodes, and what a directory encoding costs."""
    options: dict[str, Any] = {
        "caches": _caches(caches), "hints": hints, "exclusive": exclusive, "translation": _pair(translation),
        "directory": directory, "protocol": protocol, "line_bytes": line_bytes, "page_bytes": page_bytes,
        "placement": placement, "pruning": pruning, "page_entry": page_entry.replace("-", "_"),
    }  # fmt: skip
    if update_pages and pages:
        raise JumpnetError(f"--pages {pages} and --update-pages {update_pages} found, one of them expected")
    design = _design(
        timed, multicast, cost, acknowledges=acknowledges, outstanding=outstanding, synchronisation=locks,
        branches=branches, memory_processors=memory_processors, migrates=migrate, combining_entries=combining_entries,
    )  # fmt: skip
    if update_pages:
        options["update_pages"] = [row[0] for row in _numbers(update_pages, 1, "a page number")]
    _refuse_unused(options, encoding_name, network, place_by, seed, homes)
    if homes:
        options |= {"placement": "given", "homes": {row[0]: row[1] for row in _numbers(homes, 2, "PAGE NODE")}}
    source = open_trace(trace, format_name)
    row: dict[str, Any] = {"trace": source.name, "protocol": protocol, "directory": directory}
    chosen: dict[str, Any] = {}
    if pages:
        options["update_pages"], chosen = _pages(pages, source, processors, clusters_of, options)
    used = _encoding(encoding_name or "full_map") if network else ""
    same = {"clusters_of": clusters_of, "processors": processors, **options}
    if place_by:
        found, placed = _placed(source, network, used, place_by, seed, same)
    else:
        found, placed = coherence_traffic(source, encoding_name=used, network=network, **same), {}
    row |= {**_figures(found), **chosen}
    if network:
        row |= {"network": network, "encoding": used, **_deliveries(found)}
    row |= placed
    if timed:
        design |= {"encoding_name": used, "multicast": used * multicast}
        row |= timed_figures(source, network, place_by, clusters_of, options, design)
    emit_json([row]) if as_json else _show(row, found)


def _placed(
    source: Trace, network: str, encoding: str, place_by: str, seed: int, options: dict[str, Any]
) -> tuple[Traffic, dict[str, Any]]:
    """The traffic of processes put near those they share with, and figures of where they were put."""
    if not network:
        raise JumpnetError("--place found without --network")
    if place_by not in (*METRICS, "best"):
        raise unknown_name("placement of processes", place_by, (*METRICS, "best"))
    metrics = METRICS if place_by == "best" else (place_by,)
    before, found, metric, placed = best_placement(source, network, encoding, metrics=metrics, seed=seed, **options)
    old = {f"{key}_before": value for key, value in {"messages": before.messages, **_deliveries(before)}.items()}
    row = {"place": metric or "as it was", "slots": placed.slot.tolist(), "distance": placed.after}
    return found, {**row, "distance_before": placed.before, **old}


def _show(row: dict[str, Any], found: Traffic) -> None:
    """A table of the figures, and one of the messages by their number of destinations."""
    print_rows(row["trace"], ["figure", "value"], [[k, v] for k, v in row.items() if k != "destinations_histogram"])
    total = max(1, found.messages)
    rows = [[k, v, shown(100 * v / total, ".2f")] for k, v in found.destinations_histogram.items()]
    print_rows("messages by destinations", ["destinations", "messages", "%"], rows)
