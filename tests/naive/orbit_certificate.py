"""Whether a certificate by orbits is true, by the definitions: every packet at every router, no number looked at.

The moves that a file gives are put together until no new one comes of it. Each carries the listed states elsewhere, and
packets are followed there over the links; Duato's dependencies between escape channels are kept in a set. It reads
files that a checker accepted, so it does not care for their form.
"""

from __future__ import annotations

from functools import cached_property

from tests.naive.certificate import closed

Move = tuple[int, ...]
Channel = tuple[int, int, int]
Node = tuple[int, Move]
"""A state of the file, and what carried it to where the packet is."""
Way = tuple[Channel, bool, Node]


class Listed:
    """What a file lists."""

    def __init__(self, text: str) -> None:
        self.far: list[list[int]] = []
        self.ends: dict[str, set[int]] = {"source": set(), "sink": set()}
        self.moves: set[Move] = set()
        self.rows: list[tuple[int, list[int]]] = []
        self.states: list[tuple[int, int, bool, list[str]]] = []
        for line in text.split("\n"):
            word, *rest = line.split(" ")
            if word == "links":
                self.far.append([-1 if there == "-" else int(there) for there in rest[1:]])
            elif word in self.ends:
                self.ends[word] |= set(map(int, rest))
            elif word == "move":
                self.moves.add(tuple(map(int, rest[1:])))
            elif word == "row":
                self.rows.append((int(rest[2]), list(map(int, rest[3:]))))
            elif word == "state":
                self.states.append((int(rest[1]), int(rest[2]), rest[3] == "+", rest[5:]))

    @cached_property
    def group(self) -> set[Move]:
        """All that the moves come to, one after the other."""
        found, todo = {tuple(range(len(self.far)))}, [tuple(range(len(self.far)))]
        while todo:
            before = todo.pop()
            for move in self.moves:
                after = tuple(move[to] for to in before)
                if after not in found:
                    found.add(after)
                    todo.append(after)
        return found

    @cached_property
    def place(self) -> list[int]:
        """Of each router, in its orbit."""
        orbits = [sorted({move[router] for move in self.group}) for router in range(len(self.far))]
        return [orbit.index(router) for router, orbit in enumerate(orbits)]

    def asks(self, router: int, by: str, vc: str) -> tuple[int, int]:
        """Port and virtual channel of a way at a router."""
        if vc != "e":
            return int(by), int(vc)
        port, channels = self.rows[int(by)]
        return port, channels[self.place[router] if len(channels) > 1 else 0]


def ways_of(listed: Listed) -> dict[Node, list[Way]]:
    """What a packet may take in each state, wherever it is; ways to no listed state are left out."""
    nodes = {(n, move) for n in range(len(listed.states)) for move in listed.group}
    by_place: dict[tuple[int, int, int], list[Node]] = {}
    for n, move in nodes:
        router, target, _, _ = listed.states[n]
        by_place.setdefault((n, move[router], move[target]), []).append((n, move))
    return {node: _ways(listed, by_place, *node) for node in nodes}


def is_true_by_orbits(text: str) -> bool:
    """Whether moves keep links, packets from each source to each sink have an escape, and none wait in a circle."""
    listed = Listed(text)
    group = listed.group
    for move in group:
        if any(listed.far[move[r]] != [-1 if f < 0 else move[f] for f in far] for r, far in enumerate(listed.far)):
            return False
    ways = ways_of(listed)
    for (n, move), found in ways.items():
        router, target, _, words = listed.states[n]
        if len(found) < len(words) // 3 or (not found and move[router] != move[target]):
            return False
        if found and not any(escape for _, escape, _ in found):
            return False
    begun = {(move[s[0]], move[s[1]]) for n, move in ways for s in [listed.states[n]] if s[2]}
    if {(a, b) for a in listed.ends["source"] for b in listed.ends["sink"] if a != b} - begun:
        return False
    names: dict[Channel, int] = {}
    pairs = extended(ways)
    return not closed({tuple(names.setdefault(c, len(names)) for c in pair) for pair in pairs})


def _ways(listed: Listed, by_place: dict[tuple[int, int, int], list[Node]], n: int, move: Move) -> list[Way]:
    """(channel, whether it is an escape, node) of each way; fewer where there is no such node."""
    router, target, _, words = listed.states[n]
    here, found = move[router], list[Way]()
    for by, vc, after in zip(words[::3], words[1::3], words[2::3], strict=True):
        port, channel = listed.asks(here, by, vc)
        nodes = by_place.get((int(after), listed.far[here][port], move[target]), [])
        found += [((here, port, channel), vc == "e", node) for node in nodes]
    return found


def extended(ways: dict[Node, list[Way]], hops: int = 1 << 30) -> set[tuple[Channel, Channel]]:
    """Which escapes packets may ask for after each escape, over at most so many normal hops, from any place."""
    pairs = set()
    for found in ways.values():
        for channel, held, node in found:
            front, seen = {node} if held else set[Node](), set[Node]()
            for _ in range(min(hops, len(ways)) + 1):
                if not front:
                    break
                seen |= front
                pairs |= {(channel, wanted) for at in front for wanted, escape, _ in ways[at] if escape}
                front = {after for at in front for _, escape, after in ways[at] if not escape} - seen
    return pairs
