"""Changes from one routing to another on fat trees and the like, from sets of destinations of both.

What packets hold and ask for by either is as `graph` has it, the later routing's from all routers. A packet that was
routed anew begins again by the later routing wherever it comes to, so what leaves a router by the earlier one's sets
meets the sets that begin there by the later one. There are all dependencies, perhaps more, so only an order of them is
an answer. Called by `changeover`; the twin follows packets (`Changeover.dependencies`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.cycles.checker import accepts_bits
from jumpnet.analysis.deadlock.cycles.numbers_by_class import numbers_by_class
from jumpnet.analysis.deadlock.cycles.order import numbering
from jumpnet.analysis.deadlock.rows.bit_rows import unpack
from jumpnet.analysis.deadlock.rows.blank import blank, first_channels
from jumpnet.analysis.deadlock.rows.pieces import too_large
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.walks.packet_walk import STATES, Job
from jumpnet.analysis.deadlock.walks.walkers import job_anywhere, job_of
from jumpnet.analysis.deadlock.ways_to_graph.digits.asked import LEAST, asked_digits
from jumpnet.analysis.deadlock.ways_to_graph.digits.choices import Split, Steps
from jumpnet.analysis.deadlock.ways_to_graph.digits.graph import LANES, MOST, MOST_ENTRIES, is_foreign
from jumpnet.analysis.deadlock.ways_to_graph.digits.rows import Rows, marks_of
from jumpnet.analysis.deadlock.ways_to_graph.digits.runs import NO_PORT
from jumpnet.analysis.deadlock.ways_to_graph.digits.spread import Crowded, Spread
from jumpnet.analysis.deadlock.ways_to_graph.digits.system import System
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64

__all__ = ["ChangeBySets", "change_by_digits"]

MOST_LISTED = 1 << 27
"""Dependencies up to which they are listed to find an order."""


class ChangeBySets(NamedTuple):
    """All packets before, during and after a change, whose dependencies have an order."""

    number: I64
    """(C,) by which every dependency ascends, as the checker found."""
    dependencies: int
    channels: int
    states: int


def change_by_digits(bounds: Sequence[BoundRouting]) -> ChangeBySets | None:
    """What sets say of a change from the first routing to the others in turn; None where they do not fit, or find no
    order. Cost: as of both routings' proofs by sets."""
    net, vcs = bounds[0].network, bounds[0].vcs
    if any(not _alike(bound, bounds[0]) for bound in bounds) or too_large(bounds[0]) or net.ports > NO_PORT:
        return None
    jobs = [job_of(bounds[0]), *map(job_anywhere, bounds[1:])]
    spreads = _spread(bounds, jobs)
    if spreads is None or any(key.middle for spread in spreads for key in spread.hulls):
        return None
    bits, used, _ = blank(bounds[0])
    rows, made = bits.reshape(net.routers, net.ports, vcs, -1), [Rows(spread) for spread in spreads]
    states = 0
    for k, one in enumerate(made):
        one.fill(range(net.routers), rows)
        for later in made[k + 1 :]:
            one.fill(range(net.routers), rows, later.begun())
        asked, _, counters = marks_of(spreads[k])
        used |= asked
        states += int(counters[STATES])
    base, many = first_channels(net, vcs), int(np.bitwise_count(bits).sum())
    number = numbers_by_class(net, vcs, bits, base)
    if number is None and many <= MOST_LISTED:
        number = numbering(*unpack(bits, base))
    if number is None or not accepts_bits(number, bits, base):
        return None
    return ChangeBySets(number, many, int(used.sum()), states)


def _alike(bound: BoundRouting, old: BoundRouting) -> bool:
    """Whether it is a routing that sets serve, on the links and channels that there were."""
    one, two = bound.network, old.network
    same = np.array_equal(one.neighbor, two.neighbor) and np.array_equal(one.sinks > 0, two.sinks > 0)
    return same and bound.vcs == old.vcs and not is_foreign(bound) and not bound.routing.bubble


def _spread(bounds: Sequence[BoundRouting], jobs: Sequence[Job]) -> list[Spread] | None:
    """The sets of each, of the same digits; None where one does not fit."""
    if any(job.by_source or job.by_channel or job.home for job in jobs):
        return None
    systems: list[System] = []
    for bound, job in zip(bounds, jobs, strict=True):
        system = asked_digits(bound, job)
        if system is None or (systems and not np.array_equal(system.digit, systems[0].digit)):
            return None
        systems.append(system)
    pairs = bounds[0].network.routers * len(systems[0].sinks)
    for lanes in LANES:
        try:
            return [
                Spread(bound, systems[0], job, lanes, Steps(min(max(LEAST, MOST * pairs * job.draws), MOST_ENTRIES)))
                for bound, job in zip(bounds, jobs, strict=True)
            ]
        except Crowded:
            continue
        except (Unfit, Split):
            return None
    return None
