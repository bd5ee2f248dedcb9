"""Vertex- and edge-transitivity: whether automorphisms carry any router, any link, to any other.

Yes is proved by automorphisms, given (a family's generators) or found; no by a figure that automorphisms keep, with
two witnesses: distance counts of routers, shortest cycles through links; or by a search that excludes every
automorphism. The RDN paper (li2009rdn, abstract) claims its networks node and edge symmetric: see `symmetry` on one.
Called by metrics and reports.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from jumpnet.api.shown import Shown, columns
from jumpnet.errors import JumpnetError
from jumpnet.graph._parts import join
from jumpnet.graph.automorphism import Undecided, channel_map, find_automorphism, is_automorphism
from jumpnet.networks import Network
from jumpnet.terms import I64, NO_ROUTER, Array

__all__ = ["Symmetry", "Verdict", "cycles_through", "distance_counts", "symmetry"]

MAX_SEARCH_ROUTERS = 2048
MAX_VISITED = 2_000_000


@dataclass(frozen=True)
class Verdict:
    """Whether a network is transitive on its routers or links, and why."""

    transitive: bool | None
    """None when it was not decided."""
    reason: str
    """The proof in one line."""
    witness: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    """Two routers (r,), or two links (r, s), that no automorphism exchanges; None unless transitive is False."""


@dataclass(frozen=True)
class Symmetry(Shown):
    """What is known of a network's symmetry."""

    vertex: Verdict
    edge: Verdict

    @columns(
        {
            "of": "routers or links",
            "transitive": "whether all are alike; none where it is not known",
            "reason": "what that rests on",
        }
    )
    def rows(self) -> list[dict[str, Any]]:
        """A row for the routers, one for the links."""
        said = {"routers": self.vertex, "links": self.edge}
        return [{"of": key, "transitive": found.transitive, "reason": found.reason} for key, found in said.items()]


def distance_counts(net: Network, router: int) -> tuple[int, ...]:
    """Routers at distance 0, 1, 2, ... from a router; O(channels).

    >>> from jumpnet.topology import build
    >>> distance_counts(build("torus:4x4"), 0)
    (1, 4, 6, 4, 1)
    """
    seen = np.zeros(net.routers, bool)
    front = np.array([router])
    seen[front] = True
    counts = []
    while front.size:
        counts.append(int(front.size))
        near = net.neighbor[front].ravel()
        near = np.unique(near[near != NO_ROUTER])
        front = near[~seen[near]]
        seen[front] = True
    return tuple(counts)


def _degree(net: Network, router: int) -> int:
    return int(net.degrees[router])


def cycles_through(net: Network, router: int, port: int) -> tuple[int, int] | None:
    """Length and number of the shortest cycles through a link; (0, 0) for a bridge, None after 2,000,000 routers.

    Parallel links make cycles of length 2.

    >>> from jumpnet.topology import build
    >>> cycles_through(build("hypercube:3"), 0, 0)
    (4, 2)
    """
    target, back = router, int(net.neighbor[router, port])
    paths = {back: 1}
    seen, length = {back}, 1
    skip = None if net.directed else (back, int(net.far_port[router, port]))
    while paths and len(seen) < MAX_VISITED:
        length += 1
        further: dict[int, int] = {}
        for r, ways in paths.items():
            for p, s in enumerate(net.neighbor[r].tolist()):
                if s == NO_ROUTER or s in seen or (r, p) == skip:
                    continue
                further[s] = further.get(s, 0) + ways
        if target in further:
            return length, further[target]
        seen.update(further)
        paths = further
    return None if paths else (0, 0)


class _Orbits:
    """Orbits of routers and channels under the automorphisms collected so far."""

    def __init__(self, net: Network):
        self.net = net
        self.maps: list[I64] = []
        self.join()

    def add(self, moved: I64) -> None:
        """Take one more automorphism, (R,) the image of each router, and join orbits by it."""
        self.maps.append(np.asarray(moved, np.int64))
        self.join()

    def join(self) -> None:
        """Make the orbits of routers and channels anew from all automorphisms taken."""
        net, count = self.net, self.net.routers
        router, port, far = net.channel_ends
        channel = router * net.ports + port
        ends = [(np.arange(count), moved) for moved in self.maps]
        self.router = _components(count, ends)
        pairs = [(channel, channel_map(net, moved)[router, port]) for moved in self.maps]
        if not net.directed:
            pairs.append((channel, far.astype(np.int64) * net.ports + net.far_port[router, port]))
            # Parallel links are exchanged by nothing but a new name.
        together = np.lexsort((far, router))
        twin = (np.diff(router[together]) == 0) & (np.diff(far[together]) == 0)
        pairs.append((channel[together][:-1][twin], channel[together][1:][twin]))
        label = _components(count * net.ports, pairs)
        self.channel = np.where(net.neighbor != NO_ROUTER, label.reshape(count, net.ports), -1)

    @property
    def first_routers(self) -> I64:
        """(K,) the first router of each orbit."""
        return np.unique(self.router, return_index=True)[1]

    def links(self, routers: I64) -> list[tuple[int, int]]:
        """One (router, port) of each orbit of links, at one of these routers."""
        found: dict[int, tuple[int, int]] = {}
        for r in routers.tolist():
            for p, label in enumerate(self.channel[r].tolist()):
                if label >= 0:
                    found.setdefault(label, (r, p))
        return list(found.values())


def _components(count: int, pairs: list[tuple[I64, I64]]) -> Array:
    """(count,) the lowest of those that pairs join."""
    lowest = np.arange(count)
    for first, second in pairs:
        join(np.asarray(first, np.int64), np.asarray(second, np.int64), lowest)
    return lowest


def _vertex(net: Network, orbits: _Orbits, search: bool) -> Verdict:
    firsts = orbits.first_routers
    if len(firsts) == 1:
        return Verdict(True, f"{len(orbits.maps)} automorphisms carry router 0 to every router")
    if not search and not orbits.maps and net.orbits is not None and len(net.orbits.size) == 1:
        return Verdict(True, "the family declares one orbit of routers")
    declared = net.orbits.representative if net.orbits is not None else np.zeros(0, np.int64)
    for r in [int(r) for r in (*firsts[1:9], *declared[:8])]:
        for what, figure in (("degree", _degree), ("routers at each distance", distance_counts)):
            ours, other = figure(net, 0), figure(net, r)  # the searches only where the degrees are equal
            if ours != other:
                return Verdict(False, f"{what}: {ours} from router 0, {other} from router {r}", ((0,), (r,)))
    if not search:
        return Verdict(None, f"{net.routers} routers are too many to search, and no figure tells them apart")
    for r in range(1, net.routers):
        if orbits.router[r] != orbits.router[0]:
            moved = find_automorphism(net, [(0, r)])
            if moved is None:
                return Verdict(False, f"a search finds no automorphism from router 0 to router {r}", ((0,), (r,)))
            orbits.add(moved)
    return Verdict(True, f"{len(orbits.maps)} automorphisms, found by search, carry router 0 to every router")


def _edge(net: Network, orbits: _Orbits, search: bool, vertex: Verdict) -> Verdict:
    routers = np.zeros(1, np.int64) if vertex.transitive else orbits.first_routers[:64]
    links = orbits.links(routers)
    if not links:
        return Verdict(None, "no links")
    whole = vertex.transitive or len(routers) == len(orbits.first_routers)
    if len(links) == 1 and whole:
        return Verdict(True, "automorphisms carry one link to every link")

    def name(r: int, p: int) -> tuple[int, int]:
        """A link by the routers at its ends."""
        return r, int(net.neighbor[r, p])

    first, degrees = links[0], net.degrees
    for link in [] if search else links[1:]:  # cheaper than cycles, which may lead through the whole network
        ends, other_ends = (sorted(degrees[list(name(*which))].tolist()) for which in (first, link))
        if ends != other_ends:
            text = f"degrees at the ends of links: {ends} of {name(*first)}, {other_ends} of {name(*link)}"
            return Verdict(False, text, (name(*first), name(*link)))
    ours = cycles_through(net, *first)
    # A search may see the whole network: of a large one, only so many links are compared.
    for link in links[1 : 1 + max(7, 4 * MAX_VISITED // net.routers)]:
        other = cycles_through(net, *link)
        if ours is not None and other is not None and ours != other:
            text = " and ".join(
                f"{name(*which)} is on no cycle" if not length else f"{name(*which)} on {count} of length {length}"
                for which, (length, count) in ((first, ours), (link, other))
            )
            return Verdict(False, f"shortest cycles through links: {text}", (name(*first), name(*link)))
    if not search:
        return Verdict(None, f"{net.routers} routers are too many to search, and no figure tells links apart")
    while len(links := orbits.links(orbits.first_routers)) > 1:
        u, a = name(*links[0])
        w, b = name(*links[1])
        moved = find_automorphism(net, [(u, w), (a, b)])
        if moved is None and not net.directed:
            moved = find_automorphism(net, [(u, b), (a, w)])
        if moved is None:
            return Verdict(False, f"a search finds no automorphism from link {u, a} to {w, b}", ((u, a), (w, b)))
        orbits.add(moved)
    return Verdict(True, "automorphisms, found by search, carry one link to every link")


def symmetry(net: Network, generators: Iterable[I64] = ()) -> Symmetry:
    """Whether a network is vertex- and edge-transitive, with the proof of each; terminals are not looked at.

    generators: automorphisms (R,) known beforehand, e.g. `family(spec).automorphisms(net)`; each is checked, and
    JumpnetError raised otherwise. Up to 2,048 routers a search decides what figures do not; beyond, a verdict may stay
    open. Cost: a few seconds at 2,048 routers; O(R P log P) for each generator and a search around a few routers.

    >>> from jumpnet.topology import build
    >>> found = symmetry(build("torus:4x6"))
    >>> found.vertex.transitive, found.edge.transitive
    (True, False)
    """
    orbits = _Orbits(net)
    for moved in generators:
        if not is_automorphism(net, moved):
            raise JumpnetError(f"{net.spec}: a generator is no automorphism")
        orbits.maps.append(np.asarray(moved, np.int64))
    orbits.join()
    search = net.routers <= MAX_SEARCH_ROUTERS
    try:
        vertex = _vertex(net, orbits, search)
    except Undecided as error:
        vertex = Verdict(None, str(error))
    try:
        edge = _edge(net, orbits, search, vertex)
    except Undecided as error:
        edge = Verdict(None, str(error))
    return Symmetry(vertex, edge)
