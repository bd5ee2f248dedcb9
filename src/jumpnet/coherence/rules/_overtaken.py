"""Requests that others overtake on their way to the home: what becomes of them is a row of its own. Used by `rows`.

A node that writes a line of which it has a copy, or gives it up, may have lost by its turn what it had as it asked: its
part is GONE then. References that are completed one by one never meet that. So the tables are run here with one request
under way, while the other caches do one thing after another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jumpnet.coherence.rules import codes as at
from jumpnet.coherence.rules._at_rest import EVENTS, AtRest, alone, part_of
from jumpnet.coherence.search.model import State, WrongStepError
from jumpnet.coherence.search.records import Cache
from jumpnet.errors import JumpnetError

__all__ = ["let_overtake"]

TOO_LATE = at.CHANGES | at.CLASS_BITS | at.ACTOR | at.NOBODY
"""Of the row of a node that gives up what it has no more: what of it may matter."""


class Asked(NamedTuple):
    """A line of which a request of the first cache is under way, and all else at rest."""

    state: State
    home: int
    """The class of the line, as rows have it."""
    owner: int
    """Place of the owner, -1 for none."""
    event: int
    """What is asked."""
    had: Cache
    """The first cache before it asked."""


def let_overtake(found: AtRest) -> str:
    """Enter the rows of requests that are overtaken; why machines cannot follow the tables there, or empty.

    Where the tables have no answer, which is for the checker to say, nothing is entered.
    """
    known = len(found.names)
    try:
        todo = list(dict.fromkeys(_asked(found)))
        seen = set(todo)
        while todo:
            for line in _overtaken(found, todo.pop()):
                _enter(found, line)
                if line not in seen:
                    seen.add(line)
                    todo.append(line)
    except JumpnetError as wrong:
        return str(wrong).removeprefix(f"protocol {found.protocol.name}: ")
    finally:
        del found.names[known:]
    for (c, part, sole, event), row in list(found.rows.items()):
        if part == at.GONE and event == at.WRITE and row == found.met(c, at.NONE, sole, event):
            del found.rows[c, part, sole, event]  # as of a node that never had a copy
    return ""


def _asked(found: AtRest) -> Iterator[Asked]:
    """Requests of nodes with a copy, in every state of rest; the order of the other caches does not matter."""
    for state in found.seen:
        for k, cache in enumerate(found.model.caches(state)):
            if cache.state not in found.protocol.readable:
                continue
            start = (state[0], state[k + 1], *sorted(state[1 : k + 1] + state[k + 2 :]))
            for event in (at.WRITE, at.EVICT):
                ways = (w for w in found.model.ways(start) if (w.cache, w.event) == (1, EVENTS[event]))
                for asked in (found.model.after(start, way)[0] for way in ways):
                    if found.model.caches(asked)[0].asked:
                        yield Asked(asked, found.class_of(start), found.owner_of(start), event, cache)


def _overtaken(found: AtRest, line: Asked) -> Iterator[Asked]:
    """The line after each event of each other cache, of which rows must say the same as without the request."""
    caches = found.model.caches(line.state)
    for k, event in ((k, event) for k in range(1, found.caches) for event in range(len(EVENTS))):
        try:
            steps = found.steps_of(line.state, k + 1, EVENTS[event], but=1)
        except WrongStepError:
            continue
        if not steps:
            continue
        row = found.met(line.home, part_of(caches[k], found.protocol), alone(caches, k), event)
        home, owner = (row & at.CLASS_BITS, line.owner) if row & at.CHANGES else (line.home, line.owner)
        owner = k if row & at.ACTOR else -1 if row & at.NOBODY else owner
        after = steps[-1].after
        if (found.model.homes[after[0]].state, found.owner_of(after)) != (found.names[home][0], owner):
            raise found.wrong(f"{steps[0].label} has two outcomes, the other one while another node asks")
        yield line._replace(state=after, home=home, owner=owner)


def _enter(found: AtRest, line: Asked) -> None:
    """The home turns to what was asked, for which a node that has no more what it had has a row of its own."""
    was = found.model.caches(line.state)
    try:
        steps = found.steps_of(line.state, 1, was[0].asked[0][0], delivers=True)
    except WrongStepError:
        return
    now = found.model.caches(steps[-1].after)
    held = was[0].listed and not (line.event == at.EVICT and line.had.owner)
    part = at.OWNER if was[0].owner else at.HOLDER if held else at.GONE
    had = line.had.state if part == at.HOLDER or line.event == at.EVICT else next(iter(found.protocol.cache_rows))[0]
    was[0] = was[0]._replace(state=found.names[line.home][1] if part == at.OWNER else had)
    row, sole = found.row(was, line.home, steps, 0, line.event), alone(was, 0)
    if not found.met(row & at.CLASS_BITS, at.NONE, 0, at.READ):
        raise found.wrong(f"{steps[0].label} leaves {found.where(row & at.CLASS_BITS)}, to which nothing else leads")
    if part != at.GONE:
        same = found.met(line.home, part, sole, line.event) == row
    else:
        row = row & TOO_LATE * (row & at.CHANGES != 0) if line.event == at.EVICT else row
        row |= at.LISTS * (row & at.LEAVES != 0 and now[0].listed)
        same = found.rows.setdefault((line.home, part, sole, line.event), row) == row
    if not same:
        raise found.wrong(f"{steps[0].label} has two outcomes, one of them when others were served before")
