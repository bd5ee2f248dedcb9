"""What a row can say of an event, and what no row says. Used by `_at_rest`."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.rules import codes as at
from jumpnet.coherence.search.model import Step
from jumpnet.coherence.search.records import Cache

__all__ = ["Words", "no_row_says", "words_of"]


class Words(NamedTuple):
    """What the words of a protocol's tables mean."""

    readable: frozenset[str]
    """Cache states in which a read hits."""
    dirty: frozenset[str]
    """Cache states whose eviction brings the line."""
    requests: frozenset[str]
    """Messages by which a cache asks the home."""
    told: frozenset[str]
    """Messages that tell of a write: to those listed, or to an owner who merges its word."""
    fetched: frozenset[str]
    """Messages to the owner, but for those that tell of a write and bring no line home."""


def words_of(protocol: Protocol) -> Words:
    """What the words of a protocol's tables mean."""
    at_cache, at_home = protocol.cache_rows.values(), protocol.home_rows.values()
    to_listed = {message for row in at_home for action, message in row.actions if action in ("multicast", "tell")}
    to_owner = {message for row in at_home for action, message in row.actions if action == "fetch"}
    merge = {row.event for row in at_cache if ("merge", "") in row.actions}
    bring = {row for row in at_cache if any(message in protocol.lines for _, message in row.actions)}
    return Words(
        readable=protocol.readable,
        dirty=frozenset(row.state for row in bring if row.event == "evict"),
        requests=protocol.requests,
        told=frozenset(to_listed | to_owner & merge),
        fetched=frozenset(to_owner - (merge - {row.event for row in bring})),
    )


def no_row_says(
    words: Words, was: list[Cache], now: list[Cache], steps: list[Step], k: int, event: int, notes_others: bool
) -> str:
    """What an event of cache k does that no bits of `codes` tell; empty where they tell all.

    was, now: the caches. notes_others: others are told, or lose copies.
    """
    evicts, held, holds = event == at.EVICT, was[k].state in words.readable, now[k].state in words.readable
    asked = sum(step.event in words.requests for step in steps)
    fetched = sum(step.event in words.fetched for step in steps if step.cache - 1 != k)
    told = Counter(step.cache for step in steps if step.event in words.told and step.cache - 1 != k)
    was_dirty, is_dirty = ([cache.state in words.dirty for cache in caches] for caches in (was, now))
    for is_so, what in (
        (evicts and holds, "leaves the copy where it was"),
        (not evicts and held and not holds, "takes the copy of the one that asked"),
        (not evicts and not holds and not asked, "asks nobody and leaves no copy"),
        (any(cache.owner and cache.state not in words.readable for cache in now), "leaves an owner without a copy"),
        (evicts and asked and now[k].listed, "tells the home, which lists the copy as before"),
        (evicts and notes_others, "tells others"),
        (any(is_dirty[i] > was_dirty[i] for i in range(len(was)) if i != k), "makes the copy of another one dirty"),
        (not evicts and holds and was_dirty[k] > is_dirty[k], "makes its own copy clean"),
        (asked > 1, f"asks the home {asked} times"),
        (fetched > 1, f"fetches the line {fetched} times"),
        (max(told.values(), default=0) > 1, "tells another one twice"),
    ):
        if is_so:
            return what
    return ""
