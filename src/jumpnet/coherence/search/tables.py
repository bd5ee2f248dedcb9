"""A protocol's steps as tables of numbers, for the kernels of the search.

What happens to a cache depends on its record alone, and what the home does to one as well: each such step is computed
once by `model`, when the search first asks for it. So the rules are written once, and run at the speed of a table.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import numpy as np

from jumpnet.coherence.protocol import MARKS, Row
from jumpnet.coherence.search import codes as at
from jumpnet.coherence.search.model import Model, WrongStepError
from jumpnet.coherence.search.records import STALE, Cache, known, without
from jumpnet.errors import JumpnetError
from jumpnet.terms import I32, I64, Array

__all__ = ["MOST_CACHES", "MOST_RECORDS", "Filled", "Tables"]

MOST_CACHES = 11
"""A state is up to three words: sixteen bits for the home, and for each cache."""
MOST_RECORDS = 1 << 16
MOST_HOMES = 1 << 9
VALUES = 3
FIRST_CAPACITY = 64
SENT = {"ack": "PutAck"}
"""Messages of actions that name none."""


class Tables(NamedTuple):
    """R records with room to grow, M messages, H states of the home, L rows of its table."""

    step: I32
    """(R, columns) the record after what the column says, UNKNOWN or WRONG."""
    flags: Array
    """(R,) uint8: what is known of a record."""
    ways_at: I64
    """(R, 2) first row in `ways` and number of rows, UNKNOWN before it was asked for."""
    ways: I32
    """(W, WAY) the ways on that a record has by itself or by a message that is under way."""
    row: I32
    """(H, M, 2, 2, 2) the home's row for a message, by whether the sender is the owner, alone, and one more than there
    are pointers; -1 where there is none."""
    last: I32
    """(H,) its row when all acknowledges have come."""
    alone: I32
    """(H, A) rows that the home takes by itself, then -1."""
    following: I32
    """(L,) the next state of each row."""
    actions: I32
    """(L, A, 2) what it does, (action, message), then -1."""
    busy: Array
    """(H,) bool: requests wait."""
    counted: Array
    """(M,) bool: the message is an acknowledge."""
    used: Array
    """(L,) uint8: a step has used the row."""
    tells: Array
    """(L,) bool: the row tells one of those listed."""
    chooses: bool
    """Some row does."""
    pointers: int
    """Nodes that the home can list, 0 for all."""
    apart: bool
    """Caches are told apart: each keeps its place in a state."""
    side: int
    """First column of `step` for messages that a cache passes on."""


def _padded(rows: list[list[list[int]]], width: int) -> I32:
    """(rows, the most entries of one, width), -1 behind the last entry."""
    found = np.full((len(rows), max([1, *map(len, rows)]), width), -1, np.int32)
    for k, entries in enumerate(rows):
        found[k, : len(entries)] = np.array(entries, np.int32).reshape(-1, width)
    return found


class Filled:
    """The tables of a model, filled where the search asks for what is not there."""

    def __init__(self, model: Model) -> None:
        self.model, protocol = model, model.protocol
        cache_rows, home_rows = list(protocol.cache_rows.values()), list(protocol.home_rows.values())
        spoken = {message for row in cache_rows + home_rows for _, message in row.actions if message}
        heard = {row.event.rstrip(MARKS) for row in home_rows}
        self.messages = sorted(spoken | heard | {"PutAck"})
        self.homes = list(dict.fromkeys(chain.from_iterable((row.state, row.following) for row in home_rows)))
        if len(self.homes) > MOST_HOMES:
            raise JumpnetError(f"{len(self.homes):,} states of the home found, at most {MOST_HOMES:,} expected")
        self._place = {message: k for k, message in enumerate(self.messages)}
        self.tables = self._empty(home_rows)
        self._ways = self._flagged = 0
        self._grow()

    def _empty(self, home_rows: list[Row]) -> Tables:
        """The home's table, and room for what is known of caches."""
        model, side = self.model, at.DOWN + VALUES * len(self.messages)
        columns = side + len(self.messages)
        number = {(row.state, row.event): k for k, row in enumerate(home_rows)}
        words = [*at.ACTIONS, *at.KNOWING]
        by_sender = [
            [
                [[[number.get((home, model.told_apart(home, message, owner, alone, full)), -1)
                   for full in (False, True)] for alone in (False, True)] for owner in (False, True)]
                for message in self.messages
            ]
            for home in self.homes
        ]  # fmt: skip
        alone = [[[k] for k, row in enumerate(home_rows) if row in model.by_themselves and row.state == home]
                 for home in self.homes]  # fmt: skip
        actions = [
            [[words.index(action), self._place.get(SENT.get(action, message), -1)] for action, message in row.actions]
            for row in home_rows
        ]
        return Tables(
            step=np.full((FIRST_CAPACITY, columns), at.UNKNOWN, np.int32),
            flags=np.zeros(FIRST_CAPACITY, np.uint8),
            ways_at=np.full((FIRST_CAPACITY, 2), at.UNKNOWN, np.int64),
            ways=np.zeros((FIRST_CAPACITY, at.WAY), np.int32),
            row=np.array(by_sender, np.int32),
            last=np.array([number.get((home, "last"), -1) for home in self.homes], np.int32),
            alone=_padded(alone, 1)[:, :, 0],
            following=np.array([self.homes.index(row.following) for row in home_rows], np.int32),
            actions=_padded(actions, 2),
            busy=np.array([home in model.protocol.busy for home in self.homes]),
            counted=np.array([message.endswith("Ack") for message in self.messages]),
            used=np.zeros(len(home_rows), np.uint8),
            tells=(tells := np.array([any(action == "tell" for action, _ in row.actions) for row in home_rows])),
            chooses=bool(tells.any()),
            pointers=model.protocol.pointers,
            apart=model.in_place,
            side=side,
        )

    def _grow(self) -> None:
        """Room and flags for the records that there are."""
        count = len(self.model.records)
        if count > MOST_RECORDS:
            raise JumpnetError(f"more than {MOST_RECORDS:,} kinds of caches found, fewer expected")
        while count > len(self.tables.flags):
            step, ways_at = (
                np.concatenate([old, np.full_like(old, at.UNKNOWN)]) for old in (self.tables.step, self.tables.ways_at)
            )
            self.tables = self.tables._replace(step=step, ways_at=ways_at, flags=np.tile(self.tables.flags, 2))
        for k in range(self._flagged, count):
            self.tables.flags[k] = self._flags(self.model.records[k])
        self._flagged = count

    def _flags(self, cache: Cache) -> int:
        protocol = self.model.protocol
        readable = cache.state in protocol.readable
        return (
            at.LISTED * cache.listed | at.OWNER * cache.owner | at.WAITS * cache.waits
            | at.READABLE * readable | at.WRITABLE * (cache.state in protocol.writable)
            | at.WRONG_ALONE * ((readable and cache.value == STALE) or cache.state in self.model.unserved)
            | at.AT_REST * self.model.quiet(cache)
        )  # fmt: skip

    def kept(self) -> dict[str, Array]:
        """What was filled, by name."""
        tables = self.tables
        return {"step": tables.step, "ways_at": tables.ways_at, "ways": tables.ways[: self._ways], "used": tables.used}

    def restore(self, kept: dict[str, Array]) -> None:
        """Fill them with what was kept, after the records of the model, all of which they speak of."""
        self._ways = len(kept["ways"])
        room = max(FIRST_CAPACITY, 1 << max(0, self._ways - 1).bit_length())
        ways = np.zeros((room, at.WAY), np.int32)
        ways[: self._ways] = kept["ways"]
        self.tables = self.tables._replace(
            step=kept["step"], ways_at=kept["ways_at"], ways=ways, used=kept["used"],
            flags=np.zeros(len(kept["step"]), np.uint8),
        )  # fmt: skip
        self._flagged = 0
        self._grow()

    def fill(self, record: int, column: int) -> None:
        """Compute an entry of `step`, or the ways of a record where the column is UNKNOWN."""
        if column == at.UNKNOWN:
            self._fill_ways(record)
        else:
            try:
                self.tables.step[record, column] = self._step(record, column)
            except WrongStepError:
                self.tables.step[record, column] = at.WRONG
        self._grow()

    def _step(self, record: int, column: int) -> int:
        model, cache = self.model, self.model.records[record]
        if column < at.ASK:
            return model.older(record, column - at.OLDER == 1)
        if column in (at.ASK, at.SERVED):
            return model.cache(cache._replace(waits=column == at.ASK))
        if column == at.UNLIST:
            return model.cache(cache._replace(listed=False))
        if column < at.DOWN:
            action, roles = divmod(column - at.KNOWN, 4)
            return model.cache(known(cache, at.KNOWING[action], bool(roles & 2), bool(roles & 1)))
        if column >= self.tables.side:
            return model.told_by_another(record, self.messages[column - self.tables.side])
        message, value = divmod(column - at.DOWN, VALUES)
        return model.cache(cache._replace(down=model.put(cache.down, self.messages[message], value)))

    def _fill_ways(self, record: int) -> None:
        model, cache = self.model, self.model.records[record]
        found = []
        for event in ("read", "write", "evict"):
            if (cache.state, event) in model.protocol.cache_rows:
                found.append([at.ITSELF, *self._moved(record, event, 0, False), -1, 0, 0, at.MORE])
        for name, value in (*model.arrivals(cache.down), *model.arrivals(cache.side)):
            passes = model.passes_on(cache.state, name)
            for which in (at.GOES_ON, at.ENDS) if passes else (0,):
                moved = self._moved(record, name, value, True, which != at.GOES_ON)
                found.append([at.ARRIVES, *moved, self._place[name], 0, which, at.MORE])
        for message in model.arrivals(cache.asked):
            after = model.cache(cache._replace(asked=without(cache.asked, message)))
            found.append([at.ASKED, after, 0, 0, self._place[message[0]], message[1], 0, at.MORE])
        for message in model.arrivals(cache.up):
            after = model.cache(cache._replace(up=without(cache.up, message)))
            found.append([at.ANSWERED, after, 0, 0, self._place[message[0]], message[1], 0, at.MORE])
        for way in found:
            at_cache = way[at.KIND] in (at.ITSELF, at.ARRIVES)
            if at_cache and way[at.AFTER] >= 0 and way[at.TELLS] == way[at.JOINS] == way[at.PASSES] == 0:
                way[at.CHANGES] = at.ITS_RECORD
            elif not at_cache and self.tables.counted[way[at.MESSAGE]]:
                way[at.CHANGES] = at.AND_DUE
        ways = self.tables.ways
        while self._ways + len(found) > len(ways):
            ways = np.tile(ways, (2, 1))
        self.tables = self.tables._replace(ways=ways)
        ways[self._ways : self._ways + len(found)] = np.array(found, np.int32).reshape(-1, at.WAY)
        self._grow()
        self.tables.ways_at[record] = self._ways, len(found)
        self._ways += len(found)

    def _moved(self, record: int, event: str, value: int, arrives: bool, ends: bool = True) -> list[int]:
        """[record after it, 0 or 1 (a write) or 2 (a commit), acknowledges that joined others]."""
        try:
            after, tells, joins = self.model.move(record, event, value, arrives, ends)
        except WrongStepError:
            return [at.WRONG, 0, 0]
        return [after, ("", "write", "commit").index(tells), joins]
