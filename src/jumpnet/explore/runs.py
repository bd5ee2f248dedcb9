"""Which runs the page can make of a network: routings, traffic and virtual channels, as one run image.

Called by `pieces`. A run's load, seed and length of packets are the reader's choice in the page.
"""

from __future__ import annotations

from collections.abc import Iterator

from jumpnet.errors import JumpnetError
from jumpnet.explore.kernels import Run, run_image
from jumpnet.networks import Network
from jumpnet.routings import bind, default_routing, routings
from jumpnet.traffic import bind as bind_traffic
from jumpnet.traffic import patterns

__all__ = ["LONGEST_FLITS", "runs_image", "runs_of"]

TABLES = 100
"""Routers up to which routings of any network are there too, whose tables grow with the square, and runs with more
virtual channels than a routing needs."""
LARGE = 300
"""Routers up to which there are all routings of the family and all traffic; beyond, the default and uniform alone."""
LONGEST_FLITS = 16
"""Longest packets: buffers of the run are made for them."""
LEFT_OUT = ("worst", "trace")
"""Traffic that rests on the routing, or on a file."""
CUT_THROUGH = {"flow_control": "cut_through", "buffer_flits": LONGEST_FLITS}
"""What bubbles rest on."""
MOST_VCS = 8


def _routings(net: Network, also: str) -> list[str]:
    """The default routing first, then those of the family, then those of any network."""
    names = [name for name, each in routings().items() if not each.own and each.misfit(net) is None]
    if net.routers > LARGE:
        own = [name for name in names if net.family in routings()[name].default_for]
        return [name for name in dict.fromkeys((*own[:1], also)) if name]
    near = [name for name in names if "." in name or net.routers <= TABLES]
    return [name for name in dict.fromkeys((default_routing(net), also, *near)) if name]


def _traffic(net: Network) -> Iterator[str]:
    """Uniform traffic, and what else there is for the terminals of a network."""
    yield "uniform"
    for name in patterns() if net.routers <= LARGE else ():
        if name in LEFT_OUT or name == "uniform":
            continue
        try:
            bind_traffic(name, net)
        except JumpnetError:  # not for so many terminals, or not for this family
            continue
        yield name


def runs_of(net: Network, also: str = "") -> list[Run]:
    """All runs of a network that work, the first one with its default routing; `also`: a routing in any case.

    >>> from jumpnet.topology import build
    >>> runs = runs_of(build("ccc:3"))
    >>> runs[0].routing, runs[0].settings["traffic"], "lash" in {run.routing for run in runs}
    ('ccc.ecube', 'uniform', True)
    """
    traffic = list(_traffic(net))
    found = []
    for name in _routings(net, also):
        try:
            bound = bind(name, net)
            bubble = bound.routing.bubble
            settings = CUT_THROUGH if bubble else {}
            run_image(net, Run(name, {**settings, "vcs": bound.vcs}), packet_flits=str(LONGEST_FLITS))
        except JumpnetError:  # it fits the family, and not this size or so few channels
            continue
        more = {bound.vcs, 2 * bound.vcs} if net.routers <= TABLES and not bubble else {bound.vcs}
        counts = [vcs for vcs in sorted(more) if vcs <= max(MOST_VCS, bound.vcs)]
        found += [Run(name, {**settings, "vcs": vcs, "traffic": each}) for vcs in counts for each in traffic]
    return found


def runs_image(net: Network, also: str = "") -> str:
    """The run image of all of them, or empty where there are none (networks without terminals, too small ones)."""
    try:
        runs = runs_of(net, also)
    except JumpnetError:
        return ""
    return run_image(net, *runs, packet_flits=str(LONGEST_FLITS)) if runs else ""
