"""What a multicast run is given: trees side by side, messages that take them, and how they are acknowledged.

Source of the acknowledge rules: nishi1997router section 4.3. Both the reference and the kernel read these arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.multicast.plan import HANDS, RECEIVES, Plan
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, Routing
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.memory.message_layout import COMBINED, DIRECT, NO_ACK, PLACE_ROW, REPLY, PlaceRow
from jumpnet.sim.memory.shape import start_sizes
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.terms import I32, I64, Array

__all__ = [
    "COMBINED", "DIRECT", "MOST_SINKS", "NO_ACK", "UNICAST", "Ends", "Forest", "Messages", "check_channels",
    "check_combining", "check_settings", "forest", "routing_of",
]  # fmt: skip


UNICAST = -1
"""Group of a packet that belongs to no multicast."""
MOST_SINKS = 62
"""Of a router: its receivers are a set in one word."""


class Forest(NamedTuple):
    """The trees of all plans, K places in all; numbers of places are absolute. See `multicast.plan.Plan`."""

    start: I64
    """(plans,) first place of each plan: its source."""
    place: I64
    """(K, fields) a `PlaceRow` each, then for each sink of its router the first place of the plan by which the terminal
    there acknowledges directly, -1 where none does."""

    def at(self, k: int) -> PlaceRow:
        """Place k, as plain numbers."""
        return PlaceRow(*self.place[k, :REPLY].tolist())

    @property
    def places(self) -> I64:
        """(plans,) places."""
        return self._sums(np.ones(len(self.place), np.int64))

    @property
    def receivers(self) -> I64:
        """(plans,) terminals that receive."""
        return self._sums(np.bitwise_count(self.place[:, PLACE_ROW.sinks]) * (1 - self.place[:, PLACE_ROW.drops]))

    @property
    def handovers(self) -> I64:
        """(plans,) packets that processors make anew."""
        return self._sums(self.place[:, PLACE_ROW.again] >= 0)

    @property
    def takers(self) -> I64:
        """(plans,) terminals that take the packet, receivers or not."""
        return self._sums(np.bitwise_count(self.place[:, PLACE_ROW.sinks]))

    @property
    def most_branches(self) -> int:
        """Most branches of a place, to links and to terminals."""
        branches = self.place[:, PLACE_ROW.branches] + np.bitwise_count(self.place[:, PLACE_ROW.sinks])
        return int(branches.max(initial=1))

    def _sums(self, values: Array) -> I64:
        """(plans,) sums over the places of each plan."""
        return np.add.reduceat(values, self.start - self.start[0], dtype=np.int64) if len(self.start) else self.start


class Messages(NamedTuple):
    """M messages; each enters at its source as soon as it can after its cycle, in the order of the rows."""

    cycle: I64
    """(M,) cycle of creation, ascending."""
    plan: I32
    """(M,) -1 for a packet to one destination that the routing takes there."""
    flits: I32
    """(M,) length."""
    ack: I32
    """(M,) NO_ACK, DIRECT or COMBINED."""
    source: I32 | None = None
    """(M,) terminal that sends; None for the first of each plan's router."""
    destination: I32 | None = None
    """(M,) terminal to which the routing takes a packet that has no plan (plan -1), else -1; None when all have one."""
    number: I64 | None = None
    """(M,) running number of such a packet at its source: draws of the routing's start are counted by it."""
    group: I64 | None = None
    """(M,) multicast that it is a part of, or UNICAST; parts of one stand together."""


class Ends(NamedTuple):
    """Which terminals a plan joins, where routers have several."""

    source: int
    """Terminal."""
    sinks: dict[int, int]
    """Router: set of its sinks (bit x for sink x)."""


def forest(
    net: Network,
    plans: Sequence[Plan],
    replies: Mapping[tuple[int, int], int] | None = None,
    ends: Sequence[Ends] | None = None,
    first: int = 0,
) -> Forest:
    """Plans side by side; O(places) Python steps.

    replies: number of the plan from one terminal to another, for direct acknowledges. ends: terminals of each plan;
    None when every router has one. first: number of the first place.
    """
    sizes = np.array([len(plan.router) for plan in plans], np.int64)
    start, of = np.cumsum(sizes) - sizes, np.repeat(np.arange(len(plans)), sizes)

    def joined(column: Callable[[Plan], I32]) -> I64:
        """A column of all plans."""
        return np.concatenate([np.zeros(0, np.int64), *map(column, plans)])

    row, before = PLACE_ROW, joined(lambda plan: plan.parent)
    before[before >= 0] += start[of[before >= 0]]
    place = np.full((int(sizes.sum()), REPLY + max(1, int(net.sinks.max()))), -1, np.int64)
    for name in ("router", "port", "vc"):
        place[:, getattr(row, name)] = joined(attrgetter(name))
    router, local = place[:, row.router], joined(attrgetter("local"))
    place[:, row.sinks], place[:, row.drops] = local > 0, local != RECEIVES
    place[:, row.branch] = joined(lambda plan: plan.first[:-1]) + start[of] + first
    place[:, row.branches] = joined(lambda plan: np.diff(plan.first))
    hop = place[:, row.port] >= 0
    anew, gone = np.flatnonzero((before >= 0) & ~hop), before[hop]
    place[before[anew], row.branches] -= 1
    place[before[anew], row.again], place[anew, row.origin] = anew + first, before[anew] + first
    place[hop, row.parent], place[hop, row.back] = gone + first, net.far_port[router[gone], place[hop, row.port]]
    if ends is not None:
        for k, r in enumerate(router.tolist()):
            place[k, row.sinks] *= ends[of[k]].sinks.get(r, 1)
    replies = replies or {}
    for k in np.flatnonzero((local > 0) & (local != HANDS)).tolist() if replies else ():
        source = int(router[start[of[k]]]) if ends is None else ends[of[k]].source
        first_sink = int(np.searchsorted(net.sink_router, router[k]))
        for x in range(place.shape[1] - REPLY):
            known = replies.get((first_sink + x, source)) if place[k, row.sinks] >> x & 1 else None
            if known is not None:
                place[k, REPLY + x] = start[known] + first
    return Forest(start + first, place)


def check_settings(net: Network, config: SimConfig, cast: MulticastConfig) -> None:
    """Raise JumpnetError for settings that a multicast run cannot take."""
    config.refuse(("load_steps", "reply_flits", "source_queue_packets"), "with multicasts")
    config.require_basic_router("multicasts")
    if config.flow_control == "cut_through" and config.buffer_flits < cast.ack_flits:
        found = f"buffer_flits {config.buffer_flits} found, at least {cast.ack_flits}"
        raise JumpnetError(f"{found} (an acknowledge) expected")
    if int(net.sinks.max()) > MOST_SINKS:
        raise JumpnetError(
            f"multicast: {int(net.sinks.max())} terminals at a router found, at most {MOST_SINKS} expected"
        )


def _no_route(net, here, head, out):
    """The relation of a run in which every packet has a plan."""
    return -1


def routing_of(net: Network, bound: BoundRouting | None, vcs: int) -> BoundRouting:
    """What takes packets without a plan, a routing without a route where all have one.

    Raises JumpnetError for a routing that asks for what the kernel of packets that branch leaves out.
    """
    if bound is None:
        return Routing(name="plans", relation=_no_route).bind(net, vcs)
    starts = start_sizes(bound, 1)
    left_out = {
        "chooses again at every router": starts["start_revises"] > 0,
        "sees the queues of other routers": starts["start_sees"] > 1,
        "keeps to one virtual channel at the ends": bound.routing.one_vc_at_ends,
    }
    for what, asked in left_out.items():
        if asked:
            raise JumpnetError(f"routing {bound.name} found, which {what}: another one expected with multicasts")
    return bound


def check_channels(trees: Forest, vcs: int) -> None:
    """Raise JumpnetError for plans that name more virtual channels than there are."""
    if (most := int(trees.place[:, PLACE_ROW.vc].max(initial=0))) >= vcs:
        raise JumpnetError(f"multicast: {vcs} virtual channels found, {most + 1} expected by plans")


def check_combining(net: Network) -> None:
    """Raise JumpnetError where acknowledges cannot go back along the tree: no terminal to count, no link back."""
    if (net.terminals < 1).any() or (net.terminals != net.sinks).any():
        raise JumpnetError(f"combined acknowledges on {net.spec} found, a terminal at each router expected")
    r, p, to = net.channel_ends
    back = net.far_port[r, p]
    if (back >= net.ports).any() or (net.neighbor[to, back] != r).any():
        raise JumpnetError(f"combined acknowledges on {net.spec} found, links both ways expected")
