"""`jumpnet explore`: networks as a page in the browser: drawn, routed and simulated there, without any server."""

from __future__ import annotations

import webbrowser

import typer

from jumpnet.cli._command.output import emit_json, printable
from jumpnet.cli._options.files import writable_folder
from jumpnet.cli._options.shared import AsJson, RoutingName, family_names
from jumpnet.errors import JumpnetError
from jumpnet.explore.written import page_text, write_text
from jumpnet.jit.cache import cache_folder

NAME = "explore"
PANEL = "Networks"
EXAMPLE = "jumpnet explore rdt:16 --out page"


def run(
    specs: list[str] = typer.Argument(
        None,
        metavar="[SPEC]...",
        help="Networks to add to the page, which has all families; the first is shown.",
        autocompletion=family_names,
    ),
    routing: RoutingName = "",
    out: str = typer.Option(
        "", help="Folder in which index.html is written; if left out, the page is opened in the browser."
    ),
    at: str = typer.Option(
        "", help="What the page shows first, as in the links of the page itself: 'view=space&picked=3'."
    ),
    as_json: AsJson = False,
) -> None:
    """Open networks in the browser: drawn, routed and simulated in one page that needs no server."""
    if routing and not specs:
        raise JumpnetError(f"--routing {routing} without a SPEC found, both expected")
    if at and not specs:
        raise JumpnetError(f"--at {at} without a SPEC found, both expected")
    text = page_text(specs or [], routing, at)  # before a folder is made for it
    made = write_text(writable_folder(out or cache_folder().with_name("explore")), text)
    path = made.path.absolute()
    opened = not out and webbrowser.open(path.as_uri())
    if as_json:
        emit_json([{"file": str(path), "bytes": made.bytes, "opened": opened, "specs": made.specs}])
        return
    print(printable(str(path)))
    if not out and not opened:
        print("no browser found: open that file in one")
