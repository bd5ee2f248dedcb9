"""Requests that others overtake on their way to the home: what becomes of them is a row of its own. Used by `rows`.

A node that writes a line of which it has a copy, or gives it up, may have lost by its turn what it had as it asked: its
part is GONE then. References that are completed one by one never meet that. So the tables are run here with one request
under way, while the other caches do one thing after another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from jumpnet.coherence.rules import codes as at
from jumpnet.coherence.rules._at_rest import EVENTS, AtRest, alone
from jumpnet.coherence.search.model import State, Step, WrongStepError
from jumpnet.errors import JumpnetError

__all__ = ["let_overtake"]

TOO_LATE = at.CHANGES | at.CLASS_BITS | at.NOBODY
"""Of the row of a node that gives up what it has no more: what of it may matter."""


class Asked(NamedTuple):
    """A line of which a request of the first cache is under way, and all else at rest."""

    state: State
    rest: State
    """The line as it were without that request: the same events of the others, from the same start."""
    event: int
    """What is asked."""
    owned: bool
    """Whether the first cache was the owner as it asked."""


def let_overtake(found: AtRest) -> str:
    """Enter the rows of requests that are overtaken; why machines cannot follow the tables there, or empty.

    Where the tables have no answer, which is for the checker to say, nothing is entered.
    """
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
                        yield Asked(asked, start, event, cache.owner)


def _overtaken(found: AtRest, line: Asked) -> Iterator[Asked]:
    """The line after each event of each other cache, which must do the same as without the request."""
    for k, event in ((k, event) for k in range(1, found.caches) for event in EVENTS):
        try:
            steps = found.steps_of(line.state, k + 1, event, but=1)
        except WrongStepError:
            continue
        if not steps:
            continue
        at_rest = found.steps_of(line.rest, k + 1, event)
        if _outcome(found, steps) != _outcome(found, at_rest):
            raise found.wrong(f"{steps[0].label} has two outcomes, the other one while another node asks")
        yield line._replace(state=steps[-1].after, rest=at_rest[-1].after)


def _outcome(found: AtRest, steps: list[Step]) -> tuple[object, ...]:
    """What steps have done: the home, what it knows of the first cache, the other caches, and who was asked or told.

    Not the state of the first cache, which is that of one that asks in one of two cases.
    """
    after, words = steps[-1].after, found.words
    first = found.model.caches(after)[0]
    kinds = ((s.cache, s.event in words.requests, s.event in words.told, s.event in words.fetched) for s in steps)
    return after[0], (first.listed, first.owner), after[2:], Counter(kind for kind in kinds if any(kind[1:]))


def _enter(found: AtRest, line: Asked) -> None:
    """The home turns to what was asked, for which a node that has no more what it had has a row of its own."""
    was, home = found.model.caches(line.state), found.class_of(line.rest)
    try:
        steps = found.steps_of(line.state, 1, was[0].asked[0][0], delivers=True)
    except WrongStepError:
        return
    now = found.model.caches(steps[-1].after)
    held = was[0].listed and not (line.event == at.EVICT and line.owned)
    part = at.OWNER if was[0].owner else at.HOLDER if held else at.GONE
    was[0] = was[0]._replace(state=found.model.caches(line.rest)[0].state)
    row, sole = found.row(was, home, steps, 0, line.event), alone(was, 0)
    if not found.met(row & at.CLASS_BITS, at.NONE, 0, at.READ):
        raise found.wrong(f"{steps[0].label} leaves {found.where(row & at.CLASS_BITS)}, to which nothing else leads")
    if part != at.GONE:
        same = found.met(home, part, sole, line.event) == row
    else:
        row = row & TOO_LATE * (row & at.CHANGES != 0) if line.event == at.EVICT else row
        row |= at.LISTS * (row & at.LEAVES != 0 and now[0].listed)
        same = found.rows.setdefault((home, part, sole, line.event), row) == row
    if not same:
        raise found.wrong(f"{steps[0].label} has two outcomes, one of them when others were served before")
