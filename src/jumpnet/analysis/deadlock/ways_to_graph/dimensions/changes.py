"""Changes from one routing to another on a large grid, from the cases of pairs of both.

What packets hold and ask for by either is as `graph` has it. A packet that was routed anew begins again by the later
routing wherever it comes to, so the pairs that leave a case of the earlier one by a port meet the later one's cases of
packets that begin. For Duato's condition all cases together are those of one routing (`escapes`): a packet goes by
some of them at each hop, whichever routing it is of. Called by `changeover`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from jumpnet.analysis.deadlock.rows.bit_rows import unpack
from jumpnet.analysis.deadlock.rows.blank import first_channels
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.walks.counters import union
from jumpnet.analysis.deadlock.walks.packet_walk import STATES
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.cases import Case
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.escapes import class_numbers, without_escape
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.graph import Phase
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.moves import OnGrid, circle_free, states_for
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.states import States
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import ESCAPE, KIND
from jumpnet.terms import I64, Array

__all__ = ["ChangeOnGrid", "change_by_dimension"]


@dataclass(frozen=True, eq=False)
class ChangeOnGrid:
    """All packets before, during and after a change."""

    bounds: Sequence[BoundRouting]
    vcs: int
    rows: tuple[I64, I64]
    """(indptr, indices) of all dependencies."""
    used: Array
    """(C,) whether some packet may take a channel."""
    escape: Array
    """(C,) likewise as an escape, all candidates of a state being escapes where none is marked."""
    states: int
    marks_escapes: bool
    """Whether any routing marks candidates ESCAPE."""
    on: OnGrid

    def escape_numbers(self) -> I64 | None:
        """(C,) numbers that ascend along all extended dependencies of the escapes, -1 elsewhere; None if not found."""
        if not circle_free(self.on) or without_escape(self.on):
            return None
        number = class_numbers(self.on, self.bounds[0].network, self.vcs)
        return None if number is None else np.where(self.escape != 0, number, -1)


def change_by_dimension(bounds: Sequence[BoundRouting], vcs: int) -> ChangeOnGrid | None:
    """The dependencies of a change from the first routing to the others in turn, on links that stay; None if unfit."""
    net, found = bounds[0].network, []
    if any((bound.network.neighbor != net.neighbor).any() for bound in bounds):
        return None
    for bound in bounds:
        states = states_for(bound, plain=True)
        if states is None:
            return None
        found.append(_all_escapes(states))
    made = []
    try:
        for k, (states, _) in enumerate(found):
            made.append(Phase(states, vcs))
            for later, _ in found[k + 1 :]:
                made[-1].add_turned(later)
    except Unfit:
        return None
    bits, used, escape, counters = union([phase.graph for phase in made])
    cases = [stay.case for states, _ in found for stay in states.stays]
    return ChangeOnGrid(
        bounds=bounds,
        vcs=vcs,
        rows=unpack(bits, first_channels(net, vcs)),
        used=used,
        escape=escape,
        states=int(counters[STATES]),
        marks_escapes=any(marks for _, marks in found),
        on=OnGrid(found[0][0].grid, cases),
    )


def _all_escapes(states: States) -> tuple[States, bool]:
    """The same with all candidates of a state ESCAPE where none is, and whether any was."""
    stays = [stay._replace(case=_marked(stay.case)) for stay in states.stays]
    marks = any((stay.case.rows[:, KIND] & ESCAPE).any() for stay in states.stays)
    return replace(states, stays=stays), bool(marks)


def _marked(case: Case) -> Case:
    if (case.rows[:, KIND] & ESCAPE).any():
        return case
    rows = case.rows.copy()
    rows[:, KIND] |= ESCAPE
    return case._replace(rows=rows)
