"""`jumpnet list`: every family, routing, pattern, scheme, protocol and what else has a name, and its settings."""

from __future__ import annotations

import csv
import inspect
from collections import Counter
from collections.abc import Mapping
from typing import Any

import typer

from jumpnet.cli._command.output import answer, emit_json, print_rows
from jumpnet.cli._options.settings import KINDS, known_settings, settings_named
from jumpnet.cli._options.shared import AsJson, family_names
from jumpnet.coherence.encoding import encodings
from jumpnet.coherence.protocol import protocols
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.machine.workload import workloads
from jumpnet.multicast import broadcasts, schemes
from jumpnet.routings import default_routing, routings
from jumpnet.settings.settings import settings_of
from jumpnet.sim.config.parameters import BOOKSIM
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.study.kinds import kinds
from jumpnet.topology import build, families
from jumpnet.traffic import patterns, processes

NAME = "list"
PANEL = "Networks"
EXAMPLE = "jumpnet list routing"
CALLED = {"topology": "family", "network": "family", "pattern": "traffic", "process": "injection"}
"""Kinds by other words that we use for them."""
WITHOUT_SETTINGS = ("scheme", "broadcast", "encoding", "protocol")
"""Kinds of things that have names and no settings."""
ABOUT = {
    "family": "topologies: rdt:64, torus:8x8, dragonfly:4",
    "routing": "how packets find their way: rdt.floating, lash",
    "traffic": "where packets go: uniform, transpose, worst",
    "injection": "when packets are made: bernoulli, onoff",
    "scheme": "multicasts by bit maps",
    "broadcast": "one message to all",
    "encoding": "what a coherence directory remembers",
    "protocol": "coherence protocols: mesi, moesi",
    "workload": "parallel programs: lu, fft",
    "point": "what a study may ask: simulate, degrade",
    "setting": "of the simulator: buffer_flits, vcs",
}
"""Kinds of things, in the order of a page, and what they are."""
PAGE = 120
"""Characters of a line in a file or pipe, for sentences."""
HEADS = {
    "name": "setting", "default": "default", "unit": "unit", "range": "values", "booksim": "BookSim 2",
    "meaning": "meaning",
}  # fmt: skip
"""What is shown of a setting; a column without entries is left out."""
COLUMNS = ("name", "unit", "range", "default", "booksim", "meaning")
"""Of a setting of the simulator."""


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
    """Routings that fit a network; first the one that it gets when none is named, with its settings."""
    net = build(spec)
    first = default_routing(net)
    found = [name for name, routing in routings().items() if routing.misfit(net) is None and name != first]
    rows = {row["name"]: row for row in _rows() if row["kind"] == "routing"}
    return [{**rows[first.partition(":")[0]], "name": first}, *(rows[name] for name in found)]


def setting_rows() -> list[dict[str, str]]:
    """A row for each setting of the simulator, in the order of `SimConfig`; `booksim` is what BookSim 2 calls it.

    >>> row = next(row for row in setting_rows() if row["name"] == "buffer_flits")
    >>> row["unit"], row["range"], row["default"], row["booksim"]
    ('flits', '1 to 4096', '8', 'vc_buf_size')
    """
    rows = settings_of(SimConfig).rows()
    return [{key: row.get(key, BOOKSIM.get(row["name"], "")) for key in COLUMNS} for row in rows]


def _settings(kind: str, name: str) -> list[dict[str, Any]]:
    """The settings of one thing; of the simulator, where no name is given."""
    if not name or kind != "setting" or name in known_settings(kind):
        return [*settings_named(kind, name).rows()] if name else setting_rows()
    names = {row[by]: row for row in setting_rows() for by in ("booksim", "name") if row[by]}
    if name not in names:
        raise unknown_name("setting", name, [*names, *known_settings(kind)])
    return [names[name]]


def _print_settings(title: str, rows: list[dict[str, Any]]) -> None:
    """One setting line by line; of several what each is, with its values in a sentence."""
    if len(rows) == 1:
        told = [(head, rows[0][key]) for key, head in HEADS.items() if rows[0].get(key)]
        return print_rows(title, ["what", "value"], told, PAGE)
    print_rows(title, ["setting", "default", "meaning"], [(r["name"], r["default"], _sentences(r)) for r in rows], PAGE)


def _sentences(row: Mapping[str, Any]) -> str:
    """What a setting means, may be, and is called elsewhere.

    >>> _sentences({"meaning": "Buffer of a channel.", "range": "1 to 4096", "unit": "flits", "booksim": "vc_buf_size"})
    'Buffer of a channel. Values: 1 to 4096 flits. BookSim 2: vc_buf_size.'
    """
    values = " ".join(row[key] for key in ("range", "unit") if row.get(key))
    said = [row.get("meaning", ""), f"Values: {values}." if values else ""]
    return " ".join(filter(None, [*said, f"BookSim 2: {row['booksim']}." if row.get("booksim") else ""]))


def _print_kinds(rows: list[dict[str, Any]]) -> None:
    """The first page: kinds of things, how many there are of each, and how they are seen."""
    counts = Counter(row["kind"] for row in rows) | {"setting": len(setting_rows())}
    cells = [(kind, counts[kind], about, f"jumpnet list {kind}") for kind, about in ABOUT.items()]
    print_rows("what can be named", ["kind", "how many", "what", "all of them"], cells, PAGE)
    print(
        "`jumpnet list KIND NAME` has the settings of one, `jumpnet list --for SPEC` the routings that fit a network."
    )


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
        metavar="KIND",
        help="Kind: family, routing, traffic, injection, scheme, broadcast, encoding, protocol, workload, point (of a "
        "study) or setting; if left out, all kinds and how many there are of each.",
        autocompletion=_kinds,
    ),
    name: str = typer.Argument(
        "",
        metavar="NAME",
        help="Name of that kind, to show its settings, e.g. routing rdt.floating. With the kind setting: simulate, "
        "multicast, chip or channels, or one setting of the simulator, by our name or BookSim's.",
        autocompletion=_names,
    ),
    spec: str = typer.Option(
        "",
        "--for",
        help="Only the routings that fit this network, its default first.",
        autocompletion=family_names,
    ),
    as_csv: bool = typer.Option(False, "--csv", help="Comma-separated values instead of a table."),
    as_json: AsJson = False,
) -> None:
    """List what can be named (families, routings, traffic, protocols and so on), or the settings of one of them."""
    if spec and kind not in ("", "routing"):
        raise JumpnetError(f"--for with {kind} found, routing expected")
    if name and spec:
        raise JumpnetError(f"--for with {name} found, one of them expected")
    if kind in CALLED:
        raise JumpnetError(f"unknown kind {kind!r}; did you mean {CALLED[kind]!r}?")
    if as_json and as_csv:
        raise JumpnetError("--json and --csv found, one of them expected")
    if name or kind == "setting":
        settings = _settings(kind, name)
        if not settings and not (as_json or as_csv):
            print(f"{name} has no settings")
        elif not _for_machines(settings, as_json, as_csv):
            _print_settings(f"jumpnet list {kind} {name}".rstrip(), settings)
        return
    rows = _fitting(spec) if spec else _rows()
    if kind:
        kinds = [*sorted({row["kind"] for row in rows}), "setting"]
        if kind not in kinds:
            raise unknown_name("kind", kind, kinds)
        rows = [row for row in rows if row["kind"] == kind]
    if _for_machines(rows, as_json, as_csv):
        return
    if not kind and not spec:
        return _print_kinds(rows)
    title = f"routings for {spec}, first what it gets when none is named" if spec else f"jumpnet list {kind}"
    print_rows(title, ["name", "what"], [(row["name"], row["summary"]) for row in rows], PAGE)


def _for_machines(rows: list[dict[str, Any]], as_json: bool, as_csv: bool) -> bool:
    """Write the rows as JSON or CSV, where that is asked for; whether it was."""
    if as_json:
        emit_json(rows)
    elif as_csv:
        writer = csv.DictWriter(answer(), list(dict.fromkeys(key for row in rows for key in row)), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return as_json or as_csv
