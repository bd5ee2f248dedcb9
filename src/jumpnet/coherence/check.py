"""Model checker of a protocol table: every reachable state of a few caches, one line, and messages in every order.

Values are fresh (0) or stale (1): a write makes every other copy stale. Reported: a cache that may read a stale value,
a writer beside another copy, a message for which a table has no row, and a state from which nothing is delivered
although something is pending. Method: breadth-first search over all states. Called by tests and notebooks.
"""

from __future__ import annotations

from dataclasses import dataclass

from jumpnet.errors import JumpnetError
from jumpnet.memory import require

__all__ = ["Checked", "check_protocol"]

REQUESTS = ("GetS", "GetM", "PutM")
STATE_BYTES = 2000
Table = dict[tuple[str, str], tuple[str, tuple[str, ...]]]
# caches ((state, value), ...); home (state, sharers, owner, requester, acknowledges to come, value); messages
State = tuple[tuple[tuple[str, int], ...], tuple[str, frozenset[int], int, int, int, int], tuple]


@dataclass(frozen=True)
class Checked:
    """What the search found."""

    caches: int
    states: int
    """Reachable states."""
    fault: str
    """The first fault in words, or empty."""


def _table(text: str) -> Table:
    rows = {}
    for line in filter(str.strip, text.splitlines()):
        words = line.split(None, 3)
        if len(words) != 4:
            raise JumpnetError(f"row {line.strip()!r} found, state, event, next state and actions expected")
        rows[words[0], words[1]] = (words[2], tuple(a.strip() for a in words[3].split(",")))
    return rows


def _cache(table: Table, state: State, i: int, event: str, value: int) -> State | None:
    """The state after an event at cache i, None where the table has no row."""
    caches, home, messages = state
    row = table.get((caches[i][0], event))
    if row is None:
        return None
    own, sent, wrote = caches[i][1], list(messages), False
    for action in row[1]:
        if action.startswith("send "):
            sent.append((action[5:], i, -1, own))
        elif action == "take":
            own = value
        elif action == "write":
            own, wrote = 0, True
        elif action == "drop":
            own = 1
    made = [*caches]
    if wrote:
        made = [(name, 1) for name, _ in caches]
        home = (*home[:5], 1)
        sent = [(*m[:3], 1) for m in sent]
    made[i] = (row[0], own)
    return tuple(made), home, tuple(sorted(sent))


def _home(table: Table, state: State, event: str, sender: int, value: int) -> State | None:
    """The state after a message at the home, None where the table has no row."""
    caches, (name, sharers, owner, asker, due, memory), messages = state
    if event == "PutM" and sender != owner:
        event = "PutM-"
    sent = list(messages)
    if event == "InvAck" and name == "WI":
        return _last(table, (caches, (name, sharers, owner, asker, due - 1, memory), messages))
    row = table.get((name, event))
    if row is None:
        return None
    for action in row[1]:
        if action == "ask":
            asker = sender
        elif action.startswith("reply "):
            sent.append((action[6:], -1, asker, memory))
        elif action == "invalidate":
            sent += [("Inv", -1, i, 0) for i in sharers - {asker}]
            due = len(sharers - {asker})
        elif action.startswith("fetch "):
            sent.append((action[6:], -1, owner, 0))
        elif action == "store":
            memory = value
        elif action == "share":
            sharers, owner = sharers | {asker}, -1
        elif action == "keep":
            sharers = sharers | {owner}
        elif action == "own":
            sharers, owner = frozenset(), asker
        elif action == "release":
            owner = -1
        elif action == "ack":
            sent.append(("PutAck", -1, sender, 0))
    return _last(table, (caches, (row[0], sharers, owner, asker, due, memory), tuple(sorted(sent))))


def _last(table: Table, state: State) -> State | None:
    home = state[1]
    if home[0] == "WI" and home[4] == 0:
        return _home(table, state, "last", -1, 0)
    return state


def _fault(state: State) -> str:
    caches = state[0]
    if any(name in ("S", "M") and value for name, value in caches):
        return "a stale value can be read"
    names = [name for name, _ in caches]
    if "M" in names and sum(name in ("S", "M", "SM") for name in names) > 1:
        return "a writer beside another copy"
    return ""


def check_protocol(cache: str, home: str, caches: int = 2) -> Checked:
    """Search all states of a protocol given as its two tables.

    Raises JumpnetError for a row that is not one, and when the states found do not fit in memory.

    >>> from jumpnet.coherence.protocol import msi
    >>> check_protocol(msi.CACHE, msi.HOME).fault
    ''
    """
    rows, home_rows = _table(cache), _table(home)
    start: State = ((("I", 1),) * caches, ("U", frozenset(), -1, -1, 0, 0), ())
    seen, todo = {start}, [start]
    for state in todo:
        if len(seen) % 10_000 == 0:
            require(len(seen) * STATE_BYTES, f"the check of {caches} caches")
        fault = _fault(state)
        following, delivered = [], False
        for k, (event, sender, to, value) in enumerate(state[2]):
            if to < 0 and event in REQUESTS and state[1][0][0] in "WD":
                continue  # the home is busy: the request waits
            rest = (state[0], state[1], state[2][:k] + state[2][k + 1 :])
            after = _home(home_rows, rest, event, sender, value) if to < 0 else _cache(rows, rest, to, event, value)
            if after is None:
                where = state[1][0] if to < 0 else state[0][to][0]
                fault = fault or f"no row for {event} in state {where}"
            else:
                following.append(after)
                delivered = True
        if not delivered and any(len(name) > 1 for name, _ in state[0]):
            fault = fault or "stuck"
        if fault:
            return Checked(caches, len(seen), fault)
        for i in range(caches):
            for event in ("read", "write", "evict"):
                after = _cache(rows, state, i, event, 0)
                if after is not None:
                    following.append(after)
        for after in following:
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return Checked(caches, len(seen), "")
