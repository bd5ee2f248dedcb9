"""Chains of messages as packets that go from endpoint to endpoint: the ways by which one message makes the next.

A message that its endpoint holds until the next can be sent is a packet that holds the channel to the endpoint and asks
for the channel from it, as the next message. Called by `transactions`.
"""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.coherence.networks.kinds import Kinds
from jumpnet.coherence.networks.least import Groups

__all__ = ["LAST_END", "SOURCE_END", "THIRD_END", "Leg", "Program", "draws_of", "programs_of", "thirds_of"]

SOURCE_END, LAST_END, THIRD_END = 0, 1, 2
"""The endpoint at which a chain begins, the one at which it ends, and any other."""


class Leg(NamedTuple):
    """One message of a chain."""

    kind: str
    """The kind of message."""
    network: int
    """Its virtual network."""
    to: int
    """SOURCE_END, LAST_END or THIRD_END."""


Program = tuple[Leg, ...]
"""A chain of messages, each made by the one before."""
_Step = tuple[str, str]
"""(kind of message, where it goes: `home`, `asker` or `other`)."""


def programs_of(kinds: Kinds, endpoints: str, groups: Groups) -> tuple[Program, ...]:
    """Chains in which every two messages occur of which the first waits until the second can be sent.

    A chain begins with a request, or with what an entry sends later, and goes on until a message is taken without more.
    endpoints: one of `kinds.ENDPOINTS`; groups: who shares which network. Of chains that differ in names alone one is
    kept. A chain that would end where it began ends at the third endpoint instead, as from there the same channels are
    asked for by another's chain.

    >>> from jumpnet.coherence.networks.kinds import kinds_of
    >>> from jumpnet.coherence.protocol import protocol
    >>> kinds = kinds_of(protocol("update"))
    >>> [" ".join(leg.kind for leg in made) for made in programs_of(kinds, "held", (kinds.names,))]
    ['GetS Data Done', 'GetW Update UpdAck DataU Done']
    """
    waits = kinds.waits(endpoints)
    ways = sorted((a, b, to) for a, b, to in kinds.steps if (a, b) in waits)
    sent = {(b, to) for a, b, to in kinds.steps if (a, b) not in waits}
    begin = [(name, "home") for name in kinds.names if name in kinds.requests]
    begin += sorted(step for step in sent if step not in begin)
    of = {name: k for k, names in enumerate(groups) for name in names}
    found: dict[tuple[tuple[int, int], ...], Program] = {}
    alone = [[step] for step in begin if step[0] not in {a for a, *_ in ways}]
    for chain in [*(_chain(begin, way, ways) for way in ways), *alone]:
        made = _numbered(chain, of)
        found.setdefault(tuple((leg.network, leg.to) for leg in made), made)
    return tuple(found.values())


def thirds_of(programs: tuple[Program, ...], ends: int) -> list[int]:
    """How many third endpoints each chain may have among so many; 1 where it visits none."""
    return [ends - 2 if any(leg.to == THIRD_END for leg in made) else 1 for made in programs]


def draws_of(programs: tuple[Program, ...], ends: int) -> list[tuple[str, Program]]:
    """The draws of the start hook of `transactions` that make a packet each chain, such as `0 to 13`."""
    found, first = [], 0
    for made, many in zip(programs, thirds_of(programs, ends), strict=True):
        found.append((f"{first} to {first + many - 1}" if many > 1 else str(first), made))
        first += many
    return found


def _chain(begin: list[_Step], way: tuple[str, str, str], ways: list[tuple[str, str, str]]) -> list[_Step]:
    """A shortest chain that a way is in: from the beginning to its end, or to where it would come round again."""
    to = "asker" if way[2] == "home" else "home"
    before = next((path for path in _paths(begin, ways) if path[-1][0] == way[0]), [(way[0], to)])
    after = _paths([(way[1], way[2])], ways)
    on = {a for a, *_ in ways}
    return before + next((path for path in after if path[-1][0] not in on), after[0])


def _paths(begin: list[_Step], ways: list[tuple[str, str, str]]) -> list[list[_Step]]:
    """Shortest paths from the steps given to every kind that ways lead to, the shortest first."""
    paths, met = [[step] for step in begin], {step[0] for step in begin}
    for path in paths:
        for a, b, to in ways:
            if a == path[-1][0] and b not in met:
                met.add(b)
                paths.append([*path, (b, to)])
    return paths


def _numbered(chain: list[_Step], of: dict[str, int]) -> Program:
    """The chain with its networks and endpoints; it begins at a cache or at the home, where its first kind is sent."""
    source = "asker" if chain[0][1] == "home" else "home"
    roles = [role for _, role in chain]
    if roles[-1] == source:
        before = roles[-2]  # the first message goes elsewhere than where it is sent, so that there are two
        roles[-1] = next(role for role in ("home", "asker", "other") if role not in (source, before))
    number = {source: SOURCE_END, roles[-1]: LAST_END}
    return tuple(Leg(name, of[name], number.get(role, THIRD_END)) for (name, _), role in zip(chain, roles, strict=True))
