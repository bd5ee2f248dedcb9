"""Kinds of study points besides simulations: the yield of wafers, and what faults leave of a network.

A point whose `kind` is named here has settings of its own, and takes no load. Used by `study/point.py`, so that stores,
sweeps, results and replay treat all kinds alike.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from jumpnet.analysis.reconfigure import array_for
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.fault.defects import seed_probability
from jumpnet.fault.method import method as method_named
from jumpnet.fault.random_faults import with_faults
from jumpnet.fault.yields import BOUND, wafer_yield
from jumpnet.routing import bind
from jumpnet.sim.result import provenance
from jumpnet.study.degrade import degradation_point, short_runs
from jumpnet.study.store import canonical
from jumpnet.topology import build, family

__all__ = ["KINDS", "KIND_SETTINGS", "evaluate_kind", "resolve_kind"]

Config = dict[str, Any]


class Kind(NamedTuple):
    """One kind of point."""

    settings: Mapping[str, Any]
    """Its settings and their defaults; the types of the defaults are the types."""
    check: Callable[[Config], None]
    """Raises JumpnetError for settings that could not run."""
    evaluate: Callable[[Config], Config]
    """The figures of a resolved configuration, the same on every run."""


def _array(config: Config) -> Any:
    return array_for(build(config["network"]), config["spares"], config["sides"], config["tracks"])


def _check_yield(config: Config) -> None:
    _array(config)
    seed_probability(config["density"], config["pattern"])
    if config["method"] != BOUND:
        method_named(config["method"])


def _yield(config: Config) -> Config:
    words = {
        key: config[key] for key in ("method", "pattern", "seed", "link_density", "switch_density", "track_density")
    }
    point = wafer_yield(_array(config), config["density"], config["wafers"], threads=1, **words)
    low, high = point.band
    return {
        "repaired": point.repaired,
        "yield": point.fraction,
        "low": low,
        "high": high,
        "area_ratio": point.array.area_ratio,
        "yield_per_area": point.per_area,
    }


def _check_degrade(config: Config) -> None:
    net = build(config["network"])
    with_faults(net, config["fault_kind"], config["faults"], config["seed"])
    bind(config["routing"], net, config["vcs"] or None)


def _degrade(config: Config) -> Config:
    runs = short_runs(packet_flits=config["packet_flits"], seed=config["seed"]) if config["simulate"] else None
    words = {key: config[key] for key in ("faults", "seed", "routing")}
    return degradation_point(config["network"], config["fault_kind"], vcs=config["vcs"] or None, config=runs, **words)


KINDS = {
    "yield": Kind(
        {
            "method": "local",
            "spares": 1,
            "sides": "NESW",
            "tracks": 1,
            "density": 0.01,
            "link_density": 0.0,
            "switch_density": 0.0,
            "track_density": 0.0,
            "pattern": "random",
            "wafers": 1000,
            "seed": 1,
        },
        _check_yield,
        _yield,
    ),
    "degrade": Kind(
        {
            "routing": "lash",
            "fault_kind": "nodes",
            "faults": 0,
            "vcs": 0,
            "simulate": True,
            "packet_flits": "4",
            "seed": 1,
        },
        _check_degrade,
        _degrade,
    ),
}
KIND_SETTINGS = ("kind", *sorted({key for kind in KINDS.values() for key in kind.settings}))
"""Keys that studies may set for these kinds."""


def resolve_kind(point: Mapping[str, Any]) -> Config:
    """The complete configuration of a point of another kind: canonical spec, every setting of its kind.

    >>> resolve_kind({"kind": "yield", "network": "torus:8x8"})["wafers"]
    1000
    """
    name = str(point["kind"])
    if name not in KINDS:
        raise unknown_name("kind of point", name, ["simulate", *KINDS])
    kind = KINDS[name]
    config: Config = {"kind": name, "network": family(str(point["network"])).spec, **kind.settings}
    for key, value in point.items():
        if key in ("kind", "network") or (key == "routing" and value is None):
            continue
        if key not in kind.settings:
            raise unknown_name(f"setting of kind {name}", key, kind.settings)
        wanted = type(kind.settings[key])
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not (isinstance(value, wanted) and (wanted is bool) == isinstance(value, bool)):
            if not (whole and wanted in (float, str)):
                raise JumpnetError(f"{key} {value!r} found, {wanted.__name__} expected")
            value = wanted(value)
        config[key] = value
    kind.check(config)
    return config


def evaluate_kind(config: Config) -> Config:
    """`result` and `about` of a resolved configuration, as `point.evaluate` gives them."""
    figures = KINDS[config["kind"]].evaluate(config)
    settings = {key: value for key, value in config.items() if key != "network"}
    row = {**settings, **figures, "spec": config["network"], "kind": config["kind"]}
    return {"result": json.loads(canonical(row)), "about": provenance()}
