"""`jumpnet machine`: the coherence traffic of a memory trace on a shared-memory machine."""

from __future__ import annotations

from typing import Any

import typer

from jumpnet.cli._output import JSON_OPTION_HELP, emit_json, print_rows
from jumpnet.coherence.encoding import encodings
from jumpnet.errors import JumpnetError
from jumpnet.machine.trace import open_trace
from jumpnet.machine.traffic import coherence_traffic

NAME = "machine"


def _encoding(name: str) -> str:
    """The registered spelling: `full-map` is `full_map`."""
    return name.replace("-", "_") if name.replace("-", "_") in encodings() else name


def run(
    trace: str = typer.Argument(..., help="a trace file: .parquet, .lackey, .din, .dinp, or a drmemtrace folder"),
    format_name: str = typer.Option("", "--format", help="trace format, where the file's ending does not say it"),
    protocol: str = typer.Option("invalidate", "--protocol", help="invalidate or update"),
    directory: str = typer.Option("page", "--directory", help="one entry for each line or page"),
    encoding_name: str = typer.Option("full-map", "--encoding", help="full-map, SM, LPRA, LARP, chained, ..."),
    clusters_of: int = typer.Option(1, "--clusters-of", help="processors of a cluster; clusters are then the nodes"),
    caches: str = typer.Option("infinite", "--caches", help="infinite (caches without limit)"),
    network: str = typer.Option("", "--network", help="where messages go, e.g. rdt:16; needed for receivers"),
    processors: int | None = typer.Option(None, "--processors", help="processors, where the trace does not say it"),
    line_bytes: int = typer.Option(32, "--line-bytes", help="cache line"),
    page_bytes: int = typer.Option(4096, "--page-bytes", help="page"),
    placement: str = typer.Option("first-touch", "--placement", help="home: first-touch, round-robin, interleaved"),
    as_json: bool = typer.Option(False, "--json", help=JSON_OPTION_HELP),
) -> None:
    """Coherence messages of a trace: how many, to how many nodes, and what a directory encoding costs."""
    if caches != "infinite":
        raise JumpnetError(f"caches {caches!r} found, infinite expected")
    source = open_trace(trace, format_name)
    found = coherence_traffic(
        source,
        processors=processors,
        encoding_name=_encoding(encoding_name) if network else "",
        network=network,
        directory=directory,
        protocol=protocol,
        clusters_of=clusters_of,
        line_bytes=line_bytes,
        page_bytes=page_bytes,
        placement=placement,
    )
    row: dict[str, Any] = {
        "trace": source.name,
        "protocol": protocol,
        "directory": directory,
        "nodes": found.nodes,
        "references": found.references,
        "messages": found.messages,
        "destinations_histogram": {str(k): v for k, v in found.destinations_histogram.items()},
        "destinations_mean": found.destinations_mean,
        "misses": found.misses,
        "pages": found.pages,
        "lines": found.lines,
    }
    if network:
        row |= {
            "network": network,
            "encoding": _encoding(encoding_name),
            "receivers_mean": found.receivers_mean,
            "unnecessary": found.unnecessary,
            "evicted": found.evicted,
            "directory_bits": found.directory_bits,
        }
    if as_json:
        emit_json([row])
    else:
        print_rows(source.name, ["figure", "value"], [[k, v] for k, v in row.items() if k != "destinations_histogram"])
        total = max(1, found.messages)
        rows = [[k, v, f"{100 * v / total:.2f}"] for k, v in found.destinations_histogram.items()]
        print_rows("messages by destinations", ["destinations", "messages", "%"], rows)
