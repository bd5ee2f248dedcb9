"""`jumpnet list`: every family, routing, pattern, injection process, scheme, broadcast, encoding and protocol."""

from __future__ import annotations

import inspect
from typing import Any

import typer

from jumpnet.cli._options import AsJson
from jumpnet.cli._output import emit_json, print_rows
from jumpnet.coherence.encoding import encodings
from jumpnet.coherence.protocol import protocols
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.multicast import broadcasts, schemes
from jumpnet.routing import default_routing, routings
from jumpnet.sim.setting_rows import setting_rows
from jumpnet.topology import build, families
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


def _fitting(spec: str) -> list[dict[str, Any]]:
    """Routings that fit a network; first the one that it gets when none is named."""
    net = build(spec)
    first = default_routing(net).partition(":")[0]
    found = [name for name, routing in routings().items() if routing.fits(net) is None]
    rows = {row["name"]: row for row in _rows() if row["kind"] == "routing"}
    return [rows[name] for name in sorted(found, key=lambda name: name != first)]


def _settings(as_json: bool) -> None:
    """The simulator's settings."""
    rows = setting_rows()
    if as_json:
        emit_json(rows)
    else:
        heads = {
            "name": "setting",
            "default": "default",
            "range": "values",
            "booksim": "BookSim 2",
            "meaning": "meaning",
        }
        print_rows("jumpnet list setting", [*heads.values()], [[row[key] for key in heads] for row in rows])


def run(
    kind: str = typer.Argument(
        "",
        metavar="[KIND]",
        help="Kind: family, routing, traffic, injection, scheme, broadcast, encoding, protocol or setting; all but the "
        "last if left out.",
    ),
    spec: str = typer.Option(
        "", "--for", help="Only the routings that fit this network, the one it gets by itself first."
    ),
    as_json: AsJson = False,
) -> None:
    """List what can be named: families, routings, traffic, injection, schemes, broadcasts, encodings, protocols."""
    if spec and kind not in ("", "routing"):
        raise JumpnetError(f"--for with {kind} found, routing expected")
    if kind == "setting":
        _settings(as_json)
        return
    rows = _fitting(spec) if spec else _rows()
    if kind:
        kinds = [*sorted({row["kind"] for row in rows}), "setting"]
        if kind not in kinds:
            raise unknown_name("kind", kind, kinds)
        rows = [row for row in rows if row["kind"] == kind]
    if as_json:
        emit_json(rows)
    else:
        print_rows("jumpnet list", ["kind", "name", "what"], [(r["kind"], r["name"], r["summary"]) for r in rows])
