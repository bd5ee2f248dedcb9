"""Multicast on any network: the tree of the paths that a routing without choices gives to each destination.

Packets to several destinations share channels as long as their paths do, and branch where these part (the tree
multicast of Lin, McKinley and Ni 1994). Made for `multicast.plan`, the simulator and `prove_multicast`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.multicast._forwarding import Branch, Fork, Read
from jumpnet.network import Network
from jumpnet.routing import IN_PORT, IN_VC, INTERMEDIATE, BoundRouting
from jumpnet.routing._reads import fields_read
from jumpnet.routing._view import NEXT_STATE, PORT, STATE, VC, new_head, new_out
from jumpnet.terms import I64

__all__ = ["PathRules", "PathStage", "path_rules"]


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
    >>> from jumpnet.routing import bind
    >>> from jumpnet.topology import build
    >>> rules = path_rules(bind("mesh.dimension_order", build("mesh:4x4")))
    >>> plan = plan_from(rules, 0, rules.first(0, [2, 6, 5]))
    >>> plan.router.tolist(), plan.receivers
    ([0, 1, 2, 5, 6], [2, 5, 6])
    """

    bound: BoundRouting

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

    def fork(self, here: int, stage: PathStage, read: Read | None = None) -> Fork:
        """Destinations sorted by the channel that the routing names; raises JumpnetError when it gives a choice."""
        parts: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        local = False
        if stage.hops > 4 * self.network.routers:
            raise JumpnetError(f"routing {self.bound.name} on {self.network.spec} does not deliver from {stage.source}")
        for destination, state, between in stage.to:
            if destination == here:
                local = True
                continue
            head = new_head(stage.source, destination)
            head[[STATE, IN_PORT, IN_VC, INTERMEDIATE]] = state, stage.in_port, stage.in_vc, between
            if self.bound.routing.relation(self.bound.view, here, head, self._out) != 1:
                raise JumpnetError(
                    f"routing {self.bound.name} with {self.vcs} virtual channels gives no route or a choice at router "
                    f"{here} of {self.network.spec}, one channel expected for a multicast tree"
                )
            port, vc, after = (int(self._out[0, k]) for k in (PORT, VC, NEXT_STATE))
            parts.setdefault((port, vc), []).append((destination, after, between))
        far = self.network.far_port
        return Fork(
            tuple(
                Branch(port, vc, PathStage(stage.source, int(far[here, port]), vc, stage.hops + 1, tuple(to)))
                for (port, vc), to in sorted(parts.items())
            ),
            local,
        )


def path_rules(bound: BoundRouting) -> PathRules:
    """The tree of the paths of a routing to all destinations of a multicast, for `multicast.plan` and proofs.

    Raises JumpnetError for a routing that draws lots or looks at queues at the source.

    >>> from jumpnet.analysis.multicast import prove_multicast
    >>> from jumpnet.routing import bind
    >>> from jumpnet.topology import build
    >>> prove_multicast(path_rules(bind("mesh.dimension_order", build("mesh:3x3")))).deadlock_free
    True
    """
    start = bound.routing.start
    if start is not None and (bound.draws > 1 or fields_read(start, 3)):
        raise JumpnetError(f"routing {bound.name} chooses at the source, fixed paths expected for a multicast tree")
    return PathRules(bound)
