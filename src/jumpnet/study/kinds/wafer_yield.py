"""Points of kind `yield`: the share of wafers that a reconfiguration method repairs, see `fault/yields.py`."""

from __future__ import annotations

from typing import Any

from jumpnet.study.kinds._kind import Config, Kind

__all__ = ["wafers"]

BREAKS = ("link", "switch", "track")


def _array(config: Config) -> Any:
    from jumpnet.analysis.reconfigure import array_for
    from jumpnet.topology import build

    return array_for(build(config["network"]), config["spares"], config["sides"], config["tracks"])


def _check(config: Config) -> None:
    from jumpnet.fault.defects import seed_probability
    from jumpnet.fault.method import method
    from jumpnet.fault.yields import BOUND

    _array(config)
    seed_probability(config["density"], config["pattern"])
    if config["method"] != BOUND:
        method(config["method"])
    for kind in BREAKS:
        seed_probability(config[f"{kind}_density"], config["pattern"])


def _evaluate(config: Config) -> Config:
    from jumpnet.fault.yields import wafer_yield

    words = {key: config[key] for key in ("method", "pattern", "seed", *(f"{kind}_density" for kind in BREAKS))}
    return wafer_yield(_array(config), config["density"], config["wafers"], threads=1, **words).figures()


wafers = Kind(
    "yield",
    {
        "method": "local",
        "spares": 1,
        "sides": "NESW",
        "tracks": 1,
        "density": 0.01,
        "link_density": 0.0,
        "switch_density": 0.0,
        "track_density": 0.0,
        "pattern": ("random", "clustered"),
        "wafers": 1000,
        "seed": 1,
    },
    _check,
    _evaluate,
    ("density", "yield"),
    "the share of wafers that a reconfiguration method repairs",
    {
        "method": "How wafers are repaired; `bound` for what no method can exceed.",
        "spares": "Spare lines on each side.",
        "sides": "Sides with spare lines, by their first letters.",
        "tracks": "Tracks between elements.",
        "density": "Mean part of the elements that are defective.",
        "link_density": "Probability of a broken link.",
        "switch_density": "Probability of a broken switch.",
        "track_density": "Probability of a broken piece of track.",
        "pattern": "How defects are drawn.",
        "wafers": "Wafers that are drawn.",
        "seed": "Which wafers.",
    },
)
