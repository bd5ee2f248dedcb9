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
from jumpnet.sim.memory.message_layout import COMBINED, DIRECT, NO_ACK
from jumpnet.sim.memory.shape import start_sizes
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.terms import I32, I64, NO_ROUTER

__all__ = [
    "COMBINED", "DIRECT", "MOST_SINKS", "NO_ACK", "Ends", "Forest", "Messages", "check_channels", "check_combining",
    "check_settings", "forest", "routing_of",
]  # fmt: skip


MOST_SINKS = 62
"""Of a router: its receivers are a set in one word."""


class Forest(NamedTuple):
    """The trees of all plans, K places in all; numbers of places are absolute. See `multicast.plan.Plan`."""

    start: I32
    """(plans,) first place of each plan: its source."""
    router: I32
    parent: I32
    """(K,) -1 where a packet starts."""
    port: I32
    vc: I32
    local: I32
    sinks: I64
    """(K,) bit x: sink x of the router takes the packet."""
    first: I32
    """(K,) first branch of each place."""
    branches: I32
    """(K,) number of branches."""
    back: I32
    """(K,) port that leads from the place's router back to its parent's, -1 at the source."""
    reply: I32
    """(K, S) first place of the plan by which the terminal at each sink acknowledges directly, -1 where none does."""
    origin: I32
    """(K,) where a packet starts that a processor has made anew: the place at which that processor took it; else -1."""
    again: I32
    """(K,) the other way round: where the packet starts that the processor here makes anew, -1 where it makes none."""

    @property
    def receivers(self) -> I64:
        """(plans,) terminals that receive."""
        return _sums(np.where(self.local == RECEIVES, _bits(self.sinks), 0), self.start)

    @property
    def handovers(self) -> I64:
        """(plans,) packets that processors make anew."""
        return _sums((self.again >= 0).astype(np.int64), self.start)

    @property
    def most_branches(self) -> int:
        """Most branches of a place, to links and to terminals."""
        return int((self.branches + np.bitwise_count(self.sinks)).max(initial=1))

    @property
    def takers(self) -> I64:
        """(plans,) terminals that take the packet, receivers or not."""
        return _sums(_bits(self.sinks), self.start)


def _sums(values: I64, start: I32) -> I64:
    """Sums of the parts that begin at each start."""
    return np.add.reduceat(values, start) if len(start) else np.zeros(0, np.int64)


def _bits(words: I64) -> I64:
    """Set bits of each word."""
    return np.bitwise_count(words).astype(np.int64)


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
) -> Forest:
    """Plans side by side; O(places) Python steps.

    replies: number of the plan from one terminal to another, for direct acknowledges. ends: terminals of each plan;
    None when every router has one.
    """
    sizes = np.array([len(plan.router) for plan in plans], np.int64)
    start, of = np.cumsum(sizes) - sizes, np.repeat(np.arange(len(plans)), sizes)

    def joined(column: Callable[[Plan], I32]) -> I64:
        """A column of all plans."""
        return np.concatenate([np.zeros(0, np.int64), *map(column, plans)])

    router, parent, port, vc, local = (joined(attrgetter(name)) for name in ("router", "parent", "port", "vc", "local"))
    parent = np.where(parent < 0, -1, parent + start[of])
    first, branches = joined(lambda plan: plan.first[:-1]) + start[of], joined(lambda plan: np.diff(plan.first))
    anew = np.flatnonzero((parent >= 0) & (port < 0))
    origin, again = np.full(len(router), -1), np.full(len(router), -1)
    origin[anew], again[parent[anew]] = parent[anew], anew
    branches[parent[anew]] -= 1
    parent[anew] = -1
    back = np.where(parent < 0, -1, net.far_port[router[parent], port])
    sinks = (local > 0).astype(np.int64)
    if ends is not None:
        sinks *= np.array(
            [ends[k].sinks.get(r, 1) for k, r in zip(of.tolist(), router.tolist(), strict=True)], np.int64
        )
    reply = np.full((len(router), max(1, int(net.sinks.max()))), -1)
    if replies:
        for k in np.flatnonzero((sinks > 0) & (local != HANDS)).tolist():
            source = int(router[start[of[k]]]) if ends is None else ends[of[k]].source
            first_sink = int(np.searchsorted(net.sink_router, router[k]))
            for x in range(reply.shape[1]):
                known = replies.get((first_sink + x, source)) if sinks[k] >> x & 1 else None
                if known is not None:
                    reply[k, x] = start[known]
    wide = Forest(start, router, parent, port, vc, local, sinks, first, branches, back, reply, origin, again)
    return Forest(*(column.astype(np.int32) for column in wide))._replace(sinks=sinks)


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
    if (most := int(trees.vc.max(initial=0))) >= vcs:
        raise JumpnetError(f"multicast: {vcs} virtual channels found, {most + 1} expected by plans")


def check_combining(net: Network) -> None:
    """Raise JumpnetError where acknowledges cannot go back along the tree: no terminal to count, no link back."""
    if (net.terminals < 1).any() or (net.terminals != net.sinks).any():
        raise JumpnetError(f"combined acknowledges on {net.spec} found, a terminal at each router expected")
    r, p = np.nonzero(net.neighbor != NO_ROUTER)
    to, back = net.neighbor[r, p], net.far_port[r, p]
    if (back >= net.ports).any() or (net.neighbor[to, back] != r).any():
        raise JumpnetError(f"combined acknowledges on {net.spec} found, links both ways expected")
