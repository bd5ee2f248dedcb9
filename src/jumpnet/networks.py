"""The plain-array meeting point: a network is a frozen set of NumPy arrays that every layer reads.

Families build one; metrics, routing, proofs, simulation and drawing read it; nobody changes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from jumpnet.api.public import named, public
from jumpnet.arrays.checks import MOST, SHAPES, checked_arrays, content_hash, refuse_more, table_shape, whole_numbers
from jumpnet.arrays.locked import locked, show_views
from jumpnet.arrays.pairs import pairs
from jumpnet.errors import JumpnetError, nearest, written
from jumpnet.jit.linked import entry
from jumpnet.memory import require, require_table, table_bytes
from jumpnet.terms import F64, I32, I64, MAX_LATENCY_CYCLES, NO_PORT, NO_ROUTER

__all__ = ["Implicit", "Network", "Orbits", "from_links", "from_neighbors", "simple_links"]


@public
class Orbits(NamedTuple):
    """Routers that known automorphisms carry into each other: one representative and the size of each orbit.

    All-pairs figures need one search per representative. Shapes: (orbits,), both int64; sizes add up to the routers.
    """

    representative: I64
    size: I64

    @staticmethod
    def transitive(routers: int) -> Orbits:
        """All routers in one orbit (a vertex-transitive network)."""
        return Orbits(np.zeros(1, np.int64), np.full(1, routers, np.int64))


@named
@dataclass(frozen=True, eq=False)
class Network:
    """A network of routers joined by channels, as arrays. R routers, P ports (the largest radix without terminals).

    Channel (r, p) leaves router r by port p and enters router `neighbor[r, p]` by its port `far_port[r, p]`.
    In a bidirectional network the reverse channel leaves by that port; in a `directed` one input and output ports
    with the same number are unrelated, and `far_port` numbers input ports.
    """

    spec: str
    """Canonical spec string, e.g. `rdt:64`."""
    family: str
    """Family name, e.g. `rdt`."""
    neighbor: I32
    """(R, P) router at the far end of each port, NO_ROUTER where there is no link."""
    far_port: I32
    """(R, P) port of that router at which the channel arrives, NO_PORT where there is no link."""
    link_class: I32
    """(R, P) kind of each channel, an index into `class_names` (rank or level, and direction); -1 without link."""
    class_names: tuple[str, ...]
    """Name of each link class, e.g. `rank 1 x+`."""
    class_rank: I32
    """(classes,) rank, level or dimension of each link class: what loads are grouped and drawings coloured by."""
    coord: I32
    """(R, D) coordinates of each router in the family's own system."""
    terminals: I32
    """(R,) number of endpoints that inject at each router (1 each in direct networks, 0 in pure switches)."""
    sinks: I32
    """(R,) number of endpoints that eject at each router; equals `terminals` except in unidirectional networks."""
    orbits: Orbits | None = None
    """Known automorphism orbits, or None when nothing is known."""
    position: F64 | None = None
    """(R, 2) places for drawing, or None."""
    directed: bool = False
    """True when channels are one-way."""
    params: I64 = field(default_factory=lambda: np.zeros(0, np.int64))
    """Integers that the family's routings need (their meaning is documented in the family's file)."""
    latency: I32 | None = None
    """(R, P) cycles a flit spends on each link where a file gave them; None means the simulator's setting."""
    labels: tuple[str, ...] | None = None
    """Names of the routers as the outside gave them (NetworkX, files), or None for 0..R-1."""
    attributes: Mapping[str, object] = field(default_factory=dict)
    """The family's parameters by name, for results and reports."""
    given: tuple[Any, str] | None = None
    """A copy of the NetworkX graph that it was made from, and the `digest` it had then; see `to_networkx`."""

    def __init_subclass__(cls) -> None:
        """Refuse other answers than those that follow from the checked arrays."""
        super().__init_subclass__()
        for name in vars(cls):
            if name in SAID or name == "__post_init__":
                raise JumpnetError(f"{cls.__name__}: {name!r} found, which every network has already")

    def __post_init__(self) -> None:
        vars(self).update(checked_arrays(self.spec, self.directed, vars(self)))

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """A copy or what another process has sent: its arrays can be written until they are checked."""
        vars(self).update(state)
        self.__post_init__()

    @property
    def routers(self) -> int:
        """Number of routers R."""
        return self.neighbor.shape[0]

    @property
    def ports(self) -> int:
        """Largest number of network ports P of a router."""
        return self.neighbor.shape[1]

    @property
    def endpoints(self) -> int:
        """Number of terminals."""
        return int(self.terminals.sum())

    @property
    def channels(self) -> int:
        """Number of one-way channels (twice the links of a bidirectional network)."""
        return int(np.count_nonzero(self.neighbor != NO_ROUTER))

    @property
    def links(self) -> int:
        """Number of links: a two-way pair of channels is one; each channel of a directed network is one."""
        return self.channels if self.directed else self.channels // 2

    @property
    def channel_ends(self) -> tuple[I64, I64, I32]:
        """(C,) each: router, port, and router at the far end of each channel, in the order of routers and ports.

        >>> from jumpnet.topology import build
        >>> [ends.tolist() for ends in build("mesh:3").channel_ends]
        [[0, 1, 1, 2], [0, 0, 1, 1], [1, 2, 0, 1]]
        """
        router, port = np.nonzero(self.neighbor != NO_ROUTER)
        return router, port, self.neighbor[router, port]

    @property
    def link_ends(self) -> tuple[I64, I64, I32]:
        """(L,) each: the same of each link once, of a two-way one from the end with the smaller router, then port."""
        router, port, far = self.channel_ends
        first = self.directed | (router < far) | ((router == far) & (port <= self.far_port[router, port]))
        return router[first], port[first], far[first]

    @property
    def terminal_router(self) -> I32:
        """(T,) router at which each terminal injects, terminals numbered in router order."""
        return np.repeat(np.arange(self.routers, dtype=np.int32), self.terminals)

    @property
    def sink_router(self) -> I32:
        """(T,) router at which each terminal ejects."""
        return np.repeat(np.arange(self.routers, dtype=np.int32), self.sinks)

    @property
    def degrees(self) -> I32:
        """(R,) number of network ports with a link (outgoing channels) of each router."""
        return (self.neighbor != NO_ROUTER).sum(axis=1).astype(np.int32)

    def router_at(self, text: str) -> int:
        """The router a person means: an index (`17`), coordinates (`1,2`), or a label of a network from a file."""
        text = text if isinstance(text, str) else written(text)
        words = [w.strip() for w in text.replace("(", "").replace(")", "").split(",")]
        if self.labels is not None and text in self.labels:
            return self.labels.index(text)
        try:
            numbers = [int(w) for w in words]
        except ValueError:
            meant = f"; did you mean {close!r}?" if (close := nearest(text, self.labels or ())) else ""
            raise JumpnetError(f"router {text!r} found, an index or coordinates such as 1,2 expected{meant}") from None
        if len(numbers) == 1:
            if not 0 <= numbers[0] < self.routers:
                raise JumpnetError(f"router {numbers[0]} found, 0 to {self.routers - 1} expected in {self.spec}")
            return numbers[0]
        if len(numbers) != self.coord.shape[1]:
            raise JumpnetError(f"{len(numbers)} coordinates found, {self.coord.shape[1]} expected in {self.spec}")
        match = np.flatnonzero((self.coord == np.array(numbers)).all(axis=1))
        if match.size == 0:
            raise JumpnetError(f"no router at {text} in {self.spec}")
        return int(match[0])

    def check(self) -> None:
        """What is done whenever a network is made: JumpnetError unless the arrays agree, as they do ever since."""
        checked_arrays(self.spec, self.directed, vars(self))

    @property
    def digest(self) -> str:
        """Hash of all that figures follow from: what tells two networks apart that no spec does. Cost: O(R P).

        >>> from jumpnet.topology import build
        >>> build("mesh:2x3").digest == build("mesh:3x2").digest
        False
        """
        return content_hash(self)

    @property
    def content_name(self) -> str:
        """`digest`; where routers have places, another one: lengths of wire and pictures follow from them too."""
        return self.digest if self.position is None else content_hash(self, "position")

    def renamed(self, spec: str) -> Network:
        """The same arrays under another spec string."""
        return replace(self, spec=spec)


show_views(Network, *SHAPES, "position", "orbits")
SAID = frozenset(name for name in vars(Network) if not name.startswith("_"))
"""What every network says of itself."""


class Implicit(NamedTuple):
    """A network too big for a table: its neighbors by a function instead, one terminal at every router.

    See `graph/distances.py` for the searches that use it.
    """

    routers: int
    """Number of routers."""
    ports: int
    """Largest number of neighbors of a router."""
    neighbors: Callable[[I64, int, I64], int]
    """`neighbors(params, router, out) -> count`: plain integer Python that also compiles; neighbors may repeat."""
    params: I64
    """Integers handed to `neighbors`."""
    orbits: Orbits | None
    """As in Network."""
    directed: bool = False
    """True when channels are one-way."""


@entry
def _pair_ports(neighbor, mirror, far_port):
    """Fill far_port: the hinted port when it leads back, else the first free port that does; O(R P^2).

    Returns -1, or a router one of whose links has no way back.
    """
    routers, ports = neighbor.shape
    for r in range(routers):
        for p in range(ports):
            s = neighbor[r, p]
            if s < 0 or far_port[r, p] >= 0:
                continue
            want = mirror[r, p]
            if want >= 0 and neighbor[s, want] == r and far_port[s, want] < 0 and not (s == r and want == p):
                far_port[r, p] = want
                far_port[s, want] = p
                continue
            for q in range(ports):
                if neighbor[s, q] == r and far_port[s, q] < 0 and not (s == r and q == p):
                    far_port[r, p] = q
                    far_port[s, q] = p
                    break
            if far_port[r, p] < 0:
                return r
    return -1


@entry
def _drop_repeated(neighbor):
    """Remove, in place, links to the router itself and second links to a neighbor; O(R P^2)."""
    routers, ports = neighbor.shape
    for r in range(routers):
        for p in range(ports):
            s = neighbor[r, p]
            repeated = s == r
            for q in range(p):
                repeated |= neighbor[r, q] == s
            if repeated:
                neighbor[r, p] = -1


def simple_links(neighbor: I32) -> I32:
    """A copy without links to the router itself and without second links to a neighbor (later ports lose).

    >>> simple_links(np.array([[1, 1], [0, 0]])).tolist()
    [[1, -1], [0, -1]]
    """
    result = np.array(neighbor, dtype=np.int32, order="C")
    _drop_repeated(result)
    return result


@public
def from_neighbors(
    spec: str,
    family: str,
    neighbor: I32,
    *,
    link_class: I32 | None = None,
    class_names: tuple[str, ...] = ("links",),
    mirror: I32 | None = None,
    terminals: I32 | None = None,
    directed: bool = False,
    **more: Any,
) -> Network:
    """Complete a neighbor table to a Network: pair the ports and fill the usual defaults.

    `link_class` may be (R, P) or one row (P,) for all routers; all links are of one class without it. `mirror`, (R, P)
    or (P,), is the preferred port on the far side (e.g. x- for x+), which decides how parallel links pair up.
    `neighbor` (R, P) has NO_ROUTER where a port has no link; `terminals` are (R,) endpoints that send, one each by
    default. `more` are other fields of Network: `sinks`, (R,) endpoints that receive, as many by default; `class_rank`,
    `coord`, `orbits`, `position`, `params` and the rest; None for the default. Raises JumpnetError when a link has no
    way back, and for an argument that is no field.

    >>> ring = np.array([[1, 2], [2, 0], [0, 1]])
    >>> from_neighbors("ring", "mine", ring, mirror=np.array([1, 0])).far_port.tolist()
    [[1, 0], [1, 0], [1, 0]]
    """
    refuse_more("from_neighbors", more, Network)
    routers, ports = table_shape(f"{spec}: neighbor", neighbor)
    require(table_bytes(routers, ports), str(spec))
    neighbor = whole_numbers(f"{spec}: neighbor", neighbor, NO_ROUTER, routers - 1)
    none = neighbor == NO_ROUTER
    given = np.zeros(ports, np.int32) if link_class is None else link_class
    classes = np.where(none, np.int32(-1), _for_each(f"{spec}: link_class", given, neighbor, MOST))
    far = np.full(neighbor.shape, NO_PORT, np.int32)
    if directed:
        far[~none] = _rank_within(neighbor[~none])
    else:
        hints = _for_each(f"{spec}: mirror", np.full(ports, -1) if mirror is None else mirror, neighbor, ports)
        if (bad := _pair_ports(neighbor, np.ascontiguousarray(hints), far)) >= 0:
            raise JumpnetError(f"{spec}: a link of router {bad} has no way back")
    if not isinstance(class_names, tuple | list):
        raise JumpnetError(f"{spec}: class_names of type {type(class_names).__name__} found, a tuple of texts expected")
    ends = np.ones(routers, np.int32) if terminals is None else terminals
    rank, coord = np.zeros(len(class_names), np.int32), np.arange(routers, dtype=np.int32)[:, None]
    usual = {"class_rank": rank, "coord": coord, "sinks": ends}
    return Network(
        spec=spec,
        family=family,
        neighbor=neighbor,
        far_port=locked(far),
        link_class=locked(classes),
        class_names=class_names,
        terminals=ends,
        directed=directed,
        **{**usual, **{name: value for name, value in more.items() if value is not None}},
    )


def _for_each(what: str, values: Any, neighbor: I32, count: int) -> I32:
    """Numbers from -1 to below `count` for each port of each router, given for each or for the ports of all alike."""
    given = whole_numbers(what, values, -1, count - 1)
    if given.shape not in (neighbor.shape, neighbor.shape[1:], ()):
        raise JumpnetError(f"{what} has shape {given.shape}, {neighbor.shape} or {neighbor.shape[1:]} expected")
    return np.broadcast_to(given, neighbor.shape)


@public
def from_links(
    spec: str, family: str, routers: int, ends: I64, *, latency: I64 | None = None, directed: bool = False, **more: Any
) -> Network:
    """Complete a list of links to a Network of one link class; a router's ports follow the order of the list.

    `ends`, (L, 2), holds router numbers, from and to; parallel links stay apart. `latency`, (L, 2), cycles there and
    back (only the first counts when `directed`). `more` is passed to Network. Raises JumpnetError for a router number
    out of range, a link from a router to itself, what is no whole number, more columns than two, or a table that would
    not fit in memory. Cost: O(L log L).

    >>> from_links("ring", "example", 3, np.array([[0, 1], [1, 2], [2, 0]])).neighbor.tolist()
    [[1, 2], [0, 2], [1, 0]]
    """
    refuse_more("from_links", more, Network)
    ends = pairs(f"{spec}: ends", ends, -(2**63), 2**63 - 1)
    if ends.size and (ends.min() < 0 or ends.max() >= routers):
        wrong = ends.min() if ends.min() < 0 else ends.max()
        raise JumpnetError(f"{spec}: a link to router {wrong} found, 0 to {routers - 1} expected")
    if (loops := np.flatnonzero(ends[:, 0] == ends[:, 1])).size:
        raise JumpnetError(f"{spec}: a link from router {int(ends[loops[0], 0])} to itself found, two routers expected")
    # Channels in the order of the list: there, and back right after it where links are two-way.
    ways = ends[:, :1] if directed else ends
    source, target = ways.reshape(-1), (ends[:, 1:] if directed else ends[:, ::-1]).reshape(-1)
    port, arrival = _rank_within(source), _rank_within(target)
    ports = int(port.max(initial=-1)) + 1
    require_table(routers, ports, spec)
    neighbor = np.full((routers, ports), NO_ROUTER, np.int32)
    far, classes = np.full_like(neighbor, NO_PORT), np.full_like(neighbor, -1)
    neighbor[source, port], classes[source, port] = target, 0
    # Two-way: the channel beside it in the list leaves by the port at which this one arrives.
    far[source, port] = arrival if directed else port.reshape(-1, 2)[:, ::-1].reshape(-1)
    cycles = None
    if latency is not None:
        there = pairs(f"{spec}: latency", latency, 0, MAX_LATENCY_CYCLES, len(ends))
        cycles = np.zeros((routers, ports), np.int32)
        cycles[source, port] = (there[:, :1] if directed else there).reshape(-1)
    one, coord = np.ones(routers, np.int32), np.arange(routers, dtype=np.int32)[:, None]
    given: dict[str, Any] = {"class_names": ("link",), "class_rank": np.zeros(1, np.int32), "coord": coord}
    given |= {"link_class": locked(classes), "terminals": one, "sinks": more.get("terminals", one), **more}
    return Network(spec, family, locked(neighbor), locked(far), latency=cycles, directed=directed, **given)


def _rank_within(key: I64) -> I64:
    """For each entry, how many earlier entries have the same value."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    rank = np.empty(key.size, np.int64)
    rank[order] = np.arange(key.size) - np.searchsorted(ordered, ordered, side="left")
    return rank
