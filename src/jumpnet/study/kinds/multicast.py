"""Points of kind `multicast`: multicasts under load, see `sim/multicast/simulate.py`; they take a load, and presets."""

from __future__ import annotations

from dataclasses import replace

from jumpnet.settings.settings import settings_of
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.study.kinds._kind import Config, Kind

__all__ = ["multicasts"]

_CHECKED_SOURCES = 16
"""Sources, spread evenly, whose first multicast is resolved before a point starts."""

_OPEN = ("vcs", "warmup_cycles", "measure_cycles")
"""Settings that may be left open: 0 here, None there."""
_SIM = settings_of(SimConfig)


def _settings(config: Config) -> Config:
    """The settings as `simulate_multicasts` takes them."""
    given = {key: value for key, value in config.items() if key not in ("kind", "network", "routing")}
    return {key: value for key, value in given.items() if value or key not in _OPEN}


def _check(config: Config) -> None:
    from jumpnet.sim.config.sim_config import config_from, split_settings
    from jumpnet.sim.multicast.config import MulticastConfig
    from jumpnet.sim.multicast.creation import Creation
    from jumpnet.sim.multicast.messages import check_settings
    from jumpnet.sim.multicast.trees import trees_for
    from jumpnet.topology import build

    mine, own = split_settings(_settings(config), MulticastConfig)
    net, chosen, cast = build(config["network"]), config_from(mine), MulticastConfig(**own)
    check_settings(net, chosen, cast)
    trees = trees_for(net, config["routing"], chosen, cast)
    sources = Creation(net, chosen, cast, trees)
    if cast.multicast_share > 0.0:  # a routing that gives a choice, or a territory too small, shows in the trees only
        for terminal in range(0, net.endpoints, max(1, net.endpoints // _CHECKED_SOURCES)):
            trees.number(terminal, sources.destinations(terminal, 0))


def _evaluate(config: Config) -> Config:
    from jumpnet.sim.multicast.simulate import simulate_multicasts

    row = simulate_multicasts(config["network"], config["routing"], **_settings(config)).row()
    told = ("cpu_seconds", "flit_hops_per_cpu_second", "hash", *config)
    return {**{key: value for key, value in row.items() if key not in told}, "trees": row["routing"]}


multicasts = Kind(
    "multicast",
    {
        "routing": "",
        **_SIM,
        **{name: replace(_SIM[name], kind=int, default=0, bounds={}) for name in _OPEN},
        **settings_of(MulticastConfig),
    },
    _check,
    _evaluate,
    ("load", "multicast_latency_mean_cycles"),
    "multicasts on trees under load",
    {
        "routing": "Routing of the network; that of its family when empty.",
        "vcs": "Virtual channels of the routing in each message class; 0: what it needs, or `least_vcs`.",
        "warmup_cycles": "Cycles before measuring; 0: detected, at most half of `max_cycles`.",
        "measure_cycles": "Cycles measured; 0: until the latency is known to `precision` or `max_cycles` are spent.",
    },
)
