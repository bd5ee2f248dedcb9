"""`jumpnet list`: every family, routing, pattern, scheme, protocol and what else has a name, and its settings."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import typer

from jumpnet.cli._options import AsJson, family_names
from jumpnet.cli._output import emit_json, print_rows
from jumpnet.cli._settings import KINDS, known_settings, settings_named
from jumpnet.coherence.encoding import encodings
from jumpnet.coherence.protocol import protocols
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.machine.workload import workloads
from jumpnet.multicast import broadcasts, schemes
from jumpnet.routing import default_routing, routings
from jumpnet.sim.setting_rows import setting_rows
from jumpnet.study.kinds import kinds
from jumpnet.topology import build, families
from jumpnet.traffic import patterns, processes

NAME = "list"
EXAMPLE = "jumpnet list routing"
CALLED = {"topology": "family", "network": "family", "pattern": "traffic", "process": "injection"}
"""Kinds by other words that we use for them."""
WITHOUT_SETTINGS = ("scheme", "broadcast", "encoding", "protocol")
"""Kinds of things that have names and no settings."""
HEADS = {
    "name": "setting", "default": "default", "unit": "unit", "range": "values", "booksim": "BookSim 2",
    "meaning": "meaning",
}  # fmt: skip
"""What is shown of a setting; a column without entries is left out."""


def _rows() -> list[dict[str, Any]]:
    rows = []
    for name, family in families().items():
        summary = (inspect.getdoc(family) or "").split("\n")[0]
        rows.append({"kind": "family", "name": name, "summary": summary, "example": next(iter(family.samples), name)})
    for name, routing in routings().items():
        rows.append({"kind": "routing", "name": name, "summary": routing.summary, "example": name})
    for name, pattern in patterns().items():
        rows.append({"kind": "traffic", "name": name, "summary": pattern.summary, "example": name})
    for name, process in processes().items():
        rows.append({"kind": "injection", "name": name, "summary": process.summary, "example": name})
    several: tuple[tuple[str, Mapping[str, Any]], ...] = (
        ("scheme", schemes()), ("broadcast", broadcasts()), ("encoding", encodings()), ("protocol", protocols()),
        ("workload", workloads()), ("point", kinds()),
    )  # fmt: skip
    for kind, found in several:
        for name, thing in found.items():
            rows.append({"kind": kind, "name": name, "summary": thing.summary, "example": name})
    return rows


def _fitting(spec: str) -> list[dict[str, Any]]:
    """Routings that fit a network; first the one that it gets when none is named."""
    net = build(spec)
    first = default_routing(net).partition(":")[0]
    found = [name for name, routing in routings().items() if routing.misfit(net) is None]
    rows = {row["name"]: row for row in _rows() if row["kind"] == "routing"}
    return [rows[name] for name in sorted(found, key=lambda name: name != first)]


def _settings(kind: str, name: str, as_json: bool) -> None:
    """The settings of one thing; of the simulator, where no name is given."""
    rows = setting_rows()
    if name and kind == "setting" and name not in known_settings(kind):
        names = {row[by]: row for row in rows for by in ("booksim", "name") if row[by]}
        if name not in names:
            raise unknown_name("setting", name, [*names, *known_settings(kind)])
        rows = [names[name]]
    elif name:
        rows = settings_named(kind, name).rows()
    if as_json:
        emit_json(rows)
    elif rows:
        shown = [key for key in HEADS if any(row.get(key) for row in rows)]
        title = f"jumpnet list {kind} {name}".rstrip()
        print_rows(title, [HEADS[key] for key in shown], [[row.get(key, "") for key in shown] for row in rows])
    else:
        print(f"{name} has no settings")


def _kinds(incomplete: str) -> list[str]:
    """Kinds of things that have names, for a shell's completion."""
    return [kind for kind in (*KINDS, *WITHOUT_SETTINGS) if kind.startswith(incomplete)]


def _names(ctx: typer.Context, incomplete: str) -> list[str]:
    """What has settings, of the kind that is named already, for a shell's completion."""
    kind = ctx.params.get("kind")
    return [name for name in (known_settings(kind) if kind in KINDS else ()) if name.startswith(incomplete)]


def run(
    kind: str = typer.Argument(
        "",
        metavar="[KIND]",
        help="Kind: family, routing, traffic, injection, scheme, broadcast, encoding, protocol, workload, point (of a "
        "study) or setting; all but the last if left out.",
        autocompletion=_kinds,
    ),
    name: str = typer.Argument(
        "",
        metavar="[NAME]",
        help="One of them, whose settings are shown: rdt.floating after routing; simulate, multicast, chip or "
        "channels, or a setting of the simulator, by BookSim's name too, after setting.",
        autocompletion=_names,
    ),
    spec: str = typer.Option(
        "",
        "--for",
        help="Only the routings that fit this network, the one it gets by itself first.",
        autocompletion=family_names,
    ),
    as_json: AsJson = False,
) -> None:
    """List what can be named (families, routings, traffic, protocols and so on), or the settings of one of them."""
    if spec and kind not in ("", "routing"):
        raise JumpnetError(f"--for with {kind} found, routing expected")
    if name and spec:
        raise JumpnetError(f"--for with {name} found, one of them expected")
    if kind in CALLED:
        raise JumpnetError(f"unknown kind {kind!r}; did you mean {CALLED[kind]!r}?")
    if name or kind == "setting":
        _settings(kind, name, as_json)
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
