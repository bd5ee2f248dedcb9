"""`jumpnet list`: every family, routing, pattern, injection process, scheme, broadcast, encoding and protocol."""

from __future__ import annotations

import inspect
from typing import Any

import typer

from jumpnet.cli._options import AsJson
from jumpnet.cli._output import emit_json, print_rows
from jumpnet.coherence.encoding import encodings
from jumpnet.coherence.protocol import protocols
from jumpnet.errors import unknown_name
from jumpnet.multicast import broadcasts, schemes
from jumpnet.routing import routings
from jumpnet.topology import families
from jumpnet.traffic import patterns, processes

NAME = "list"
EXAMPLE = "jumpnet list routing"


def _rows() -> list[dict[str, Any]]:
    rows = []
    for name, family in families().items():
        summary = (inspect.getdoc(family) or "").split("\n")[0]
        rows.append({"kind": "family", "name": name, "summary": summary, "example": family.samples[0]})
    for name, routing in routings().items():
        rows.append({"kind": "routing", "name": name, "summary": routing.summary, "example": name})
    for name, pattern in patterns().items():
        rows.append({"kind": "traffic", "name": name, "summary": pattern.summary, "example": name})
    for name, process in processes().items():
        rows.append({"kind": "injection", "name": name, "summary": process.summary, "example": name})
    several = (
        ("scheme", schemes()), ("broadcast", broadcasts()), ("encoding", encodings()), ("protocol", protocols()),
    )  # fmt: skip
    for kind, found in several:
        for name, thing in found.items():
            rows.append({"kind": kind, "name": name, "summary": thing.summary, "example": name})
    return rows


def run(
    kind: str = typer.Argument(
        "",
        metavar="[KIND]",
        help="Kind: family, routing, traffic, injection, scheme, broadcast, encoding or protocol; all if left out.",
    ),
    as_json: AsJson = False,
) -> None:
    """List what can be named: families, routings, traffic, injection, schemes, broadcasts, encodings, protocols."""
    rows = _rows()
    if kind:
        kinds = sorted({row["kind"] for row in rows})
        if kind not in kinds:
            raise unknown_name("kind", kind, kinds)
        rows = [row for row in rows if row["kind"] == kind]
    if as_json:
        emit_json(rows)
    else:
        print_rows("jumpnet list", ["kind", "name", "what"], [(r["kind"], r["name"], r["summary"]) for r in rows])
