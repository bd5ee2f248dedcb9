"""A routing as tables: what its relation answers to every packet state, so that it runs where its code is not compiled.

The states of a packet are those of an automaton: number by number the candidates, with the state that each leads to. A
packet carries its number in head[STATE], and the relation here looks up what the other one had answered. What the other
one wrote there, and the router that it visits first, are kept beside it to be shown. Called by `runs` for routings of
a user's own; that a run gives the same figures is said by `tests/web/simulator/test_tabled.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.routings import (
    DESTINATION,
    IN_PORT,
    IN_VC,
    INTERMEDIATE,
    KIND,
    NEXT_STATE,
    PORT,
    SOURCE,
    STATE,
    VC,
    BoundRouting,
    Prepared,
    Routing,
)
from jumpnet.routings.from_python import asking
from jumpnet.routings.reads import fields_read
from jumpnet.routings.view import new_head, new_out
from jumpnet.terms import I64

__all__ = ["HEAD", "MOST_STATES", "relation", "start", "tabled"]

MOST_STATES = 1 << 20
"""States and starts that a page holds of one routing: 1024 routers of one that reads the destination alone, which take
19 CPU seconds and 500 MB here, and are unpacked in the page within a second."""
HEAD = 4
"""Numbers before the tables: draws, states, candidates, whether routers to visit first are told."""
KINDS, VCS, PORTS = 1 << 2, 1 << 10, 1 << 14
"""Each candidate is one number: ((next state * PORTS + port) * VCS + vc) * KINDS + kind."""
CARRIED = (SOURCE, DESTINATION, IN_PORT, IN_VC, INTERMEDIATE)
"""Fields of a header, besides STATE, by which packets differ where the relation reads them."""


def start(net, head, draw, queue):
    """STATE = number of the state in which the packet begins; the router that it visits first, for whoever looks."""
    own = net.own
    routers = net.neighbor.shape[0]
    starts = routers * routers * own[0]
    at = (head[SOURCE] * routers + head[DESTINATION]) * own[0] + draw
    head[STATE] = own[HEAD + at]
    if own[3] > 0:
        head[INTERMEDIATE] = own[HEAD + starts + own[1] + 1 + own[2] + own[1] + at]


def relation(net, here, head, out):
    """The candidates of the packet's state."""
    own = net.own
    routers = net.neighbor.shape[0]
    offsets = HEAD + routers * routers * own[0]
    rows = offsets + own[1] + 1
    first, last = own[offsets + head[STATE]], own[offsets + head[STATE] + 1]
    for k in range(first, last):
        row = own[rows + k]
        out[k - first, KIND] = row % KINDS
        out[k - first, VC] = row // KINDS % VCS
        out[k - first, PORT] = row // (KINDS * VCS) % PORTS
        out[k - first, NEXT_STATE] = row // (KINDS * VCS * PORTS)
    return last - first


_Packet: TypeAlias = tuple[int, ...]
"""A packet as far as its relation can tell: the router where it is, its STATE, and what else of `CARRIED` is read."""


class _States:
    """The states of all packets of a routing, as they are found."""

    def __init__(self, bound: BoundRouting) -> None:
        self.bound = bound
        self.head, self.out = new_head(0, 0), new_out()
        self.ask, self.begin = asking(bound, self.head, self.out)
        reads = fields_read(bound.routing.relation, 2)
        self.carried = [field for field in CARRIED if field in reads]
        self.neighbor, self.far_port = bound.network.neighbor.tolist(), bound.network.far_port.tolist()
        self.numbers: dict[_Packet, int] = {}
        self.found: list[_Packet] = []

    def number(self, here: int) -> int:
        """The number of the state of the packet with the header in hand."""
        head = self.head.tolist()
        packet = (here, head[STATE], *[head[field] for field in self.carried])
        number = self.numbers.setdefault(packet, len(self.found))
        if number == len(self.found):
            if number == MOST_STATES:
                raise _too_many(self.bound, "states of packets")
            self.found.append(packet)
        return number

    def rows(self, packet: _Packet) -> list[int]:
        """Its candidates; what they lead to has numbers from then on."""
        (here, state, *carried), head = packet, self.head
        head[STATE] = state
        for field, value in zip(self.carried, carried, strict=True):
            head[field] = value
        count = self.ask(here)
        if count < 0:
            bound = self.bound
            raise JumpnetError(f"routing {bound.name} on {bound.network.spec}: no route at router {here} found")
        made = []
        for port, vc, after, kind in self.out[:count].tolist():
            head[STATE], head[IN_PORT], head[IN_VC] = after, self.far_port[here][port], vc
            number = self.number(self.neighbor[here][port])
            made.append(((number * PORTS + port) * VCS + vc) * KINDS + kind)
        return made


def _too_many(bound: BoundRouting, what: str) -> JumpnetError:
    return JumpnetError(
        f"routing {bound.name} on {bound.network.spec}: more than {MOST_STATES:,} {what} found, at most so many "
        "expected of a routing that is not jumpnet's own in a page"
    )


def _refuse(bound: BoundRouting) -> None:
    """Raise JumpnetError for what a table does not say."""
    about = bound.routing
    reason = ""
    if about.start is not None and fields_read(about.start, 3):
        reason = "a start hook that reads queues"
    elif about.revises:
        reason = "a start hook that runs at every router"
    elif about.one_vc_at_ends:
        reason = "one_vc_at_ends"
    if reason:
        raise JumpnetError(f"routing {bound.name}: {reason} found, none expected of a routing of one's own in a page")
    if bound.network.routers**2 * bound.draws > MOST_STATES:
        raise _too_many(bound, "pairs and draws")


def _starts(states: _States) -> Iterator[tuple[int, int]]:
    """The state in which each packet begins, by source, destination and draw, and the router that it visits first."""
    bound, net = states.bound, states.bound.network
    for source in range(net.routers):
        fresh = new_head(source, 0)
        for destination in range(net.routers):
            for draw in range(bound.draws):
                if not (net.terminals[source] and net.sinks[destination]):
                    yield 0, -1
                    continue
                states.head[:] = fresh
                states.head[DESTINATION] = destination
                states.begin(draw)
                yield states.number(source), int(states.head[INTERMEDIATE])


def _tables(bound: BoundRouting) -> I64:
    """`net.own` of the routing as tables."""
    states = _States(bound)
    starts = np.array(list(_starts(states)), np.int64).reshape(-1, 2)
    rows: list[int] = []
    offsets = [0]
    for packet in states.found:  # which grows meanwhile
        rows += states.rows(packet)
        offsets.append(len(rows))
    via = starts[:, 1] if (starts[:, 1] >= 0).any() else np.zeros(0, np.int64)
    told = [state for _, state, *_ in states.found]
    parts: list[Any] = [[bound.draws, len(told), len(rows), int(via.size > 0)], starts[:, 0], offsets, rows, told, via]
    return np.concatenate([np.asarray(part, np.int64) for part in parts])


def tabled(bound: BoundRouting) -> BoundRouting:
    """The same routing on the same network by tables, under its own name.

    Raises JumpnetError where it has too many states, chooses by queues at the source, or has no route. Cost: a call of
    the relation for each state, some 18 microseconds with what is kept of it.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> made = tabled(bind("torus.dimension_order", build("torus:4x4")))
    >>> made.name, made.view.own[:3].tolist()
    ('torus.dimension_order', [1, 256, 240])
    """
    _refuse(bound)
    own = _tables(bound)
    about = bound.routing
    made = Routing(
        name=bound.name,
        relation=relation,
        start=start,
        vcs=bound.vcs,
        prepare=lambda net, options: Prepared(own),
        draws=lambda net, options: bound.draws,
        adaptive=about.adaptive,
        bubble=about.bubble,
        source=about.source,
        summary=about.summary,
    )
    return BoundRouting(made, bound.network, bound.vcs, {})
