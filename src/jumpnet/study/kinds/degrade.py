"""Points of kind `degrade`: what a number of faults leaves of a network and its routing, see `study/degrade.py`."""

from __future__ import annotations

from jumpnet.study.kinds._kind import Config, Kind

__all__ = ["faults"]


def _check(config: Config) -> None:
    from jumpnet.fault.random_faults import with_faults
    from jumpnet.routings import bind
    from jumpnet.topology import build

    net = build(config["network"])
    with_faults(net, config["fault_kind"], config["faults"], config["seed"])
    bind(config["routing"], net, config["vcs"] or None)


def _evaluate(config: Config) -> Config:
    from jumpnet.study.degrade import degradation_point, short_runs

    runs = short_runs(packet_flits=config["packet_flits"], seed=config["seed"]) if config["simulate"] else None
    words = {key: config[key] for key in ("faults", "seed", "routing")}
    return degradation_point(config["network"], config["fault_kind"], vcs=config["vcs"] or None, config=runs, **words)


faults = Kind(
    "degrade",
    {
        "routing": "lash",
        "fault_kind": ("nodes", "links"),
        "faults": 0,
        "vcs": 0,
        "simulate": True,
        "packet_flits": "4",
        "seed": 1,
    },
    _check,
    _evaluate,
    ("faults", "average_route"),
    "what a number of faults leaves of a network and its routing",
    {
        "routing": "Routing, bound again to the degraded network.",
        "fault_kind": "What fails.",
        "faults": "How many fail.",
        "vcs": "Virtual channels of a port; 0: what the routing needs.",
        "simulate": "Whether the saturation load is searched by simulation.",
        "packet_flits": "Packet lengths of the simulation.",
        "seed": "Which faults, and the seed of the simulation.",
    },
)
