"""Loads of the router chip as rows. Used by `jumpnet chip`."""

from __future__ import annotations

import dataclasses
from typing import Any

from jumpnet.chip.load import Load, run_load
from jumpnet.chip.settings import Settings

__all__ = ["load_row"]


def load_row(spec: str, load: Load, settings: Settings) -> dict[str, Any]:
    """A load and what came of it, as one flat object."""
    found = run_load(spec, load, settings)
    kept = {
        f"set_{f.name}": getattr(settings, f.name)
        for f in dataclasses.fields(settings)
        if getattr(settings, f.name) != f.default
    }
    return {"spec": spec, **dataclasses.asdict(load), **kept, **dataclasses.asdict(found)}
