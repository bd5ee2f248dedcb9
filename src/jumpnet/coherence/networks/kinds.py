"""Which kind of message waits at its endpoint for which other kinds, read off a protocol's tables.

A message waits for those that its handling sends (`sends`), as far as the endpoint has nowhere else to keep them, and a
request waits at a busy home for all that ends what the home is at (`stalls`). Caches handle whatever comes at once: the
tables have no row by which they do not. How much room endpoints have is one of ENDPOINTS. That waits form no cycle is
what protocol deadlock is avoided by (dally2004principles chapter 14); that the longest chain of sends is not what
counts says li2024networks. Called by `least`, `cli` and tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from jumpnet.api.public import public
from jumpnet.coherence.protocol import MARKS, Protocol, Row
from jumpnet.errors import JumpnetError, unknown_name

__all__ = ["ENDPOINTS", "Kinds", "Pair", "kinds_of"]

ENDPOINTS = ("held", "reserved", "queued")
"""`held`: a message is taken when all that it makes the endpoint send has found room in the network. `reserved`: the
same, but one that was asked for is always taken, with what it makes the endpoint send: there is an entry for the
request that it answers. `queued`: all that is to be sent has room at the endpoint, however much it is."""
Pair = tuple[str, str]
"""(kind that waits, kind it waits for)."""


@dataclass(frozen=True)
class Kinds:
    """The kinds of messages of a protocol, and what each may wait for."""

    protocol: str
    names: tuple[str, ...]
    """In the order in which the tables send them, those to the home first."""
    requests: frozenset[str]
    """Those that a processor makes its cache send."""
    to_home: frozenset[str]
    """Those to the home; the others go to caches."""
    sends: frozenset[Pair]
    """Handling the first may send the second."""
    stalls: frozenset[Pair]
    """The first may have to stay where it is until the second has arrived."""
    asked_for: frozenset[str]
    """Those that arrive only where they answer something: at a busy home, at a cache that waits."""
    steps: frozenset[tuple[str, str, str]] = field(default=frozenset(), repr=False)
    """`sends` with the node that the second goes to: `home`, `asker` or `other`."""
    counted: frozenset[str] = frozenset()
    """Those that a router counts: each is taken at once, and what the last one sends is kept with its request."""
    lines: frozenset[str] = frozenset()
    """Those that carry the line, so that their packets are longer."""

    def waits(self, endpoints: str) -> frozenset[Pair]:
        """Pairs of kinds of which the first may wait for the second; endpoints: one of ENDPOINTS.

        >>> from jumpnet.coherence.protocol import protocol
        >>> waits = kinds_of(protocol("msi")).waits("held")
        >>> ("Inv", "InvAck") in waits, ("PutM", "Done") in waits, ("Done", "PutM") in waits
        (True, True, False)
        """
        if endpoints not in ENDPOINTS:
            raise unknown_name("endpoints", endpoints, ENDPOINTS)
        if endpoints == "queued":
            return self.stalls
        kept = self.counted | (self.asked_for if endpoints == "reserved" else frozenset())
        return self.stalls | {pair for pair in self.sends if pair[0] not in kept}


@public
def kinds_of(protocol: Protocol) -> Kinds:
    """The kinds of a protocol's messages, and what each may wait for, of all rows of its tables.

    Raises JumpnetError for a message that is sent and that no row takes. Rows that no state leads to count all the
    same (`check` names them). Cost: microseconds a row.

    >>> from jumpnet.coherence.protocol import protocol
    >>> kinds_of(protocol("update")).names
    ('GetS', 'GetW', 'Upd', 'Done', 'UpdAck', 'Data', 'Update', 'DataU', 'UpdDone')
    """
    tables = _Tables(protocol)
    steps = {(a, b, "home") for a, b in tables.by_caches()} | set(tables.by_home())
    steps |= {(message, message, "other") for message in protocol.passed}
    return Kinds(
        protocol.name,
        tuple(dict.fromkeys([*tables.to_home, *tables.to_caches])),
        protocol.requests,
        frozenset(tables.to_home),
        frozenset((a, b) for a, b, _ in steps),
        frozenset(tables.stalls()),
        frozenset(tables.asked_for()),
        frozenset(steps),
        lines=protocol.lines,
    )


class _Tables:
    """A protocol's rows, by what sends what."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol, self.caches, self.homes = protocol, protocol.cache_rows.values(), protocol.home_rows.values()
        self.to_home = dict.fromkeys(m for row in self.caches for m, _ in _sent(row))
        self.to_caches = dict.fromkeys(m for row in self.homes for m, _ in _sent(row))
        self.acks = [m for m in self.to_home if m.endswith("Ack")]
        taken = {row.event.rstrip(MARKS) for row in self.homes} | set(self.acks)
        self._refuse("home", set(self.to_home) - taken)
        self._refuse("caches", set(self.to_caches) - {row.event for row in self.caches})

    def _refuse(self, where: str, lost: set[str]) -> None:
        if lost:
            raise JumpnetError(
                f"protocol {self.protocol.name}: no row for {min(lost)} at the {where} found, one expected"
            )

    def by_caches(self) -> Iterator[Pair]:
        """(message to a cache, message to the home that it makes it send)."""
        for row in self.caches:
            if row.event in self.to_caches:
                yield from ((row.event, message) for message, _ in _sent(row))

    def by_home(self) -> Iterator[tuple[str, str, str]]:
        """(message to the home, message to a cache that it makes it send, which cache)."""
        for row in self.homes:
            event = row.event.rstrip(MARKS)
            if event in self.to_home:
                for ran in (row, *self._at_once(row.following)):
                    yield from ((event, message, to) for message, to in _sent(ran))
        for told, ack in self.by_caches():
            if ack in self.acks:
                for last in self._last_after(told):
                    yield from ((ack, message, to) for message, to in _sent(last))

    def _at_once(self, state: str) -> Iterator[Row]:
        """Rows `last` that run at once where no acknowledge is to come."""
        met: list[str] = []
        while (state, "last") in self.protocol.home_rows and state not in met:
            met.append(state)
            row = self.protocol.home_rows[state, "last"]
            yield row
            state = row.following

    def _last_after(self, told: str) -> Iterator[Row]:
        """Rows that run when all have acknowledged a message."""
        for row in self.homes:
            if ("multicast", told) in row.actions or ("tell", told) in row.actions:
                for state in self._until_last(row.following):
                    yield from self._at_once(state)

    def _until_last(self, state: str) -> list[str]:
        """The state, and the busy ones that it may go on to before all have acknowledged."""
        reached = [state]
        for now in reached:
            following = (row.following for row in self.homes if row.state == now and row.event != "last")
            reached += [s for s in dict.fromkeys(following) if s in self.protocol.busy and s not in reached]
        return reached

    def _ends(self, state: str) -> set[str]:
        """Messages that a busy home may be waiting for before requests are served."""
        reached, found = [state], set[str]()
        for now in reached:
            for row in self.homes:
                if row.state == now:
                    found.add(row.event.rstrip(MARKS))
                    if row.following in self.protocol.busy and row.following not in reached:
                        reached.append(row.following)
        if "last" in found:
            found.update(self.acks)
        return found & set(self.to_home)

    def stalls(self) -> Iterator[Pair]:
        """(request, what must still arrive before a busy home turns to it, at the home or first at a cache)."""
        needed, answers = set[str](), set(self.by_caches())
        for row in self.homes:
            if row.following in self.protocol.busy:
                ends = self._ends(row.following)
                needed |= ends | {message for message, _ in _sent(row) if any((message, e) in answers for e in ends)}
        for request in self.protocol.requests:
            yield from ((request, message) for message in needed)

    def asked_for(self) -> Iterator[str]:
        """Messages that only a node that waits for them takes."""
        busy, stable = self.protocol.busy, self.protocol.stable
        for message in self.to_home:
            states = {row.state for row in self.homes if row.event.rstrip(MARKS) == message}
            if states <= busy:
                yield message
        for message in self.to_caches:
            if not stable & {row.state for row in self.caches if row.event == message}:
                yield message


def _sent(row: Row) -> Iterable[tuple[str, str]]:
    """(message, receiver) of a row's actions."""
    to = {
        "send": "home",
        "pass": "home",
        "multicast": "other",
        "tell": "other",
        "fetch": "other",
        "reply": "asker",
        "forward": "asker",
    }
    for action, message in row.actions:
        if action == "ack":
            yield "PutAck", "asker"
        elif action in to:
            yield message, to[action]
