"""The channel dependency graph of a routing on a network, as it was made: its rows of bits, and what was done for them.

Made by `dependency.dependencies`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from jumpnet.analysis.deadlock.cycles.checker import accepts_bits, accepts_pieces
from jumpnet.analysis.deadlock.how import Basis, How
from jumpnet.analysis.deadlock.rows.bit_rows import unpack
from jumpnet.analysis.deadlock.rows.blank import Graph, first_channels
from jumpnet.analysis.deadlock.rows.pieces import Counted, Pieces
from jumpnet.analysis.deadlock.walks.limits import require_rows
from jumpnet.analysis.deadlock.walks.packet_walk import ADAPTIVE, CHOICES, ESCAPES, STATES, Job
from jumpnet.analysis.deadlock.walks.waits import Waits
from jumpnet.analysis.deadlock.ways_to_graph.covers.graph import Covered
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.kinds import Kinds
from jumpnet.analysis.deadlock.ways_to_graph.orbits.states import StatesByOrbit
from jumpnet.errors import JumpnetError
from jumpnet.process.threads import share, slices
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32, I64, Array

__all__ = ["Dependencies", "dependencies_from", "require_made_of"]

COUNTED_APART = 16
"""Parts of each thread's rows whose bits are counted one after another, so that it takes little room."""


@dataclass(frozen=True, eq=False)
class Dependencies:
    """A channel dependency graph. Channel number (router * P + port) * V + vc; C = R * P * V of them."""

    bound: BoundRouting
    bits: Array
    """(C, W) uint64: bit port * V + vc of row c is set when a packet on c may wait for that channel of the next
    router. Of large networks that look alike from every router (P * V, W), the rows of router 0 for all (`alike`).
    (0, W) where there are `pieces`."""
    used: Array
    """(C,) uint8: 1 when some packet may take the channel."""
    escape: Array
    """(C,) uint8: 1 when some packet may take it as an ESCAPE candidate."""
    adaptive: bool
    """Whether some packet may choose between ports."""
    choices: bool
    """Whether some packet may choose at all, between ports or virtual channels."""
    has_escape: bool
    """Whether the relation marks candidates ESCAPE."""
    states: int
    """Number of (destination, packet state) pairs followed."""
    phased: bool = False
    """Whether the two phases were followed apart; no packet comes back to a state it was in then."""
    whole: bool = True
    """False when these are at least the routing's: those of all ways in two phases, of which it takes some, or those of
    sets of packets among which are all that there are; and where there is `to`, `among`, `kinds` or `cover`."""
    by: How = "walks"
    """How packets were looked at."""
    beyond: bool = False
    """Whether more or fewer dependencies than the routing's would have done."""
    ends: Callable[[], bool] | None = None
    """Whether every packet is known to end its way, whatever it chooses; None where packets have to be followed."""
    number: I64 | None = None
    """(C,) by which every dependency ascends, where that was looked for already."""
    moved: StatesByOrbit | None = None
    """States of packets from one router of each orbit, where these were followed."""
    kinds: Kinds | None = None
    """The kinds of packets, where these were looked at."""
    cover: Covered | None = None
    """The products that hold all packets, where these were looked at."""
    to: I32 | None = None
    """Destinations to which packets were followed, where these are some: they can deadlock."""
    begun: Job | None = None
    """Where the packets that were followed to these begin, and by which draws."""
    at_least: int | None = None
    """Channels that any cycle has at least, where those packets have a longer one only; else theirs is a shortest."""
    among: str | None = None
    """The routing whose dependencies these are, among which are all of this one's (`Routing.among`), and what that was
    held against; None where they are this one's."""

    short: Callable[[], I64 | None] | None = None
    """Looks for a shortest cycle, channels in order, without a list of dependencies; None where none is found so."""
    pieces: Pieces | None = None
    """The rows of bits, where they are too many to be held: then `number` has been found."""
    workers: int = 1
    """Threads that list and check them."""
    awaited: list[Waits] = field(default_factory=list)
    """What packets that hold each channel may wait for, once that was asked and where it has room (`waiting.knots`)."""

    @cached_property
    def base(self) -> I64:
        """(C,) the first channel of the router that each channel leads to."""
        return first_channels(self.bound.network, self.bound.vcs)

    @property
    def basis(self) -> Basis:
        """What a proof by them keeps, so that they can be made again."""
        return Basis(self.by, self.beyond, self.whole, self.among, self.at_least)

    @property
    def of_some(self) -> str:
        """Which packets were followed, where there is `to`."""
        assert self.to is not None
        bound, net = self.bound, self.bound.network
        words = f"packets to {len(self.to)} of the {int((net.sinks > 0).sum())} destinations"
        if self.begun is None:
            return words
        sources, draws = int((net.terminals > 0).sum()), int(bound.draws)
        words += f" from {len(self.begun.sources)} of the {sources} sources" * (len(self.begun.sources) < sources)
        return words + f" by {self.begun.draws} of the {draws} draws" * (self.begun.draws < draws)

    @property
    def alike(self) -> bool:
        """Whether `bits` has the rows of one router, which are those of all."""
        return self.pieces is None and len(self.bits) < len(self.used)

    @property
    def shared_by(self) -> int:
        """Routers that each row of `bits` is of."""
        return len(self.used) // max(1, len(self.bits)) if self.alike else 1

    @property
    def row_base(self) -> I64:
        """(len(bits),) the first row of `bits` that is of the router which each leads to."""
        return np.zeros(len(self.bits), np.int64) if self.alike else self.base

    @cached_property
    def rows(self) -> tuple[I64, I64]:
        """(indptr, indices): channel c waits for indices[indptr[c]:indptr[c + 1]]; JumpnetError if they do not fit."""
        if self.pieces is not None:
            who = f"{self.bound.name} on {self.bound.network.spec}"
            raise JumpnetError(f"{who}: {self.count} dependencies found, fewer expected where they are to be listed")
        require_rows(self.bound, self.bits.nbytes * (self.shared_by - 1), self.count)
        bits = np.tile(self.bits, (self.bound.network.routers, 1)) if self.alike else self.bits
        return unpack(bits, self.base, self.workers)

    @cached_property
    def short_cycle(self) -> I64 | None:
        """What `short` finds."""
        return None if self.short is None or self.alike else self.short()

    @property
    def channels(self) -> int:
        """Number of (channel, vc) that some packet may take."""
        return int(self.used.sum())

    @cached_property
    def count(self) -> int:
        """Number of dependencies."""
        if self.pieces is not None:
            return self.pieces.dependencies
        parts = slices(len(self.bits), COUNTED_APART * self.workers)
        counts = share(lambda part: int(np.bitwise_count(self.bits[part]).sum()), parts, self.workers)
        return sum(counts) * self.shared_by

    def accept(self, number: I64) -> bool:
        """Whether the checker finds every dependency ascend; number as long as `bits`, or (C,) with `pieces`."""
        if self.pieces is None:
            return accepts_bits(number, self.bits, self.row_base, self.workers)
        if number is self.pieces.accepted:
            return True
        return accepts_pieces(number, Counted(self.bound.network, self.bound.vcs, self.pieces.each()))


def dependencies_from(bound: BoundRouting, graph: Graph, phased: bool, by: How = "walks") -> Dependencies:
    """A graph with what its counters say."""
    bits, used, escape, count = graph
    adaptive, choices, escapes = (bool(count[flag]) for flag in (ADAPTIVE, CHOICES, ESCAPES))
    whole = not (phased and bound.routing.two_phases == "some")
    return Dependencies(bound, bits, used, escape, adaptive, choices, escapes, int(count[STATES]), phased, whole, by)


def require_made_of(bound: BoundRouting, made: Dependencies) -> None:
    """Raise JumpnetError where dependencies are not of this routing on this network with these channels and options."""
    of, net = made.bound, bound.network
    same = of.routing is bound.routing and of.network is net and (of.vcs, of.options) == (bound.vcs, bound.options)
    if of is not bound and not same:
        theirs, here = (f"{one.name} on {one.network.spec}, {one.vcs} vcs," for one in (of, bound))
        where = " of another network or settings" * (theirs == here)
        raise JumpnetError(f"dependencies of {theirs}{where} found, those of {here} expected")
