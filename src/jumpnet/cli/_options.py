"""Arguments and options that several verbs share: one thing has one name and one description. Used by every verb."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["AsJson", "RoutingName", "Spec", "StoreFile", "StudyFile", "Vcs"]

Spec = Annotated[str, typer.Argument(metavar="SPEC", help="Network, e.g. rdt:64 or torus:8x8.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object per line instead of a table.")]
RoutingName = Annotated[
    str, typer.Option("--routing", help="Routing, e.g. torus.dateline; the family's default if left out.")
]
Vcs = Annotated[
    int,
    typer.Option("--vcs", show_default=False, help="Virtual channels of a port; what the routing needs if left out."),
]
StudyFile = Annotated[Path, typer.Argument(metavar="STUDY", help="Study file (TOML).")]
StoreFile = Annotated[Path | None, typer.Option("--store", help="Store; the study's name with .sqlite if left out.")]
