"""Which runs the page can make of a network: routings, virtual channels, presets and buffers, and traffic for all.

Called by `pieces`. A run's load, seed and length of packets are the reader's choice in the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from jumpnet.errors import JumpnetError
from jumpnet.explore.kernels import Run, run_image
from jumpnet.explore.kernels.tabled import tabled
from jumpnet.networks import Network
from jumpnet.notices import notice
from jumpnet.routings import BoundRouting, bind, default_routing, routings
from jumpnet.sim.config.sim_config import PRESETS
from jumpnet.traffic import bind as bind_traffic
from jumpnet.traffic import patterns

__all__ = ["LONGEST_FLITS", "own_routings", "runs_image", "runs_of", "traffic_of"]

TABLES = 100
"""Routers up to which routings of any network are there too, whose tables grow with the square, and runs with more
virtual channels than a routing needs."""
LARGE = 300
"""Routers up to which there are all routings of the family and all traffic; beyond, the default and uniform alone."""
LONGEST_FLITS = 16
"""Longest packets: buffers of the run are made for them."""
LEFT_OUT = ("worst", "trace")
"""Traffic that rests on the routing, or on a file."""
MOST_SHOWN_VCS = 8
BUFFERS = (4, 8, 16, 32)
"""Flits of an input buffer."""
BUBBLES = {"flow_control": "cut_through"}
"""What bubbles rest on, with buffers of two packets, in the first preset."""


def own_routings(net: Network) -> list[str]:
    """Names of the routings of a user's own (`--load`) that fit a network; of one whose `fits` fails a line is said."""
    found = []
    for name, each in routings().items():
        try:
            if each.own and each.misfit(net) is None:
                found.append(name)
        except JumpnetError as wrong:
            notice(f"{wrong}; left out of the page")
    return found


def _routings(net: Network, also: str) -> list[str]:
    """The default routing first, then a user's own, those of the family, and those of any network."""
    own_ones = own_routings(net)
    names = [name for name, each in routings().items() if not each.own and each.misfit(net) is None]
    if net.routers > LARGE:
        own = [name for name in names if net.family in routings()[name].default_for]
        return [name for name in dict.fromkeys((*own[:1], also, *own_ones)) if name]
    near = [name for name in names if "." in name or net.routers <= TABLES]
    return [name for name in dict.fromkeys((default_routing(net), also, *own_ones, *near)) if name]


def traffic_of(net: Network) -> Iterator[str]:
    """What traffic there is for the terminals of a network besides uniform."""
    for name in patterns() if net.routers <= LARGE else ():
        if name in LEFT_OUT or name == "uniform" or patterns()[name].own:
            continue
        try:
            bind_traffic(name, net)
        except JumpnetError:  # not for so many terminals, or not for this family
            continue
        yield name


def _variants(net: Network, bound: BoundRouting) -> Iterator[Run]:
    """The runs of a routing; first with what it needs, in the first preset, with that preset's buffers."""
    least, name = bound.vcs, bound.name
    if bound.routing.bubble:
        settings = {**BUBBLES, "vcs": least, "buffer_flits": 2 * LONGEST_FLITS}
        yield Run(tabled(bound) if bound.own else name, settings, "booksim")
        return
    more = (least, least + 1, 2 * least, 4 * least) if net.routers <= TABLES else (least,)
    counts = [vcs for vcs in sorted(set(more)) if vcs == least or vcs <= MOST_SHOWN_VCS]
    made = {vcs: tabled(bind(name, net, vcs)) if bound.own else name for vcs in counts}
    for vcs, preset in product(counts, PRESETS):
        yield Run(made[vcs], {"vcs": vcs}, preset)
    for vcs, preset, flits in product(counts, PRESETS, BUFFERS):
        if flits != PRESETS[preset].get("buffer_flits", 8):
            yield Run(made[vcs], {"vcs": vcs, "buffer_flits": flits}, preset)


def runs_of(net: Network, also: str = "") -> list[Run]:
    """All runs of a network that work, the first one with its default routing; `also`: a routing in any case.

    Routings of a user's own run by tables. Raises JumpnetError where `also` is one that tables do not hold.

    >>> from jumpnet.topology import build
    >>> runs = runs_of(build("ccc:3"))
    >>> runs[0].routing, runs[0].preset, "lash" in {run.routing for run in runs}
    ('ccc.ecube', 'booksim', True)
    """
    try:
        names = _routings(net, also)
    except JumpnetError:  # no routing fits
        return []
    found: list[Run] = []
    for name in names:
        known = routings().get(name.partition(":")[0])
        own = known is not None and known.own
        try:
            runs = list(_variants(net, bind(name, net)))
            run_image(net, runs[0], packet_flits=str(LONGEST_FLITS))
        except JumpnetError as refused:  # it fits the family, and not this size or so few channels
            if own and name == also:
                raise
            if own:
                notice(f"{refused}; left out of the page")
            continue
        found += runs
    return found


def runs_image(net: Network, also: str = "") -> str:
    """The run image of all of them, or empty where there are none (networks without terminals, too small ones).

    Raises what `runs_of` does.
    """
    runs = runs_of(net, also)
    return run_image(net, *runs, patterns=list(traffic_of(net)), packet_flits=str(LONGEST_FLITS)) if runs else ""
