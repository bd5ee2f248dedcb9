"""Virtual networks of the timed machine: which of its messages share one, and what waits for what where nodes are full.

The kinds are the machine's own (`KINDS`), which are fewer than those of a protocol's tables: it tells the owner
of a line that another node writes as one of those listed, so that no fetch is sent then, and whatever answers a request
is data. Who waits for whom is said as of the tables (`coherence.networks.kinds`), so that the least number, an
assignment by number and a ring are found by the same functions. Called by `design`; twin: the machine itself, which
stands still with less than the least number and never with it (tests/machine/test_virtual_networks.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from jumpnet.coherence.networks.kinds import Kinds, Pair
from jumpnet.coherence.networks.least import Groups, least_networks, named_groups
from jumpnet.coherence.networks.parts import with_parts
from jumpnet.coherence.protocol import MARKS, Protocol, Row
from jumpnet.coherence.rules import codes as rule
from jumpnet.coherence.rules.rows import rules_of
from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.kernels.layout import KINDS
from jumpnet.terms import I64

__all__ = ["KINDS", "LEAST", "TABLE", "WORDS", "assigned", "message_kinds", "of_tables", "room_rules"]

WORDS = tuple(kind.replace("'", "").replace(" ", "-") for kind in KINDS)
"""The kinds of messages as single words."""
LEAST = "least"
"""As few networks as are enough."""


class Kind(NamedTuple):
    """A kind of message, what handling it may send under whatever protocol that has both, and what it is."""

    word: str
    sends: str = ""
    like: str = ""
    """With whom it goes that an assignment does not name and that no message of the tables stands for: requests wait
    until they are done, whatever nodes have room for. A request of the tables may be for reads and writes."""
    marks: str = ""
    """`asks`: waits at its home while that serves another request of its line; `ends`: that lasts until it has come;
    `home`: goes to a home; `answers`: comes only where it was asked for; `served`: by what `answers` it or the request
    that it is about, which no message does where the home's own node asked; `beside`: no table has it; `many`: goes
    down trees; `counted`: routers may count it."""


TABLE = (
    Kind("read-request", "data fetch", "write-request", "asks home served"),
    Kind("write-request", "data tell", "", "asks home served"),
    # By hints also under tables that have none.
    Kind("write-back", "write-back-done", "read-request", "asks home served"),
    Kind("data", "done", "", "ends answers"),
    Kind("tell", "acknowledge", "", "ends many"),
    Kind("acknowledge", "data", "", "ends home answers served counted"),
    Kind("fetch", "owners-data", "", "ends"),
    Kind("owners-data", "data", "", "ends home answers served"),
    Kind("done", "", "", "ends home answers"),
    Kind("write-back-done", "", "done", "answers"),
    # Who waits for a lock or at a barrier is kept by its home.
    Kind("lock", "grant", "read-request", "beside home served"),
    Kind("unlock", "grant", "read-request", "beside home"),
    Kind("barrier", "release", "read-request", "beside home counted"),
    Kind("page", "", "data", "beside home ends"),
    Kind("grant", "", "done", "answers"),
    Kind("release", "", "done", "answers many"),
)
"""All of WORDS."""


def _marked(mark: str) -> tuple[str, ...]:
    return tuple(kind.word for kind in TABLE if mark in kind.marks.split())


WORDS_OF = {"read": "read-request", "write": "write-request", "evict": "write-back"}
"""What a processor's access asks."""
SENT_BY_HOME = {"reply": "data", "forward": "data", "multicast": "tell", "tell": "tell", "fetch": "fetch",
                "ack": "write-back-done"}  # fmt: skip
"""By action of the home's table."""


@cache
def of_tables(protocol: Protocol, unsent: bool = False) -> dict[str, str]:
    """The machine's kind of each kind of message that the tables of a protocol send and the machine does.

    unsent: also of those that only the tables send, fetches of writers and what answers them.

    >>> from jumpnet.coherence.protocol import protocol
    >>> found = of_tables(protocol("msi"))
    >>> found["GetM"], found["InvAck"], found["PutAck"], "FetchInv" in found
    ('write-request', 'acknowledge', 'write-back-done', False)
    """
    found = {message: WORDS_OF[event] for event, message in _asked(protocol) if event in WORDS_OF}
    for row in protocol.home_rows.values():
        fetches = unsent or found.get(row.event.rstrip(MARKS)) == "read-request"
        for action, message in row.actions:
            if action in SENT_BY_HOME and (action != "fetch" or fetches):
                found[message or "PutAck"] = SENT_BY_HOME[action]
    # Of readers and writers alike the owner alone is told.
    if not unsent and readers_take(protocol) and "tell" not in found.values():
        found |= dict.fromkeys(_fetched(protocol), "tell")
    answers = {"tell": "acknowledge", "fetch": "owners-data", "data": "done"}
    for row in protocol.cache_rows.values():
        for action, message in row.actions:
            known = unsent or found.get(row.event) in answers
            if action in ("send", "pass") and known and message not in found:
                found[message] = answers.get(found.get(row.event, ""), "acknowledge")
    return found


def readers_take(protocol: Protocol) -> bool:
    """Whether a reader takes the copies of others away, which are told of it as of a write."""
    return bool((rules_of(protocol).rows.reshape(-1, rule.ALONE)[:, rule.READ] & rule.TELLS).any())


def _tells(row: Row) -> bool:
    """Whether a home tells whom its entry lists."""
    return any(action in ("multicast", "tell") for action, _ in row.actions)


def _fetched(protocol: Protocol) -> set[str]:
    """Messages by which the tables' home fetches a line."""
    return {m for row in protocol.home_rows.values() for action, m in row.actions if action == "fetch"}


def _asked(protocol: Protocol) -> Iterator[tuple[str, str]]:
    """(what a processor does, what its cache sends for it)."""
    for row in protocol.cache_rows.values():
        if row.event.islower():
            yield from ((row.event, message) for action, message in row.actions if action == "send")


def message_kinds(
    protocol: Protocol, *, by_message: bool, moves: bool = False, hints: bool = False, parts: Iterable[str] = ()
) -> Kinds:
    """The kinds of messages of a machine under a protocol, and what each may wait for.

    by_message: locks and barriers take messages. moves: pages do. hints: clean copies that are given up do, whatever
    the tables say. parts: what else of it changes what messages wait for (`coherence.networks.parts`).

    >>> from jumpnet.coherence.protocol import protocol
    >>> kinds = message_kinds(protocol("msi"), by_message=False)
    >>> least_networks(kinds, "held").why
    ('read-request', 'fetch', 'owners-data', 'data', 'done')
    """
    return _message_kinds(protocol, by_message, moves, hints, frozenset(parts))


@cache
def _message_kinds(protocol: Protocol, by_message: bool, moves: bool, hints: bool, parts: frozenset[str]) -> Kinds:
    there = {*of_tables(protocol).values(), *(WORDS_OF[event] for event, _ in _asked(protocol) if event in WORDS_OF)}
    there |= {word for word in _marked("beside") if (moves if word == "page" else by_message)}
    there |= {"write-back"} if hints else set()
    sent = {(kind.word, word) for kind in TABLE for word in kind.sends.split()}
    there |= {b for a, b in sent if a in there and (a in _marked("beside") or a == "write-back")}
    sends = {pair for pair in sent if there.issuperset(pair)}
    if protocol.pointers or readers_take(protocol):
        sends.add(("read-request", "tell"))
    if protocol.passed:
        sends.add(("tell", "tell"))
    if any(row.event == "last" and _tells(row) for row in protocol.home_rows.values()):
        sends.add(("acknowledge", "tell"))  # when a copy has gone for another one the rest is told
    there |= {b for _, b in sends}

    def those(mark: str) -> frozenset[str]:
        return frozenset(there.intersection(_marked(mark)))

    names = tuple(kind.word for kind in TABLE if kind.word in there)
    stalls = frozenset((a, b) for a in those("asks") for b in those("ends"))
    found = Kinds(protocol.name, names, those("asks"), those("home"), frozenset(sends), stalls, those("answers"))
    return with_parts(found, parts, those("many"), those("counted"))


def assigned(protocol: Protocol, kinds: Kinds, endpoints: str, text: str) -> Groups:
    """The machine's kinds by virtual network.

    text: empty for one network, `least`, a number, or kinds by network, those of the machine or of the protocol's
    tables, as `jumpnet protocol --networks` shows them. Kinds that no table has go with others (`TABLE`) unless named.
    Raises JumpnetError for an unknown kind, one left out or in two networks, and for a number that is too large.

    >>> from jumpnet.coherence.protocol import protocol
    >>> update = protocol("update")
    >>> kinds = message_kinds(update, by_message=True)
    >>> assigned(update, kinds, "queued", "GetS GetW Upd / Done UpdAck Data Update DataU UpdDone")[0]
    ('read-request', 'write-request', 'lock', 'unlock', 'barrier')
    """
    if not text:
        return (kinds.names,)
    if text == LEAST or text.isdecimal():
        return named_groups(kinds, least_networks(kinds, endpoints), "" if text == LEAST else text)
    known = of_tables(protocol)
    given = [[known.get(word, word) for word in part.replace(",", " ").split()] for part in text.split("/")]
    parts = [list(dict.fromkeys(words)) for words in _without_fetches(protocol, given)]
    named, like = {name: k for k, words in enumerate(parts) for name in words}, {kind.word: kind.like for kind in TABLE}
    for name in kinds.names:
        if name not in {*named, *known.values()} and like[name] in named:
            named[name] = named[like[name]]
            parts[named[name]].append(name)
    text = " / ".join(" ".join(words) for words in parts if words)
    return named_groups(kinds, least_networks(kinds, endpoints), text)


def room_rules(kinds: Kinds, groups: Groups, endpoints: str, network_of: I64) -> dict[str, I64]:
    """(kinds,) arrays for `kernels.finite_buffers`, by number of the kind: `needs`, `needs_own` and `passes`, networks
    as bits, and `kept`.

    network_of: (kinds,) of each by its number.
    """
    of = {name: k for k, names in enumerate(groups) for name in names}
    asked_for = kinds.asked_for if endpoints == "reserved" else frozenset()
    waits = frozenset() if endpoints == "queued" else frozenset(p for p in kinds.sends if p[0] not in asked_for)
    replies = {(a, b) for a, b in waits if a in _marked("served") and b in _marked("answers")}
    return {
        "needs": _sent_by(waits, of),
        "needs_own": _sent_by(waits - replies, of),
        "passes": np.where(endpoints == "queued", 0, 1 << network_of),
        "kept": np.array([name in asked_for for name in WORDS], np.int64),
    }


def _sent_by(waits: frozenset[Pair], of: dict[str, int]) -> I64:
    """(kinds,) networks, as bits, by which each kind waits to send; of: network of a kind."""
    return np.array([sum(1 << k for k in {of[b] for a, b in waits if a == name}) for name in WORDS], np.int64)


def _without_fetches(protocol: Protocol, parts: list[list[str]]) -> list[list[str]]:
    """Without what the tables send and the machine does not: fetches of writers, and answers to these alone."""
    unsent, sent = _fetched(protocol) - set(of_tables(protocol)), of_tables(protocol)
    answers = (row.actions for row in protocol.cache_rows.values() if row.event in unsent)
    unsent |= {
        message for actions in answers for action, message in actions if action == "send" and message not in sent
    }
    left = [[word for word in words if word not in unsent] for words in parts]
    if any(words and not some for words, some in zip(parts, left, strict=True)):
        raise JumpnetError(f"a network of {', '.join(sorted(unsent))} alone found, which the machine does not send")
    return left
