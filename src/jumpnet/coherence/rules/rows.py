"""A protocol's tables as rows of numbers, for machines that carry each reference through before the next.

The tables are run by the checker's model with three caches: an event of one cache, then every message until all is at
rest. A line at rest is in a *class*, the home's state and the owner's; what a read, a write or an eviction does follows
from the class, the actor's part in it, and whether others are listed. So a protocol is one file, and the machines know
numbers only. What a row means is in `codes`. Its check: tests/naive/protocol.py runs the tables reference by reference.
Called by `functional`.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.rules import codes as at
from jumpnet.coherence.search.model import Model, State, Step, WrongStepError
from jumpnet.coherence.search.records import Cache, full_for
from jumpnet.errors import JumpnetError
from jumpnet.terms import I64

__all__ = ["Rules", "rules_of"]

CACHES = 3
MOST_STEPS = 1000
EVENTS = ("read", "write", "evict")
SAME_ALONE = at.TELLS | at.TAKES
"""A message without receivers is not sent, and without copies none is taken: rows that differ in these are one."""
Key = tuple[int, int, int, int]
"""Class, part of the actor, 1 where no other is listed, number of the event."""


class Rules(NamedTuple):
    """The rows of a protocol."""

    rows: I64
    """(classes * ROWS,) by `codes.ROWS * class + PARTS * part + ALONE * alone + event`."""
    first: int
    """The class of a line that no node has touched."""
    other: int
    """The same on a page for which the home has chosen the other mode; `first` where there is none."""
    shared: int
    """The class of a line that two have read and none has written; -1 where one node at a time may read."""
    tells: bool
    """Whether some clean copies are given up with a notification."""
    pointers: int
    """Nodes that an entry must be able to list, one of which gives its copy up for one more; 0 where none has to."""
    names: tuple[tuple[str, str], ...]
    """State of the home and of the owner, empty without one, of each class."""

    def row(self, home: str, owner: str, part: int, event: str, alone: bool = False) -> int:
        """The row of a class by its names. Raises JumpnetError where there is no such class.

        >>> from jumpnet.coherence.protocol import protocol
        >>> row = rules_of(protocol("msi")).row("S", "", at.HOLDER, "write")
        >>> bool(row & at.TELLS), bool(row & at.FETCHES)
        (True, False)
        """
        if (home, owner) not in self.names:
            raise JumpnetError(f"no home in {home} with an owner in {owner or 'no state'} found")
        place = at.ROWS * self.names.index((home, owner)) + at.PARTS * part + EVENTS.index(event)
        found = int(self.rows[place])
        return int(self.rows[place + at.ALONE]) if alone and found & at.DEPENDS else found


class _Found:
    """Rows as the search at rest meets them."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol, self.model = protocol, Model(protocol, CACHES, True, False, in_place=True)
        rows = protocol.home_rows.values()
        self.told = {message for row in rows for action, message in row.actions if action in ("multicast", "tell")}
        self.fetched = {message for row in rows for action, message in row.actions if action == "fetch"}
        self.dirty = {
            row.state
            for row in protocol.cache_rows.values()
            if row.event == "evict" and any(message in protocol.lines for _, message in row.actions)
        }
        self.names: list[tuple[str, str]] = []
        self.rows: dict[Key, int] = {}
        self.makes_room = False

    def wrong(self, what: str) -> JumpnetError:
        return JumpnetError(f"protocol {self.protocol.name}: {what}")

    def class_of(self, state: State) -> int:
        """The number of a state's class, a new one where it was never met."""
        owner = next((cache.state for cache in self.model.caches(state) if cache.owner), "")
        name = self.model.homes[state[0]].state, owner
        if name not in self.names:
            self.names.append(name)
        if len(self.names) > at.CLASSES:
            raise self.wrong(f"more than {at.CLASSES} classes of lines found")
        return self.names.index(name)

    def carry(self, state: State, k: int, event: str) -> tuple[State, list[Step]]:
        """The state at rest after something that comes by itself, at cache k or at the home (0), and its steps."""
        step = next((s for s in self.model.steps(state) if (s.cache, s.event, s.delivers) == (k, event, False)), None)
        if step is None:
            raise self.wrong(f"no {event} found where one was expected")
        steps = [step]
        while not self.model.at_rest(step.after):
            step = next((s for s in self.model.steps(step.after) if s.delivers), None)
            if step is None or len(steps) > MOST_STEPS:
                raise self.wrong(f"after {steps[0].label} it never comes to rest")
            steps.append(step)
        return step.after, steps

    def search(self, start: State) -> None:
        """Every event from every state of rest."""
        seen, todo = {start}, [start]
        while todo:
            state = todo.pop()
            for k, cache in enumerate(self.model.caches(state)):
                for number, event in enumerate(EVENTS):
                    if event == "evict" and (cache.state, event) not in self.protocol.cache_rows:
                        continue
                    after, steps = self.carry(state, k + 1, event)
                    self.enter(state, after, steps, k, number)
                    if after not in seen:
                        seen.add(after)
                        todo.append(after)

    def enter(self, state: State, after: State, steps: list[Step], k: int, event: int) -> None:
        """Note a row; the same circumstances always have the same one."""
        caches = self.model.caches(state)
        alone = not any(c.listed or c.owner for i, c in enumerate(caches) if i != k)
        part = at.OWNER if caches[k].owner else at.HOLDER if caches[k].state in self.protocol.readable else at.NONE
        key = self.class_of(state), part, int(alone), event
        row = self.row(state, after, steps, k, event)
        if self.rows.setdefault(key, row) != row:
            home, owner = self.names[key[0]]
            where = f"the home in {home} and the owner in {owner or 'no state'}"
            raise self.wrong(f"{steps[0].label} has two outcomes with {where}")

    def row(self, state: State, after: State, steps: list[Step], k: int, event: int) -> int:
        """What an event of cache k did, in the bits of `codes`."""
        was, now, protocol = self.model.caches(state), self.model.caches(after), self.protocol
        others = [i for i in range(CACHES) if i != k]
        struck = [i for i in others if was[i].listed and not now[i].listed]
        if full_for(protocol, was, k) and len(struck) == 1 and any(now[i].listed for i in others):
            self.makes_room = True  # the row is that of an entry with room, once this one is out of it
            others.remove(struck[0])
        at_others = [(step.event, now[step.cache - 1]) for step in steps if step.cache - 1 in others]
        owners = [next((i for i, c in enumerate(caches) if c.owner), -1) for caches in (was, now)]
        if owners[1] not in (owners[0], k, -1):
            raise self.wrong(f"after {steps[0].label} another one is the owner")
        lost = [was[i].state in protocol.readable and now[i].state not in protocol.readable for i in others]
        listed = any(now[i].listed or now[i].owner for i in others)
        if any(lost) and listed:
            raise self.wrong(f"{steps[0].label} takes some copies and leaves others")
        told = any(e in self.told or (e in self.fetched and c.state not in protocol.readable) for e, c in at_others)
        fetched = any(e in self.fetched for e, _ in at_others)
        cleaned = any(was[i].state in self.dirty and now[i].state in protocol.readable - self.dirty for i in others)
        soiled = now[k].state in self.dirty and (event == at.WRITE or was[k].state not in self.dirty)
        self.check_that_a_row_says_it(was, now, steps, k, event, told or any(lost))
        changes = at.KEEP if owners[0] == owners[1] else at.ACTOR if owners[1] == k else at.NOBODY
        became = self.class_of(after)
        row = (
            at.CHANGES * (changes != at.KEEP or became != self.class_of(state)) | at.CLASS * became | changes
            | at.ASKS * any(step.event in protocol.requests for step in steps) | at.TELLS * told
            | at.FETCHES * fetched | at.CLEANS * cleaned | at.TAKES * (told and not listed) | at.SOILS * soiled
            | at.STORES * (event == at.EVICT and was[k].state in self.dirty)
        )  # fmt: skip
        return row if row > at.CLASS_BITS else 0

    def check_that_a_row_says_it(
        self, was: list[Cache], now: list[Cache], steps: list[Step], k: int, event: int, notes_others: bool
    ) -> None:
        """Raise JumpnetError for an event of cache k that does what no bits of `codes` tell.

        was, now: the caches. notes_others: others are told, or lose copies.
        """
        evicts, readable = event == at.EVICT, self.protocol.readable
        holds, asked = now[k].state in readable, sum(step.event in self.protocol.requests for step in steps)
        fetched = sum(step.event in self.fetched for step in steps if step.cache - 1 != k)
        told = Counter(step.cache for step in steps if step.event in self.told and step.cache - 1 != k)
        was_dirty, is_dirty = ([cache.state in self.dirty for cache in caches] for caches in (was, now))
        for is_so, what in (
            (evicts and was[k].state in readable and holds, "leaves the copy where it was"),
            (not evicts and not holds, "leaves no copy with the one that asked"),
            (any(cache.owner and cache.state not in readable for cache in now), "leaves an owner without a copy"),
            (evicts and asked and now[k].listed, "tells the home, which lists the copy as before"),
            (evicts and notes_others, "tells others"),
            (any(is_dirty[i] > was_dirty[i] for i in range(CACHES) if i != k), "makes the copy of another one dirty"),
            (not evicts and holds and was_dirty[k] > is_dirty[k], "makes its own copy clean"),
            (asked > 1, f"asks the home {asked} times"),
            (fetched > 1, f"fetches the line {fetched} times"),
            (max(told.values(), default=0) > 1, "tells another one twice"),
        ):
            if is_so:
                raise self.wrong(f"{steps[0].label} {what}, for which machines have no step")

    def check_that_all_was_met(self) -> None:
        """Raise JumpnetError for a class in which no node without a copy reads, or none writes."""
        for (c, name), event in product(enumerate(self.names), (at.READ, at.WRITE)):
            if all((c, at.NONE, alone, event) not in self.rows for alone in (0, 1)):
                where = f"with the home in {name[0]} and the owner in {name[1] or 'no state'}"
                raise self.wrong(f"no {EVENTS[event]} by a node without a copy met {where} and {CACHES} caches")


def _complete(rows: dict[Key, int], classes: int, first: dict[int, int], shared: int) -> None:
    """Rows for circumstances that the tables never meet: entries of the machines may list more than the tables do.

    A line that no node has touched counts as shared where others are listed and several may read; else listing does
    not matter. first: by the class of a line that nobody has touched, that of one that two have read. shared: as in
    `Rules`.
    """
    parts, events = (at.NONE, at.HOLDER, at.GONE, at.OWNER), (at.READ, at.WRITE, at.EVICT)
    for c, part, event in product(range(classes), parts, events):
        if c in first and part == at.NONE and event != at.EVICT:
            row = rows[c, part, 1, event] | at.TAKES if shared < 0 else rows[first[c], part, 0, event]
            rows.setdefault((c, part, 0, event), row | at.CHANGES * (row & at.CLASS_BITS != c))
        for alone in (0, 1):
            rows.setdefault((c, part, alone, event), rows.get((c, part, 1 - alone, event), 0))


def _let_sole_readers_own(rows: dict[Key, int], classes: int) -> None:
    """A reader that the home lists alone becomes the owner, its copy clean, which it gives up silently."""
    for c in range(classes):
        write = rows[c, at.NONE, 0, at.WRITE]
        if not write & at.TAKES:
            continue
        became = write & at.CLASS_BITS
        owns = at.CHANGES | at.ACTOR | became
        read = rows[c, at.NONE, 0, at.READ]
        rows[c, at.NONE, 1, at.READ] = owns | read & (at.ASKS | at.FETCHES | at.CLEANS)
        rows[became, at.GONE, 1, at.READ] = owns | at.ASKS
        rows[became, at.GONE, 0, at.WRITE] = rows[became, at.GONE, 1, at.WRITE] = owns | at.ASKS | at.SOILS
        if c == became:
            rows[c, at.GONE, 0, at.READ] = read & ~(at.FETCHES | at.CLEANS)


def _placed(rows: dict[Key, int], classes: int) -> I64:
    """All rows in their places, marked where being alone matters."""
    takes = any(row & at.TAKES for row in rows.values())
    found = np.zeros(classes * at.ROWS, np.int64)
    for (c, part, alone, event), row in rows.items():
        depends = not alone and (row ^ rows[c, part, 1, event]) & ~SAME_ALONE
        marks = at.DEPENDS * bool(depends) | at.MATES * bool(takes and row & at.SOILS)
        found[at.ROWS * c + at.PARTS * part + at.ALONE * alone + event] = row | marks
    return found


@lru_cache(maxsize=64)
def rules_of(protocol: Protocol, exclusive: bool = False) -> Rules:
    """The rows of a protocol.

    exclusive: a reader that the home lists alone may write without a request, and gives a clean copy up silently,
    in modes that take copies away; where sole readers own the line anyway nothing changes. Raises JumpnetError for
    tables that are stuck, or under which some copies stay and others go. Cost: some 50 ms.

    >>> from jumpnet.coherence.protocol import protocol
    >>> rules_of(protocol("msi")).names
    (('U', ''), ('S', ''), ('M', 'M'))
    """
    try:
        found, first, shared = _searched(protocol)
    except WrongStepError as wrong:
        raise JumpnetError(f"protocol {protocol.name}: {wrong}") from None
    rows, classes, start = found.rows, len(found.names), min(first)
    _complete(rows, classes, first, shared)
    if exclusive and not any(key[3] == at.READ and row & at.ACTOR for key, row in rows.items()):
        _let_sole_readers_own(rows, classes)
    tells = any(key[3] == at.EVICT and row & at.ASKS and not row & at.STORES for key, row in rows.items())
    pointers = protocol.pointers * found.makes_room
    return Rules(_placed(rows, classes), start, max(first), shared, tells, pointers, tuple(found.names))


def _searched(protocol: Protocol) -> tuple[_Found, dict[int, int], int]:
    """All rows that the tables have, by the class of an untouched line that of one that two have read, and `shared`."""
    found = _Found(protocol)
    starts = [found.model.start]
    home = found.model.homes[starts[0][0]].state
    if (home, "switch") in protocol.home_rows:
        starts.append(found.carry(starts[0], 0, "switch")[0])
    first: dict[int, int] = {}
    shared = at.UNSHARED
    for start in starts:
        two = found.carry(found.carry(start, 1, "read")[0], 2, "read")[0]
        start_class = found.class_of(start)
        first[start_class] = found.class_of(two)
        if start == starts[0] and not any(cache.owner for cache in found.model.caches(two)):
            shared = first[start_class]
        found.search(start)
    found.check_that_all_was_met()
    return found, first, shared
