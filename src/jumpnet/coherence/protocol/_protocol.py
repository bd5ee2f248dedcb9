"""What a coherence protocol is: two transition tables, of a cache and of the home of the line, as in a textbook.

A row is `state event next actions`. Lower-case events come by themselves (a processor's read, write and evict; the
home's switch), the others are messages. The first row's state is the one at the start. Read by `check` and `cli`.

Actions of a cache: `hit` the copy may be read; `send X` to the home; `take` the line of the message; `merge` the word
of an update; `write`, nobody else being told; `commit` a write that the others have been told of; `drop` the copy;
`pass X` hands the message on to another node listed, who is struck out; where none is left X goes to the home.
Actions of the home: `ask` notes the sender as the one that waits; `reply X` gives it memory's line, `forward X` the
line just received; `multicast X` goes to all nodes listed but it, `fetch X` to the owner; `store` the message's line,
`merge` the update's word; `add` lists the one that waits, `own` makes it the owner, `keep` lists the owner, `release`
has no owner, `clear` lists nobody, `forget` strikes the sender out, `ack` sends it PutAck; `tell X` goes to one node
listed but the one that waits, who is struck out, as of a list from copy to copy or of pointers that are all taken.
Which one `tell` and `pass` choose no table says: the checker tries all, machines take the newest of a chain and the
oldest of a few pointers.
Events of the home: messages that end in Ack are counted and `last` is the event when none is to come. `X+` is X from
the only node listed or owner, where the home's state has such a row; else `X-` is X from a node that is not the owner,
and `X*` X from a node not listed while all pointers are taken. A home state without a row for any request is busy:
requests wait.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from jumpnet.api.public import named
from jumpnet.errors import JumpnetError, unknown_name

__all__ = ["CACHE_ACTIONS", "HOME_ACTIONS", "MARKS", "Protocol", "Row", "parse"]

CACHE_ACTIONS = ("hit", "send", "take", "merge", "write", "commit", "drop", "pass")
HOME_ACTIONS = (
    "ask", "reply", "forward", "multicast", "fetch", "store", "merge", "add", "own", "keep", "release", "clear",
    "forget", "ack", "tell",
)  # fmt: skip
WITH_MESSAGE = ("send", "pass", "reply", "forward", "multicast", "fetch", "tell")
MARKS = "+-*"
"""Behind an event of the home: the sender of the message."""


class Row(NamedTuple):
    """One row of a table."""

    state: str
    event: str
    following: str
    """The next state."""
    actions: tuple[tuple[str, str], ...]
    """(action, message), the message empty where the action has none."""


Table = Mapping[tuple[str, str], Row]


def _action(text: str, known: tuple[str, ...]) -> tuple[str, str]:
    name, *messages = text.split() or [""]
    if name not in known:
        raise unknown_name("action", name, known)
    if len(messages) != (name in WITH_MESSAGE):
        raise JumpnetError(
            f"action {text.strip()!r} found, {' X, '.join(WITH_MESSAGE)} X and others without X expected"
        )
    return name, "".join(messages)


def parse(text: str, known: tuple[str, ...]) -> dict[tuple[str, str], Row]:
    """The rows of a table, by (state, event).

    known: actions that may occur. Raises JumpnetError for a line that is no row, an unknown action, and two rows for
    the same state and event.

    >>> parse("I  Inv  I  send InvAck, drop", CACHE_ACTIONS)["I", "Inv"].actions
    (('send', 'InvAck'), ('drop', ''))
    """
    rows: dict[tuple[str, str], Row] = {}
    for line in filter(str.strip, text.splitlines()):
        words = line.split(None, 3)
        if len(words) != 4:
            raise JumpnetError(f"row {line.strip()!r} found, state, event, next state and actions expected")
        if (words[0], words[1]) in rows:
            raise JumpnetError(f"two rows for {words[1]} in state {words[0]} found, one expected")
        try:
            actions = () if words[3] == "-" else tuple(_action(a, known) for a in words[3].split(","))
        except JumpnetError as error:
            raise JumpnetError(f"row {line.strip()!r}: {error}") from None
        chooses = [name for name, _ in actions if name in ("tell", "pass")]
        if len(chooses) > 1 or (chooses and words[1].islower()):
            raise JumpnetError(f"{chooses[0]} found in {line.strip()!r}, once in a row for a message expected")
        rows[words[0], words[1]] = Row(words[0], words[1], words[2], actions)
    if not rows:
        raise JumpnetError("a table without rows found, at least one expected")
    return rows


@named
@dataclass(frozen=True)
class Protocol:
    """A protocol as its two tables."""

    name: str
    """Registered name, e.g. `mesi`."""
    cache: str
    """The cache's table."""
    home: str
    """The home's table."""
    source: str = ""
    """Where it comes from."""
    summary: str = ""
    """One line for a list."""
    pointers: int = 0
    """Nodes that the home's entry can list, the least for which the tables hold; 0 where it lists all."""

    def __post_init__(self) -> None:
        for what in ("name", "cache", "home", "source", "summary"):
            if not isinstance(given := getattr(self, what), str):
                raise JumpnetError(f"protocol: {what} of type {type(given).__name__} found, a string expected")
        if type(self.pointers) is not int or self.pointers < 0:
            raise JumpnetError(f"protocol {self.name}: {self.pointers!r} pointers found, 0 or more expected")

    @cached_property
    def cache_rows(self) -> Table:
        """Rows of the cache by (state, event)."""
        return self._parsed("cache", self.cache, CACHE_ACTIONS)

    @cached_property
    def home_rows(self) -> Table:
        """Rows of the home by (state, event)."""
        return self._parsed("home", self.home, HOME_ACTIONS)

    def _parsed(self, whose: str, text: str, known: tuple[str, ...]) -> Table:
        try:
            return parse(text, known)
        except JumpnetError as error:
            raise JumpnetError(f"protocol {self.name}, table of the {whose}: {error}") from None

    @cached_property
    def requests(self) -> frozenset[str]:
        """Messages that a cache sends because of its processor; they may have to wait at the home."""
        mine = (row for row in self.cache_rows.values() if row.event.islower())
        return frozenset(message for row in mine for name, message in row.actions if name == "send")

    @cached_property
    def busy(self) -> frozenset[str]:
        """Home states in which requests wait."""
        states = {row.state for row in self.home_rows.values()} | {row.following for row in self.home_rows.values()}
        serves = {row.state for row in self.home_rows.values() if row.event.rstrip(MARKS) in self.requests}
        return frozenset(states - serves)

    @cached_property
    def stable(self) -> frozenset[str]:
        """Cache states in which nothing is awaited: the first one, and those that may be evicted."""
        rows = self.cache_rows
        first = next(iter(rows.values())).state
        return frozenset({first} | {row.state for row in rows.values() if row.event == "evict"})

    @cached_property
    def readable(self) -> frozenset[str]:
        """Cache states in which a read hits."""
        return self._with("read", "hit")

    @cached_property
    def writable(self) -> frozenset[str]:
        """Cache states in which a write needs no request."""
        return self._with("write", "write")

    def _with(self, event: str, action: str) -> frozenset[str]:
        rows = self.cache_rows.values()
        return frozenset(row.state for row in rows if row.event == event and (action, "") in row.actions)

    def gives_up(self, in_silence: bool) -> bool:
        """Whether some copies are given up without a word to the home, or with one."""
        evicts = (row for row in self.cache_rows.values() if row.event == "evict")
        return any(in_silence != any(name == "send" for name, _ in row.actions) for row in evicts)

    @cached_property
    def passed(self) -> frozenset[str]:
        """Messages that a cache hands on to another one."""
        rows = self.cache_rows.values()
        return frozenset(row.event for row in rows if any(name == "pass" for name, _ in row.actions))

    @cached_property
    def lines(self) -> frozenset[str]:
        """Messages that carry the line: those that some row takes, stores or forwards."""
        rows = [*self.cache_rows.values(), *self.home_rows.values()]
        uses = {"take", "store", "forward"}
        return frozenset(row.event.rstrip(MARKS) for row in rows if any(name in uses for name, _ in row.actions))
