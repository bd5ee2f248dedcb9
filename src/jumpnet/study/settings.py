"""What a study file may set, and the version of what that means; loads neither networks nor the simulator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jumpnet.sim.config.sim_config import PRESETS, SimConfig
from jumpnet.study.kinds import kind_settings

__all__ = ["MODEL", "PRESETS", "settings", "varied"]

MODEL = "simulator 2"
"""Version of what a configuration means; raised when the same configuration gives other figures."""
FIGURES_TOO = frozenset({"warmup_cycles"})
"""Settings by whose names a row of results has what came out: no setting differs if other ones and the load tell all
rows apart."""


def settings() -> tuple[str, ...]:
    """Settings of simulations and of all other kinds of points.

    >>> "buffer_flits" in settings() and "wafers" in settings()
    True
    """
    return tuple(dict.fromkeys((*SimConfig.model_fields, *kind_settings())))


def varied(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The settings in which rows of results differ, but for the load: what tells their curves apart.

    >>> varied([{"spec": "ring", "vcs": 2, "load": 0.1}, {"spec": "ring", "vcs": 4, "load": 0.2}])
    ['vcs']
    >>> varied([{"load": 0.1, "warmup_cycles": 5000}, {"load": 0.2, "warmup_cycles": 5500}])
    []
    """
    first = ("spec", "routing", "kind")
    names = [*first, *(name for name in settings() if name not in (*first, "load"))]
    varying = [name for name in names if len({str(row.get(name)) for row in rows}) > 1]
    for figure in FIGURES_TOO & set(varying):
        others = [name for name in varying if name != figure] + ["load"]
        if len({str([row.get(name) for name in others]) for row in rows}) == len(rows):
            varying.remove(figure)
    return varying
