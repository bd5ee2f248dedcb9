"""What a kind of study points is: settings with defaults, a check before anything runs, and the figures.

Used by every kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Config", "Kind"]

Config = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """One kind of point, beside simulations."""

    name: str
    """What a study calls it: `kind = "yield"`."""
    settings: Mapping[str, Any]
    """Its settings and their defaults; the types of the defaults are the types."""
    check: Callable[[Config], None]
    """Raises JumpnetError for settings that could not run."""
    evaluate: Callable[[Config], Config]
    """The figures of a resolved configuration, the same on every run."""
    axes: tuple[str, str]
    """What `jumpnet plot` draws: the setting that runs across, and the figure."""
