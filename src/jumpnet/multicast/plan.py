"""A multicast resolved for the simulator: the places that its packet visits, as a tree in flat arrays.

A place is one visit of a router; its branches are the places after it. Made by asking a `Forwarding` at every router,
as the chip's bit-map generator is asked (nishi1997router section 4.2.3). A packet to one destination is a plan with one
branch at each place. Called by `sim` and tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jumpnet.multicast._checked import check
from jumpnet.multicast._scheme import Scheme
from jumpnet.multicast.chip_rules import ChipRules
from jumpnet.multicast.forwarding import Forwarding, Read, asked, rules_are_own
from jumpnet.multicast.remaking import Remaking
from jumpnet.terms import I32

__all__ = ["DROPS", "HANDS", "RECEIVES", "Plan", "bit_map_plan", "least_plan", "plan_from"]


RECEIVES = 1
DROPS = 2
HANDS = 3


@dataclass(frozen=True, eq=False)
class Plan:
    """The tree of one packet over K places, breadth first; place 0 is its source.

    The branches of a place are contiguous, in the order of their channels.
    """

    router: I32
    """(K,) router of each place."""
    parent: I32
    """(K,) place that each is reached from, -1 for the source. Where a processor makes a packet anew (`HANDS`), that
    packet starts at a place of its own, the last after those reached from there, on the same router."""
    port: I32
    """(K,) output port of the parent's router by which it is reached, -1 where a packet starts."""
    vc: I32
    """(K,) virtual channel there, -1 where a packet starts."""
    local: I32
    """(K,) RECEIVES where the terminal of the router receives; DROPS where the header names nobody further: the
    processor takes the packet, but is no receiver (LARP:path spreads to children whose map may be empty); else 0.
    HANDS where the processor takes the packet to make it anew and send it on, and is no receiver."""

    @cached_property
    def first(self) -> I32:
        """(K + 1,) the branches of place k are the places first[k] to first[k + 1] - 1."""
        return np.searchsorted(self.parent, np.arange(len(self.parent) + 1)).astype(np.int32)

    @property
    def receivers(self) -> list[int]:
        """Routers whose terminals receive, in the order of the places."""
        return self.router[self.local == RECEIVES].tolist()


def plan_from(rules: Forwarding, source: int, stage: Any, read: Read | None = None) -> Plan:
    """Follow a header from a source; O(places) Python steps.

    >>> from jumpnet.multicast.chip_rules import chip_rules
    >>> from jumpnet.topology import build
    >>> rules = chip_rules(build("prdt:8"))
    >>> plan_from(rules, 9, rules.first(9, 0)).receivers
    [9, 10, 8, 17, 1, 18, 16, 25]
    """
    places = [(source, stage, -1, -1, -1)]
    local: list[int] = []
    own, neighbor = rules_are_own(rules), rules.network.neighbor
    for number, (here, header, *_) in enumerate(places):  # the list grows while it is read
        fork = asked(rules, here, header, len(places), read) if own else rules.fork(here, header, read)
        hands = fork.again is not None
        local.append(RECEIVES if fork.local else HANDS if hands else 0 if fork.branches else DROPS)
        for port, vc, after in sorted(fork.branches, key=lambda branch: branch[:2]):
            places.append((int(neighbor[here, port]), after, number, port, vc))
        if hands:
            places.append((here, fork.again, number, -1, -1))
    columns = [[place[k] for place in places] for k in (0, 2, 3, 4)]
    return Plan(*(np.array(column, np.int32) for column in (*columns, local)))


def bit_map_plan(
    rules: ChipRules, scheme: Scheme, source: int, destinations: Sequence[int], top: int | None = None
) -> Plan:
    """The plan of a multicast under a bit-map scheme, by the chip's rules; from a given top rank instead of the least.

    Raises JumpnetError for no or outlying destinations.

    >>> from jumpnet.multicast import scheme
    >>> from jumpnet.multicast.chip_rules import chip_rules
    >>> from jumpnet.topology import build
    >>> plan = bit_map_plan(chip_rules(build("prdt:16")), scheme("SM"), 0, [1, 2])
    >>> len(plan.router), sorted(plan.receivers)
    (8, [1, 2, 32, 227])
    """
    address = rules.where.address(source, destinations, top)
    check(scheme, rules.where)
    maps, every = scheme.header(address.digits), (1 << rules.where.fanout) - 1

    def read(rank: int, node: tuple[int, ...]) -> int:
        return scheme.forwards(maps, rank, node, address.top, every)

    if scheme.remakes is not None:
        anew = Remaking(rules, scheme.remakes)
        plan = plan_from(anew, source, anew.first(source, address.top), read)
    else:
        plan = plan_from(rules, source, rules.first(source, address.top), read)
    scheme.refuse_unreached(map(int, destinations), plan.receivers if scheme.own else ())
    return plan


def least_plan(rules: ChipRules, schemes: Sequence[Scheme], source: int, destinations: Sequence[int]) -> Plan:
    """The plan under that of several schemes which has the fewest receivers, the first of equal ones.

    >>> from jumpnet.multicast import scheme
    >>> from jumpnet.multicast.chip_rules import chip_rules
    >>> from jumpnet.topology import build
    >>> rules, three = chip_rules(build("prdt:16")), [scheme(name) for name in ("SM", "LPRA", "LARP")]
    >>> [len(least_plan(rules, [one], 0, [1, 2, 200]).receivers) for one in three]
    [18, 73, 65]
    >>> len(least_plan(rules, three, 0, [1, 2, 200]).receivers)
    18
    """
    plans = [bit_map_plan(rules, one, source, destinations) for one in schemes]
    return min(plans, key=lambda plan: len(plan.receivers))
