"""Certificates of Duato's condition from one router of each orbit: moves of the network, states, numbers of escapes.

A list of extended dependencies grows with the square of the routers. The states of packets from one router of each
orbit hardly grow faster than the routers, and a checker follows packets from each escape to the next itself. Where no
moves are known every router is an orbit. The page `docs/certificates.md` has the format;
`tools/check_orbit_certificate.py` and its twin in C check it. Called by `text`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from jumpnet.analysis.deadlock.certificates.orbit_states import OrbitStates, orbit_states
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.rows.compressed_rows import row_starts
from jumpnet.analysis.deadlock.ways_to_graph.orbits.transversal import Transversal
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64

__all__ = ["OrbitCertificate", "orbit_certificate"]

REMARKS = """\
# Checked by check_orbit_certificate.py and check_orbit_certificate.c of jumpnet; its page of certificates has the
# format.
# links ROUTER FAR..., by port; move INDEX TO..., by router; inverse INDEX MOVE; product INDEX FIRST SECOND
# carry ROUTER MOVE, to the least of its orbit; number ROUTER PORT VC N..., one or at each router of its orbit
# row INDEX ROUTER PORT VC..., an escape likewise; state INDEX ROUTER TARGET, + if packets begin so, STATE, and PORT VC
# NEXT-STATE of each way, ROW e NEXT-STATE of an escape
"""
ROUTERS_A_LINE = 24
STATES_AT_ONCE = 1 << 12


class OrbitCertificate:
    """What is written, and how much of it."""

    def __init__(self, bound: BoundRouting, of: OrbitStates, number: I64) -> None:
        self._bound, self._of = bound, of
        self._number = _dense(number)
        self._orbit = {int(r): np.flatnonzero(of.label == r) for r in np.unique(of.label)}
        self.states, self.orbits = len(of.router), len(self._orbit)

    def lines(self) -> Iterator[str]:
        """The whole file."""
        bound, net, of = self._bound, self._bound.network, self._of
        moves = _Moves(net, of)
        yield "jumpnet-orbit-certificate 1\n" + REMARKS
        for name, text in (("network", net.spec), ("routing", bound.name), ("condition", "escape")):
            yield f"{name} {text.encode('unicode_escape').decode('ascii')}\n"
        ends = [("source", np.flatnonzero(net.terminals > 0)), ("sink", np.flatnonzero(net.sinks > 0))]
        yield f"vcs {bound.vcs}\nrouters {net.routers}\nports {net.ports}\n"
        yield "".join(f"{word}s {len(routers)}\n" for word, routers in ends)
        yield f"moves {moves.count}\nrows {len(of.rows)}\nstates {len(of.router)}\n"
        for router, far in enumerate(net.neighbor.tolist()):
            yield f"links {router} {' '.join('-' if there < 0 else str(there) for there in far)}\n"
        for word, routers in ends:
            for k in range(0, len(routers), ROUTERS_A_LINE):
                yield f"{word} {' '.join(map(str, routers[k : k + ROUTERS_A_LINE].tolist()))}\n"
        yield from moves.lines
        yield from self._escapes()
        yield from self._states()
        yield "end\n"

    def _escapes(self) -> Iterator[str]:
        net, vcs = self._bound.network, self._bound.vcs
        number = self._number.reshape(net.routers, net.ports, vcs)
        for router, orbit in self._orbit.items():
            for port, vc in np.argwhere((number[orbit] >= 0).any(axis=0)).tolist():
                there = ["-" if n < 0 else str(n) for n in number[orbit, port, vc].tolist()]
                yield f"number {router} {port} {vc} {_short(there)}\n"
        for index, (router, port, of) in enumerate(self._of.rows):
            yield f"row {index} {router} {port} {_short(list(map(str, of.tolist())))}\n"

    def _states(self) -> Iterator[str]:
        """A line for each state, some states at a time."""
        of = self._of
        at = row_starts(of.ways[:, 0], self.states)
        for begin in range(0, self.states, STATES_AT_ONCE):
            some = slice(begin, min(begin + STATES_AT_ONCE, self.states))
            rows = of.ways[at[some.start] : at[some.stop], 1:].tolist()
            way = [f" {vc} e {after}" if escape else f" {port} {vc} {after}" for port, vc, escape, after in rows]
            ends = (at[some.start : some.stop + 1] - at[some.start]).tolist()
            about = (of.router, of.target, of.begins, of.key)
            columns = zip(*(column[some].tolist() for column in about), strict=True)
            for n, (router, target, begins, key) in enumerate(columns):
                ways = "".join(way[ends[n] : ends[n + 1]])
                yield f"state {begin + n} {router} {target} {'+' if begins else '-'} {key}{ways}\n"


def orbit_certificate(bound: BoundRouting, made: Dependencies, number: I64, most: int) -> OrbitCertificate | None:
    """A certificate by orbits, or of all packets where the network moves in no known way; None where these have more
    than `most` states, or a channel is taken as an escape and otherwise.

    number (C,): of the escape channels, ascending along their extended dependencies, -1 elsewhere.
    """
    of = orbit_states(bound, made, most)
    if of is None:
        return None
    net, vcs = bound.network, bound.vcs
    normal = of.ways[of.ways[:, 3] == 0]
    table = number.reshape(net.routers, net.ports, vcs) >= 0
    for router in np.unique(of.label):
        taken = normal[of.router[normal[:, 0]] == router]
        if table[of.label == router].any(axis=0)[taken[:, 1], taken[:, 2]].any():
            return None
    return OrbitCertificate(bound, of, number)


class _Moves:
    """The lines of moves, among them those that carry routers beside the least of an orbit to the least of theirs."""

    def __init__(self, net: Network, of: OrbitStates) -> None:
        self.lines, self.count = list[str](), 0
        self._made: dict[tuple[int, int], int] = {}
        for move in of.moves:
            self._add("move", " ".join(map(str, move.tolist())))
        for index in range(len(of.moves)):
            self._add("inverse", str(index))
        carriers = Transversal(of.label, of.moves)
        near = np.unique(net.neighbor[np.unique(of.label)])
        carried = [(r, carriers.word(r)) for r in near[near >= 0].tolist() if of.label[r] != r]
        self.lines += [f"carry {router} {self._along(word)}\n" for router, word in carried]
        self.lines.sort(key=lambda line: line.startswith("carry"))

    def _add(self, word: str, rest: str) -> int:
        self.lines.append(f"{word} {self.count} {rest}\n")
        self.count += 1
        return self.count - 1

    def _product(self, first: int, second: int) -> int:
        if (first, second) not in self._made:
            self._made[first, second] = self._add("product", f"{first} {second}")
        return self._made[first, second]

    def _power(self, move: int, often: int) -> int:
        if often == 1:
            return move
        half = self._power(move, often // 2)
        twice = self._product(half, half)
        return self._product(twice, move) if often % 2 else twice

    def _along(self, word: list[int]) -> int:
        """The move that does one after the other."""
        moves = [self._power(move, len(list(same))) for move, same in groupby(word)]
        whole = moves[0]
        for move in moves[1:]:
            whole = self._product(whole, move)
        return whole


def _short(there: list[str]) -> str:
    """One for all where they are alike."""
    return there[0] if len(set(there)) == 1 else " ".join(there)


def _dense(number: I64) -> I64:
    """The same order in numbers as small as can be."""
    known, dense = np.unique(number, return_inverse=True)
    return dense.reshape(-1) - int(known[0] < 0)
