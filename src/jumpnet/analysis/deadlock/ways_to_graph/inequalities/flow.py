"""All packets of a routing on a family at once: what they ask for where, and which way their hops lead.

A *state* is a key (STATE, and the channel of arrival where the relation looks at it) and a region of each dimension. A
packet on a network of any size is in one of finitely many states, and each of its hops is among those here, so what
holds of all of them holds at all sizes. There may be more than any packet takes: regions forget how far it is.
Called by `kinds` and `all_sizes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, NamedTuple

from jumpnet.analysis.deadlock.symbolic.bits import Bit, Bits
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.linear import HERE, TARGET
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.ranking import Edge, Move
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.regions import ANYWHERE, Refine, Region, Regions, Ring, Told
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.symbols import Run, ask
from jumpnet.routings.view import ENTERS, ESCAPE, IN_PORT, IN_VC, STATE

__all__ = ["Candidate", "Flow", "State", "Step", "flow_of"]

MOST_STATES = 1 << 14
"""States beyond which the search is given up (ten seconds or so)."""
TOO_MANY = f"more than {MOST_STATES:,} kinds of packet states, too many to look at"


Channel = tuple[Any, ...]
"""Port, virtual channel, and what is `Told` of the router where it begins."""


class Key(NamedTuple):
    """What a packet has besides its place and target, as on one grid (`dimensions.states.Key`)."""

    state: int | Bits
    port: int = -1
    """Port at which it arrived; -1 at its source, and where the relation does not look."""
    vc: int = -1

    def fields(self) -> dict[int, int | Bits]:
        """The fields of its header."""
        return {STATE: self.state, IN_PORT: self.port, IN_VC: self.vc}


class Asked(NamedTuple):
    """Of what more has to be known to say what packets ask for."""

    dimension: int | None
    bit: int | None = None
    """Of STATE."""


class State(NamedTuple):
    """What is known of a packet."""

    key: Key
    regions: tuple[int, ...]
    """By number, or ANYWHERE or ARRIVED where the relation asks no more of a dimension."""

    def told(self, d: int, region: int) -> State:
        """The same, in another region of a dimension."""
        return State(self.key, (*self.regions[:d], region, *self.regions[d + 1 :]))

    def parted(self, asked: Asked, regions: Sequence[Regions]) -> list[State]:
        """The same in parts, by more of a dimension or by a bit of STATE."""
        if asked.dimension is not None:
            finer = regions[asked.dimension].finer(self.regions[asked.dimension])
            return [self.told(asked.dimension, k) for k in finer]
        assert asked.bit is not None and isinstance(self.key.state, Bits)
        return [State(self.key._replace(state=some), self.regions) for some in self.key.state.told(asked.bit)]


class Candidate(NamedTuple):
    """A channel that a packet asks for, its STATE then, and what kind of candidate it is."""

    port: int
    vc: int
    next_state: int | Bits
    kind: int

    @property
    def escape(self) -> bool:
        """Whether it is an ESCAPE candidate."""
        return self.kind & ESCAPE != 0

    @property
    def enters(self) -> bool:
        """Whether it enters a ring, leaving room for one more packet (bubble flow control)."""
        return self.kind & ENTERS != 0


class Step(NamedTuple):
    """A hop: by what, to which state, and how it changes a coordinate."""

    by: Candidate
    after: State
    move: Move


@dataclass(frozen=True, eq=False)
class Flow:
    """All states that packets may come to, whatever the sides."""

    regions: tuple[Regions, ...]
    asked: dict[State, tuple[Candidate, ...]]
    steps: dict[State, tuple[Step, ...]]
    starts: frozenset[Key]
    """The keys that packets start with."""
    two_phases: bool
    """Whether packets in STATE 0 go to a router in the middle, and from there on in STATE 1 (`Routing.two_phases`)."""
    placed: bool = False
    """Whether channels are told apart by what is known of where they begin, besides port and virtual channel."""

    def by_place(self) -> Flow | None:
        """The same with channels told apart by their place too; None where not as much is known of all of them."""
        if self.two_phases:
            return None
        placed = replace(self, placed=True)
        known: dict[tuple[int, int], set[tuple[tuple[int, bool], ...]]] = {}
        for port, vc, *told in placed.channels():
            known.setdefault((port, vc), set()).add(tuple((one.dimension, one.odd) for one in told))
        return placed if all(len(some) == 1 for some in known.values()) and any(map(any, known.values())) else None

    def _channel(self, state: State, one: Candidate) -> Channel:
        """The kind of channel that a packet in a state asks for by a candidate."""
        if not self.placed:
            return one.port, one.vc
        name = state.regions, one.port // 2
        if name not in self._places:
            each = enumerate(zip(self.regions, state.regions, strict=True))
            self._places[name] = tuple(fact for d, (of, at) in each for fact in of.told(d, at, d == one.port // 2))
        return one.port, one.vc, *self._places[name]

    @cached_property
    def _places(self) -> dict[tuple[tuple[int, ...], int], tuple[Told, ...]]:
        """What is told of the places of channels, by regions and the dimension of the channel; few are asked often."""
        return {}

    @cached_property
    def _second(self) -> tuple[Candidate, ...]:
        return tuple({one: None for state, some in self.asked.items() if state.key.state == 1 for one in some})

    def next_after(self, state: State) -> tuple[Candidate, ...]:
        """What a packet that came to a state asks for; in the middle of its way, whatever the second half may."""
        if self.two_phases and state.key.state == 0 and not self.asked[state]:
            return self._second
        return self.asked[state]

    def _all_steps(self) -> Iterable[tuple[State, Step]]:
        return ((state, step) for state, some in self.steps.items() for step in some)

    def _channels(self, counts: Callable[[Candidate], bool]) -> set[Channel]:
        """Kinds of channels that some packet asks for by a candidate that counts."""
        return {self._channel(state, one) for state, some in self.asked.items() for one in some if counts(one)}

    def channels(self) -> set[Channel]:
        """Every kind of channel that some packet asks for."""
        return self._channels(lambda one: True)

    def escapes(self) -> set[Channel]:
        """Every kind that some packet asks for as ESCAPE."""
        return self._channels(lambda one: one.escape)

    def otherwise(self) -> set[Channel]:
        """Every kind that some packet asks for, but not as ESCAPE."""
        return self._channels(lambda one: not one.escape)

    def dependencies(self) -> set[Edge]:
        """Between channels that a packet may hold and those that it may ask for then."""
        return {edge for edge, _ in self.marked()}

    def marked(self) -> set[tuple[Edge, bool]]:
        """The dependencies, and whether the packet asks by a candidate marked ENTERS."""
        asks = {
            state: frozenset((self._channel(state, one), one.enters) for one in self.next_after(state))
            for state in self.asked
        }
        ways = {(self._channel(state, step.by), step.move, asks[step.after]) for state, step in self._all_steps()}
        return {
            (Edge(held, wanted, frozenset({move})), enters) for held, move, after in ways for wanted, enters in after
        }

    def unmarked_at_sources(self) -> set[Channel]:
        """Every kind that a packet may ask for at its source without ENTERS."""
        first = [(state, some) for state, some in self.asked.items() if state.key in self.starts]
        return {self._channel(state, one) for state, some in first for one in some if not one.enters}

    def hops(self) -> set[Edge]:
        """Between states."""
        return {Edge(state, step.after, frozenset({step.move})) for state, step in self._all_steps()}

    def without_escape(self) -> bool:
        """Whether in some state a packet asks for something, but for nothing as ESCAPE."""
        return any(some and not any(one.escape for one in some) for some in self.asked.values())

    def extended(self) -> set[Edge]:
        """Between channels that are ESCAPE candidates somewhere, over NORMAL hops (Duato's extended dependencies)."""
        escapes, ahead = self.escapes(), self._escapes_ahead()
        return {
            Edge(held, wanted, frozenset({step.move}) | moves)
            for state, step in self._all_steps()
            if (held := self._channel(state, step.by)) in escapes
            for wanted, moves in ahead[step.after]
        }

    def _escapes_ahead(self) -> dict[State, set[tuple[Channel, frozenset[Move]]]]:
        """For each state, the escape channels that are asked for after NORMAL hops alone, and how these move."""
        none: frozenset[Move] = frozenset()
        ahead = {
            state: {(self._channel(state, one), none) for one in some if one.escape}
            for state, some in self.asked.items()
        }
        changed = True
        while changed:
            changed = False
            for state in reversed(ahead):
                before = len(ahead[state])
                for step in self.steps[state]:
                    if not step.by.escape:
                        ahead[state] |= {(wanted, moves | {step.move}) for wanted, moves in ahead[step.after]}
                changed |= len(ahead[state]) > before
        return ahead


Known = dict[tuple[Key, tuple[int, ...]], tuple[tuple[Region, ...], tuple[Candidate, ...] | Asked]]
"""What was answered already, or of what more has to be known, by key and regions; these are kept so that no others take
their place."""


def flow_of(run: Run, rings: Sequence[Ring], starts: Iterable[int | Bits], by_channel: bool) -> Flow:
    """All states of packets that start with some values of STATE, anywhere, to anywhere.

    by_channel: whether the relation looks at the channel of arrival; then a class that was fixed before the end of a
    ring tells where the target is, so regions are parted by that too. Dimensions that it does not ask about are not
    parted then, nor at all sizes where there were too many states else: those of a routing that goes dimension by
    dimension are as many as those of its rings together, not as their product. Raises Unfit beyond MOST_STATES, and
    where a packet may go astray or stand still. Cost: some 0.5 ms a state.
    """
    regions, is_told = [Regions.of(ring) for ring in rings], not by_channel
    known: Known = {}
    while True:
        try:
            flow = _explore(run, tuple(regions), starts, by_channel, known)
        except Refine as wish:
            regions[wish.dimension] = regions[wish.dimension].refined(wish.asked)
            continue
        if is_told:
            return flow
        is_told = True
        for d, dimension in enumerate(regions):
            for asked in dimension.at_ends():
                regions[d] = regions[d].refined(asked)


def _explore(
    run: Run,
    regions: tuple[Regions, ...],
    starts: Iterable[int | Bits],
    by_channel: bool,
    known: Known,
) -> Flow:
    """All packet states from those that packets start with on; raises Unfit beyond MOST_STATES."""
    answered = _Answered(run, regions, known)
    many = prod(len(dimension.parts) for dimension in regions) > MOST_STATES
    if many and not by_channel and any(dimension.ring.side is not None for dimension in regions):
        raise Unfit(TOO_MANY)  # of one network other ways take no longer
    as_asked = by_channel or many
    first = [[ANYWHERE] if as_asked else range(len(dimension.parts)) for dimension in regions]
    keys = frozenset(Key(start) for start in starts)
    begun = [one for key in sorted(keys) for at in product(*first) for one in answered.told(State(key, at))]
    todo = [one for one in begun if not _is_there(regions, one.regions)]
    asked: dict[State, tuple[Candidate, ...]] = {}
    steps: dict[State, tuple[Step, ...]] = {}
    while todo:
        state = todo.pop()
        if state in asked:
            continue
        asked[state] = answered.states[state]
        steps[state] = tuple(
            step._replace(after=after)
            for one in asked[state]
            for step in _steps(regions, state, one, by_channel, as_asked)
            for after in answered.told(step.after)
        )
        todo += [step.after for step in steps[state]]
        if len(asked) > MOST_STATES:
            raise Unfit(TOO_MANY)
    return Flow(regions, asked, steps, keys, bool(run.bound.routing.two_phases))


class _Answered:
    """States of which so much is known that the relation answers alike for all packets in them."""

    def __init__(self, run: Run, regions: tuple[Regions, ...], known: Known) -> None:
        self.run, self.regions, self.known = run, regions, known
        self.states: dict[State, tuple[Candidate, ...]] = {}
        """What is asked for in each."""
        self._parts: dict[State, list[State]] = {}

    def told(self, state: State) -> list[State]:
        """The states that make up one, where dimensions are parted that the relation asks about."""
        if state not in self._parts:
            todo, found = [state], []
            while todo:
                one = todo.pop()
                answer = self._answer(one)
                if isinstance(answer, Asked):
                    todo += one.parted(answer, self.regions)
                else:
                    self.states[one] = answer
                    found.append(one)
                if len(self.states) > MOST_STATES:
                    raise Unfit(TOO_MANY)
            self._parts[state] = found
        return self._parts[state]

    def _answer(self, state: State) -> tuple[Candidate, ...] | Asked:
        """What is asked for, or of what more has to be known; raises Refine where that is no help."""
        parts = tuple(dimension.part(k) for dimension, k in zip(self.regions, state.regions, strict=True))
        name = state.key, tuple(map(id, parts))
        if name not in self.known:
            try:
                answer: tuple[Candidate, ...] | Asked = _candidates(self.run, self.regions, state, parts)
            except Refine as wish:
                if state.regions[wish.dimension] >= 0:
                    raise
                answer = Asked(wish.dimension)
            except Bit as wish:
                answer = Asked(None, wish.number)
            self.known[name] = parts, answer
        return self.known[name][1]


def _is_there(regions: tuple[Regions, ...], at: tuple[int, ...]) -> bool:
    """Whether in a region of each dimension the packet has arrived, for certain."""
    return all(dimension.part(k).signs(HERE - TARGET) == [0] for dimension, k in zip(regions, at, strict=True))


def _candidates(
    run: Run, regions: tuple[Regions, ...], state: State, parts: Sequence[Region]
) -> tuple[Candidate, ...] | Asked:
    """What is asked for, or a dimension of which more has to be known to say where packets go."""
    found, rows = ask(run, parts, state.key.fields())
    if found == 0 and ANYWHERE in state.regions:
        return Asked(state.regions.index(ANYWHERE))
    if found < 0 or (found == 0 and not _is_there(regions, state.regions)):
        raise Unfit
    made = []
    for port, vc, next_state, kind in rows:
        if not (0 <= port < 2 * len(regions) and 0 <= vc < run.bound.vcs):
            raise Unfit
        if state.regions[port // 2] < 0:
            return Asked(port // 2)
        made.append(Candidate(port, vc, next_state, kind))
    return tuple(made)


def _steps(regions: tuple[Regions, ...], state: State, by: Candidate, by_channel: bool, as_asked: bool) -> list[Step]:
    """The hops by a candidate; as_asked: whether nothing is kept of a dimension in which the packet has arrived."""
    d, up = by.port // 2, by.port % 2 == 0
    hops = regions[d].hops(state.regions[d], up)
    single = regions[d].ring.single
    if hops is None or (single and not up):
        raise Unfit
    key = Key(by.next_state, by.port if single else by.port ^ 1, by.vc) if by_channel else Key(by.next_state)
    to = {hop._replace(region=regions[d].coarser(hop.region)) if as_asked else hop: None for hop in hops}
    return [Step(by, State(key, state.told(d, hop.region).regions), Move(d, hop.rises)) for hop in to]
