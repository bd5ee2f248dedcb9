"""`jumpnet results STUDY`: the finished points of a study as table, CSV, Parquet or JSON, in the order of the file."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from jumpnet.cli._command.output import answer, emit_json, give_or_take, print_rows, printable
from jumpnet.cli._options.files import writable
from jumpnet.cli._options.shared import AsJson, StoreFile, StudyFile
from jumpnet.errors import JumpnetError
from jumpnet.files import replaced
from jumpnet.notices import counted
from jumpnet.study.kinds import kinds
from jumpnet.study.results import frame, rows
from jumpnet.study.settings import varied

NAME = "results"
PANEL = "Simulation and studies"
EXAMPLE = "jumpnet results small.toml --csv"

MEAN, WIDTH = "packet_latency_mean_cycles", "packet_latency_half_width_cycles"
HEADS = {MEAN: "packet latency (cycles)"}
SHOWN = ("load", "accepted_load", MEAN, WIDTH, "saturated")


def columns_of(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """What a table of points shows: every setting in which they differ, and figures; of other kinds what is drawn.

    >>> columns_of([{"vcs": 2, "load": 0.1, "saturated": False}, {"vcs": 4, "load": 0.1, "saturated": True}])
    ['vcs', 'load', 'saturated']
    """
    others = {str(row["kind"]) for row in found if row.get("kind") in kinds()}
    keys = dict.fromkeys(
        [*varied(found), "content", *SHOWN, *(key for name in sorted(others) for key in kinds()[name].axes)]
    )
    return [key for key in keys if any(row.get(key) is not None for row in found)]


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
            with replaced(parquet) as place:
                table.to_parquet(place)
        except ImportError:
            raise JumpnetError("pyarrow is missing: pip install 'jumpnet[data]'") from None
        print(printable(f"{counted(len(table), 'point')} in {parquet}"))
        return
    found = rows(study, store)
    if as_json:
        emit_json(found)
    elif as_csv:
        columns = list(dict.fromkeys(key for row in found for key in row))
        writer = csv.writer(answer(), lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([row.get(key) for key in columns] for row in found)
    else:
        columns = [key for key in columns_of(found) or SHOWN if key != WIDTH]
        body = [[_cell(row, key) for key in columns] for row in found]
        headings = [
            HEADS.get(key, key.replace("_", " ")) for key in columns
        ]  # a narrow screen breaks them between words
        print_rows(f"{study}: {counted(len(found), 'point')}", headings, body)


def _cell(row: Mapping[str, Any], key: str) -> Any:
    """A value of the table, a mean latency with the half width of its confidence interval.

    >>> _cell({"packet_latency_mean_cycles": 44.281, "packet_latency_half_width_cycles": 2.301}, MEAN)
    '44.28 ± 2.3'
    """
    return give_or_take(row.get(MEAN), row.get(WIDTH)) if key == MEAN else row.get(key)
