"""The routing of networks that have none of their own, such as random graphs and those read from files.

Layers of balanced shortest paths carry most, but need many virtual channels and tables of all pairs; `nue` lives with
any number of channels, `up_down` with any size. All three are free of deadlock by construction, and proved so in the
tests. What each carries is in docs/measurements/simulator.md. Called by `default_routing`.
"""

from __future__ import annotations

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings._layers import MOST_FIRST_FIT_LAYERS
from jumpnet.routings._tables import must_be_connected
from jumpnet.routings.lash import layers_of

__all__ = ["foreign_choice"]

LARGEST = 1024
"""Routers up to which tables are made without being asked for: about a second for layers, four for `nue`."""
LIMIT_BYTES = 1 << 30
"""Memory for the dependencies of the layers, which grows with the square of the ports."""


def _layers(net: Network) -> int:
    """Layers of balanced shortest paths; 0 where they would be too many, or take too much to find out."""
    if 2 * MOST_FIRST_FIT_LAYERS * net.routers * net.ports**2 > LIMIT_BYTES:
        return 0
    try:
        return layers_of(net, {"paths": "balanced"})
    except JumpnetError:
        return 0


def foreign_choice(net: Network, vcs: int | None = None) -> tuple[str, str]:
    """The routing of a network that has none of its own, and why; `vcs` are the virtual channels there are.

    One-way networks get layers in any case, because nothing else routes them.
    """
    if not net.directed and must_be_connected(net) is not None:
        return "up_down", "it says what it cannot route"
    small = net.routers <= LARGEST
    layers = _layers(net) if small else 0
    if 0 < layers <= (layers if vcs is None else vcs):
        return "lash:paths=balanced", f"shortest paths, balanced, in {layers} acyclic layer{'s' * (layers > 1)}"
    if net.directed:
        return "lash", "one-way links, for which there is nothing else"
    if small:
        found = "many" if layers == 0 else str(layers)
        return "nue", f"layers of shortest paths would need {found} virtual channels"
    return "up_down", f"above {LARGEST} routers it is the one that is made quickly"
