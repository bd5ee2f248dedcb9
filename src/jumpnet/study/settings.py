"""What a study file may set, and the version of what that means; loads neither networks nor the simulator."""

from __future__ import annotations

from jumpnet.sim.config import PRESETS, SimConfig
from jumpnet.study.kinds import kind_settings

__all__ = ["MODEL", "PRESETS", "settings"]

MODEL = "simulator 2"
"""Version of what a configuration means; raised when the same configuration gives other figures."""


def settings() -> tuple[str, ...]:
    """Settings of simulations and of all other kinds of points.

    >>> "buffer_flits" in settings() and "wafers" in settings()
    True
    """
    return tuple(dict.fromkeys((*SimConfig.model_fields, *kind_settings())))
