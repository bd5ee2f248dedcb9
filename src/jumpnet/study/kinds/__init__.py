"""Kinds of study points besides simulations: one file = one kind, with settings of its own, that takes no load.

A file defines a `Kind` and imports what it computes with inside its functions, so that listing a study stays fast.
Used by `study/point.py`: stores, sweeps, results and replay treat all kinds alike.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from jumpnet.errors import unknown_name
from jumpnet.registry import Registry, instances
from jumpnet.study.kinds._kind import Config, Kind
from jumpnet.study.names import canonical

__all__ = ["Kind", "evaluate_kind", "kind_settings", "kinds", "resolve_kind", "takes_load"]

_registry: Registry[Kind] = Registry("kind of point", __name__, instances(Kind))


def kinds() -> dict[str, Kind]:
    """Every kind by name."""
    return _registry.all()


def kind_settings() -> tuple[str, ...]:
    """Keys that studies may set for these kinds."""
    return ("kind", *sorted({key for kind in kinds().values() for key in kind.settings}))


def takes_load(name: str) -> bool:
    """Whether points of a kind have a load; what is no kind has none.

    >>> takes_load("simulate"), takes_load("multicast"), takes_load("yield")
    (True, True, False)
    """
    return name == "simulate" or (name in kinds() and "load" in kinds()[name].settings)


def resolve_kind(point: Mapping[str, object], load: float | None = None) -> Config:
    """The complete configuration of a point of another kind: canonical spec, every setting of its kind.

    load: that of the point, for kinds that take one.

    >>> resolve_kind({"kind": "yield", "network": "torus:8x8"})["wafers"]
    1000
    """
    from jumpnet.topology import family

    name = str(point["kind"])
    if name not in kinds():
        raise unknown_name("kind of point", name, ["simulate", *kinds()])
    kind = kinds()[name]
    given = {key: value for key, value in point.items() if key not in ("kind", "network")}
    if given.get("routing", "") is None:
        del given["routing"]
    spec = family(str(point["network"])).spec
    config: Config = {"kind": name, "network": spec, **kind.settings.complete(given)}
    if load is not None and "load" in kind.settings:
        config["load"] = load
    kind.check(config)
    return config


def evaluate_kind(config: Config) -> Config:
    """`result` and `about` of a resolved configuration, as `point.evaluate` gives them."""
    from jumpnet.sim.result.point_name import provenance

    figures = kinds()[config["kind"]].evaluate(config)
    settings = {key: value for key, value in config.items() if key != "network"}
    row = {**settings, **figures, "spec": config["network"], "kind": config["kind"]}
    return {"result": json.loads(canonical(row)), "about": provenance()}
