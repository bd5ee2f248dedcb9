"""Settings and loads of the router chip from the words of `jumpnet chip`. Used by that verb."""

from __future__ import annotations

import dataclasses
from typing import Any

from jumpnet.chip.load import Load, run_load
from jumpnet.chip.settings import Settings
from jumpnet.errors import JumpnetError
from jumpnet.spec import fields_from

__all__ = ["load_row", "settings_from"]


def settings_from(words: list[str]) -> Settings:
    """Settings from words such as `entries=2`. Raises JumpnetError for names and values that there are not.

    >>> settings_from(["entries=2", "full_duplex=true"]).entries
    2
    """
    keyed: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name in keyed:
            wrong = "one value of each setting" if equals else "a setting such as entries=2"
            raise JumpnetError(f"--set {word} found, {wrong} expected")
        keyed[name] = value
    return Settings(**fields_from(Settings, "settings", [], keyed))


def load_row(spec: str, load: Load, settings: Settings) -> dict[str, Any]:
    """A load and what came of it, as one flat object."""
    found = run_load(spec, load, settings)
    kept = {
        f"set_{f.name}": getattr(settings, f.name)
        for f in dataclasses.fields(settings)
        if getattr(settings, f.name) != f.default
    }
    return {"spec": spec, **dataclasses.asdict(load), **kept, **dataclasses.asdict(found)}
