"""The conditions that make a routing free of deadlock, asked of all sizes at once, and of one network for comparison.

Sources: Dally and Seitz 1987; Duato 1993; Carrion et al. 1997 (bubbles, argued in
`analysis.deadlock.conditions.bubble`). Called by `argument`.
"""

from __future__ import annotations

from collections.abc import Hashable, Set
from dataclasses import dataclass, replace

from jumpnet.analysis.deadlock.conditions.bubble import escape_dependencies, marked_dependencies
from jumpnet.analysis.deadlock.conditions.duato import extended_dependencies
from jumpnet.analysis.deadlock.cycles.checker import accepts, accepts_rings, accepts_rows
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.proof import ESCAPE_RINGS, RINGS, Condition
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.flow import Flow
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.order import channel_numbers
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.ranking import Edge, Group, ranked
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting

__all__ = ["OrderForAllSizes", "hold_against", "ordered"]

DIRECT = "acyclic channel dependency graph"
DUATO = "Duato's condition: acyclic extended dependency graph of the escape channels, one for every packet"


@dataclass(frozen=True)
class OrderForAllSizes:
    """What the search for an order came to."""

    method: str
    order: tuple[Group, ...] = ()
    """Empty where none was found."""
    kinds: int = 0
    """Kinds of dependencies that were looked at."""
    arrives: bool = False
    """Whether no packet comes back to a place, so that all arrive."""
    condition: Condition = "acyclic"
    """By which the order is one."""


def ordered(flow: Flow, dimensions: int, bubble: bool) -> OrderForAllSizes:
    """An order of the channels by the first condition that holds. bubble: whether the routing is made for bubbles."""
    arrives = ranked(flow.asked, flow.hops(), dimensions) is not None
    edges = flow.dependencies()
    nothing = OrderForAllSizes(
        "no rules were found by which every dependency ascends", kinds=len(edges), arrives=arrives
    )
    order = ranked(flow.channels(), edges, dimensions)
    if order is not None:
        return replace(nothing, method=DIRECT, order=order)
    placed = flow.by_place()
    if placed is not None and (order := ranked(placed.channels(), more := placed.dependencies(), dimensions)):
        return replace(nothing, method=DIRECT, order=order, kinds=len(more))
    if bubble:
        return _by_bubbles(flow, nothing)
    if flow.two_phases or flow.without_escape():
        return nothing
    for of in (flow, placed) if placed else (flow,):
        edges = of.extended()
        order = ranked(of.escapes(), edges, dimensions)
        if order is not None:
            return replace(nothing, method=DUATO, condition="escape", order=order, kinds=len(edges))
    return replace(nothing, method="no rules were found by which every extended dependency ascends", kinds=len(edges))


def _by_bubbles(flow: Flow, nothing: OrderForAllSizes) -> OrderForAllSizes:
    """What bubble flow control says, of all channels, else of the escapes among themselves."""
    order = _rings(flow.channels(), flow.marked(), flow.unmarked_at_sources())
    if order:
        return replace(nothing, method=RINGS, condition="rings", order=order)
    escapes = flow.escapes()
    if flow.two_phases or flow.without_escape() or escapes & flow.otherwise():
        return nothing
    wanted = {(edge, enters) for edge, enters in flow.marked() if edge.head in escapes}
    within = {(edge, enters) for edge, enters in wanted if edge.tail in escapes}
    unmarked = {edge.head for edge, enters in wanted - within if not enters} | flow.unmarked_at_sources()
    order = _rings(escapes, within, unmarked)
    if not order:
        return nothing
    kinds = len({edge for edge, _ in within})
    return replace(nothing, method=ESCAPE_RINGS, condition="escape-rings", order=order, kinds=kinds)


def _rings(
    channels: set[tuple[int, int]], marked: set[tuple[Edge, bool]], unmarked: Set[Hashable]
) -> tuple[Group, ...] | None:
    """An order by kinds alone, those that follow on themselves being rings; None where a ring is entered unmarked.

    A channel leads by a hop of its own port to one other of its kind, and is led to from one. unmarked: channels that
    packets may come to from their sources, or from other channels than these, by no candidate marked ENTERS.
    """
    along = {edge for edge, enters in marked if edge.tail == edge.head and not enters}
    rings = {edge.tail for edge in along}
    if rings & unmarked:
        return None
    others = [(edge, enters) for edge, enters in marked if edge not in along or enters]
    if any(edge.head in rings and not enters for edge, enters in others):
        return None
    return ranked(channels, [edge for edge, _ in others], dimensions=0)


def hold_against(bound: BoundRouting, found: OrderForAllSizes, net: Network) -> None:
    """Raise JumpnetError unless the numbers ascend along what packets that are followed one by one depend on."""
    small = bound.routing.bind(net, bound.vcs, **bound.options)
    number, made = channel_numbers(found.order, net, bound.vcs), dependencies(small)
    if found.condition == "rings":
        good = accepts_rings(number, *marked_dependencies(made))
    elif found.condition == "escape-rings":
        escapes = escape_dependencies(made)
        good = escapes is not None and accepts_rings(number, *escapes[0])
        made = made if escapes is None else replace(made, used=escapes[1])
    elif found.condition == "escape":
        extended = extended_dependencies(made)
        good = extended.without_escape is None and accepts(number, *extended.pairs)
        made = replace(made, used=made.escape)
    else:
        good = accepts_rows(number, *made.rows)
    if not good or (number[made.used != 0] < 0).any():
        raise JumpnetError(f"{bound.name}: the order for all sizes does not ascend on {net.spec}; please report this")
