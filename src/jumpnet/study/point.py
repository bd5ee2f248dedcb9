"""Simulator points for studies: `resolve` completes a configuration so that it names its point, `evaluate` runs it.

A resolved configuration is plain JSON with every setting spelled out; with `MODEL` it determines the result bit for
bit. Used by the verbs `sweep`, `results` and `replay`; workers import it by name.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from jumpnet._seal import EVERY_CPU_SECONDS
from jumpnet.errors import JumpnetError
from jumpnet.jit.sources import content_key
from jumpnet.memory import available_bytes, readable
from jumpnet.own import OwnFile, contents, loaded, must_have, needed
from jumpnet.routings import BoundRouting, bind, default_routing
from jumpnet.sim.config.sim_config import SimConfig, config_from
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.measure.checkpoint import Checkpoint
from jumpnet.sim.measure.measure import measure
from jumpnet.sim.memory.allocate import estimate_bytes
from jumpnet.sim.resolve.by_routing import against, bound_with
from jumpnet.sim.result.point import up_to_last
from jumpnet.sim.result.point_name import prepared, provenance
from jumpnet.study.kinds import evaluate_kind, resolve_kind
from jumpnet.study.names import CONTENT, OWN, canonical, point_hash
from jumpnet.study.networks import content_of, network_of
from jumpnet.study.settings import MODEL
from jumpnet.topology import family
from jumpnet.traffic import bind as bind_traffic
from jumpnet.traffic import pattern, process

__all__ = ["MODEL", "evaluate", "memory_bytes", "require_memory", "resolve"]

CHECKPOINT_CPU_SECONDS = EVERY_CPU_SECONDS
"""CPU seconds after which a point counts as long and is kept."""

TIMING = ("cpu_seconds", "flit_hops_per_cpu_second")
"""Figures that differ from run to run; kept with the provenance, not with the result."""


def resolve(point: dict[str, Any], load: float) -> dict[str, Any]:
    """The complete configuration of a study's point: canonical specs, every setting, channels as the routing needs.

    Raises JumpnetError for anything the simulator would refuse, before a point is started. A point of another `kind`
    is completed by `kinds`, and has no load.

    >>> config = resolve({"network": "torus:4x4"}, 0.1)
    >>> config["routing"], config["load"], config["vcs"]
    ('torus.dateline', 0.1, 2)
    """
    if point.get("kind", "simulate") != "simulate":
        config = resolve_kind(point, load)
        network = content_of(config["network"])
    elif not 0.0 <= load <= 1.0:
        raise JumpnetError(f"load {load!r} found, 0 to 1 expected")
    else:
        network = content_of(family(str(point["network"])).spec)
        config = {**_without_load(canonical(point), loaded(), network), "load": float(load)}
    files = needed(config.values())
    if not files and network is None:
        return config
    content = contents(config.values()) | (_prepared(config, network) if files else {})
    if network is not None:
        content = {f"{name}()" if name == "network" else name: what for name, what in content.items()}
        content["network"] = network
    return {**config, CONTENT: content} | ({OWN: files} if files else {})


def _prepared(config: dict[str, Any], content: str | None) -> dict[str, str]:
    """Hashes of what `prepare` of the user's routings and patterns makes for a point's network: it may read files."""
    net, found = network_of(config["network"], content), {}
    bound = bind(config["routing"], net, config.get("vcs") or None) if "routing" in config else None
    if bound is not None and bound.own and (arrays := prepared(bound)):
        found["prepared routing"] = content_key(arrays)
    classes = [config, *(config.get("more_classes") or ())] if "kind" not in config else []
    for name in sorted({each["traffic"] for each in classes}):
        pattern = bind_traffic(name, net)
        if pattern.pattern.own and (arrays := prepared(pattern)):
            found[f"prepared {name}"] = content_key(arrays)
    return found


@lru_cache(maxsize=4096)
def _without_load(text: str, files: tuple[OwnFile, ...], content: str | None) -> dict[str, Any]:
    """A resolved configuration for a point written as canonical JSON, with any load, when these files are loaded.

    content: hash of a network whose spec does not say what it is.
    """
    point = json.loads(text)
    config = config_from({key: value for key, value in point.items() if key not in ("network", "routing", "kind")})
    for each in config.all_classes:  # unknown names are looked for in packages
        pattern(each.traffic)
        process(each.injection)
    spec = family(str(point["network"])).spec
    net = network_of(spec, content)
    routing = point.get("routing") or default_routing(net, config.vcs)
    bound = bound_with(str(routing), net, config.vcs, config.least_vcs)
    config = against(config, bound)
    return {"network": spec, "routing": bound.name, **config.model_dump(), "vcs": bound.vcs}


def simulated(config: dict[str, Any]) -> tuple[BoundRouting, SimConfig]:
    """What a resolved configuration of a simulation names: the routing on its network, and the simulator's settings."""
    settings = {key: value for key, value in config.items() if key not in ("network", "routing", OWN, CONTENT)}
    net = network_of(config["network"], config.get(CONTENT, {}).get("network"))
    return bind(config["routing"], net, config["vcs"]), config_from(settings)


def evaluate(config: dict[str, Any], checkpoints: Path | None = None, threads: int | None = None) -> dict[str, Any]:
    """Run one resolved configuration: `result` (figures, latency histogram up to its last packet) and `about`.

    `result` is equal bit by bit on every run, for any number of `threads` (None: see `team.threads_for`); times and
    versions are in `about`. With a folder for `checkpoints`, a long point is kept there and goes on from there.
    """
    must_have(config.get(OWN, {}))
    if "kind" in config:
        if content := config.get(CONTENT, {}).get("network"):
            network_of(config["network"], content)
        return evaluate_kind({key: value for key, value in config.items() if key not in (OWN, CONTENT)})
    bound, settings = simulated(config)
    kept = None
    if checkpoints is not None and checkpoints.is_dir():
        file = checkpoints / f"{point_hash(config, MODEL)}.npz"
        kept = Checkpoint(file, CHECKPOINT_CPU_SECONDS, optional=True)
    found = measure(Engine(bound.network, bound, settings, threads=threads), kept)
    row = found.row()
    timing = {key: row.pop(key) for key in TIMING}
    row["latency_histogram"] = up_to_last(found.latency_histogram)
    row["flit_latency_histogram"] = up_to_last(found.flit_latency_histogram)
    resumed = kept.resumed_cycle if kept is not None else 0
    return {"result": json.loads(canonical(row)), "about": {**timing, **provenance(), "resumed_cycle": resumed}}


def memory_bytes(config: dict[str, Any]) -> int | None:
    """What the arrays of a simulation take; None for points of another kind, whose memory is not known before."""
    if "kind" in config:
        return None
    bound, settings = simulated(config)
    return estimate_bytes(bound.network, bound, settings)


def require_memory(config: dict[str, Any], workers: int) -> None:
    """Refuse a simulation that would not fit `workers` times in the memory there is, with the estimate."""
    need, limit = memory_bytes(config) or 0, available_bytes()
    if need * workers > limit:
        raise JumpnetError(
            f"{config['network']}: {readable(need)} for each of {workers} workers found, "
            f"{readable(limit)} in all expected; --workers {max(1, int(limit // need))} would fit"
            if need <= limit
            else f"{config['network']}: {readable(need)} needed for one point, {readable(limit)} available"
        )
