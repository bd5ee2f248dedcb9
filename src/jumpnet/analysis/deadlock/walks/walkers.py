"""All packet states of a routing, one destination after another: nodes by number where that does, else by hashing.

`Direct` and `Hashed` follow packets through the same states; a proof begins with the first and goes on with `wider()`
where that has no room, or no number for a state. Called by `shared`, `search` and `conditions.duato`; what a walk
begins with (`Job`) and how it fails are said here for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from jumpnet.analysis.deadlock.rows.blank import Rows
from jumpnet.analysis.deadlock.walks._direct import Places, explore_direct, new_places, note_asked
from jumpnet.analysis.deadlock.walks._explore import explore
from jumpnet.analysis.deadlock.walks._phases import explore_phases
from jumpnet.analysis.deadlock.walks.depth_first import Ascent, Descent, new_descent, search_direct, search_hashed
from jumpnet.analysis.deadlock.walks.limits import MEMORY_LIMIT_BYTES, triples
from jumpnet.analysis.deadlock.walks.packet_walk import (
    ASTRAY,
    FAILED_AT,
    FAILURE,
    FULL,
    LOST,
    NODES,
    STUCK,
    TOO_MANY,
    TURN,
    WAY,
    Job,
    Nodes,
    Space,
    Stretch,
    goes_out,
    new_nodes,
    new_space,
    parts,
)
from jumpnet.errors import JumpnetError
from jumpnet.routings import IN_PORT, IN_VC, SOURCE, BoundRouting
from jumpnet.routings.reads import fields_read
from jumpnet.routings.view import MAX_CANDIDATES
from jumpnet.terms import I32, I64, Array

__all__ = [
    "Direct", "Hashed", "failed", "first_hashed", "first_walks", "job_anywhere", "job_from", "job_of", "job_read_of",
    "leaves_home_out", "more_nodes", "phase_walks",
]  # fmt: skip

MOST_STATES = 64
"""Most values of STATE for which a node has a place of its own."""
FEW_TRIPLES = 1 << 18
"""Most sources, destinations and draws of a routing of ours whose packets to their own routers are followed."""
_gone_out: WeakKeyDictionary[BoundRouting, bool] = WeakKeyDictionary()


def job_of(bound: BoundRouting) -> Job:
    """What the walk kernels need to know about a routing; one of a user's own is run for it, and one of ours whose
    packets go by drawn routers on fewer channels than it needs, or home on other channels, where packets are few."""
    job = job_read_of(bound)
    few = _shares_halves(bound) and triples(bound, job) <= FEW_TRIPLES
    return job._replace(home=_goes_out(bound, job)) if bound.own or few else job


def leaves_home_out(bound: BoundRouting) -> bool:
    """Whether packets to the router where they enter are not followed, though they might wait for each other."""
    if not _shares_halves(bound):
        return False
    job = job_read_of(bound)
    return triples(bound, job) > FEW_TRIPLES and _goes_out(bound, job)


def _shares_halves(bound: BoundRouting) -> bool:
    """Whether packets home, of a routing of ours by way of a drawn router, may close a cycle: both halves of a way may
    have channels in common, or packets home have some that no others take."""
    return not bound.own and bound.draws > 1 and (bound.vcs < bound.needed or bound.routing.others_home)


def job_from(bound: BoundRouting, sources: I32) -> Job:
    """The same of packets that begin at some routers, with or without terminals, one of which may be their last."""
    job, there = job_read_of(bound)._replace(sources=sources), sources[bound.network.sinks[sources] > 0]
    return job._replace(home=_leaves(bound, job, there))


def job_anywhere(bound: BoundRouting) -> Job:
    """The same of packets whose heads are routed anew wherever they stand: they begin at any router with a link."""
    return job_from(bound, np.flatnonzero((bound.network.neighbor >= 0).any(axis=1)).astype(np.int32))


def job_read_of(bound: BoundRouting) -> Job:
    """As much of `job_of` as is read from a routing's source where it is not declared."""
    routing, net = bound.routing, bound.network
    reads = bound.fields
    looks = routing.start is not None and len(fields_read(routing.start, 3)) > 0
    return Job(
        sources=np.flatnonzero(net.terminals > 0).astype(np.int32),
        draws=int(bound.draws),
        queues=1 + bound.view.queues * (1 + bound.own) if looks else 1,
        by_channel=bool(reads & {IN_PORT, IN_VC}),
        by_source=SOURCE in reads,
    )


def _goes_out(bound: BoundRouting, job: Job) -> bool:
    """Whether a packet to its own router, from a terminal there, may go round by others; asked once."""
    if bound not in _gone_out:
        routers = np.flatnonzero((bound.network.terminals > 0) & (bound.network.sinks > 0)).astype(np.int32)
        _gone_out[bound] = _leaves(bound, job, routers)
    return _gone_out[bound]


def _leaves(bound: BoundRouting, job: Job, routers: I32) -> bool:
    """Whether some packet that begins at one of some routers, and is for it, takes a channel first."""
    space = new_space(bound.view.queues)
    return bool(goes_out(bound.pointer, bound.start_pointer, bound.view, job, space, routers))


def failed(bound: BoundRouting, nodes: Nodes, space: Space, destination: int) -> JumpnetError:
    """What to say of the packet that a walk to `destination` stopped at."""
    routers, node = list[int](), int(space.counters[FAILED_AT])
    while node >= 0:
        routers.append(int(nodes.key[node, 3]))
        node = int(nodes.parent[node])
    routers.reverse()
    bound.explain(routers[0], destination)
    here = routers[-1]
    failure = int(space.counters[FAILURE])
    trouble = "offers too many ways" if failure == TOO_MANY else "does not deliver"
    what = {
        LOST: f"stops at router {here}",
        STUCK: f"finds no route at router {here}",
        ASTRAY: f"names a port without link or a virtual channel beyond {bound.vcs - 1} at router {here}",
        TOO_MANY: f"would have more than {MAX_CANDIDATES} candidates at router {here}",
    }[failure]
    way = "-".join(str(r) for r in routers[:12]) + ("-..." if len(routers) > 12 else "")
    return JumpnetError(
        f"{bound.name} on {bound.network.spec} {trouble}: the packet from {routers[0]} to {destination} {what} "
        f"(path {way})"
    )


def _words(bound: BoundRouting) -> int:
    return (bound.network.ports * bound.vcs + 63) // 64


def more_nodes(bound: BoundRouting, nodes: Nodes, destination: int) -> Nodes:
    """Empty arrays for twice the nodes; raises JumpnetError where that is too much for packets to one destination."""
    if 2 * sum(array.nbytes for array in nodes) > MEMORY_LIMIT_BYTES:
        raise JumpnetError(
            f"{bound.name} on {bound.network.spec}: more than {len(nodes.parent)} states of packets "
            f"to {destination} found, fewer expected; does STATE grow without end?"
        )
    return new_nodes(2 * len(nodes.parent), _words(bound))


@dataclass(frozen=True, eq=False)
class _Walks:
    """What both have. Walk i is to sinks[i], or of one pair where sources are followed apart."""

    bound: BoundRouting
    job: Job
    sinks: I32
    space: Space

    @property
    def given(self) -> tuple[object, ...]:
        """What every kernel of walks is given first: the relation, the start hook, their view, and the job."""
        return self.bound.pointer, self.bound.start_pointer, self.bound.view, self.job

    def destination(self, walk: int) -> int:
        """Where the packets of a walk go."""
        return int(self.sinks[walk * len(self.sinks) // parts(self.job, self.sinks)])


@dataclass(frozen=True, eq=False)
class Direct(_Walks):
    """Nodes are router * S + STATE."""

    places: Places

    def explore(self, at: int, stop: int, bits: Array, used: Array, escape: Array) -> int:
        """Dependencies of walks at..stop-1, see `_direct.explore_direct`: the walk reached."""
        at = int(explore_direct(*self.given, self.places, self.space, Stretch(self.sinks, at, stop), bits))
        note_asked(self.places, used, escape)
        return at

    def explore_alike(self, bits: Array, phases: bool) -> bool:
        """Dependencies of packets to the first sink, or of both phases of router 0, in bits (P * V, W); False where
        they cannot be followed here, or (FULL) for want of edges.
        """
        pointers, rest = (self.bound.pointer, self.bound.view), (self.places, self.space)
        if phases:
            end = explore_phases(*pointers, *rest, self.job.home, 0, 1, bits, self._descent)
        else:
            end = explore_direct(*self.given, *rest, Stretch(self.sinks, 0, 1), bits)
        return int(end) == 1

    def explore_phases(self, at: int, stop: int, bits: Array, used: Array, escape: Array) -> int:
        """Dependencies of both phases of routers at..stop-1, see `_phases`: the router reached."""
        rest = self.places, self.space, self.job.home, at, stop, bits, self._descent
        at = int(explore_phases(self.bound.pointer, self.bound.view, *rest))
        note_asked(self.places, used, escape)
        return at

    def search(self, at: int, stop: int, number: I64, highest: int) -> tuple[int, int]:
        """Search walks at..stop-1, see `depth_first`: the walk reached, and what was found there."""
        rest = Stretch(self.sinks, at, stop), Ascent(number, highest, self._descent)
        reached, found = search_direct(*self.given, self.places, self.space, *rest)
        return int(reached), int(found)

    @cached_property
    def _descent(self) -> Descent:
        return new_descent(len(self.places.order))

    def router(self) -> int:
        """Where the packet is that the last search found without escape."""
        return int(self.space.counters[FAILED_AT]) // self.places.states

    def circle(self) -> tuple[list[int], int]:
        """Routers of the circle that the last search found, from a source on, and the place where it begins."""
        met = self._descent.stack[: int(self.space.counters[WAY])]
        return (self.places.order[met] // self.places.states).tolist(), int(self.space.counters[TURN])

    def nodes(self) -> I32:
        """The nodes of the last walk."""
        return self.places.order[: int(self.space.counters[NODES])]

    def roomier(self) -> Direct:
        """As this, with room for twice the edges."""
        states, edges = self.places.states, 2 * len(self.places.edge)
        return _direct(self.bound, self.job, self.sinks, self.space, states, edges)

    def wider(self, walk: int) -> Direct | Hashed:
        """As this, with more room, or with nodes found by hashing."""
        if self.space.counters[FULL]:
            return self.roomier()
        states, edges = 4 * self.places.states, len(self.places.edge)
        if states > MOST_STATES:
            return first_hashed(self.bound, self.job, self.sinks, self.space)
        return _direct(self.bound, self.job, self.sinks, self.space, states, edges)


@dataclass(frozen=True, eq=False)
class Hashed(_Walks):
    """Nodes may have any STATE, INTERMEDIATE and channel of arrival."""

    nodes: Nodes

    def explore(self, at: int, stop: int, bits: Array, used: Array, escape: Array) -> int:
        """Dependencies of walks at..stop-1, see `_explore.explore`: the walk reached.

        Raises JumpnetError when a packet is not delivered.
        """
        stretch, rows = Stretch(self.sinks, at, stop), Rows(bits, used, escape)
        at = int(explore(*self.given, self.nodes, self.space, stretch, rows))
        if self.space.counters[FAILURE]:
            raise failed(self.bound, self.nodes, self.space, self.destination(at))
        return at

    def search(self, at: int, stop: int, number: I64, highest: int) -> tuple[int, int]:
        """Search walks at..stop-1, see `depth_first`: the walk reached, and what was found there."""
        rest = Stretch(self.sinks, at, stop), Ascent(number, highest, self._descent)
        reached, found = search_hashed(*self.given, self.nodes, self._places, self.space, *rest)
        return int(reached), int(found)

    @cached_property
    def _places(self) -> Places:
        return new_places(len(self.nodes.parent), 1, True, len(self.nodes.edge), 0)

    @cached_property
    def _descent(self) -> Descent:
        return new_descent(len(self.nodes.parent))

    def router(self) -> int:
        """Where the packet is that the last search found without escape."""
        return int(self.nodes.key[self.space.counters[FAILED_AT], 3])

    def circle(self) -> tuple[list[int], int]:
        """Routers of the circle that the last search found, from a source on, and the place where it begins."""
        met = self._descent.stack[: int(self.space.counters[WAY])]
        return self.nodes.key[met, 3].tolist(), int(self.space.counters[TURN])

    def wider(self, walk: int) -> Hashed:
        """As this, with twice the room. Raises JumpnetError where STATE seems to grow without end."""
        nodes = more_nodes(self.bound, self.nodes, self.destination(walk))
        return Hashed(self.bound, self.job, self.sinks, self.space, nodes)


def _direct(bound: BoundRouting, job: Job, sinks: I32, space: Space, states: int, edges: int) -> Direct:
    bare = bound.routing.start is None
    places = new_places(bound.network.routers, states, bare, edges, _words(bound))
    return Direct(bound, job, sinks, space, places)


def first_hashed(bound: BoundRouting, job: Job, sinks: I32, space: Space | None = None) -> Hashed:
    """Walks to begin with whose nodes are found by hashing, whatever the relation looks at."""
    nodes = new_nodes(1 << (4 * bound.network.routers).bit_length(), _words(bound))
    space = new_space(bound.view.queues) if space is None else space
    return Hashed(bound, job, sinks, space, nodes)


def first_walks(bound: BoundRouting, job: Job, sinks: I32) -> Direct | Hashed:
    """Walks to begin with: by numbers, unless the relation looks at the way in or at the source."""
    space = new_space(bound.view.queues)
    if job.by_channel or job.by_source:
        return first_hashed(bound, job, sinks, space)
    return _direct(bound, job, sinks, space, 1, 4 * bound.network.routers)


def phase_walks(bound: BoundRouting, job: Job, sinks: I32) -> Direct:
    """Walks of routings in two phases, STATE the phase and twice the order; only `explore_phases` goes through them."""
    orders = bound.routing.orders
    return _direct(bound, job, sinks, new_space(bound.view.queues), 2 * orders, 4 * orders * bound.network.routers)
