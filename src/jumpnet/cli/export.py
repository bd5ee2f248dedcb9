"""`jumpnet export`: a network, or the routes of a routing, as a file that other programs read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import typer

from jumpnet.analysis.routes.table import route_table_lines
from jumpnet.cli._command.output import answer, emit_json, printable
from jumpnet.cli._options.files import writable
from jumpnet.cli._options.shared import AsJson, Spec, names_from, routing_names
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.graph.exchange import anynet_lines, edgelist_lines, graphml_lines, json_lines
from jumpnet.graph.garnet import garnet_lines
from jumpnet.graph.links import write_lines
from jumpnet.graph.merlin import merlin_lines
from jumpnet.networks import Network
from jumpnet.notices import counted
from jumpnet.routings import bind
from jumpnet.topology import build

NAME = "export"
PANEL = "Networks"
EXAMPLE = "jumpnet export torus:4x4 --out torus.anynet"

FORMATS: dict[str, Callable[[Network], Iterator[str]]] = {
    "anynet": anynet_lines,
    "edgelist": edgelist_lines,
    "graphml": graphml_lines,
    "json": json_lines,
    "merlin": merlin_lines,
    "garnet": garnet_lines,
}


SUFFIXES = {
    ".anynet": "anynet", ".edgelist": "edgelist", ".edges": "edgelist", ".graphml": "graphml", ".xml": "graphml",
    ".json": "json", ".py": "garnet",
}  # fmt: skip


def _format(given: str, routing: str, out: str) -> str:
    """The format asked for; when none is, that of the routes, of the file's name, or GraphML."""
    known = (*FORMATS, "routes")
    if not given:
        return "routes" if routing else SUFFIXES.get(Path(out).suffix.lower(), "graphml")
    if given not in known:
        raise unknown_name("format", given, known)
    return given


def run(
    spec: Spec,
    format: str = typer.Option(
        "",
        "--format",
        "-f",
        help=f"Format: {', '.join(FORMATS)}, or routes; if left out, by the ending of --out, else graphml.",
        autocompletion=names_from(__name__, "FORMATS"),
    ),
    routing: str = typer.Option(
        "", "--routing", "-r", help="Routing whose routes are written (format routes).", autocompletion=routing_names
    ),
    out: str = typer.Option("-", "--out", "-o", help="File to write; - is standard output."),
    as_json: AsJson = False,
) -> None:
    """Write a network as a file for other programs; `file:PATH` reads anynet, edge lists and GraphML back."""
    format = _format(format, routing, out)
    if (format == "routes") != bool(routing):
        raise JumpnetError("the format routes goes with --routing NAME, and only it does")
    if out != "-":
        writable(out)
    net = build(spec)
    if format == "routes":
        lines = route_table_lines(bind(routing, net))
    elif format == "garnet" and out != "-":
        lines = garnet_lines(net, Path(out).stem)  # gem5 wants the class to have the name of its file
    else:
        lines = FORMATS[format](net)
    if out == "-":
        answer().writelines(f"{line}\n" for line in lines)
        return
    write_lines(out, lines)
    about = {"spec": net.spec, "format": format, "out": out, "routers": net.routers, "links": net.links}
    if as_json:
        emit_json([about])
    else:
        print(printable(f"{out}: {net.spec}, {counted(net.routers, 'router')}, {counted(net.links, 'link')}"))
