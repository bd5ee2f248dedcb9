"""BookSim's topologies by their names here, with the link latencies that BookSim gives them.

Each builder takes the settings; `target` puts the network beside its routing. Source: the behaviour of BookSim2, commit
28f4329. Called by `_meaning` and `_traffic`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.networks import Network
from jumpnet.study.booksim._keys import Value
from jumpnet.study.booksim._routings import routing_of
from jumpnet.terms import I64
from jumpnet.topology import build

__all__ = ["Target", "target"]

Settings = Mapping[str, Value]


MOST_DIMENSIONS = 64
"""Sides of one router each are all that would fit beyond."""


EXPRESS = 4
"""Class of the express links of a concentrated mesh."""


class Target(NamedTuple):
    """What a configuration's topology and routing function mean here."""

    network: Network
    routing: str
    link_cycles: int
    """Latency of links whose network gives none."""
    node: I64 | None
    """(T,) terminal here of each BookSim node; None when the numbers are the same."""


def _cube(settings: Settings, family: str, more: str = "") -> Network:
    if not 1 <= int(settings["n"]) <= MOST_DIMENSIONS:
        raise JumpnetError(f"n = {settings['n']} found, 1 to {MOST_DIMENSIONS} dimensions expected")
    return build(f"{family}:" + "x".join([str(settings["k"])] * int(settings["n"])) + more)


def _torus(settings: Settings) -> tuple[Network, int, I64 | None]:
    more = ",double=true" if int(settings["k"]) == 2 else ""
    return _cube(settings, "torus", more), 2 if settings["use_noc_latency"] == 1 else 1, None


def _mesh(settings: Settings) -> tuple[Network, int, I64 | None]:
    return _cube(settings, "mesh"), 1, None


def _cmesh(settings: Settings) -> tuple[Network, int, I64 | None]:
    k, c = int(settings["k"]), int(settings["c"])
    if int(settings["n"]) != 2 or c % 2:
        raise JumpnetError(f"n = {settings['n']}, c = {c} found, n = 2 and an even c expected with topology = cmesh")
    wide = c // 2
    plain = str(settings["routing_function"]).endswith("no_express")
    net = build(f"cmesh:{k}x{k},c={c}" + (",express=false" if plain else ""))
    number = np.arange(k * k * c)
    x, y = number % (k * wide), number // (k * wide)
    tall = c // wide
    node = (y // tall * k + x // wide) * c + y % tall * wide + x % wide
    if settings["use_noc_latency"] == 1:
        cycles = np.where(net.link_class // 2 == 0, wide, tall)
        by_x = np.arange(net.ports) < 2  # ports of express links along y
        cycles = np.where(net.link_class == EXPRESS, np.where(by_x, tall, wide) * k // 2, cycles)
        net = replace(net, latency=cycles.astype(np.int32))
    return net, 1, node


def _fly(settings: Settings) -> tuple[Network, int, I64 | None]:
    return build(f"fly:{settings['k']},n={settings['n']}"), 1, None


def _fattree(settings: Settings) -> tuple[Network, int, I64 | None]:
    return build(f"fattree:{settings['k']},n={settings['n']}"), 1, None


def _trees(more: str) -> Callable[[Settings], tuple[Network, int, I64 | None]]:
    """A tree of the one size that BookSim2 has."""

    def built(settings: Settings) -> tuple[Network, int, I64 | None]:
        if (found := (int(settings["k"]), int(settings["n"]))) != (4, 3):
            raise JumpnetError(
                f"k = {found[0]}, n = {found[1]} found, k = 4 and n = 3 expected with topology = {settings['topology']}"
            )
        return build(f"threetier:4{more}"), 1, None

    return built


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
    if not settings["network_file"]:
        raise JumpnetError("topology = anynet found without network_file, the file of its routers and links expected")
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
    "qtree": _trees(",aggregation=1,core=1"),
    "tree4": _trees(""),
    "flatfly": _flatfly,
    "dragonflynew": _dragonfly,
    "anynet": _anynet,
}


def target(settings: Settings) -> Target:
    """The network and routing of complete settings; raises JumpnetError naming the one key that is not supported."""
    topology = str(settings["topology"])
    if topology not in _BUILDERS:
        raise JumpnetError(f"topology = {topology}: {unknown_name('BookSim topology', topology, _BUILDERS)}")
    routing = routing_of(settings)
    net, link_cycles, node = _BUILDERS[topology](settings)
    return Target(net, routing, link_cycles, node)
