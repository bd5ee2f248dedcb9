"""What a kind of study points is: settings with defaults, a check before anything runs, and the figures.

Used by every kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from jumpnet.settings.settings import Settings, settings_from

__all__ = ["Config", "Kind"]

Config = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """One kind of point, beside simulations."""

    name: str
    """What a study calls it: `kind = "yield"`."""
    options: Mapping[str, Any]
    """Its settings with their defaults, whose types are the types, or with the values allowed, the default first."""
    check: Callable[[Config], None]
    """Raises JumpnetError for settings that could not run."""
    evaluate: Callable[[Config], Config]
    """The figures of a resolved configuration, the same on every run."""
    axes: tuple[str, str]
    """What `jumpnet plot` draws: the setting that runs across, and the figure."""
    summary: str = ""
    """One line for `jumpnet list`."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """What each setting means, in one line for `jumpnet list`."""

    @cached_property
    def settings(self) -> Settings:
        """The options, as they are read and listed."""
        return settings_from(f"kind {self.name}", self.options, self.meanings)
