"""Multicast on any network: the tree of the paths that a routing without choices gives to each destination.

Packets to several destinations share channels as long as their paths do, and branch where these part (the tree
multicast of Lin, McKinley and Ni 1994). Made for `multicast.plan`, the simulator and `prove_multicast`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.walks.packet_states import walked
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.errors import JumpnetError
from jumpnet.multicast.forwarding import Branch, Fork, Read
from jumpnet.multicast.plan import plan_from
from jumpnet.networks import Network
from jumpnet.routings import IN_PORT, IN_VC, INTERMEDIATE, BoundRouting, routings
from jumpnet.routings.reads import fields_read
from jumpnet.routings.view import NEXT_STATE, PORT, STATE, VC, new_head, new_out
from jumpnet.terms import I32, I64

__all__ = ["PathRules", "PathStage", "path_rules", "require_single_ways"]

SAMPLE = 64
"""Destinations to which a routing is tried before it is named."""


class PathStage(NamedTuple):
    """Header of a packet: where it is from, how it came here, and who is still to receive."""

    source: int
    in_port: int
    in_vc: int
    hops: int
    to: tuple[tuple[int, int, int], ...]
    """(destination router, the routing's own state for it, intermediate router), ascending."""


@dataclass(frozen=True, eq=False)
class PathRules:
    """The tree of paths of a routing.

    >>> from jumpnet.multicast.plan import plan_from
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> rules = path_rules(bind("mesh.dimension_order", build("mesh:4x4")))
    >>> plan = plan_from(rules, 0, rules.first(0, [2, 6, 5]))
    >>> plan.router.tolist(), plan.receivers
    ([0, 1, 2, 5, 6], [2, 5, 6])
    """

    bound: BoundRouting

    def __post_init__(self) -> None:
        if self.bound.own:
            _ = self.bound.pointer  # the checked pass of its functions, as nobody else asks for compiled ones here

    @property
    def network(self) -> Network:
        """The network."""
        return self.bound.network

    @property
    def name(self) -> str:
        """Spec, for results."""
        return f"paths of {self.bound.name}"

    @property
    def vcs(self) -> int:
        """Those of the routing."""
        return self.bound.vcs

    @property
    def own(self) -> bool:
        """Whether the routing is a user's own, so that every answer is checked."""
        return self.bound.own

    @cached_property
    def _out(self) -> I64:
        return new_out()

    def first(self, source: int, destinations: Sequence[int]) -> PathStage:
        """Header with which a packet to some routers leaves its source."""
        to = []
        for destination in sorted(set(destinations)):
            head = new_head(source, destination)
            if self.bound.routing.start is not None:
                self.bound.routing.start(self.bound.view, head, 0, np.zeros(self.network.ports, np.int64))
            to.append((destination, int(head[STATE]), int(head[INTERMEDIATE])))
        return PathStage(source, -1, -1, 0, tuple(to))

    def starts(self) -> Iterator[tuple[int, PathStage]]:
        """From every source to all others: a tree to fewer is part of that one."""
        sinks = np.flatnonzero(self.network.sinks > 0).tolist()
        for source in np.flatnonzero(self.network.terminals > 0).tolist():
            yield source, self.first(source, [d for d in sinks if d != source])

    def channel(self, here: int, stage: PathStage, to: tuple[int, int, int]) -> tuple[int, int, int] | None:
        """(port, vc, next state) of a packet to one of the destinations; None where there is no route or a choice."""
        destination, state, between = to
        head = new_head(stage.source, destination)
        head[[STATE, IN_PORT, IN_VC, INTERMEDIATE]] = state, stage.in_port, stage.in_vc, between
        if self.bound.routing.relation(self.bound.view, here, head, self._out) != 1:
            return None
        port, vc, after = (int(self._out[0, k]) for k in (PORT, VC, NEXT_STATE))
        return port, vc, after

    def fork(self, here: int, stage: PathStage, read: Read | None = None) -> Fork:
        """Destinations sorted by the channel that the routing names.

        Raises JumpnetError when it gives no channel or a choice, and names a routing that does better.
        """
        parts: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        local = False
        if stage.hops > 4 * self.network.routers:
            raise JumpnetError(f"routing {self.bound.name} on {self.network.spec} does not deliver from {stage.source}")
        for to in stage.to:
            if to[0] == here:
                local = True
                continue
            found = self.channel(here, stage, to)
            if found is None:
                raise JumpnetError(
                    f"routing {self.bound.name} with {self.vcs} virtual channels gives no route or a choice at router "
                    f"{here} of {self.network.spec}, one channel expected for a multicast tree{_instead(self.bound)}"
                )
            port, vc, after = found
            parts.setdefault((port, vc), []).append((to[0], after, to[2]))
        far = self.network.far_port
        return Fork(
            tuple(
                Branch(port, vc, PathStage(stage.source, int(far[here, port]), vc, stage.hops + 1, tuple(part)))
                for (port, vc), part in sorted(parts.items())
            ),
            local,
        )


def _chooses_at_source(bound: BoundRouting) -> bool:
    start = bound.routing.start
    return start is not None and (bound.draws > 1 or bool(fields_read(start, 3)))


def _gives_paths(bound: BoundRouting) -> bool:
    """Whether packets from the first source to a sample of destinations find one channel at every hop."""
    rules, net = PathRules(bound), bound.network
    sinks = np.flatnonzero(net.sinks > 0)
    source = int(np.flatnonzero(net.terminals > 0)[0])
    for destination in sinks[:: max(1, len(sinks) // SAMPLE)].tolist():
        here, stage = source, rules.first(source, [destination])
        while here != destination:
            found = rules.channel(here, stage, stage.to[0])
            if found is None or stage.hops > 4 * net.routers:
                return False
            port, vc, after = found
            to = ((destination, after, stage.to[0][2]),)
            stage = PathStage(source, int(net.far_port[here, port]), vc, stage.hops + 1, to)
            here = int(net.neighbor[here, port])
    return True


def _instead(bound: BoundRouting) -> str:
    """Words that name the routing of the same family nearest by name that gives trees on this network, else lash.

    lash, which takes minutes on a large network, is not tried: it looks up one path of each pair in a table.
    """
    net, known, mine = bound.network, routings(), bound.routing.name
    fitting = [name for name, one in known.items() if not one.adaptive and one.misfit(net) is None]
    kin = [name for name in fitting if name.split(".")[0] == mine.split(".")[0]]
    near = get_close_matches(mine, kin, max(1, len(kin)), 0.0)
    for name in sorted(near, key=lambda name: name.endswith("_booksim")):  # a textbook's before those with its rules
        other = known[name].bind(net)
        if not _chooses_at_source(other) and _gives_paths(other):
            return f": {name} with {other.vcs} virtual channels gives one"
    return ": lash gives one" if "lash" in fitting else ""


def path_rules(bound: BoundRouting) -> PathRules:
    """The tree of the paths of a routing to all destinations of a multicast, for `multicast.plan` and proofs.

    Raises JumpnetError for a routing that draws lots or looks at queues at the source; names one that does not.

    >>> from jumpnet.analysis.deadlock.multicast import prove_multicast
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> prove_multicast(path_rules(bind("mesh.dimension_order", build("mesh:3x3")))).deadlock_free
    True
    """
    if _chooses_at_source(bound):
        raise JumpnetError(
            f"routing {bound.name} chooses at the source, fixed paths expected for a multicast tree{_instead(bound)}"
        )
    return PathRules(bound)


def require_single_ways(bound: BoundRouting, routers: I32) -> None:
    """Raise JumpnetError where packets between some of these routers (K,) get a choice on their way, as the tree of
    such a multicast would when it is made; `path_rules` says what else a routing must not do.

    Cost: one call of the relation for each state of the packets to each of them.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> require_single_ways(bind("mesh.dimension_order", build("mesh:3x3")), np.arange(9, dtype=np.int32))
    """
    rules, job = path_rules(bound), job_of(bound)._replace(sources=routers, home=False)
    for walk in walked(bound, job, routers.tolist()):
        if (np.diff(walk.first) > 1).any():
            for source in routers.tolist():
                plan_from(rules, source, rules.first(source, [walk.sink]))
