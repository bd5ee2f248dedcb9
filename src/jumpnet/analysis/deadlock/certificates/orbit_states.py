"""States of packets that choose, from one router of each orbit, as a certificate lists them.

Three ways lead to them: `orbits` where the routing has an `escape_class`, packets to one router where it looks at
nothing but the way to go (`dimensions.translation`), and else packets from all routers, each an orbit of its own.
Called by `orbit`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.rows.compressed_rows import holders
from jumpnet.analysis.deadlock.walks.one_by_one import started
from jumpnet.analysis.deadlock.walks.packet_states import Section, nearest_first, sections
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.orbits.labels import keeping_ports
from jumpnet.analysis.deadlock.ways_to_graph.orbits.states import StatesByOrbit
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import ESCAPE, STATE
from jumpnet.terms import I64, Array

__all__ = ["OrbitStates", "orbit_states"]


@dataclass(frozen=True, eq=False)
class OrbitStates:
    """What packets from the representatives of the orbits may do."""

    moves: list[I64]
    """Permutations (R,) of the routers that preserve links and ports, and generate the orbits."""
    label: I64
    """(R,) the representative of each router's orbit, the least of it."""
    router: I64
    """(n,) where the packet is; these four state by state."""
    target: I64
    begins: Array
    """bool: whether packets begin so."""
    key: I64
    """STATE."""
    ways: I64
    """(m, 5) state left, in ascending order; port; virtual channel, row of `rows` where it is an escape; 1 of an
    escape, else 0; state entered."""
    rows: list[tuple[int, int, I64]] = field(default_factory=list)
    """(router, port, virtual channels) of an escape: of the router's orbit in turn, or one alike at all."""


def orbit_states(bound: BoundRouting, made: Dependencies, most: int) -> OrbitStates | None:
    """The states; None where they are more than `most` and packets from all routers have to be followed.

    made: the dependencies of the routing, which say how packets were looked at.
    """
    if made.moved is not None:
        return _of_moved(bound, made.moved)
    if made.by == "translation":
        net = bound.network
        section = next(sections(bound, job_of(bound)))
        sides = net.coord.max(axis=0) + 1
        strides = np.concatenate([[1], np.cumprod(sides)[:-1]])
        back = ((-net.coord) % sides) @ strides
        return _by_sections(bound, [section], _translations(net, sides, strides), back)
    found, count = [], 0
    for section in sections(bound, job_of(bound)):
        found.append(section)
        count += len(section.router)
        if count > most:
            return None
    return _by_sections(bound, found, [], None)


def _translations(net: Network, sides: I64, strides: I64) -> list[I64]:
    """Each moves all routers on by one, in one dimension."""
    steps = np.eye(len(sides), dtype=np.int64)
    return [((net.coord + step) % sides) @ strides for step in steps]


def _by_sections(bound: BoundRouting, found: list[Section], moves: list[I64], back: I64 | None) -> OrbitStates:
    """Those of packets to some routers; back (R,): seen from router 0, where they are bound for from each router."""
    routers, vcs, start = bound.network.routers, bound.vcs, 0
    ways, rows = [], dict[tuple[int, int, int], int]()
    for section in found:
        left, channel, kind, after = section.ways.T
        escape = (kind & ESCAPE) != 0
        at, port, vc = channel // vcs // bound.network.ports, channel // vcs % bound.network.ports, channel % vcs
        at = at if back is None else np.zeros_like(at)
        last, named = vc.copy(), np.stack([at, port, vc], axis=1)[escape]
        last[escape] = [rows.setdefault((r, p, v), len(rows)) for r, p, v in named.tolist()]
        ways.append(np.stack([left + start, port, last, escape, after + start], axis=1))
        start += len(section.router)
    router = np.concatenate([section.router for section in found])
    sink = np.repeat([section.sink for section in found], [len(section.router) for section in found])
    made = OrbitStates(
        moves,
        np.arange(routers) if back is None else np.zeros(routers, np.int64),
        router if back is None else np.zeros_like(router),
        sink if back is None else back[router],
        np.concatenate([section.begins for section in found]),
        np.concatenate([section.key[:, 0] for section in found]),
        np.concatenate(ways),
        [(r, p, np.array([v])) for r, p, v in rows],
    )
    return _sorted(made)


def _of_moved(bound: BoundRouting, moved: StatesByOrbit) -> OrbitStates:
    """Those of orbits, with the virtual channels of their escapes all over each."""
    states, nodes, vcs, label = moved.states, moved.nodes, bound.vcs, moved.orbits.label
    edges = int(states.first[nodes])
    left = holders(states.first[: nodes + 1])
    escape, slot = (states.kind[:edges] & ESCAPE) != 0, states.slot[:edges].astype(np.int64)
    known: dict[tuple[int, int, bytes], int] = {}
    rows: list[tuple[int, int, I64]] = []
    of, first = np.full(len(moved.port), -1), np.unique(moved.row, return_index=True)[1]
    for v in np.flatnonzero(moved.port >= 0).tolist():
        name = int(states.router[moved.member[first[v]]])
        vc = moved.at[v, : len(moved.orbits.of(name))].astype(np.int64)
        of[v] = known.setdefault((name, int(moved.port[v]), vc.tobytes()), len(rows))
        if of[v] == len(rows):
            rows.append((name, int(moved.port[v]), vc))
    last = np.where(escape, of[moved.row[moved.request[left]]], slot % vcs)
    ways = np.stack([left, slot // vcs, last, escape, states.child[:edges].astype(np.int64)], axis=1)
    parts = states.router[:nodes].astype(np.int64), states.target[:nodes].astype(np.int64)
    begun = parts[0] != parts[1]
    packets = np.stack([*parts, np.zeros_like(parts[0]), np.full_like(parts[0], -1)], axis=1)
    begun[begun] = started(bound, packets[begun])[:, STATE] == states.state[:nodes][begun]
    return _sorted(
        OrbitStates(keeping_ports(bound.network), label, *parts, begun, states.state[:nodes].copy(), ways, rows)
    )


def _sorted(of: OrbitStates) -> OrbitStates:
    """The same, states by the hops that are left at least, so that a checker seldom looks twice."""
    left, after = of.ways[:, 0], of.ways[:, 4]
    order, new = nearest_first(left, after, len(of.router))
    ways = of.ways.copy()
    ways[:, 0], ways[:, 4] = new[left], new[after]
    ways = ways[np.argsort(ways[:, 0], kind="stable")]
    states = (of.router[order], of.target[order], of.begins[order], of.key[order])
    return OrbitStates(of.moves, of.label, *states, ways, of.rows)
