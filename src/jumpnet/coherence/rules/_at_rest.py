"""The tables run from one state of rest to the next: which row each event has there. Used by `rows`.

An event of one cache, then every message until all is at rest, by the checker's model of a few caches. A line at rest
is in a *class*, the home's state and the owner's.
"""

from __future__ import annotations

from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.rules import codes as at
from jumpnet.coherence.rules._sayable import no_row_says, words_of
from jumpnet.coherence.search.model import Model, State, Step
from jumpnet.coherence.search.records import full_for
from jumpnet.errors import JumpnetError

__all__ = ["EVENTS", "AtRest", "Key"]

MOST_STEPS = 1000
EVENTS = ("read", "write", "evict")
Key = tuple[int, int, int, int]
"""Class, part of the actor, 1 where no other is listed, number of the event."""


class AtRest:
    """Rows as they are met."""

    def __init__(self, protocol: Protocol, caches: int) -> None:
        self.protocol, self.model = protocol, Model(protocol, caches, True, False, in_place=True)
        self.caches, self.words = caches, words_of(protocol)
        self.names: list[tuple[str, str]] = []
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
            raise self.wrong(f"{steps[0].label} has two outcomes with {self.where(key[0])}")
        if row & at.LEAVES:
            self.listing.setdefault(key, set()).add((caches[k].listed, self.model.caches(after)[k].listed))

    def row(self, state: State, after: State, steps: list[Step], k: int, event: int) -> int:
        """What an event of cache k did, in the bits of `codes`."""
        was, now, words = self.model.caches(state), self.model.caches(after), self.words
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
            at.CHANGES * (changes != at.KEEP or became != self.class_of(state)) | at.CLASS * became | changes
            | at.ASKS * any(step.event in words.requests for step in steps) | at.TELLS * told
            | at.FETCHES * fetched | at.CLEANS * cleaned | at.TAKES * (told and not listed) | at.SOILS * soiled
            | at.STORES * (event == at.EVICT and was[k].state in words.dirty) | at.LEAVES * leaves
        )  # fmt: skip
        return row if row > at.CLASS_BITS else 0
