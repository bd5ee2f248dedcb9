"""The tables run from one state of rest to the next: which row each event has there. Used by `rows`.

An event of one cache, then every message until all is at rest, by the checker's model of a few caches. A line at rest
is in a *class*, the home's state and the owner's.
"""

from __future__ import annotations

from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.rules import codes as at
from jumpnet.coherence.rules._sayable import no_row_says, words_of
from jumpnet.coherence.search.model import Model, State, Step
from jumpnet.coherence.search.records import Cache, full_for
from jumpnet.errors import JumpnetError

__all__ = ["EVENTS", "AtRest", "Key", "alone", "part_of"]

MOST_STEPS = 1000
EVENTS = ("read", "write", "evict")
Key = tuple[int, int, int, int]
"""Class, part of the actor, 1 where no other is listed, number of the event."""


def part_of(cache: Cache, protocol: Protocol) -> int:
    """The part that a cache at rest has in the line."""
    return at.OWNER if cache.owner else at.HOLDER if cache.state in protocol.readable else at.NONE


def alone(caches: list[Cache], k: int) -> int:
    """1 where no cache but number k is listed or the owner, else 0."""
    return int(not any(c.listed or c.owner for i, c in enumerate(caches) if i != k))


class AtRest:
    """Rows as they are met."""

    def __init__(self, protocol: Protocol, caches: int) -> None:
        self.protocol, self.model = protocol, Model(protocol, caches, True, False, in_place=True)
        self.caches, self.words = caches, words_of(protocol)
        self.names: list[tuple[str, str]] = []
        self.seen: set[State] = set()
        self.rows: dict[Key, int] = {}
        self.listing: dict[Key, set[tuple[bool, bool]]] = {}
        """Whether the actor was listed before, and is afterwards, where it gets no copy."""
        self.makes_room = False

    def wrong(self, what: str) -> JumpnetError:
        """What is wrong with the tables, to be raised."""
        return JumpnetError(f"protocol {self.protocol.name}: {what}")

    def where(self, number: int) -> str:
        """A class in words."""
        home, owner = self.names[number]
        return f"the home in {home} and the owner in {owner or 'no state'}"

    def owner_of(self, state: State) -> int:
        """The number of the cache that owns the line, -1 for none."""
        return next((k for k, cache in enumerate(self.model.caches(state)) if cache.owner), -1)

    def class_of(self, state: State) -> int:
        """The number of a state's class, a new one where it was never met."""
        owner = self.owner_of(state)
        name = self.model.homes[state[0]].state, self.model.caches(state)[owner].state if owner >= 0 else ""
        if name not in self.names:
            self.names.append(name)
        if len(self.names) > at.CLASSES:
            raise self.wrong(f"more than {at.CLASSES} classes of lines found")
        return self.names.index(name)

    def met(self, home: int, part: int, sole: int, event: int) -> int:
        """The row of an event; where it was never met that with others listed instead of none, or none of others."""
        return self.rows.get((home, part, sole, event), self.rows.get((home, part, 1 - sole, event), 0))

    def steps_of(self, state: State, k: int, event: str, delivers: bool = False, but: int = -1) -> list[Step]:
        """An event at cache k, or at the home (0), and all steps from it to a state of rest; empty without such one.

        but: a cache whose request stays under way. Raises WrongStepError where the tables have no answer.
        """
        first = (k, event, delivers)
        way = next((w for w in self.model.ways(state) if (w.cache, w.event, w.delivers) == first), None)
        steps: list[Step] = []
        while way and len(steps) < MOST_STEPS:
            steps.append(self.model.steps_by(state, way)[0])
            state = steps[-1].after
            on = self.model.ways(state)
            way = next((w for w in on if w.delivers and (w.where, w.cache) != ("asked", but)), None)
        if steps and not self._rests(steps[-1].after, but):
            raise self.wrong(f"after {steps[0].label} it never comes to rest")
        return steps

    def _rests(self, state: State, but: int) -> bool:
        """Whether nothing is under way and nobody waits, but for a request of a cache."""
        home, caches = self.model.homes[state[0]], enumerate(self.model.caches(state), 1)
        return home.state not in self.protocol.busy and all(k == but or self.model.quiet(cache) for k, cache in caches)

    def carry(self, state: State, k: int, event: str) -> tuple[State, list[Step]]:
        """The state at rest after something that comes by itself, and its steps."""
        steps = self.steps_of(state, k, event)
        if not steps:
            raise self.wrong(f"no {event} found where one was expected")
        return steps[-1].after, steps

    def search(self, start: State) -> None:
        """Every event from every state of rest."""
        self.seen.add(start)
        todo = [start]
        while todo:
            state = todo.pop()
            for k, cache in enumerate(self.model.caches(state)):
                for number, event in enumerate(EVENTS):
                    if event == "evict" and (cache.state, event) not in self.protocol.cache_rows:
                        continue
                    after, steps = self.carry(state, k + 1, event)
                    self.enter(state, steps, k, number)
                    if after not in self.seen:
                        self.seen.add(after)
                        todo.append(after)

    def enter(self, state: State, steps: list[Step], k: int, event: int) -> None:
        """Note a row; the same circumstances always have the same one."""
        caches, home = self.model.caches(state), self.class_of(state)
        key = home, part_of(caches[k], self.protocol), alone(caches, k), event
        row = self.row(caches, home, steps, k, event)
        if self.rows.setdefault(key, row) != row:
            raise self.wrong(f"{steps[0].label} has two outcomes with {self.where(home)}")
        if row & at.LEAVES:
            now = self.model.caches(steps[-1].after)
            self.listing.setdefault(key, set()).add((caches[k].listed, now[k].listed))

    def row(self, was: list[Cache], home: int, steps: list[Step], k: int, event: int) -> int:
        """What an event of cache k did, in the bits of `codes`. was, home: the caches, and the class of the line."""
        after, words = steps[-1].after, self.words
        now = self.model.caches(after)
        others = [i for i in range(self.caches) if i != k]
        struck = [i for i in others if was[i].listed and not now[i].listed]
        if full_for(self.protocol, was, k) and len(struck) == 1 and any(now[i].listed for i in others):
            self.makes_room = True  # the row is that of an entry with room, once this one is out of it
            others.remove(struck[0])
        at_others = [(step.event, now[step.cache - 1]) for step in steps if step.cache - 1 in others]
        owners = [next((i for i, c in enumerate(caches) if c.owner), -1) for caches in (was, now)]
        if owners[1] not in (owners[0], k, -1):
            raise self.wrong(f"after {steps[0].label} another one is the owner")
        lost = [was[i].state in words.readable and now[i].state not in words.readable for i in others]
        listed = any(now[i].listed or now[i].owner for i in others)
        if any(lost) and listed:
            raise self.wrong(f"{steps[0].label} takes some copies and leaves others")
        told = any(e in words.told or (e in words.fetched and c.state not in words.readable) for e, c in at_others)
        fetched = any(e in words.fetched for e, _ in at_others)
        cleaned = any(was[i].state in words.dirty and now[i].state in words.readable - words.dirty for i in others)
        soiled = now[k].state in words.dirty and (event == at.WRITE or was[k].state not in words.dirty)
        leaves = event != at.EVICT and now[k].state not in words.readable
        if what := no_row_says(words, was, now, steps, k, event, told or any(lost)):
            raise self.wrong(f"{steps[0].label} {what}, for which machines have no step")
        changes = at.KEEP if owners[0] == owners[1] else at.ACTOR if owners[1] == k else at.NOBODY
        became = self.class_of(after)
        row = (
            at.CHANGES * (changes != at.KEEP or became != home) | at.CLASS * became | changes
            | at.ASKS * any(step.event in words.requests for step in steps) | at.TELLS * told
            | at.FETCHES * fetched | at.CLEANS * cleaned | at.TAKES * (told and not listed) | at.SOILS * soiled
            | at.STORES * (event == at.EVICT and was[k].state in words.dirty) | at.LEAVES * leaves
        )  # fmt: skip
        return row if row > at.CLASS_BITS else 0
