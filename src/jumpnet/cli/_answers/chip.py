"""Loads of the router chip as rows. Used by `jumpnet chip`."""

from __future__ import annotations

import dataclasses
from typing import Any

from jumpnet.chip.load import Load, run_load
from jumpnet.chip.settings import Settings
from jumpnet.settings.settings import settings_of

__all__ = ["load_row"]


def load_row(spec: str, load: Load, settings: Settings) -> dict[str, Any]:
    """A load and what came of it, as one flat object."""
    found = run_load(spec, load, settings)
    defaults = settings_of(Settings, "chip").defaults
    kept = {f"set_{name}": value for name, value in vars(settings).items() if value != defaults[name]}
    return {"spec": spec, **dataclasses.asdict(load), **kept, **dataclasses.asdict(found)}
