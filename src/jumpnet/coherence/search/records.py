"""What a state of one line is made of: caches, with what the home knows of each, and the home; and what may happen.

Used by `model`.
"""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.coherence.protocol import Protocol, Row

__all__ = [
    "AGE", "FRESH", "MOST_WAITING", "NEXT", "NOT_THERE", "STALE", "Cache", "Home", "Message", "State", "Step", "Way",
    "WrongStepError", "full_for", "known", "receivers", "without",
]  # fmt: skip

FRESH, STALE, NEXT = 0, 1, 2
"""Values of a line: the newest completed write, an older one, one that is being made known."""
AGE = {STALE: 0, FRESH: 1, NEXT: 2}
MOST_WAITING = 4
"""Messages of one kind of channel between two places; more means that they pile up without end."""
NOT_THERE = {
    "reply": "nobody waits for it", "forward": "nobody waits for it", "fetch": "there is no owner",
    "ack": "nobody sent anything", "multicast": "", "tell": "",
}  # fmt: skip
"""Actions by which the home sends, and why one to whom it would may not be there."""
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
    side: tuple[Message, ...] = ()
    """From other caches."""


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


class Way(NamedTuple):
    """What may happen next."""

    where: str
    """`cache` or `home` where one acts by itself; else the channel of the message that arrives: `down` at a cache,
    `asked` or `up` at the home, `joined` for combined acknowledges."""
    cache: int
    """The cache at which it happens or whose message arrives, from 1 on; 0 where there is none."""
    event: str
    """Of the tables."""
    value: int = FRESH
    """Of the message's line."""

    @property
    def at_cache(self) -> bool:
        """Whether it happens at a cache."""
        return self.where in ("cache", "down")

    @property
    def delivers(self) -> bool:
        """Whether a message arrives."""
        return self.where not in ("cache", "home")


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

    @property
    def at_cache(self) -> bool:
        """Whether it happens at a cache."""
        return " at a cache in " in self.label


class WrongStepError(Exception):
    """The tables have no answer, or one that makes no sense: the fault in words."""


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


def owed(cache: Cache, row: Row, event: str) -> str:
    """The read or write that a cache owes an answer from this event on; raises WrongStepError where it owes one."""
    if event != "write" and (event != "read" or ("hit", "") in row.actions):
        return cache.owes
    if cache.owes:
        raise WrongStepError(f"a {event} at a cache in {cache.state} gets no answer")
    return event


def receivers(action: str, caches: list[Cache], asker: int, sender: int, victim: int) -> list[int]:
    """Places of the caches to which the home sends what an action says; -1 for one that is not there.

    asker: who waits; sender: of the message that has come; victim: the one of those listed that `tell` chooses.
    """
    if action == "multicast":
        return [i for i, cache in enumerate(caches) if cache.listed and i != asker]
    if action == "tell":
        return [victim] if victim >= 0 else []
    if action == "fetch":
        return [next((i for i, cache in enumerate(caches) if cache.owner), -1)]
    return [sender if action == "ack" else asker]


def full_for(protocol: Protocol, caches: list[Cache], k: int) -> bool:
    """Whether all pointers of the home's entry are taken, and none of them names cache k."""
    taken = sum(cache.listed for cache in caches)
    return 0 < protocol.pointers <= taken and not caches[k].listed
