"""Settings drawn for a machine, without those that would change nothing: each of these must be refused first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.design import Costs
from jumpnet.machine.timed.networks import KINDS, WORDS

__all__ = ["that_count"]

NAMES = {
    "hints": "hints", "exclusive": "exclusive", "pages in update mode": "update_pages", "page entry": "page_entry",
    "a pruning cache": "pruning", "endpoints": "endpoints", "combining entries": "combining_entries",
}  # fmt: skip
"""What a refusal calls a setting."""


def _without(what: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings without a refused one, which must be among them."""
    if not what.startswith("cost "):
        (key,) = (key for name, key in NAMES.items() if name in what)
        return {name: value for name, value in settings.items() if name != key}
    costs, name = settings["costs"], what.removeprefix("cost ")
    if name in WORDS:
        kind = KINDS[WORDS.index(name)]
        return {**settings, "costs": replace(costs, handlers={k: v for k, v in costs.handlers.items() if k != kind})}
    field = name.replace("-", "_") + "_cycles"
    return {**settings, "costs": replace(costs, **{field: getattr(Costs(), field)})}


def that_count(check: Callable[..., object], settings: dict[str, Any]) -> dict[str, Any]:
    """The settings that `check(**settings)` takes; what it refuses otherwise, or without being given it, is raised."""
    while True:
        try:
            check(**settings)
        except JumpnetError as error:
            what, refused, _ = str(error).partition(" found without ")
            left = _without(what, settings) if refused else settings
            if left == settings:
                raise
            settings = left
        else:
            return settings
