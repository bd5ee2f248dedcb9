"""All buffer states of a small network, one after the other, in search of a deadlock that packets can really reach.

The model. A channel (router, port, vc) has one buffer of `room` flits, a queue. A packet has so many flits. Any packet
that the routing can produce may come into the network at any time, by any candidate of its source; its head, when it is
first in its buffer, may take any candidate that is open (no rule of preference between candidates), and its flits
follow in order. It leaves at its destination. A channel is open to a head when

* nobody holds it: the packet that got it last has its tail in it or beyond (rule `tail`), or it is empty (`empty`);
* there is room for one flit (wormhole), or for the whole packet (`whole`: virtual cut-through), and under bubble flow
  control for one packet more, where the candidate is marked ENTERS.

A deadlock is a set of buffers none of which is empty, where the first flit of each may go only to channels that are not
open and whose buffers are of the set. None of these flits ever moves again: such a buffer would have to lose one first.

What is left out, and why nothing is lost by it.

1. Packets are known by their *place*: the channel they came by, and what they may do from there. Places from which the
   same can happen for ever are one.
2. Only heads choose. All other flits go on as soon as they can: the room that they take is their packet's already, the
   room that they leave can only help others, and in a deadlock all have done so.
3. Packets only hinder each other. Leave one out of a history with all its moves, and the others can do as before; so a
   deadlock is reached exactly if it is by packets all of which are in its buffers at the end. With `lean`, packets are
   therefore left out that can never be. Let H be the largest set of channels each of which may hold a packet whose
   head, there or (where packets span channels) farther on in H, waits within H; where packets span channels and buffers
   hold several, that it went on into H is enough, as it may stand behind another there. The buffers of a deadlock are
   such a set, so only packets count that may still come to a place in H. Where H is empty no state need be looked at.
4. Parts of the network between which no packet goes are searched apart.

Slow and plain; shares nothing with `jumpnet.analysis`. Called by `tests/agree`.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np
from tests.naive.dependency import candidates, starts

from jumpnet.routings import BoundRouting
from jumpnet.routings.view import ENTERS


class Places(NamedTuple):
    """Where packets can be. P places."""

    channel: list[int]
    """(P,) channel of each place, (router * ports + port) * vcs + vc."""
    wants: list[list[tuple[int, bool]]]
    """(P,) the places that a packet may go to next, and whether that enters a ring; none where it has arrived."""
    first: list[tuple[int, bool]]
    """Places to which packets come from their sources."""


class Flow(NamedTuple):
    """A flow control."""

    room: int
    """Flits that a buffer holds."""
    lengths: tuple[int, ...] = (1,)
    """Flits of a packet; it may have any of these."""
    whole: bool = False
    """Whether a channel is given to a packet only where it has room for all of it."""
    empty: bool = False
    """Whether a channel is given only when it is empty, not as soon as the tail before has come."""
    bubble: bool = False
    """Whether a packet that enters a ring leaves room for one more."""


class Found(NamedTuple):
    """What a search came to."""

    verdict: str
    """`deadlock`, `none`, or `over`: more states than allowed."""
    states: int
    """States that were looked at."""
    stuck: tuple[int, ...] = ()
    """Channels whose buffers never move again."""


def _raw(bound: BoundRouting) -> tuple[dict[Any, list[tuple[Any, bool]]], set[tuple[Any, bool]]]:
    """Places told apart by all that the routing could look at."""
    net, vcs = bound.network, bound.vcs
    wants: dict[Any, list[tuple[Any, bool]]] = {}
    first: set[tuple[Any, bool]] = set()

    def ahead(s, d, here, port_in, vc_in, state, inter):
        rows = candidates(bound, s, d, here, port_in, vc_in, state, inter)
        for port, vc, after, kind in rows:
            yield ((here * net.ports + port) * vcs + vc, s, d, after, inter), bool(kind & ENTERS)

    for s in np.flatnonzero(net.terminals > 0).tolist():
        for d in np.flatnonzero(net.sinks > 0).tolist():
            for state, inter in set(starts(bound, s, d, True)) if s != d else ():
                todo = list(ahead(s, d, s, -1, -1, state, inter))
                first.update(todo)
                while todo:
                    place, _ = todo.pop()
                    if place in wants:
                        continue
                    channel, _, _, now, _ = place
                    r, p, v = channel // vcs // net.ports, channel // vcs % net.ports, channel % vcs
                    there, far = int(net.neighbor[r, p]), int(net.far_port[r, p])
                    wants[place] = list(ahead(s, d, there, far, v, now, inter))
                    todo += wants[place]
    return wants, first


def places_of(bound: BoundRouting) -> Places:
    """The places of a routing's packets; those from which the same can happen are one."""
    wants, first = _raw(bound)
    label = {place: place[0] for place in wants}
    while True:
        looks = {p: (p[0], not wants[p], frozenset((label[q], e) for q, e in wants[p])) for p in wants}
        number = {look: k for k, look in enumerate(dict.fromkeys(looks.values()))}
        finer = {p: number[looks[p]] for p in wants}
        done = len(number) == len(set(label.values()))
        label = finer
        if done:
            break
    member = {k: p for p, k in label.items()}
    size = len(member)
    return Places(
        [member[k][0] for k in range(size)],
        [sorted({(label[q], e) for q, e in wants[member[k]]}) for k in range(size)],
        sorted({(label[p], e) for p, e in first}),
    )


def _waiting(places: Places, spans: bool, shared: bool) -> tuple[set[int], set[int]]:
    """H of the argument above, and the places in it at which a packet waits so."""
    held = set(places.channel)
    while True:
        good = {p for p, w in enumerate(places.wants) if w and all(places.channel[q] in held for q, _ in w)}
        good = {p for p in good if places.channel[p] in held}
        while spans:
            then = {q for q, c in enumerate(places.channel) if c in held} if shared else good
            on = {p for p, w in enumerate(places.wants) if places.channel[p] in held and any(q in then for q, _ in w)}
            if on <= good:
                break
            good |= on
        kept = {places.channel[p] for p in good}
        if kept == held:
            return held, good
        held = kept


def _leading_to(places: Places, goal: set[int]) -> set[int]:
    """The places from which a packet may come to one of `goal`, which is among them."""
    useful = set(goal)
    while more := {p for p, w in enumerate(places.wants) if p not in useful and any(q in useful for q, _ in w)}:
        useful |= more
    return useful


Entry = tuple[int, int, int, int, int, bool]
"""A packet in a buffer: its place, its flits here, the place that its head went on to (-1: the head is here), flits to
come into this buffer, its length, and whether what is to come is at the source."""
State = tuple[tuple[Entry, ...], ...]
"""The packets of each buffer, the foremost first."""
PLACE, HERE, ONWARD, TO_COME, LENGTH, AT_SOURCE = range(6)
LONGEST_HISTORY = 400
"""Moves after which a history drawn at random ends; adaptive packets may go round for ever."""


class Buffers:
    """The states of one routing under one flow control, and which leads to which."""

    def __init__(self, places: Places, flow: Flow, lean: bool = True) -> None:
        self.places, self.flow, self.lean = places, flow, lean
        self.channels = sorted(set(places.channel))
        number = {c: k for k, c in enumerate(self.channels)}
        self.at = [number[c] for c in places.channel]
        shortest = min(flow.lengths)
        shared = not flow.empty and flow.room >= (2 * shortest if flow.whole else 2)
        held, good = _waiting(places, not flow.whole and max(flow.lengths) > 1, shared)
        behind = {p for p, c in enumerate(places.channel) if c in held}
        self.useful = _leading_to(places, behind if shared else good) if lean else set(range(len(self.at)))
        self.first = [(p, e) for p, e in places.first if p in self.useful]
        self.moves = [[(q, e) for q, e in wants if q in self.useful] for wants in places.wants]
        self.long = max(flow.lengths) > 1
        self.empty: State = ((),) * len(self.channels)
        self.hopeless = lean and not held

    def open(self, buffer: Any, length: int, enters: bool) -> bool:
        """Whether a head may come into a buffer."""
        if buffer and (self.flow.empty or buffer[-1][TO_COME] > 0):
            return False
        need = length if self.flow.whole else 1
        need += length if self.flow.bubble and enters else 0
        return bool(sum(entry[HERE] for entry in buffer) + need <= self.flow.room)

    def _settle(self, state: list[tuple[Entry, ...]], touched: list[int]) -> State | None:
        """The state after all that is no choice: flits follow, packets leave; None where `lean` leaves a packet out."""
        places, room = self.places, self.flow.room
        due = list(range(len(state))) if self.long else touched  # long packets pull at what is behind
        while due:
            moved = False
            for k in due:
                while state[k] and not places.wants[state[k][0][PLACE]] and state[k][0][HERE] > 0:
                    if self.lean:
                        return None
                    state[k], moved = _without_flit(state[k]), True
                while state[k] and state[k][0][ONWARD] >= 0 and state[k][0][HERE] > 0:
                    there = self.at[state[k][0][ONWARD]]
                    if sum(entry[HERE] for entry in state[there]) >= room:
                        break
                    state[there], state[k], moved = _with_flit(state[there]), _without_flit(state[k]), True
                waits = state[k] and state[k][-1][AT_SOURCE] and state[k][-1][TO_COME] > 0
                if waits and sum(entry[HERE] for entry in state[k]) < room:
                    state[k], moved = _with_flit(state[k]), True
            due = due if moved and self.long else []
        return tuple(state)

    def next(self, state: State) -> list[State]:
        """All states that one head makes of a state, by a move or by coming in."""
        found = []
        for p, enters in self.first:
            k = self.at[p]
            for length in self.flow.lengths:
                if self.open(state[k], length, enters):
                    made = list(state)
                    made[k] = (*made[k], (p, 1, -1, length - 1, length, True))
                    found.append(self._settle(made, [k]))
        for k, buffer in enumerate(state):
            if not buffer or buffer[0][ONWARD] >= 0:
                continue
            place, here, _, coming, length, source = buffer[0]
            for q, enters in self.moves[place]:
                there = self.at[q]
                if self.open(state[there], length, enters):
                    made = list(state)
                    gone = here + coming == 1
                    made[k] = buffer[1:] if gone else ((place, here - 1, q, coming, length, source), *buffer[1:])
                    made[there] = (*made[there], (q, 1, -1, length - 1, length, False))
                    found.append(self._settle(made, [k, there]))
        return [made for made in found if made is not None]

    def stuck(self, state: State) -> set[int]:
        """The buffers of a deadlock, all that are in one."""
        held = {k for k, buffer in enumerate(state) if buffer}
        while True:
            kept = {k for k in held if self._waits(state, k, held)}
            if kept == held:
                return held
            held = kept

    def _waits(self, state: State, k: int, held: set[int]) -> bool:
        """Whether the foremost packet of a buffer waits for buffers of a set alone."""
        place, here, onward, _, length, _ = state[k][0]
        assert here > 0, "what follows has come"
        if onward >= 0:
            return self.at[onward] in held
        wants = self.places.wants[place]
        return bool(wants) and all(
            self.at[q] in held and not self.open(state[self.at[q]], length, enters) for q, enters in wants
        )


def _with_flit(buffer: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """A buffer after one more flit of its last packet has come."""
    place, here, onward, coming, length, source = buffer[-1]
    return (*buffer[:-1], (place, here + 1, onward, coming - 1, length, source))


def _without_flit(buffer: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """A buffer after one flit of its foremost packet has left, and with the tail the packet."""
    place, here, onward, coming, length, source = buffer[0]
    return buffer[1:] if here + coming == 1 else ((place, here - 1, onward, coming, length, source), *buffer[1:])


def _histories(buffers: Buffers, draw: random.Random, tries: int) -> State | None:
    """A deadlock at the end of one of some histories drawn at random, if any; each goes on until nothing can move."""
    for _ in range(tries):
        state = buffers.empty
        for _ in range(LONGEST_HISTORY):
            ahead = buffers.next(state)
            if not ahead:
                break
            state = draw.choice(ahead)
        if buffers.stuck(state):
            return state
    return None


def search(buffers: Buffers, most: int, seed: int = 0, tries: int = 0) -> Found:
    """Look at every state that packets can reach, at most so many, until one is a deadlock; `tries` histories first."""
    draw, seen, todo = random.Random(seed), {buffers.empty}, [buffers.empty]
    if buffers.hopeless:
        return Found("none", 1)
    early = _histories(buffers, draw, tries)
    todo += [early] if early is not None else []
    while todo:
        state = todo.pop()
        stuck = buffers.stuck(state)
        if stuck:
            return Found("deadlock", len(seen), tuple(sorted(buffers.channels[k] for k in stuck)))
        ahead = [made for made in dict.fromkeys(buffers.next(state)) if made not in seen]
        if len(seen) + len(ahead) > most:
            return Found("over", len(seen))
        draw.shuffle(ahead)
        seen.update(ahead)
        todo += ahead
    return Found("none", len(seen))


def parted(places: Places) -> list[Places]:
    """The places by parts of the network between which no packet goes: what happens in one is nothing to the others."""
    part = {c: c for c in places.channel}

    def root(c: int) -> int:
        while part[c] != c:
            c = part[c]
        return c

    for c, wants in zip(places.channel, places.wants, strict=True):
        for q, _ in wants:
            part[root(places.channel[q])] = root(c)
    found = []
    for r in sorted({root(c) for c in part}):
        mine = [p for p, c in enumerate(places.channel) if root(c) == r]
        new = {p: k for k, p in enumerate(mine)}
        wants = [[(new[q], e) for q, e in places.wants[p]] for p in mine]
        first = [(new[p], e) for p, e in places.first if p in new]
        found.append(Places([places.channel[p] for p in mine], wants, first))
    return found


def explore(places: Places, flow: Flow, most: int, tries: int = 30) -> Found:
    """Whether packets can deadlock: the parts of a network one by one, each with so many states at most."""
    found = [Found("none", 0)]
    for part in parted(places):
        found.append(search(Buffers(part, flow), most, tries=tries))
        if found[-1].verdict == "deadlock":
            break
    verdicts = {one.verdict for one in found}
    verdict = "deadlock" if "deadlock" in verdicts else "over" if "over" in verdicts else "none"
    return Found(verdict, sum(one.states for one in found), found[-1].stuck)
