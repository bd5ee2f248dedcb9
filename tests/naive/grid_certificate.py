"""Whether a certificate by cases of pairs is true, by the definitions: pair by pair, and no number is looked at.

From the cases each pair gets its candidates; Duato's dependencies between channels are found by following every packet
from each escape channel over normal ones. It reads files that a checker accepted, so it does not care for their form.
"""

from __future__ import annotations

from itertools import product

from tests.naive.certificate import closed

Place = tuple[int, ...]
Channel = tuple[Place, int, int]
Take = tuple[int, int, int]


def is_true_on_grid(text: str) -> bool:
    """Whether each pair has candidates that are there, an escape among them, and no escapes wait in a circle."""
    sides: list[int] = []
    ports: list[tuple[int, list[str]]] = []
    cases: list[tuple[list[list[int]], list[Take]]] = []
    for line in text.split("\n"):
        word, *rest = line.split(" ")
        if word == "sides":
            sides = [int(k) for k in rest]
        elif word == "port":
            ports.append((int(rest[1]), rest[2:]))
        elif word == "case":
            cases.append(([], []))
        elif word == "pairs":
            cases[-1][0].append([int(row, 16) for row in rest[1:]])
        elif word == "take":
            cases[-1][1].append((int(rest[0]), int(rest[1]), int(rest[2])))
    places = list(product(*map(range, sides)))
    dependencies: set[tuple[Channel, Channel]] = set()
    escapes: set[Channel] = set()
    for target in places:
        takes: dict[Place, list[Take]] = {}
        for here in places:
            pair = list(zip(here, target, strict=True))
            found = [c for c in cases if all(c[0][d][x] >> e & 1 for d, (x, e) in enumerate(pair))]
            if len(found) != 1:
                return False
            takes[here] = found[0][1]
            if not takes[here] and here != target:
                return False
            if takes[here] and not any(kind for _, _, kind in takes[here]):
                return False
            if any(ports[p][1][here[ports[p][0]]] == "-" for p, _, _ in takes[here]):
                return False
        dependencies |= _extended(ports, takes)
        escapes |= {(here, p, vc) for here, ways in takes.items() for p, vc, kind in ways if kind}
    between = {(a, b) for a, b in dependencies if a in escapes}
    number = {channel: k for k, channel in enumerate(sorted({c for pair in between for c in pair}))}
    return not closed({(number[a], number[b]) for a, b in between})


def _ahead(ports: list[tuple[int, list[str]]], here: Place, port: int) -> Place:
    d, to = ports[port]
    return (*here[:d], int(to[here[d]]), *here[d + 1 :])


def _extended(ports: list[tuple[int, list[str]]], takes: dict[Place, list[Take]]) -> set[tuple[Channel, Channel]]:
    """Which escapes packets to one target may ask for after each channel, over normal ones, from any place."""
    pairs = set()
    for here, ways in takes.items():
        for port, vc, _ in ways:
            todo, seen = [_ahead(ports, here, port)], set[Place]()
            while todo:
                at = todo.pop()
                if at in seen:
                    continue
                seen.add(at)
                for p, v, kind in takes[at]:
                    if kind:
                        pairs.add(((here, port, vc), (at, p, v)))
                    else:
                        todo.append(_ahead(ports, at, p))
    return pairs
