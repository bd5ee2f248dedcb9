"""Which runs the page can make of a network: what it must know of each routing and traffic pattern that fits.

The page makes records and memory itself (`kernels.sizes`, `kernels.begun`), and fills tables of shortest paths; what
Python prepared of other routings comes along. Presets, buffers, load, seed and length of packets are the reader's
choice there. Called by `pieces`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.explore.kernels.layout import mark
from jumpnet.explore.kernels.names import name_of
from jumpnet.explore.kernels.presets import routing_row
from jumpnet.explore.kernels.tabled import tabled
from jumpnet.explore.packed import pack
from jumpnet.networks import Network
from jumpnet.notices import notice
from jumpnet.routings import BoundRouting, bind, default_routing, routings
from jumpnet.routings.refilled import LAYERS, ROUTED
from jumpnet.sim.resolve.by_routing import offers_escape
from jumpnet.traffic import bind as bind_traffic
from jumpnet.traffic import patterns
from jumpnet.traffic.worst import WORST, worst_case

__all__ = ["bindings", "fewest", "names_for", "own_routings", "runs_text", "sized_text", "traffic_of"]

LAYERED = 300
"""Routers up to which layers of routings of any network are searched here; on larger ones the page does when asked."""
DECLARED = 1100
"""The same where it is the default of a family."""
TABLES = 5120
"""Routers up to which there are routings of any network, whose tables are made in the page: 100 MB there."""
LEFT_OUT = ("worst", "trace")
"""Traffic that rests on the routing (`_worst`), or on a file."""
MOST_WORST = 1 << 16
"""Pairs of terminals times draws of a routing up to which its worst permutation comes along: that of torus:8x8 by
torus.romm took 4 CPU seconds, where a page of all networks takes a minute."""
RULED = ("hotspot", "local", "random_permutation")
"""Traffic with parameters that the page prepares, as `web/src/sim/patterns.ts` says."""
MOST_SHOWN_VCS = 8
FILLED = tuple(name for name in ROUTED if name != "rdt.fault_tolerant")  # which fills where something is broken alone
"""Routings whose tables the page makes."""


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


def _default(net: Network) -> str:
    """The routing that a network has when none is named; empty where that would have to be searched for too long."""
    declared = [
        name for name, each in routings().items() if net.family in each.default_for and each.misfit(net) is None
    ]
    quick = any("." in name or net.routers <= DECLARED for name in declared) or net.routers <= LAYERED
    return default_routing(net) if quick else ""


def found_later(name: str, net: Network) -> bool:
    """Whether the page finds how many channels a routing takes, as that takes long: not of a default one."""
    return name in LAYERS and net.routers > LAYERED and name != _default(net)


def fewest(name: str, net: Network) -> BoundRouting:
    """A routing with the fewest virtual channels that it takes; with one where these are found later."""
    return bind(name, net, 1 if found_later(name, net) else None)


def names_for(net: Network, also: str = "") -> list[str]:
    """Names of routings: the default one first, then `also`, a user's own, those of the family, those of any network.

    Without terminals there are none, nor of one terminal.
    """
    if net.endpoints < 1:
        return []
    fit = [name for name, each in routings().items() if not each.own and each.misfit(net) is None]
    near = [name for name in fit if "." in name or net.routers <= TABLES]
    near.sort(key=lambda name: ("." not in name, net.routers > LAYERED and name in LAYERS))
    try:
        first = _default(net)
    except JumpnetError:  # no routing fits
        first = ""
    return [name for name in dict.fromkeys((first, also, *own_routings(net), *near)) if name]


def traffic_of(net: Network) -> Iterator[str]:
    """What traffic there is for the terminals of a network, uniform first."""
    names = (name for name, each in patterns().items() if name not in LEFT_OUT and not each.own)
    for name in sorted(names, key=lambda name: name != "uniform"):
        try:
            bind_traffic(name, net)
        except JumpnetError:  # not for so many terminals, or not for this family
            continue
        yield name


def _with_counts(name: str, net: Network) -> list[BoundRouting]:
    """A routing with the fewest virtual channels that it takes, and with more up to eight."""
    least = fewest(name, net)
    if least.routing.bubble:
        return [least]
    return [least, *(bind(name, net, vcs) for vcs in range(least.vcs + 1, MOST_SHOWN_VCS + 1))]


def bindings(net: Network, also: str = "") -> list[list[BoundRouting]]:
    """Each routing of `names_for` that works with its counts of virtual channels; `also`: in any case.

    Routings of a user's own go by tables. Raises JumpnetError where `also` is one that tables do not hold.

    >>> from jumpnet.topology import build
    >>> [(counts[0].name, len(counts)) for counts in bindings(build("ccc:3"))][:2]
    [('ccc.ecube', 6), ('dfsssp', 6)]
    """
    found = []
    for name in names_for(net, also):
        known = routings().get(name.partition(":")[0])
        own = known is not None and known.own
        try:
            counts = _with_counts(name, net)
            if name not in FILLED:
                counts = [tabled(bound) if own else bound for bound in counts]
                offers_escape(counts[0])  # its tables are made, and it has a route
        except JumpnetError as refused:  # it fits the family, and not this size
            if own and name == also:
                raise
            if own:
                notice(f"{refused}; left out of the page")
            continue
        found.append(counts)
    return found


def _filled_shape(name: str, routers: int) -> tuple[int, list[int]]:
    """Numbers in own and the shape of the table, where the page fills both."""
    own = {"up_down": 1 + routers, "nue": routers}.get(name, 1)
    return own, [routers if name in ("minimal", "nue") else 2 * routers, routers]


def _routing(counts: list[BoundRouting]) -> dict[str, Any]:
    """A routing for the page: `made_of` says for each count of channels which of `made` it reads.

    `careful` says for each count whether it has escapes, where that is not the same for all (halves of odd counts).
    """
    first, net = counts[0], counts[0].network
    routing = first.routing
    row: dict[str, Any] = {
        "routing": first.name,
        "relation": name_of(routing.relation),
        "start": name_of(routing.start) if routing.start else "",
        "draws": first.draws,
        "queues": routing.sees(net) * net.ports,
        "vcs": [bound.vcs for bound in counts],
        "says": routing_row(first, escapes=first.name not in FILLED),
    }
    if first.name in FILLED:
        own, shape = _filled_shape(first.name, net.routers)
        later = {"searched": True} if found_later(first.name, net) else {}
        return row | later | {"filled": {"own": own, "table": shape}}
    made: list[tuple[bytes, bytes]] = []
    told, made_of = [], []
    for bound in counts:
        view = bound.view
        key = (view.own.tobytes(), view.table.tobytes())
        if key not in made:
            made.append(key)
            told.append({"own": view.own, "table": view.table.ravel(), "shape": list(view.table.shape)})
        made_of.append(made.index(key))
    careful = [int(offers_escape(bound)) for bound in counts]
    differing = {"careful": careful} if len(set(careful)) > 1 else {}
    return row | differing | {"made": told, "made_of": made_of}


def _traffic(name: str, net: Network) -> dict[str, Any]:
    pattern = bind_traffic(name, net)
    destination = name_of(pattern.pattern.destination)
    return {"traffic": name, "destination": destination, "own": pattern.own, "draws": pattern.draws}


def _worst(bound: BoundRouting) -> Iterator[dict[str, Any]]:
    """The permutation that loads a channel most, for one of jumpnet's routings with few routes."""
    if bound.routing.own or bound.network.endpoints**2 * bound.draws > MOST_WORST:
        return
    try:
        found = worst_case(bound).destinations
    except JumpnetError:  # some routes do not arrive
        return
    yield {
        "traffic": f"worst:routing={bound.name}",
        "destination": name_of(WORST.destination),
        "own": found,
        "draws": 1,
    }


def runs_text(net: Network, also: str = "") -> str:
    """All that the page must know of the runs of a network, empty where there are none (no terminals, too few).

    Raises what `bindings` does.
    """
    found = bindings(net, also)
    traffic = [_traffic(name, net) for name in traffic_of(net) if name not in RULED] if found else []
    if not traffic:
        return ""
    default = found[0][0].name == _default(net)
    traffic += [row for counts in found for row in _worst(counts[0])]
    rows = [_routing(counts) for counts in found]
    return pack({"mark": mark(), "network": net.spec, "default": default, "routings": rows, "traffic": traffic})


def sized_text(net: Network) -> str:
    """The routings of a size that the page makes by its family's rule, where no rule of the page makes them too.

    >>> from jumpnet.topology import build
    >>> len(sized_text(build("rdt:4"))) < 4000
    True
    """
    return pack({"routings": [_routing(counts) for counts in bindings(net)]})
