"""`jumpnet check FILE`: a certificate of freedom from deadlock, checked by the checker that outsiders use."""

from __future__ import annotations

from pathlib import Path

import typer

from jumpnet.analysis.deadlock.certificates.check import check_certificate
from jumpnet.cli._command.output import emit_json, progress_line
from jumpnet.cli._options.shared import AsJson

NAME = "check"
PANEL = "Routing and proofs"
EXAMPLE = "jumpnet check torus.cert"


def run(
    file: Path = typer.Argument(
        ..., metavar="FILE", help="Certificate that `prove --certificate FILE.cert` wrote, or .cert.gz."
    ),
    as_json: AsJson = False,
) -> None:
    """Check a certificate of freedom from deadlock. One that is refused ends with status 2 and names its line."""
    with progress_line("checking"):
        checked = check_certificate(file)
    if as_json:
        emit_json([{"file": str(file), "accepted": True, **checked.head}])
    else:
        print("\n".join(checked.words))
