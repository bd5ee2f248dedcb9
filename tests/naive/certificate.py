"""Whether what a certificate lists is free of deadlock, by the definitions: no number of the file is looked at.

Packets are followed state by state, dependencies kept in sets, cycles found by taking away what has no successor. It
reads files that a checker accepted, so it does not care for their form.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

Channel = int
Pairs = set[tuple[Channel, Channel]]


class Listed(NamedTuple):
    """What a certificate lists."""

    head: dict[str, str]
    routers: dict[str, list[int]]
    """`source` and `sink`."""
    far: dict[tuple[int, int], int]
    channels: list[tuple[int, int, int]]
    """(router, port, vc)."""
    begins: set[Channel]
    wants: dict[str, Pairs]
    """`wants` and `enters`."""
    packets: dict[tuple[int, int, int], list[tuple[int, bool, list[tuple[int, int, int]]]]]
    """Of each section (its number, sink or -1, only source or -1): router of a state, whether packets begin so,
    (channel, kind, next)."""


def listed(text: str) -> Listed:
    """Read a certificate."""
    found = Listed({}, {"source": [], "sink": []}, {}, [], set(), {"wants": set(), "enters": set()}, {})
    section = None
    for line in text.split("\n"):
        word, *rest = line.split(" ")
        if word in found.routers:
            found.routers[word] += map(int, rest)
        elif word == "link":
            found.far[int(rest[0]), int(rest[1])] = int(rest[2])
        elif word == "channel":
            found.channels.append((int(rest[1]), int(rest[2]), int(rest[3])))
            found.begins.update([int(rest[0])] if rest[5] == "+" else [])
        elif word in found.wants:
            found.wants[word].update((int(rest[0]), int(wanted)) for wanted in rest[1:])
        elif word == "to":
            section = len(found.packets), int(rest[0]), int(rest[2]) if rest[2:] else -1  # a page takes `from` alone
            found.packets[section] = []
        elif word == "branches":
            section = len(found.packets), -1, -1
            found.packets[section] = []
        elif word == "state":
            numbers = list(map(int, rest[4:]))
            moves = list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))
            found.packets[section].append((int(rest[1]), rest[2] == "+", moves))
        elif word[:1] != "#" and rest:
            found.head[word] = " ".join(rest)
    return found


def closed(pairs: Pairs) -> set[Channel]:
    """Channels on cycles, or between them: those with no successor, or none before, are taken away."""
    left = {channel for pair in pairs for channel in pair}
    while True:
        inner = {(a, b) for a, b in pairs if a in left and b in left}
        kept = {a for a, _ in inner} & {b for _, b in inner}
        if kept == left:
            return left
        left = kept


def goes_where_it_says(found: Listed) -> bool:
    """Whether packets of every pair begin, go over the links named, and end where they should."""
    begun = set()
    for (_, sink, source), states in found.packets.items():
        for router, begins, moves in states:
            begun.update([(router, sink)] if begins else [])
            if begins and source not in (router, -1):
                return False
            if not moves and sink not in (router, -1):
                return False
            for channel, _, after in moves:
                at, port, _ = found.channels[channel]
                if at != router or found.far[at, port] != states[after][0]:
                    return False
    sinks = [-1] if -1 in {sink for _, sink, _ in found.packets} else found.routers["sink"]
    pairs = {(a, b) for a in found.routers["source"] for b in sinks if a != b}
    return pairs <= begun and len(set(found.channels)) == len(found.channels)


def direct(found: Listed) -> tuple[dict[str, Pairs], set[Channel]]:
    """(dependencies by the kind of the second candidate, channels on which packets begin unmarked), from the states."""
    pairs: dict[str, Pairs] = {"wants": set(), "enters": set()}
    begins = set()
    for states in found.packets.values():
        for _, starts, moves in states:
            begins |= {channel for channel, kind, _ in moves if starts and not kind & 2}
            for held, _, after in moves:
                for wanted, kind, _ in states[after][2]:
                    pairs["enters" if kind & 2 else "wants"].add((held, wanted))
    return pairs, begins


def extended(found: Listed) -> Pairs | None:
    """Duato's dependencies between escape channels, or None where a state has no escape: every way is followed."""
    escapes = {c for states in found.packets.values() for _, _, moves in states for c, kind, _ in moves if kind & 1}
    pairs = set()
    for states in found.packets.values():
        for _, _, moves in states:
            if moves and not any(kind & 1 for _, kind, _ in moves):
                return None
            for held, _, after in moves:
                todo, seen = [after] if held in escapes else [], set()
                while todo:
                    at = todo.pop()
                    seen.add(at)
                    for wanted, kind, then in states[at][2]:
                        if kind & 1:
                            pairs.add((held, wanted))
                        elif then not in seen:
                            todo.append(then)
    return pairs


def rings_hold(pairs: dict[str, Pairs], begins: Iterable[Channel]) -> bool:
    """Whether all cycles are rings, each channel with one step on and one to it, that are entered marked."""
    both = pairs["wants"] | pairs["enters"]
    ways: dict[Channel, set[Channel]] = {}
    for a, b in both:
        ways.setdefault(a, set()).add(b)

    def reached(start: Channel) -> set[Channel]:
        todo, seen = [start], set()
        while todo:
            for after in ways.get(todo.pop(), set()) - seen:
                seen.add(after)
                todo.append(after)
        return seen

    far = {channel: reached(channel) for channel in {c for pair in both for c in pair}}
    steps = {(a, b) for a, b in both if a in far[b]}
    ring = {channel for step in steps for channel in step}
    single = len({a for a, _ in steps}) == len(steps) == len({b for _, b in steps})
    entered = {b for a, b in pairs["wants"] - steps if b in ring} | ring & set(begins)
    return single and not steps & pairs["enters"] and not entered


def among_escapes(found: Listed) -> tuple[dict[str, Pairs], set[Channel]] | None:
    """As `direct`, of packets on escape channels and what they may want as escapes; begins: likewise from others.

    None where a state has no escape, or a channel is an escape to one packet and none to another.
    """
    every = [state for states in found.packets.values() for state in states]
    escapes = {c for _, _, moves in every for c, kind, _ in moves if kind & 1}
    others = {c for _, _, moves in every for c, kind, _ in moves if not kind & 1}
    if escapes & others or any(moves and not any(kind & 1 for _, kind, _ in moves) for _, _, moves in every):
        return None
    pairs: dict[str, Pairs] = {"wants": set(), "enters": set()}
    begins = {c for _, starts, moves in every for c, kind, _ in moves if starts and kind == 1}
    for states in found.packets.values():
        for _, _, moves in states:
            for held, _, after in moves:
                for wanted, kind, _ in states[after][2]:
                    if kind & 1 and held in escapes:
                        pairs["enters" if kind & 2 else "wants"].add((held, wanted))
                    elif kind == 1:
                        begins.add(wanted)
    return pairs, begins


def is_true(text: str) -> bool:
    """Whether what an accepted certificate proves is so."""
    found = listed(text)
    pairs, begins = found.wants, found.begins
    if found.packets:
        if not goes_where_it_says(found):
            return False
        pairs, begins = direct(found)
        if found.head["condition"] == "escape":
            between = extended(found)
            return between is not None and not closed(between)
        if found.head["condition"] == "escape-rings":
            among = among_escapes(found)
            return among is not None and rings_hold(*among)
    if found.head["condition"] in ("rings", "escape-rings"):
        return rings_hold(pairs, begins)
    return not closed(pairs["wants"] | pairs["enters"])
