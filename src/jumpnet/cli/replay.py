"""`jumpnet replay HASH`: runs one stored point again and compares it with the store, bit by bit.

A store of an earlier version may lack figures that are measured now; those that it has are compared.
"""

from __future__ import annotations

from pathlib import Path

import typer

from jumpnet.cli._command.output import emit_json
from jumpnet.cli._options.shared import AsJson
from jumpnet.errors import JumpnetError
from jumpnet.notices import notice
from jumpnet.study.names import is_unsure, point_hash
from jumpnet.study.point import MODEL, evaluate
from jumpnet.study.store import Store

NAME = "replay"
PANEL = "Simulation and studies"
EXAMPLE = "jumpnet replay 5f3a --store small.sqlite"


def run(
    name: str = typer.Argument(..., metavar="HASH", help="Hash of a point, or the beginning of it."),
    store: Path = typer.Option(..., help="Store that has the point."),
    as_json: AsJson = False,
) -> None:
    """Run one stored point again and say whether every figure is the same."""
    if not store.is_file():
        raise JumpnetError(f"{store}: no store found, that of a study expected")
    with Store(store) as opened:
        row = opened.get(name)
    if point_hash(row.config, MODEL) != row.hash:
        raise JumpnetError(f"point {row.hash} was made with another model of the simulator than {MODEL!r}")
    if is_unsure(row.config):
        notice(f"point {row.hash} does not say what {row.config['network']} was: it may have been another network")
    again = evaluate(row.config)["result"]
    stored = row.result
    differing = sorted(key for key in stored if key not in again or stored[key] != again[key])
    if as_json:
        new = sorted(again.keys() - stored.keys())
        emit_json([{"hash": row.hash, "equal": not differing, "differing": differing, "not_stored": new}])
    elif not differing:
        print(f"{row.hash}: all {len(stored)} figures equal, bit by bit")
    else:
        print(f"{row.hash}: differs in {', '.join(differing)}")
    if differing:
        raise typer.Exit(1)
