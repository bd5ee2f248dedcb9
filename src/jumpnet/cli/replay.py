"""`jumpnet replay HASH`: runs one stored point again and compares it with the store, bit by bit."""

from __future__ import annotations

from pathlib import Path

import typer

from jumpnet.cli._output import JSON_OPTION_HELP, emit_json
from jumpnet.errors import JumpnetError
from jumpnet.study.names import point_hash
from jumpnet.study.point import MODEL, evaluate
from jumpnet.study.store import Store

NAME = "replay"


def run(
    name: str = typer.Argument(..., metavar="HASH", help="Hash of a point, or the beginning of it."),
    store: Path = typer.Option(..., help="Store that has the point."),
    as_json: bool = typer.Option(False, "--json", help=JSON_OPTION_HELP),
) -> None:
    """Run one stored point again and say whether every figure is the same."""
    if not store.exists():
        raise JumpnetError(f"{store}: no store found")
    with Store(store) as opened:
        row = opened.get(name)
    if point_hash(row.config, MODEL) != row.hash:
        raise JumpnetError(f"point {row.hash} was made with another model of the simulator than {MODEL!r}")
    again = evaluate(row.config)["result"]
    differing = sorted(k for k in {*row.result, *again} if row.result.get(k) != again.get(k))
    if as_json:
        emit_json([{"hash": row.hash, "equal": not differing, "differing": differing}])
    elif not differing:
        print(f"{row.hash}: all {len(again)} figures equal, bit by bit")
    else:
        print(f"{row.hash}: differs in {', '.join(differing)}")
    if differing:
        raise typer.Exit(1)
