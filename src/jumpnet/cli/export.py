"""`jumpnet export`: a network as a file that other programs read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import typer

from jumpnet.cli._output import JSON_OPTION_HELP, emit_json
from jumpnet.errors import unknown_name
from jumpnet.graph._links import write_lines
from jumpnet.graph.exchange import anynet_lines, edgelist_lines, graphml_lines, json_lines
from jumpnet.graph.garnet import garnet_lines
from jumpnet.graph.merlin import merlin_lines
from jumpnet.network import Network
from jumpnet.topology import build

NAME = "export"

FORMATS: dict[str, Callable[[Network], Iterator[str]]] = {
    "anynet": anynet_lines,
    "edgelist": edgelist_lines,
    "graphml": graphml_lines,
    "json": json_lines,
    "merlin": merlin_lines,
    "garnet": garnet_lines,
}


def run(
    spec: str = typer.Argument(..., help="The network, e.g. rdt:64"),
    format: str = typer.Option("graphml", "--format", "-f", help=f"One of {', '.join(FORMATS)}."),
    out: str = typer.Option("-", "--out", "-o", help="File to write; - writes to the screen."),
    as_json: bool = typer.Option(False, "--json", help=JSON_OPTION_HELP),
) -> None:
    """Write a network as a file for other programs; `file:PATH` reads anynet, edge lists and GraphML back."""
    if format not in FORMATS:
        raise unknown_name("format", format, FORMATS)
    net = build(spec)
    # gem5 wants the class to have the name of its file.
    lines = garnet_lines(net, Path(out).stem) if format == "garnet" and out != "-" else FORMATS[format](net)
    if out == "-":
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    write_lines(out, lines)
    about = {"spec": net.spec, "format": format, "out": out, "routers": net.routers, "links": net.links}
    if as_json:
        emit_json([about])
    else:
        print(f"{out}: {net.spec}, {net.routers} routers, {net.links} links")
