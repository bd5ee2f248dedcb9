"""The axes of latency curves as people ask for them: over which load, shared out to what, logarithmic or not.

Used by the verbs `plot` and `simulate`, and by the curves of the Python face.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.graph.layout import wire_length
from jumpnet.networks import Network
from jumpnet.plot.curves import LoadAxis
from jumpnet.topology import build

__all__ = ["load_axis"]

LOADS = ("accepted", "offered")
UNITS = {"terminal": "terminal", "link": "link", "port": "port", "length": "unit of drawn wire length"}
"""What loads may be shared out to, and what the axis calls it."""
OTHER_NAMES = {"pin": "port", "wire": "length"}


def load_axis(
    over: str = "accepted",
    per: str = "terminal",
    log: bool = False,
    networks: Mapping[str, Network] = MappingProxyType({}),
) -> LoadAxis:
    """The axes of curves; `networks` by spec are those at hand, others are built when loads are shared out.

    over: the load across, accepted or offered. per: terminal, link, port (both ends of every link, those to terminals
    too; also called pin) or length (of wire, also called so: as `wire_length` counts, in steps of the grid or of the
    drawing). log: latency is. Raises JumpnetError for other words.

    >>> load_axis(per="link").share("torus:4x4")
    0.5
    """
    if over not in LOADS:
        raise unknown_name("load to draw over", over, LOADS)
    per = OTHER_NAMES.get(per, per)
    if per not in UNITS:
        raise unknown_name("unit of load", per, [*UNITS, *OTHER_NAMES])
    if per == "terminal":
        return LoadAxis(f"{over}_load", log)
    share = cache(lambda spec: _terminals_of_each(networks.get(spec) or build(spec), per))
    return LoadAxis(f"{over}_load", log, UNITS[per], share)


def _terminals_of_each(net: Network, unit: str) -> float:
    """Terminals of a network for each of its links, ports or link lengths."""
    counts: dict[str, Callable[[], float]] = {
        "link": lambda: net.links,
        "port": lambda: 2 * net.links + 2 * net.endpoints,
        "length": lambda: wire_length(net),
    }
    found = counts[unit]()
    if not found:
        raise JumpnetError(f"loads per {unit} found, but {net.spec} has no link: per terminal expected")
    return net.endpoints / found
