"""BookSim's topologies and routing functions by their names here, with the link latencies that BookSim gives them.

Each builder takes the settings and returns a `Target`; `_ROUTINGS` says which routing functions have the same
meaning here, `_OTHER_CHANNELS` which of them nearly so. Source: the behaviour of BookSim2, commit 28f4329. Called by
`_meaning` and `_traffic`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.networks import Network
from jumpnet.notices import notice
from jumpnet.study.booksim._keys import Value
from jumpnet.terms import I64
from jumpnet.topology import build

__all__ = ["Target", "target"]

Settings = Mapping[str, Value]


MOST_DIMENSIONS = 64
"""Sides of one router each are all that would fit beyond."""


class Target(NamedTuple):
    """What a configuration's topology and routing function mean here."""

    network: Network
    routing: str
    link_cycles: int
    """Latency of links whose network gives none."""
    node: I64 | None
    """(T,) terminal here of each BookSim node; None when the numbers are the same."""


def _cube(settings: Settings, family: str) -> Network:
    if not 1 <= int(settings["n"]) <= MOST_DIMENSIONS:
        raise JumpnetError(f"n = {settings['n']} found, 1 to {MOST_DIMENSIONS} dimensions expected")
    return build(f"{family}:" + "x".join([str(settings["k"])] * int(settings["n"])))


def _torus(settings: Settings) -> tuple[Network, int, I64 | None]:
    return _cube(settings, "torus"), 2 if settings["use_noc_latency"] == 1 else 1, None


def _mesh(settings: Settings) -> tuple[Network, int, I64 | None]:
    return _cube(settings, "mesh"), 1, None


def _cmesh(settings: Settings) -> tuple[Network, int, I64 | None]:
    k, c = int(settings["k"]), int(settings["c"])
    if int(settings["n"]) != 2 or c % 2:
        raise JumpnetError(f"n = {settings['n']}, c = {c} found, n = 2 and an even c expected with topology = cmesh")
    wide = c // 2
    net = build(f"cmesh:{k}x{k},c={c},express=false")
    number = np.arange(k * k * c)
    x, y = number % (k * wide), number // (k * wide)
    tall = c // wide
    node = (y // tall * k + x // wide) * c + y % tall * wide + x % wide
    if settings["use_noc_latency"] == 1:
        along_x = net.link_class // 2 == 0
        net = replace(net, latency=np.where(along_x, wide, tall).astype(np.int32))
    return net, 1, node


def _fly(settings: Settings) -> tuple[Network, int, I64 | None]:
    return build(f"fly:{settings['k']},n={settings['n']}"), 1, None


def _fattree(settings: Settings) -> tuple[Network, int, I64 | None]:
    return build(f"fattree:{settings['k']},n={settings['n']}"), 1, None


def _flatfly(settings: Settings) -> tuple[Network, int, I64 | None]:
    """Routers lie x by y on the plane, the nodes of each xr by yr; nodes are numbered row by row over the plane."""
    k, n, c = (int(settings[key]) for key in ("k", "n", "c"))
    x, y, xr, yr = (int(settings[key]) for key in ("x", "y", "xr", "yr"))
    net = build(f"flatfly:{k},n={n},c={c}")
    if (x, xr) != (y, yr) or x * y != net.routers or xr * yr != c:
        found = f"x = {x}, y = {y}, xr = {xr}, yr = {yr} found"
        raise JumpnetError(f"{found}, squares of {net.routers} routers and {c} nodes expected with topology = flatfly")
    router, place = np.divmod(np.arange(net.endpoints), c)
    number = (router // x * yr + place // xr) * (x * xr) + router % x * xr + place % xr
    node = np.argsort(number)
    if settings["use_noc_latency"] == 1:
        if xr > 3:
            raise JumpnetError(f"xr = {xr} found, at most 3 expected with use_noc_latency = 1 (equal wires to nodes)")
        here, there = np.arange(net.routers)[:, None], net.neighbor
        cycles = xr * abs(here % x - there % x) + yr * abs(here // x - there // x)
        net = replace(net, latency=cycles.astype(np.int32))
    return _inputs_by_source(net), 1, node


def _inputs_by_source(net: Network) -> Network:
    """The same with the input ports of every router in the order of the routers that send to them.

    Where a random input goes first, those behind inputs that ask for nothing win more often: their order shows.
    """
    rank = np.argsort(np.argsort(net.neighbor, axis=1), axis=1)  # of each neighbor among those of a router
    return replace(net, far_port=rank[net.neighbor, net.far_port].astype(np.int32), directed=True, orbits=None)


def _dragonfly(settings: Settings) -> tuple[Network, int, I64 | None]:
    if int(settings["n"]) != 1:
        raise JumpnetError(f"n = {settings['n']} found, 1 expected with topology = dragonflynew")
    net = build(f"dragonfly:{settings['k']}")
    return replace(net, latency=np.where(net.link_class == 0, 10, 100).astype(np.int32)), 1, None


def _anynet(settings: Settings) -> tuple[Network, int, I64 | None]:
    named = Path(str(settings["network_file"]))  # BookSim looks for it in the working directory alone
    path = named if named.is_file() else Path(str(settings.get("_folder", "."))) / named
    net = build(f"file:{path}" if path.suffix == ".anynet" else f"file:{path},format=anynet")
    nodes = net.attributes.get("nodes")
    return net, 1, None if nodes is None else np.argsort(np.asarray(nodes), kind="stable")


_BUILDERS: Mapping[str, Callable[[Settings], tuple[Network, int, I64 | None]]] = {
    "torus": _torus,
    "mesh": _mesh,
    "cmesh": _cmesh,
    "fly": _fly,
    "fattree": _fattree,
    "flatfly": _flatfly,
    "dragonflynew": _dragonfly,
    "anynet": _anynet,
}

_ROUTINGS: Mapping[str, Mapping[str, str]] = {
    "torus": {"dim_order": "torus.booksim", "min_adapt": "torus.duato", "valiant": "torus.valiant"},
    "mesh": {
        "dor": "mesh.dimension_order",
        "dim_order": "mesh.dimension_order",
        "min_adapt": "mesh.duato",
        "valiant": "mesh.valiant",
        "romm": "mesh.romm",
        "xy_yx": "mesh.o1turn",
        "adaptive_xy_yx": "mesh.o1turn_adaptive",
    },
    "cmesh": {"dor_no_express": "mesh.dimension_order", "xy_yx_no_express": "mesh.o1turn"},
    "fly": {"dest_tag": "fly.destination_tag"},
    "fattree": {"nca": "fattree.nca:up=random", "anca": "fattree.anca_booksim"},
    "flatfly": {
        "ran_min": "hyperx.dimension_order",
        "valiant": "hyperx.valiant_booksim",
        "ugal": "hyperx.ugal_booksim",
    },
    "dragonflynew": {"min": "dragonfly.booksim", "ugal": "dragonfly.ugal_booksim"},
    "anynet": {"min": "minimal"},
}

_OTHER_CHANNELS = frozenset({("mesh", "min_adapt"), ("torus", "min_adapt"), ("torus", "valiant")})
"""Routing functions whose virtual channels here are others than BookSim's, so that latency under load differs."""

_HALVES: Mapping[str, tuple[str, ...]] = {
    "mesh": ("valiant", "romm", "xy_yx", "adaptive_xy_yx"),
    "cmesh": ("xy_yx_no_express",),
    "flatfly": ("valiant", "ugal"),
}
"""Functions that give each of two phases, or orders, half of the virtual channels."""


def _channels_fit(settings: Settings) -> None:
    """Raise JumpnetError for virtual channels that BookSim's function shares out in a way that ours does not."""
    topology, function, vcs = settings["topology"], settings["routing_function"], int(settings["num_vcs"])
    if function == "anca" and not settings["routing_delay"]:
        raise JumpnetError(
            "routing_delay = 0 with routing_function = anca is not supported (each switch would have to look at the "
            "queues of the next one), 1 or more expected"
        )
    if topology == "dragonflynew" and function == "ugal" and vcs != 3:
        raise JumpnetError(f"num_vcs = {vcs} found, 3 expected with ugal on dragonflynew, as BookSim2 does")
    if topology == "dragonflynew" and str(settings["use_read_write"]).strip("{}") != "0":
        raise JumpnetError(
            f"use_read_write = {settings['use_read_write']} with topology = dragonflynew is not supported "
            "(BookSim2's routing does not look at their ranges of virtual channels there), 0 expected"
        )
    if function in _HALVES.get(str(topology), ()) and vcs % 2:
        raise JumpnetError(
            f"num_vcs = {vcs} found, an even number expected with topology = {topology} and "
            f"routing_function = {function} (BookSim2 lets both halves have the middle one)"
        )


def target(settings: Settings) -> Target:
    """The network and routing of complete settings; raises JumpnetError naming the one key that is not supported."""
    topology, function = str(settings["topology"]), str(settings["routing_function"])
    if topology not in _BUILDERS:
        raise JumpnetError(f"topology = {topology}: {unknown_name('BookSim topology', topology, _BUILDERS)}")
    known = _ROUTINGS[topology]
    if function not in known:
        raise JumpnetError(
            f"routing_function = {function} found, {' or '.join(known)} expected with topology = {topology}"
        )
    _channels_fit(settings)
    if (topology, function) in _OTHER_CHANNELS:
        notice(
            f"routing_function = {function} on a {topology} runs as {known[function]}, "
            "which shares out virtual channels otherwise than BookSim2: expect other figures under load"
        )
    net, link_cycles, node = _BUILDERS[topology](settings)
    return Target(net, known[function], link_cycles, node)
