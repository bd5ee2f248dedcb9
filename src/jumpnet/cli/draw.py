"""`jumpnet draw`: a picture of a network, as SVG, PNG or PDF."""

from __future__ import annotations

import re

import typer

from jumpnet.cli._command.output import emit_json, printable
from jumpnet.cli._options.files import picture
from jumpnet.cli._options.shared import AsJson, Spec
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.files import write_bytes
from jumpnet.plot.draw import drawer, fits, size_inches
from jumpnet.plot.figure import render
from jumpnet.plot.line import line_drawer, line_size_inches
from jumpnet.topology import build

NAME = "draw"
PANEL = "Networks"
EXAMPLE = "jumpnet draw rdt:16 --out rdt.svg"
LAYOUTS = ("plane", "line")


def _default_name(spec: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", spec).strip("-") + ".svg"


def run(
    spec: Spec,
    out: str = typer.Option("", help="Picture to write: .svg, .png or .pdf; named after the network if left out."),
    highlight: str = typer.Option("", help="Routers of a path, e.g. '0 1 17' or '0,0 1,0 3,2'."),
    layout: str = typer.Option("plane", help="Layout: plane, or line (routers in a row, links as wires in tracks)."),
    title: str = typer.Option("", help="Heading; the network's spec if left out."),
    as_json: AsJson = False,
) -> None:
    """Draw a network: ranks, levels or dimensions in colour, wrap-around links over the frame's edge."""
    path, kind = picture(out or _default_name(spec))
    net = build(spec)
    routers = [net.router_at(word) for word in highlight.split()]
    if layout not in LAYOUTS:
        raise unknown_name("layout", layout, LAYOUTS)
    if layout == "line":
        if routers:
            raise JumpnetError("--highlight found with --layout line, layout plane expected")
        draw, size, drawn = line_drawer(net, title=title or None), line_size_inches(net), "line"
    else:
        draw, size = drawer(net, routers, title or None), size_inches(net)
        drawn = "links" if fits(net) else "adjacency"
    made = render(draw, name=net.spec, size_inches=size, formats=(kind,))[kind]
    write_bytes(path, made)
    row = {"spec": net.spec, "file": str(path), "bytes": len(made), "drawn": drawn}
    if as_json:
        emit_json([row])
    else:
        what = " (too big to draw link by link: adjacency pattern)" if drawn == "adjacency" else ""
        print(printable(f"{path}: {net.spec}{what}"))
