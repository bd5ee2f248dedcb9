"""`jumpnet results STUDY`: the finished points of a study as table, CSV, Parquet or JSON, in the order of the file."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import typer

from jumpnet.cli._files import writable
from jumpnet.cli._options import AsJson, StoreFile, StudyFile
from jumpnet.cli._output import emit_json, number, print_rows
from jumpnet.errors import JumpnetError
from jumpnet.study.results import frame, rows

NAME = "results"
EXAMPLE = "jumpnet results small.toml --csv"

SHOWN = ("load", "accepted_load", "packet_latency_mean_cycles", "packet_latency_half_width_cycles", "saturated")


def run(
    study: StudyFile,
    store: StoreFile = None,
    as_csv: bool = typer.Option(False, "--csv", help="Comma-separated values on standard output, every column."),
    parquet: Path = typer.Option(None, help="Parquet file to write, every column."),
    as_json: AsJson = False,
) -> None:
    """Show what a study has found so far."""
    if parquet is not None:
        writable(parquet)
        table = frame(study, store)
        try:
            table.to_parquet(parquet)
        except ImportError:
            raise JumpnetError("pyarrow is missing: pip install 'jumpnet[data]'") from None
        print(f"{len(table)} points in {parquet}")
        return
    found = rows(study, store)
    if as_json:
        emit_json(found)
    elif as_csv:
        columns = list(dict.fromkeys(key for row in found for key in row))
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([row.get(key) for key in columns] for row in found)
    else:
        settings = [k for k in (found[0] if found else {}) if len({str(row.get(k)) for row in found}) > 1]
        first = [k for k in ("spec", "routing", "traffic", "packet_flits", "buffer_flits", "seed") if k in settings]
        columns = [*first, *SHOWN]
        body = [
            [number(v, ".4g") if isinstance(v, float) else v for v in (row.get(k) for k in columns)] for row in found
        ]
        headings = [key.replace("_", " ") for key in columns]  # a narrow screen breaks them between words
        print_rows(f"{study}: {len(found)} points", headings, body)
