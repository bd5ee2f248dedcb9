"""One line under a protocol: what the tables do to a state. Caches are interchangeable, so a state is a sorted tuple,
unless they are told apart.

All that the home knows of a node is kept with the node's cache, so that exchanging two caches exchanges two records:
one state stands for all its permutations. Records have numbers, and every step of a record is computed once.
Called by `tables`, which asks it for every step of a record once, and by `rules`; its twin is tests/naive/protocol.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from jumpnet.coherence.protocol import Protocol, Row

__all__ = ["FRESH", "MOST_WAITING", "NEXT", "STALE", "Cache", "Home", "Model", "Step", "WrongStepError"]

FRESH, STALE, NEXT = 0, 1, 2
"""Values of a line: the newest completed write, an older one, one that is being made known."""
AGE = {STALE: 0, FRESH: 1, NEXT: 2}
MOST_WAITING = 4
"""Messages of one kind of channel between two places; more means that they pile up without end."""
TWO_WAIT = "two nodes wait for the home at once"
Message = tuple[str, int]


class Cache(NamedTuple):
    """A cache, what the home knows of its node, and the messages between the two."""

    state: str
    value: int
    listed: bool = False
    owner: bool = False
    waits: bool = False
    """The home is serving this node's request."""
    owes: str = ""
    """`read` or `write` where the processor's has not happened yet."""
    down: tuple[Message, ...] = ()
    """From the home, oldest first; sorted where the network may reorder."""
    asked: tuple[Message, ...] = ()
    """Requests to the home."""
    up: tuple[Message, ...] = ()
    """Answers to the home."""


class Home(NamedTuple):
    """The home of the line."""

    state: str
    due: int = 0
    """Acknowledges to come."""
    memory: int = FRESH
    joined: bool = False
    """The combined acknowledge of all is on its way."""


State = tuple[int, ...]
"""Number of the home's record, then those of the caches, ascending."""


Record = TypeVar("Record", Cache, Home)


class Step(NamedTuple):
    """One way on from a state."""

    after: State
    label: str
    """In words, e.g. `M: GetS at the home`."""
    delivers: bool
    """A message arrived; otherwise somebody acted by himself."""
    cache: int
    """The cache at which it happens or whose message arrives, from 1 on; 0 where there is none."""
    event: str
    """Of the tables."""


class WrongStepError(Exception):
    """The tables have no answer, or one that makes no sense: the fault in words."""


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
        self._moved: dict[tuple[int, str, str, int], tuple[int, str, int]] = {}
        self._aged: dict[tuple[int, bool], int] = {}
        first, home = next(iter(protocol.cache_rows)), next(iter(protocol.home_rows))
        self.start: State = (self.home(Home(home[0])), *[self.cache(Cache(first[0], STALE))] * caches)
        self._busy, self._requests = protocol.busy, protocol.requests
        self._alone = {row.event for row in protocol.home_rows.values() if row.event[-1] in "+-"}
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

    def move(self, number: int, event: str, value: int, arrives: bool) -> tuple[int, str, int]:
        """(record after an event, "" or "write" or "commit", acknowledges that joined others in the network)."""
        key = (number, event, "down" if arrives else "", value)
        if key not in self._moved:
            self._moved[key] = self._moves(self.records[number], event, value, arrives)
        return self._moved[key]

    def _moves(self, cache: Cache, event: str, value: int, arrives: bool) -> tuple[int, str, int]:
        row = self.protocol.cache_rows.get((cache.state, event))
        if row is None:
            raise WrongStepError(f"no row for {event} at a cache in {cache.state}")
        self.used.add(row)
        own, asked, up, tells, joins = cache.value, cache.asked, cache.up, "", 0
        owes = cache.owes
        if event == "write" or (event == "read" and ("hit", "") not in row.actions):
            if owes:
                raise WrongStepError(f"a {event} at a cache in {cache.state} gets no answer")
            owes = event
        for action, message in row.actions:
            if action == "send" and message in self._requests:
                asked = self.put(asked, message, own)
            elif action == "send" and self.combined and message.endswith("Ack"):
                joins += 1
            elif action == "send":
                up = self.put(up, message, own)
            elif action == "take":
                if cache.state in self.protocol.readable and AGE[value] < AGE[own]:
                    raise WrongStepError(f"a reader in {cache.state} goes back to an older value")
                own = value
                owes = "" if owes == "read" else owes
            elif action == "merge" and own == FRESH:
                own = NEXT
            elif action in ("write", "commit"):
                own, tells, owes = NEXT if own != STALE else STALE, action, ""
            elif action == "drop":
                own = STALE
        if owes and row.following in self.protocol.stable:
            raise WrongStepError(f"a {owes} is lost at a cache in {cache.state}")
        down = without(cache.down, (event, value)) if arrives else cache.down
        moved = cache._replace(state=row.following, value=own, owes=owes, down=down, asked=asked, up=up)
        return self.cache(moved), tells, joins

    def older(self, number: int, commit: bool) -> int:
        """The record after a write somewhere: what was the newest is not; what was told of a commit is now."""
        key = (number, commit)
        if key not in self._aged:
            old = self.records[number]

            def channel(messages: tuple[Message, ...]) -> tuple[Message, ...]:
                aged = tuple((m, self.aged(v, commit) if m in self.protocol.lines else v) for m, v in messages)
                return aged if self.in_order else tuple(sorted(aged))

            self._aged[key] = self.cache(
                old._replace(
                    value=self.aged(old.value, commit),
                    down=channel(old.down),
                    asked=channel(old.asked),
                    up=channel(old.up),
                )
            )
        return self._aged[key]

    @staticmethod
    def aged(value: int, commit: bool) -> int:
        """A value after a write elsewhere."""
        return FRESH if commit and value == NEXT else STALE

    def _cache_step(self, state: State, k: int, event: str, value: int, arrives: bool) -> State:
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
        return self._state(home, caches)

    # What the home does.

    def told_apart(self, state: str, event: str, owner: bool, alone: bool) -> str:
        """The event of the home's table for a message, with the + or - that tells who sent it."""
        if event + "-" in self._alone and not owner:
            return event + "-"
        return event + "+" if alone and (state, event + "+") in self.protocol.home_rows else event

    def _home_row(self, home: Home, event: str, caches: list[Cache], k: int) -> Row:
        if k >= 0:
            alone = not any(c.listed or c.owner for i, c in enumerate(caches) if i != k)
            event = self.told_apart(home.state, event, caches[k].owner, alone)
        row = self.protocol.home_rows.get((home.state, event))
        if row is None:
            raise WrongStepError(f"no row for {event} at the home in {home.state}")
        self.used.add(row)
        return row

    def _home_step(self, home: Home, caches: list[Cache], k: int, event: str, value: int) -> State:
        """After an event at the home; k is the sender's place, -1 where there is none."""
        for _ in range(len(self.protocol.home_rows) + 1):
            home = self._serve(home, caches, k, event, value)
            if home.due > 0 or (home.state, "last") not in self.protocol.home_rows:
                return self._state(home, map(self.cache, caches))
            k, event, value = -1, "last", FRESH
        raise WrongStepError(f"no acknowledge is to come in {home.state}, again and again")

    def _serve(self, home: Home, caches: list[Cache], k: int, event: str, value: int) -> Home:
        """The home after one row of its table; the caches are changed."""
        row = self._home_row(home, event, caches, k)
        memory, due = home.memory, home.due
        for action, message in row.actions:
            asker = k if action == "ask" else next((i for i, c in enumerate(caches) if c.waits), -1)
            if action == "ask":
                if k < 0:
                    raise WrongStepError(f"nobody sent {event}, whom the home asks to wait")
                if any(cache.waits for i, cache in enumerate(caches) if i != k):
                    raise WrongStepError(TWO_WAIT)
                caches[k] = caches[k]._replace(waits=True)
            elif action in ("reply", "forward"):
                line = memory if action == "reply" else value
                self._down(caches, asker, message, line, "nobody waits for it")
            elif action == "multicast":
                due = 0
                for i, cache in enumerate(caches):
                    if cache.listed and i != asker:
                        self._down(caches, i, message, FRESH, "")
                        due += 1
            elif action == "fetch":
                owner = next((i for i, c in enumerate(caches) if c.owner), -1)
                self._down(caches, owner, message, FRESH, "there is no owner")
            elif action == "ack":
                self._down(caches, k, "PutAck", FRESH, "nobody sent anything")
            elif action == "store":
                memory = value
            elif action == "merge":
                memory = NEXT if memory == FRESH else memory
            else:
                caches[:] = [known(c, action, i == asker, i == k) for i, c in enumerate(caches)]
        if row.following not in self._busy:
            caches[:] = [c._replace(waits=False) for c in caches]
        return Home(row.following, due, memory)

    def _down(self, caches: list[Cache], k: int, message: str, value: int, why_not: str) -> None:
        if k < 0:
            raise WrongStepError(f"{message} is to be sent, and {why_not}")
        caches[k] = caches[k]._replace(down=self.put(caches[k].down, message, value))

    def _to_home(self, state: State, k: int, message: Message, request: bool) -> State:
        home, caches = self.homes[state[0]], [self.records[n] for n in state[1:]]
        old = caches[k]
        if request:
            caches[k] = old._replace(asked=without(old.asked, message))
        else:
            caches[k] = old._replace(up=without(old.up, message))
        name, value = message
        if not name.endswith("Ack"):
            return self._home_step(home, caches, k, name, value)
        if home.due == 0:
            raise WrongStepError(f"{name} that nobody waits for")
        left = home._replace(due=home.due - 1)
        if left.due == 0:
            return self._home_step(left, caches, -1, "last", FRESH)
        return self._state(left, map(self.cache, caches))

    # All ways on.

    def steps(self, state: State) -> Iterator[Step]:
        """Every way on from a state. Raises WrongStepError, with the fault in words, for one that makes no sense."""
        home = self.homes[state[0]]
        for k in range(1, len(state)):
            number = state[k]
            if number == state[k - 1] and k > 1 and not self.in_place:
                continue  # the same cache again, exchanged
            cache = self.records[number]
            for event in ("read", "write", "evict"):
                row = self.protocol.cache_rows.get((cache.state, event))
                if row is not None:
                    after = self._cache_step(state, k, event, FRESH, False)
                    yield Step(after, f"{event} at a cache in {cache.state}", False, k, event)
            for name, value in self.arrivals(cache.down):
                after = self._cache_step(state, k, name, value, True)
                yield Step(after, f"{name} at a cache in {cache.state}", True, k, name)
            if home.state not in self._busy:
                for message in self.arrivals(cache.asked):
                    after = self._to_home(state, k - 1, message, True)
                    yield Step(after, f"{message[0]} at the home in {home.state}", True, k, message[0])
            for message in self.arrivals(cache.up):
                after = self._to_home(state, k - 1, message, False)
                yield Step(after, f"{message[0]} at the home in {home.state}", True, k, message[0])
        if home.joined:
            caches = [self.records[n] for n in state[1:]]
            after = self._home_step(home._replace(joined=False), caches, -1, "last", FRESH)
            yield Step(after, f"combined acknowledge at the home in {home.state}", True, 0, "last")
        for row in self.by_themselves:
            if row.state == home.state:
                caches = [self.records[n] for n in state[1:]]
                after = self._home_step(home, caches, -1, row.event, FRESH)
                yield Step(after, f"{row.event} at the home in {home.state}", False, 0, row.event)

    def fault(self, state: State) -> str:
        """What a state itself has wrong, or empty."""
        caches = [self.records[n] for n in state[1:]]
        unserved = next((c.state for c in caches if c.state in self.unserved), "")
        if unserved:
            return f"no row for a processor's {self.unserved[unserved]} at a cache in {unserved}"
        held = [c.state for c in caches if c.state in self.protocol.readable]
        stale = next((c.state for c in caches if c.state in self.protocol.readable and c.value == STALE), "")
        if stale:
            return f"a stale value can be read in {stale}"
        if len(held) > 1 and any(name in self.protocol.writable for name in held):
            return f"a writer beside another copy: {' '.join(sorted(held))}"
        return ""

    def at_rest(self, state: State) -> bool:
        """Nothing is under way and nobody waits."""
        home, caches = self.homes[state[0]], [self.records[n] for n in state[1:]]
        return home.state not in self._busy and not home.joined and all(map(self.quiet, caches))

    def quiet(self, cache: Cache) -> bool:
        """Nothing is under way to or from a cache, and it awaits nothing."""
        return cache.state in self.protocol.stable and not (cache.down or cache.asked or cache.up)


def _number_of(made: Record, number: dict[Record, int], records: list[Record]) -> int:
    """Its place in `records`, at the end where it was never met."""
    found = number.setdefault(made, len(records))
    if found == len(records):
        records.append(made)
    return found


def without(channel: tuple[Message, ...], message: Message) -> tuple[Message, ...]:
    """A channel after the first such message has left it."""
    k = channel.index(message)
    return channel[:k] + channel[k + 1 :]


def known(cache: Cache, action: str, waits: bool, sent: bool) -> Cache:
    """What the home knows of a node after an action of its table; waits, sent: the node is the one that ..."""
    if action == "add":
        return cache._replace(listed=cache.listed or waits)
    if action == "own":
        return cache._replace(owner=waits)
    if action == "keep":
        return cache._replace(listed=cache.listed or cache.owner)
    if action == "release":
        return cache._replace(owner=False)
    if action == "clear":
        return cache._replace(listed=False)
    return cache._replace(listed=cache.listed and not sent)  # forget
