"""Which digits a relation asks about: it is run at some routers, and digits of which it asks parts are taken apart.

Called by `graph` and `changes`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.walks.packet_walk import Job
from jumpnet.analysis.deadlock.ways_to_graph.digits.choices import Split, Steps
from jumpnet.analysis.deadlock.ways_to_graph.digits.runs import Key, answers, plain, started
from jumpnet.analysis.deadlock.ways_to_graph.digits.sets import Layout
from jumpnet.analysis.deadlock.ways_to_graph.digits.system import System, by_coordinates, by_number
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import ESCAPE, STATE
from jumpnet.routings.writes import constants_written

__all__ = ["LEAST", "asked_digits"]

LEAST = 1 << 28
"""Entries of tables that runs may take on whatever network."""
MOST_SPLITS = 64
SOME = 4
"""Routers at which a relation is tried."""


def asked_digits(bound: BoundRouting, job: Job) -> System | None:
    """Digits of which the relation asks no parts; None where there are none, or it does not fit at some routers."""
    system = by_coordinates(bound.network)
    found = _taken_apart(bound, job, system or by_number(bound.network))
    if found is None and system is not None and system.divisors:
        for by in sorted(system.divisors):
            system = system.with_rest(by)
        found = _taken_apart(bound, job, system)
    return found


def _taken_apart(bound: BoundRouting, job: Job, system: System) -> System | None:
    """The same, from these digits on."""
    for _ in range(MOST_SPLITS):
        try:
            _try(bound, system, job)
        except Split as split:
            digit, low = split.args
            if digit < 0 and not system.columns:
                return None
            system = by_number(bound.network) if digit < 0 else system.refined(digit % len(system.radix), low)
        except Unfit:
            return None
        else:
            return system
    return None


def _try(bound: BoundRouting, system: System, job: Job) -> None:
    """Run everything once at some routers, where tables may be long."""
    routers, relation, steps = job.sources[:SOME].astype(np.int64), plain(bound.routing.relation), Steps(LEAST // 4)
    rows, hook = np.ones((len(routers), 1), bool), bound.routing.start
    written = constants_written(hook, 1, STATE)
    for state in sorted(written or {0}):
        for middle in (False, True)[: 1 if hook is None or written is None else 2]:
            layout = Layout(system, middle + job.by_source)
            masks = layout.unpack(layout.everything(len(routers)))
            found = answers(bound, system, relation, Key(state, middle), routers, rows, masks, steps)
            if any(candidate.kind & ESCAPE for answer in found for candidate in answer.candidates):
                raise Unfit  # the condition that takes escapes has to follow packets
    if written is None:
        masks = Layout(system, 0).unpack(Layout(system, 0).everything(len(routers)))
        for _ in started(bound, system, plain(hook), 0, routers, rows, masks, steps):
            pass
