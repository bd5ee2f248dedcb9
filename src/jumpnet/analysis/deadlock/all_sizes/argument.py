"""Deadlock freedom of a routing on meshes or tori of all sizes: an order of the channels, given by rules for any sides.

`prove_all_sizes` looks at all packets of all sizes at once (`flow`), finds the rules (`ranking`), and holds the numbers
that they give against the dependencies of small networks, whose packets are followed one by one. Sources: Dally and
Seitz 1987; Duato 1993. Called by `jumpnet prove --all-sizes` and users.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from jumpnet.analysis.deadlock.all_sizes.conditions import OrderForAllSizes, hold_against, ordered
from jumpnet.analysis.deadlock.all_sizes.hooks import (
    prepared_on_all_sizes,
    start_by_many_draws,
    starts_on_all_sizes,
)
from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.proof import Condition
from jumpnet.analysis.deadlock.symbolic.bits import Bits
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.grid import grid_of
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.flow import Flow, flow_of
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.order import channel_numbers, rules
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.ranking import Group
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.regions import Ring
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.symbols import Run
from jumpnet.api.shown import Shown, columns
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32, I64
from jumpnet.topology import build

__all__ = ["AllSizes", "prove_all_sizes"]

RINGS = {"mesh": Ring(2, closed=False), "torus": Ring(3, closed=True)}
"""What the dimensions of a family are, and the least side of which is spoken."""
MOST_CHECKED, MOST_OF_LEAST = 256, 1 << 13
"""Routers of the largest network whose packets are followed, and of the smallest one of many dimensions."""
UNFIT = "the relation is more than sums and comparisons of coordinates and sides within one dimension"
OWN = "a routing of one's own does not run on inequalities"


@dataclass(frozen=True, eq=False)
class AllSizes(Shown):
    """What is known about deadlock of one routing on all networks of a family with so many dimensions."""

    family: str
    dimensions: int
    least_side: int
    """Every side is so long at least; sides may differ."""
    routing: str
    vcs: int
    verdict: Literal["free", "unproved"]
    """`unproved`: no order was found by rules of this kind, which says nothing about the routing."""
    method: str
    """What the verdict rests on, in words."""
    condition: Condition
    """The condition that holds where it is free."""
    arrives: bool
    """Whether it is shown too that every packet arrives: none can come back to a place."""
    states: int
    """Kinds of packet states that were looked at."""
    kinds: int
    """Kinds of dependencies between channels that were ordered."""
    order: tuple[Group, ...] = field(repr=False)
    """The rules: channels as (port, vc), or these and what is `Told` of where they begin, earlier groups first; empty
    unless free."""
    checked: tuple[str, ...]
    """Networks against whose dependencies the numbers were held."""

    @columns(
        {
            "family, dimensions, least_side": "the networks of which this is said: all of the family with such sides",
            "routing, vcs": "routing, virtual channels of a port",
            "verdict, method": "free or unproved, and what that rests on",
            "condition": "acyclic, escape, rings or escape-rings: the one that holds where it is free",
            "arrives": "whether it is shown that every packet arrives",
            "states, kinds": "kinds of packet states and of dependencies, counted",
        }
    )
    def rows(self) -> list[dict[str, Any]]:
        """The proof in one row; its lines are in `rules`."""
        return super().rows()

    @property
    def deadlock_free(self) -> bool:
        """Whether freedom from deadlock is proved."""
        return self.verdict == "free"

    def numbers(self, net: Network) -> I64:
        """(C,) number of each channel (router * P + port) * V + vc of one of the networks, as the rules say; else -1.

        Raises JumpnetError for a network that is none of them. Cost: that of sorting the channels.

        >>> from jumpnet.routings import bind
        >>> proof = prove_all_sizes(bind("mesh.dimension_order", build("mesh:4")))
        >>> proof.numbers(build("mesh:3")).tolist()
        [0, -1, 1, 3, -1, 2]
        """
        _must_be(net, self.family, self.dimensions)
        return channel_numbers(self.order, net, self.vcs)

    def rules(self) -> list[str]:
        """The order in words, a line for each group of channels, earlier first."""
        return list(rules(self.order, [f"dimension {p // 2} {'+-'[p % 2]}" for p in range(2 * self.dimensions)]))


def prove_all_sizes(bound: BoundRouting, progress: Progress = silent) -> AllSizes:
    """Whether a routing is free of deadlock on all networks of its network's family with as many dimensions.

    The relation runs on coordinates and sides of which only inequalities are known, and remainders by two, so that
    finitely many cases are all packets of all sizes (its hooks likewise, see `hooks`); an order of the channels by
    rules, by port, virtual channel and if need be place, is looked for in which every dependency ascends (Dally and
    Seitz), else every extended dependency between escape channels (Duato), or all but those along rings that packets
    enter leaving room for one more (bubble flow control, of all channels or of the escapes). Nothing is said of other
    numbers of virtual channels. Raises JumpnetError where the family has no such rules, or where the numbers that an
    order gives do not ascend on a small network. Cost: up to a minute, and the proofs of some networks of up to 256
    routers (two minutes for `mesh.romm` of three dimensions).

    >>> from jumpnet.routings import bind
    >>> proof = prove_all_sizes(bind("torus.dateline", build("torus:5x5")))
    >>> proof.verdict, proof.least_side, proof.rules()[0]
    ('free', 3, 'dimension 0 + vc 0, by coordinate 0 rising')
    """
    net = bound.network
    if net.family not in RINGS:
        known = " or ".join(RINGS)
        raise JumpnetError(f"{net.spec} found, a {known} expected: other families have no rules for all sizes")
    ring, dimensions = RINGS[net.family], net.coord.shape[1]
    _must_be(net, net.family, dimensions)
    try:
        flow, found = _found(bound, [ring] * dimensions)
    except Unfit as why:
        return _answer(bound, OrderForAllSizes(str(why) or UNFIT))
    checked = [net.spec for net in _small(net.family, dimensions)] if found.order else []
    for done, spec in enumerate(checked):
        progress(done, len(checked))
        hold_against(bound, found, build(spec))
    return _answer(bound, found, flow, checked)


def _found(bound: BoundRouting, rings: Sequence[Ring]) -> tuple[Flow, OrderForAllSizes]:
    """All packet states, and an order of the channels; raises Unfit.

    Where packets start by many draws, the bits of these are told apart only where they are asked for, and are not known
    any more after a hop; where that says too little, each draw is told apart.
    """
    many = not (bound.own or bound.routing.two_phases)
    with suppress(Unfit):
        start = start_by_many_draws(bound, rings) if many else None
        if start is not None:
            flow = _flow(bound, rings, start)
            found = ordered(flow, len(rings), bound.routing.bubble)
            if found.order:
                return flow, found
    flow = _flow(bound, rings)
    return flow, ordered(flow, len(rings), bound.routing.bubble)


def _flow(bound: BoundRouting, rings: Sequence[Ring], start: Bits | None = None) -> Flow:
    """All packet states; raises Unfit, also of a routing of a user's own, which would run without its guard.

    start: the STATE of all packets that start, of which some bits are not known; else each value of it is told apart.
    """
    if bound.own:
        raise Unfit(OWN)
    job, phases = job_of(bound), bool(bound.routing.two_phases)
    if job.by_source or bound.routing.revises or (phases and job.by_channel):
        raise Unfit
    run = Run(bound, prepared_on_all_sizes(bound, rings))
    if start is not None:
        return flow_of(replace(run, drawn=start.unknown), rings, [start], job.by_channel)
    starts = {0, 1} if phases else starts_on_all_sizes(bound, rings)
    return flow_of(run, rings, sorted(starts), job.by_channel)


def _small(family: str, dimensions: int) -> Iterator[Network]:
    """Networks of the family whose packets are followed: equal sides, and one longer than the other; of many dimensions
    the smallest."""
    least = RINGS[family].least
    sides = [[k] * dimensions for k in range(least, least + 4)]
    sides += [[least + 2, *[least] * (dimensions - 1)], [*[least] * (dimensions - 1), least + 3]] * (dimensions > 1)
    for some in sides:
        if np.prod(some) <= (MOST_OF_LEAST if some == sides[0] else MOST_CHECKED):
            net = build(f"{family}:{'x'.join(map(str, some))}")
            _must_be(net, family, dimensions)
            yield net


def _must_be(net: Network, family: str, dimensions: int) -> None:
    """Raise JumpnetError unless a network is one of the family as `RINGS` has it: hop by hop."""
    grid, ring = grid_of(net, longest=None), RINGS[family]
    if grid is not None and len(grid.sides) == dimensions and min(grid.sides) >= ring.least:
        moves = [(d, up) for d in range(dimensions) for up in (True, False)]
        expected = [_move(grid.sides[d], up, ring.closed) for d, up in moves]
        same = [np.array_equal(a, b) for a, b in zip(grid.move, expected, strict=False)]
        back = np.where(net.neighbor >= 0, np.arange(net.ports) ^ 1, -1)
        if len(grid.move) == len(moves) and all(same) and (net.far_port == back).all():
            return
    sides = f"sides of at least {ring.least}"
    raise JumpnetError(f"{net.spec} found, a {family} of {dimensions} dimensions with {sides} expected")


def _move(side: int, up: bool, closed: bool) -> I32:
    there = np.arange(side, dtype=np.int32) + (1 if up else -1)
    return there % side if closed else np.where((there >= 0) & (there < side), there, -1)


def _answer(
    bound: BoundRouting, found: OrderForAllSizes, flow: Flow | None = None, checked: Sequence[str] = ()
) -> AllSizes:
    """The result, from the order that was found and the networks that it was held against."""
    net = bound.network
    return AllSizes(
        family=net.family,
        dimensions=net.coord.shape[1],
        least_side=RINGS[net.family].least,
        routing=bound.name,
        vcs=bound.vcs,
        verdict="free" if found.order else "unproved",
        method=found.method,
        condition=found.condition,
        arrives=found.arrives,
        states=len(flow.asked) if flow else 0,
        kinds=found.kinds,
        order=found.order,
        checked=tuple(checked),
    )
