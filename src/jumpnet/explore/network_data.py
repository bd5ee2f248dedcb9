"""What the page knows of a network: its arrays, where routers are drawn, names of ranks, routings that fit.

Called by `written`; the page's own side of it is `web/src/data/network.ts`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.explore.packed import pack
from jumpnet.explore.runs import fewest, names_for
from jumpnet.networks import Network
from jumpnet.plot.styles import BASE_COLOUR, places, rank_colours, rank_names, ranked

__all__ = ["MOST_ROUTERS", "network_data", "packed_network"]

MOST_ROUTERS = 16384
"""A larger network has more links than a page draws in good time."""
STEPS = 1000
"""Places are whole numbers of so many parts of a step between routers."""


def _places(net: Network) -> dict[str, Any]:
    place = places(net)

    def whole(values: Any) -> Any:
        return np.rint(np.asarray(values) * STEPS).astype(np.int32)

    return {
        "position": whole(place.position * place.upward),
        "basis": None if place.basis is None or place.sides is None else whole(place.basis * place.upward),
        "sides": None if place.sides is None else list(place.sides),
        "circle": place.circle,
        "arch": None if place.arch is None else place.arch.astype(np.int32),
    }


def _routings(net: Network, also: str) -> list[dict[str, Any]]:
    """The routings that there are runs of, the default one first, and what each needs."""
    rows = []
    for name in names_for(net, also):
        try:
            bound = fewest(name, net)
        except JumpnetError:  # it fits the family and not this size
            continue
        about = bound.routing
        rows.append(
            {"name": name, "summary": about.summary, "source": about.source, "vcs": bound.vcs, "draws": bound.draws}
            | {"starts": about.start is not None, "adaptive": about.adaptive, "bubble": about.bubble}
            | ({"file": Path(about.relation.__code__.co_filename).name} if about.own else {})
        )
    return rows


def network_data(net: Network, also: str = "") -> dict[str, Any]:
    """A network by the names of `web/src/data/network.ts`, `also`: a routing to name in any case.

    Raises JumpnetError when the network is too large.
    """
    if net.routers > MOST_ROUTERS:
        raise JumpnetError(f"{net.spec}: {net.routers} routers found, at most {MOST_ROUTERS} expected in a page")
    drawn = ranked(net)
    colours = rank_colours(drawn)
    return {
        "spec": net.spec,
        "family": net.family,
        "directed": net.directed,
        "classNames": list(net.class_names),
        "classRank": [int(rank) for rank in drawn.class_rank],
        "rankNames": {str(rank): name for rank, name in rank_names(drawn).items()},
        "baseRank": next((rank for rank, colour in colours.items() if colour == BASE_COLOUR), -1),
        "labels": None if net.labels is None else list(net.labels),
        "routings": _routings(net, also),
        "neighbor": net.neighbor,
        "farPort": net.far_port,
        "linkClass": net.link_class,
        "coord": net.coord,
        "terminals": net.terminals,
        "sinks": net.sinks,
        "params": net.params,
        "latency": net.latency,
        "place": _places(net),
    }


def packed_network(net: Network, also: str = "") -> str:
    """A network as the page holds it.

    >>> from jumpnet.topology import build
    >>> len(packed_network(build("torus:8x8"))) < 4000
    True
    """
    return pack(network_data(net, also), ("neighbor",))
