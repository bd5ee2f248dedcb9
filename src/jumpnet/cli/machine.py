"""`jumpnet machine`: the coherence traffic of a memory trace on a shared-memory machine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import typer

from jumpnet.cli._output import JSON_OPTION_HELP, emit_json, print_rows
from jumpnet.cli._timed import timed_figures
from jumpnet.coherence.encoding import encodings
from jumpnet.errors import JumpnetError, file_error, unknown_name
from jumpnet.machine.place import METRICS, best_placement
from jumpnet.machine.trace import SPACE_BITS, Trace, open_trace
from jumpnet.machine.traffic import Traffic, coherence_traffic
from jumpnet.machine.update_pages import measured_pages

NAME = "machine"
PAGES = ("measured", "measured-multicast")
"""How `--pages` counts a message to many: a packet each, or one."""


def _encoding(name: str) -> str:
    """The registered spelling: `full-map` is `full_map`."""
    return name.replace("-", "_") if name.replace("-", "_") in encodings() else name


def _caches(text: str) -> tuple[int, int] | None:
    """`infinite`, or `SIZE,WAYS` with K or M after the size."""
    if text == "infinite":
        return None
    found = re.fullmatch(r"(\d{1,12})([KM]?),(\d{1,6})", text)
    if found is None:
        raise JumpnetError(f"caches {text!r} found, infinite or SIZE,WAYS such as 16K,4 expected")
    return int(found[1]) * {"": 1, "K": 1 << 10, "M": 1 << 20}[found[2]], int(found[3])


def _numbers(path: str, columns: int, what: str) -> list[list[int]]:
    """Lines of so many whole numbers (hexadecimal after 0x); `#` starts a comment."""
    try:
        text = Path(path).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise file_error(path, error, f"lines of {what} expected") from None
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


def _pair(text: str) -> tuple[int, int] | None:
    found = re.fullmatch(r"(\d{1,6}),(\d{1,6})", text)
    if text and found is None:
        raise JumpnetError(f"translation {text!r} found, entries of two stages such as 64,1024 expected")
    return (int(found[1]), int(found[2])) if found else None


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
    trace: str = typer.Argument(
        ..., help="a trace file (.parquet, .lackey, .din, .dinp), a drmemtrace folder, or workload:NAME,key=value"
    ),
    format_name: str = typer.Option("", "--format", help="trace format, where the file's ending does not say it"),
    protocol: str = typer.Option("invalidate", "--protocol", help="invalidate, update or mixed"),
    update_pages: str = typer.Option("", "--update-pages", help="mixed: file of the page numbers in update mode"),
    pages: str = typer.Option(
        "", "--pages", help="measured: mixed, by update the pages where that takes fewer packets"
    ),
    directory: str = typer.Option("page", "--directory", help="one entry for each line or page"),
    encoding_name: str = typer.Option("full-map", "--encoding", help="full-map, SM, LPRA, LARP, chained, ..."),
    clusters_of: int = typer.Option(1, "--clusters-of", help="processors of a cluster; clusters are then the nodes"),
    caches: str = typer.Option("infinite", "--caches", help="infinite, or bytes and ways of each processor: 16K,4"),
    hints: bool = typer.Option(False, "--hints", help="clean copies that are given up are told to the home"),
    exclusive: bool = typer.Option(False, "--exclusive", help="a sole reader may write without asking, as in MESI"),
    translation: str = typer.Option("", "--translation", help="entries of the two translation stages, e.g. 64,1024"),
    pruning: int = typer.Option(0, "--pruning", help="entries of each home's pruning cache (page directory)"),
    network: str = typer.Option("", "--network", help="where messages go, e.g. rdt:16; needed for receivers"),
    processors: int | None = typer.Option(None, "--processors", help="processors, where the trace does not say it"),
    line_bytes: int = typer.Option(32, "--line-bytes", help="cache line"),
    page_bytes: int = typer.Option(4096, "--page-bytes", help="page"),
    placement: str = typer.Option("first-touch", "--placement", help="home: first-touch, round-robin, interleaved"),
    place_by: str = typer.Option("", "--place", help="put sharers near: by hops, by territory, or best"),
    seed: int = typer.Option(1, "--seed", help="of the placement"),
    homes: str = typer.Option("", "--homes", help="file of `PAGE NODE` lines: the homes, first touch for the rest"),
    timed: bool = typer.Option(False, "--timed", help="with time: cycles and stalls, messages in the simulator"),
    multicast: bool = typer.Option(False, "--multicast", help="timed: messages to many nodes down the encoding's tree"),
    acknowledges: str = typer.Option(
        "single", "--acknowledges", help="timed: single, counted by the home's router, or combined in the tree"
    ),
    outstanding: int = typer.Option(
        1, "--outstanding", help="timed: requests of a processor; from 2 writes are buffered"
    ),
    locks: str = typer.Option("message", "--locks", help="timed: locks and barriers by message, or free"),
    as_json: bool = typer.Option(False, "--json", help=JSON_OPTION_HELP),
) -> None:
    """Coherence messages of a trace: how many, to how many nodes, and what a directory encoding costs."""
    options: dict[str, Any] = {"caches": _caches(caches), "hints": hints, "exclusive": exclusive}
    options["translation"] = _pair(translation)
    if homes:
        placement = "given"
        options["homes"] = {row[0]: row[1] for row in _numbers(homes, 2, "PAGE NODE")}
    if update_pages and pages:
        raise JumpnetError(f"--pages {pages} and --update-pages {update_pages} found, one of them expected")
    if update_pages:
        options["update_pages"] = [row[0] for row in _numbers(update_pages, 1, "a page number")]
    options |= {
        "directory": directory, "protocol": protocol, "line_bytes": line_bytes, "page_bytes": page_bytes,
        "placement": placement, "pruning": pruning,
    }  # fmt: skip
    source = open_trace(trace, format_name)
    chosen: dict[str, Any] = {}
    if pages:
        options["update_pages"], chosen = _pages(pages, source, processors, clusters_of, options)
    used = _encoding(encoding_name) if network else ""
    if place_by:
        if not network:
            raise JumpnetError("--place found without --network")
        if place_by not in (*METRICS, "best"):
            raise unknown_name("placement of processes", place_by, (*METRICS, "best"))
        metrics = METRICS if place_by == "best" else (place_by,)
        before, found, metric, placed = best_placement(
            source, network, used, clusters_of=clusters_of, metrics=metrics, seed=seed, processors=processors, **options
        )
    else:
        found = coherence_traffic(
            source, processors=processors, encoding_name=used, network=network, clusters_of=clusters_of, **options
        )
    row = {"trace": source.name, "protocol": protocol, "directory": directory, **_figures(found), **chosen}
    if network:
        row |= {"network": network, "encoding": used, **_deliveries(found)}
    if place_by:
        old = {f"{key}_before": value for key, value in {"messages": before.messages, **_deliveries(before)}.items()}
        row |= {"place": metric or "as it was", "slots": placed.slot.tolist(), "distance": placed.after}
        row |= {"distance_before": placed.before, **old}
    if timed:
        design = {"acknowledges": acknowledges, "outstanding": outstanding, "synchronisation": locks}
        design["multicast"] = used if multicast else ""
        row |= timed_figures(source, network, place_by, clusters_of, options, design)
    elif multicast or acknowledges != "single" or outstanding != 1 or locks != "message":
        raise JumpnetError("--multicast, --acknowledges, --outstanding or --locks found without --timed")
    if as_json:
        emit_json([row])
    else:
        print_rows(source.name, ["figure", "value"], [[k, v] for k, v in row.items() if k != "destinations_histogram"])
        total = max(1, found.messages)
        rows = [[k, v, f"{100 * v / total:.2f}"] for k, v in found.destinations_histogram.items()]
        print_rows("messages by destinations", ["destinations", "messages", "%"], rows)
