"""`jumpnet workload`: run a program that ships with jumpnet, and write the references it makes."""

from __future__ import annotations

from typing import Any

import typer

from jumpnet.cli._command.output import emit_json, print_rows
from jumpnet.cli._options.files import writable
from jumpnet.cli._options.shared import AsJson, only_with, workload_names
from jumpnet.machine.trace.parquet_writer import write_parquet
from jumpnet.machine.workload import Workload, workload, workloads
from jumpnet.settings.settings import settings_of

NAME = "workload"
PANEL = "Machine and coherence"
EXAMPLE = "jumpnet workload lu:n=32 --processors 4"


def run(
    name: str = typer.Argument(
        "",
        metavar="NAME",
        help="Workload, also with its sizes, e.g. water:molecules=128; all listed if left out.",
        autocompletion=workload_names,
    ),
    processors: int | None = typer.Option(None, "--processors", help="Processors that it runs on."),
    out: str = typer.Option("", "--out", help="Parquet file to write the trace to."),
    as_json: AsJson = False,
) -> None:
    """Run a parallel program over recorded arrays, check its result, and count or write its references."""
    if not name:
        only_with("a workload", {"--processors": processors is not None, "--out": out})
        rows = [{"name": n, "sizes": _sizes(w), "summary": w.summary} for n, w in workloads().items()]
    else:
        chosen = workload(name, processors)
        if out:
            writable(out)
        rows = [{"workload": chosen.spec, **_ran(chosen, out)}]
    if as_json:
        emit_json(rows)
    else:
        print_rows("jumpnet workload", list(rows[0]), [list(row.values()) for row in rows])


def _sizes(cls: type[Workload]) -> str:
    known = settings_of(cls).values()
    return ",".join(each.name if each.required else f"{each.name}={each.default}" for each in known)


def _ran(chosen: Workload, out: str) -> dict[str, Any]:
    trace = chosen.trace()
    counts = {"processors": chosen.processors, "records": 0, "reads": 0, "writes": 0, "locks": 0, "barriers": 0}
    if out:
        counts["records"] = write_parquet(trace, out)
        return {k: counts[k] for k in ("processors", "records")} | {"file": out}
    program = chosen.program()
    for block in program.blocks():
        data = block.kind <= 1
        counts["records"] += len(block.proc)
        counts["reads"] += int((data & ~block.is_write).sum())
        counts["writes"] += int((data & block.is_write).sum())
        counts["locks"] += int((block.kind == 2).sum())
        counts["barriers"] += int((block.kind == 4).sum()) // chosen.processors
    return counts | {"error": program.error(), "tolerance": chosen.tolerance, "checked": chosen.checks.rstrip(",:")}
