"""One line under a protocol: what the tables do to a state. Caches are interchangeable, so a state is a sorted tuple,
unless they are distinguished.

All that the home knows of a node is kept with the node's cache, so that exchanging two caches exchanges two records:
one state stands for all its permutations. Records have numbers, and every step of a record is computed once.
Called by `tables`, which asks it for every step of a record once, and by `rules`; its twin is tests/naive/protocol.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from jumpnet.coherence.protocol import MARKS, Protocol, Row
from jumpnet.coherence.search.records import (
    AGE,
    FRESH,
    MOST_WAITING,
    NEXT,
    NOT_THERE,
    STALE,
    Cache,
    Home,
    Message,
    State,
    Step,
    Way,
    WrongStepError,
    full_for,
    known,
    owed,
    receivers,
    without,
)

__all__ = ["FRESH", "MOST_WAITING", "NEXT", "STALE", "Cache", "Home", "Model", "State", "Step", "WrongStepError"]

TWO_WAIT = "two nodes wait for the home at once"
LISTS_TOO_MANY = "the home lists more nodes than it has pointers"

Record = TypeVar("Record", Cache, Home)


class Model:
    """The steps of a protocol's tables with a number of caches."""

    def __init__(self, protocol: Protocol, caches: int, in_order: bool, combined: bool, in_place: bool = False):
        """in_place: the numbers of a state stay in the order of the caches."""
        self.protocol, self.in_order, self.combined, self.in_place = protocol, in_order, combined, in_place
        self.records: list[Cache] = []
        self.homes: list[Home] = []
        self.used: set[Row] = set()
        self._of_cache: dict[Cache, int] = {}
        self._of_home: dict[Home, int] = {}
        self._moved: dict[tuple[int, str, bool, int, bool], tuple[int, str, int]] = {}
        self._aged: dict[tuple[int, bool], int] = {}
        first, home = next(iter(protocol.cache_rows)), next(iter(protocol.home_rows))
        self.start: State = (self.home(Home(home[0])), *[self.cache(Cache(first[0], STALE))] * caches)
        self._busy, self._requests = protocol.busy, protocol.requests
        self._alone = {row.event for row in protocol.home_rows.values() if row.event[-1] in MARKS}
        self.unserved = {
            state: event
            for state in protocol.stable
            for event in ("write", "read")
            if (state, event) not in protocol.cache_rows
        }
        self.by_themselves = [r for r in protocol.home_rows.values() if r.event.islower() and r.event != "last"]

    def cache(self, made: Cache) -> int:
        """Its number, a new one where it was never met."""
        return _number_of(made, self._of_cache, self.records)

    def home(self, made: Home) -> int:
        """Its number, a new one where it was never met."""
        return _number_of(made, self._of_home, self.homes)

    def caches(self, state: State) -> list[Cache]:
        """The records of a state's caches."""
        return [self.records[number] for number in state[1:]]

    def names(self, state: State) -> tuple[str, tuple[str, ...]]:
        """States of home and caches by name."""
        return self.homes[state[0]].state, tuple(cache.state for cache in self.caches(state))

    def _state(self, home: Home, caches: Iterator[int] | list[int]) -> State:
        return (self.home(home), *(caches if self.in_place else sorted(caches)))

    def put(self, channel: tuple[Message, ...], message: str, value: int) -> tuple[Message, ...]:
        """A channel with one more message. Raises WrongStepError where too many wait."""
        made = (*channel, (message, value if message in self.protocol.lines else FRESH))
        if len(made) > MOST_WAITING:
            raise WrongStepError(f"more than {MOST_WAITING} messages wait between two places, {message} the last")
        return made if self.in_order else tuple(sorted(made))

    def arrivals(self, channel: tuple[Message, ...]) -> tuple[Message, ...]:
        """Messages of a channel that may arrive next."""
        return channel[:1] if self.in_order else tuple(dict.fromkeys(channel))

    # What a cache does.

    def move(self, number: int, event: str, value: int, arrives: bool, ends: bool = True) -> tuple[int, str, int]:
        """(record after an event, "" or "write" or "commit", acknowledges that joined others in the network).

        ends: a message that the row passes on finds nobody else, so that the home is answered.
        """
        key = (number, event, arrives, value, ends)
        if key not in self._moved:
            self._moved[key] = self._moves(self.records[number], event, value, arrives, ends)
        return self._moved[key]

    def _moves(self, cache: Cache, event: str, value: int, arrives: bool, ends: bool) -> tuple[int, str, int]:
        row = self.protocol.cache_rows.get((cache.state, event))
        if row is None:
            raise WrongStepError(f"no row for {event} at a cache in {cache.state}")
        self.used.add(row)
        owing = cache._replace(owes=owed(cache, row, event))
        acted, tells, joins = self._acted(owing, row, value, ends)
        if acted.owes and row.following in self.protocol.stable:
            raise WrongStepError(f"a {acted.owes} is lost at a cache in {cache.state}")
        moved = acted._replace(state=row.following)
        if arrives and (event, value) in cache.side:
            moved = moved._replace(side=without(cache.side, (event, value)))
        elif arrives:
            moved = moved._replace(down=without(cache.down, (event, value)))
        return self.cache(moved), tells, joins

    def _acted(self, cache: Cache, row: Row, value: int, ends: bool) -> tuple[Cache, str, int]:
        """A cache after the actions of a row, and the rest as `move` has it."""
        tells, joins = "", 0
        for action, message in row.actions:
            own = cache.value
            if action == "send" and message in self._requests:
                cache = cache._replace(asked=self.put(cache.asked, message, own))
            elif action == "send" or (action == "pass" and ends):
                if self.combined and message.endswith("Ack"):
                    joins += 1
                else:
                    cache = cache._replace(up=self.put(cache.up, message, own))
            elif action == "take":
                if cache.state in self.protocol.readable and AGE[value] < AGE[own]:
                    raise WrongStepError(f"a reader in {cache.state} goes back to an older value")
                cache = cache._replace(value=value, owes="" if cache.owes == "read" else cache.owes)
            elif action == "merge" and own == FRESH:
                cache = cache._replace(value=NEXT)
            elif action in ("write", "commit"):
                tells = action
                cache = cache._replace(value=NEXT if own != STALE else STALE, owes="")
            elif action == "drop":
                cache = cache._replace(value=STALE)
        return cache, tells, joins

    def passes_on(self, state: str, event: str) -> bool:
        """Whether a cache hands a message on to another one."""
        row = self.protocol.cache_rows.get((state, event))
        return row is not None and any(action == "pass" for action, _ in row.actions)

    def older(self, number: int, commit: bool) -> int:
        """The record after a write somewhere: what was the newest is not; what was told of a commit is now."""
        key = (number, commit)
        if key not in self._aged:
            old = self.records[number]
            made: dict[str, Any] = {"value": self.aged(old.value, commit)}
            for name in ("down", "asked", "up", "side"):
                messages = ((m, self.aged(v, commit) if m in self.protocol.lines else v) for m, v in getattr(old, name))
                made[name] = tuple(messages if self.in_order else sorted(messages))
            self._aged[key] = self.cache(old._replace(**made))
        return self._aged[key]

    @staticmethod
    def aged(value: int, commit: bool) -> int:
        """A value after a write elsewhere."""
        return FRESH if commit and value == NEXT else STALE

    def _cache_steps(self, state: State, k: int, event: str, value: int, arrives: bool) -> list[State]:
        """After an event of cache k; several where it passes a message on, as any of those listed may be the next."""
        if self.passes_on(self.records[state[k]].state, event):
            others = self._may_be_told(state, k)
            if others:
                return [self._passed(state, k, i, event) for i in others]
        moved, tells, joins = self.move(state[k], event, value, arrives)
        home, caches = self.homes[state[0]], list(state[1:])
        if tells:
            commit = tells == "commit"
            caches = [number if i == k - 1 else self.older(number, commit) for i, number in enumerate(caches)]
            # The writer's own copy and messages: its copy was marked NEXT unless it was stale.
            moved = self.older(moved, True)
            home = home._replace(memory=self.aged(home.memory, commit))
        if joins:
            if home.due < joins:
                raise WrongStepError("an acknowledge that nobody waits for")
            home = home._replace(due=home.due - joins, joined=home.due == joins)
        caches[k - 1] = moved
        return [self._state(home, caches)]

    def _may_be_told(self, state: State, k: int) -> list[int]:
        """Places of other caches than k that `tell` and `pass` may choose; of equal ones the first."""
        found: dict[int, int] = {}
        for i, number in enumerate(state[1:], 1):
            if i != k and self.records[number].listed and not self.records[number].waits:
                found.setdefault(i if self.in_place else number, i)
        return list(found.values())

    def _passed(self, state: State, k: int, to: int, event: str) -> State:
        """After cache k has handed a message on to another one."""
        caches = list(state[1:])
        caches[k - 1] = self.move(state[k], event, FRESH, True, ends=False)[0]
        caches[to - 1] = self.told_by_another(state[to], event)
        return self._state(self.homes[state[0]], caches)

    def told_by_another(self, number: int, message: str) -> int:
        """The record of a node to which another one passes a message on, and which is removed from the list."""
        cache = self.records[number]
        return self.cache(cache._replace(side=self.put(cache.side, message, FRESH), listed=False))

    # What the home does.

    def told_apart(self, state: str, event: str, owner: bool, alone: bool, full: bool) -> str:
        """The event of the home's table for a message, with the mark that tells who sent it."""
        if alone and (state, event + "+") in self.protocol.home_rows:
            return event + "+"
        if event + "-" in self._alone and not owner:
            return event + "-"
        return event + "*" if full and (state, event + "*") in self.protocol.home_rows else event

    def _home_row(self, home: Home, event: str, caches: list[Cache], k: int) -> Row:
        if k >= 0:
            alone = not any(c.listed or c.owner for i, c in enumerate(caches) if i != k)
            full = full_for(self.protocol, caches, k)
            event = self.told_apart(home.state, event, caches[k].owner, alone, full)
        row = self.protocol.home_rows.get((home.state, event))
        if row is None:
            raise WrongStepError(f"no row for {event} at the home in {home.state}")
        self.used.add(row)
        return row

    def _home_step(self, home: Home, caches: list[Cache], k: int, event: str, value: int, victim: int = -1) -> State:
        """After an event at the home; k is the sender's place, -1 if none, victim that of the node notified."""
        for _ in range(len(self.protocol.home_rows) + 1):
            home = self._serve(home, caches, k, event, value, victim)
            if home.due > 0 or home.joined or (home.state, "last") not in self.protocol.home_rows:
                return self._state(home, map(self.cache, caches))
            k, event, value = -1, "last", FRESH
        raise WrongStepError(f"no acknowledge is to come in {home.state}, again and again")

    def _serve(self, home: Home, caches: list[Cache], k: int, event: str, value: int, victim: int) -> Home:
        """The home after one row of its table; the caches are changed."""
        row = self._home_row(home, event, caches, k)
        memory, due = home.memory, home.due
        for action, message in row.actions:
            asker = k if action == "ask" else next((i for i, c in enumerate(caches) if c.waits), -1)
            if action == "ask":
                self._let_wait(caches, k, event)
            elif action in NOT_THERE:
                to = receivers(action, caches, asker, k, victim)
                line = memory if action == "reply" else value if action == "forward" else FRESH
                for i in to:
                    self._down(caches, i, message or "PutAck", line, NOT_THERE[action])
                due = len(to) if action in ("multicast", "tell") else due
                if action == "tell" and to:
                    caches[victim] = caches[victim]._replace(listed=False)
            elif action == "store":
                memory = value
            elif action == "merge":
                memory = NEXT if memory == FRESH else memory
            else:
                caches[:] = [known(c, action, i == asker, i == k) for i, c in enumerate(caches)]
        if row.following not in self._busy:
            caches[:] = [c._replace(waits=False) for c in caches]
        return Home(row.following, due, memory, home.joined)

    @staticmethod
    def _let_wait(caches: list[Cache], k: int, event: str) -> None:
        """The home asks the sender of a request to wait."""
        if k < 0:
            raise WrongStepError(f"nobody sent {event}, whom the home asks to wait")
        if any(cache.waits for i, cache in enumerate(caches) if i != k):
            raise WrongStepError(TWO_WAIT)
        caches[k] = caches[k]._replace(waits=True)

    def _down(self, caches: list[Cache], k: int, message: str, value: int, why_not: str) -> None:
        if k < 0:
            raise WrongStepError(f"{message} is to be sent, and {why_not}")
        caches[k] = caches[k]._replace(down=self.put(caches[k].down, message, value))

    def _to_home(self, state: State, k: int, message: Message, request: bool) -> list[State]:
        """After a message of cache k + 1; several where the home tells one of those listed, which may be any."""
        home, caches = self.homes[state[0]], self.caches(state)
        old = caches[k]
        if request:
            caches[k] = old._replace(asked=without(old.asked, message))
        else:
            caches[k] = old._replace(up=without(old.up, message))
        name, value = message
        if not name.endswith("Ack"):
            victims = [-1]
            if any(action == "tell" for action, _ in self._home_row(home, name, caches, k).actions):
                victims = [i - 1 for i in self._may_be_told(state, k + 1)] or victims
            return [self._home_step(home, [*caches], k, name, value, v) for v in victims]
        if home.due == 0:
            raise WrongStepError(f"{name} that nobody waits for")
        left = home._replace(due=home.due - 1)
        if left.due == 0:
            return [self._home_step(left, caches, -1, "last", FRESH)]
        return [self._state(left, map(self.cache, caches))]

    # All ways on.

    def ways(self, state: State) -> Iterator[Way]:
        """What may happen next."""
        home = self.homes[state[0]]
        for k in range(1, len(state)):
            number = state[k]
            if number == state[k - 1] and k > 1 and not self.in_place:
                continue  # the same cache again, exchanged
            cache = self.records[number]
            for event in ("read", "write", "evict"):
                if (cache.state, event) in self.protocol.cache_rows:
                    yield Way("cache", k, event)
            for name, value in (*self.arrivals(cache.down), *self.arrivals(cache.side)):
                yield Way("down", k, name, value)
            if home.state not in self._busy:
                for name, value in self.arrivals(cache.asked):
                    yield Way("asked", k, name, value)
            for name, value in self.arrivals(cache.up):
                yield Way("up", k, name, value)
        if home.joined:
            yield Way("joined", 0, "last")
        for row in self.by_themselves:
            if row.state == home.state:
                yield Way("home", 0, row.event)

    def after(self, state: State, way: Way) -> list[State]:
        """The states that a way may lead to. Raises WrongStepError, with the fault in words, for one without sense."""
        where, k, event, value = way
        if where in ("cache", "down"):
            return self._cache_steps(state, k, event, value, where == "down")
        if where in ("asked", "up"):
            return self._to_home(state, k - 1, (event, value), where == "asked")
        home = self.homes[state[0]]
        if where == "joined":
            home = home._replace(joined=False)
        return [self._home_step(home, self.caches(state), -1, event, FRESH)]

    def steps(self, state: State) -> Iterator[Step]:
        """Every way on from a state. Raises WrongStepError, with the fault in words, for one that makes no sense."""
        for way in self.ways(state):
            yield from self.steps_by(state, way)

    def steps_by(self, state: State, way: Way) -> list[Step]:
        """The steps of one way on."""
        home = self.homes[state[0]].state
        at = f"at a cache in {self.records[state[way.cache]].state}" if way.at_cache else f"at the home in {home}"
        label = f"{'combined acknowledge' if way.where == 'joined' else way.event} {at}"
        return [Step(after, label, way.delivers, way.cache, way.event) for after in self.after(state, way)]

    def fault(self, state: State) -> str:
        """What a state itself has wrong, or empty."""
        caches = self.caches(state)
        unserved = next((c.state for c in caches if c.state in self.unserved), "")
        if unserved:
            return f"no row for a processor's {self.unserved[unserved]} at a cache in {unserved}"
        held = [c.state for c in caches if c.state in self.protocol.readable]
        stale = next((c.state for c in caches if c.state in self.protocol.readable and c.value == STALE), "")
        if stale:
            return f"a stale value can be read in {stale}"
        if len(held) > 1 and any(name in self.protocol.writable for name in held):
            return f"a writer beside another copy: {' '.join(sorted(held))}"
        if 0 < self.protocol.pointers < sum(c.listed for c in caches):
            return LISTS_TOO_MANY
        return ""

    def fault_from(self, state: State) -> str:
        """What is wrong with a state, or else with a step from it, as a search looks at both; or empty."""
        if said := self.fault(state):
            return said
        try:
            list(self.steps(state))
        except WrongStepError as wrong:
            return str(wrong)
        return ""

    def at_rest(self, state: State) -> bool:
        """Nothing is under way and nobody waits."""
        home = self.homes[state[0]]
        return home.state not in self._busy and not home.joined and all(map(self.quiet, self.caches(state)))

    def quiet(self, cache: Cache) -> bool:
        """Nothing is under way to or from a cache, and it awaits nothing."""
        return cache.state in self.protocol.stable and not (cache.down or cache.asked or cache.up or cache.side)


def _number_of(made: Record, number: dict[Record, int], records: list[Record]) -> int:
    """Its place in `records`, at the end where it was never met."""
    found = number.setdefault(made, len(records))
    if found == len(records):
        records.append(made)
    return found
