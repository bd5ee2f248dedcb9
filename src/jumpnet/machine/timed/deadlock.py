"""What waits for what where a machine stands still: a ring through full nodes, queues at sources and channels.

Everything that is there waits, so that any way along waits comes round. A node that is full of a network waits for room
to send by another one, or, if it keeps a request of a line that is being served, for the message that is under way for
it, or for the page that it lies on; a router that has to send a copy of a multicast on waits for room too; a queue at a
source waits for the channel by which it enters; a packet at the front of a buffer for the buffer after
it, for the packet that holds what it wants, or for a full node. In plain Python: it runs once. Used by `cosimulation`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels import processors as kernel
from jumpnet.machine.timed.networks import WORDS
from jumpnet.sim.memory import layout
from jumpnet.sim.memory.fields import COUNTER, INJECTOR_ROW, LANE_ROW, OUT_VC_ROW, PACKET_ROW, TERMINAL_ROW
from jumpnet.sim.outside import Outside

__all__ = ["Full", "Lane", "Queue", "ring_of", "standstill", "told"]


@dataclass(frozen=True)
class Full:
    """A node that has no room for more of a virtual network."""

    node: int
    network: int
    kind: str
    """A kind of message that it keeps."""


@dataclass(frozen=True)
class Queue:
    """Messages that wait to enter a virtual network."""

    node: int
    network: int
    kind: str
    """That of the first."""


class Lane(NamedTuple):
    """The packet at the front of an input buffer."""

    router: int
    lane: int


Place = Full | Queue | Lane


class _Standstill:
    """A machine and its network, read as they stand."""

    def __init__(self, m: Any, network: Outside) -> None:
        self.m, engine = m, network.engine
        self.s, self.state = engine.shape, engine.state
        s = self.s
        of_routers = s.routers * s.lanes  # after them come those of terminals
        self.lanes = engine.lanes[:of_routers].reshape(s.routers, s.lanes, -1)
        self.slots = engine.slots[:of_routers].reshape(s.routers, s.lanes, -1)
        self.heads = self.state.head[: of_routers * s.buffer].reshape(s.routers, s.lanes, -1)
        self.out = engine.out_vcs.reshape(s.routers, s.out_vcs, -1)
        self.packets = self.state.packet
        self.terminal = {(int(r), int(k)): t for t, (r, k) in enumerate(zip(self.state.sink_router.tolist(),
                         self.state.sink_index.tolist(), strict=True))}  # fmt: skip

    def after(self, place: Place) -> Place | None:
        """What a place waits for."""
        if isinstance(place, Lane):
            return self._after_lane(place)
        return self._after_queue(place) if isinstance(place, Queue) else self._after_node(place)

    def starts(self) -> list[Place]:
        """Where a ring may be met: at all packets that have not entered whole, then at all lanes under way."""
        lanes = ((r, b) for r in range(self.s.routers) for b in range(self.s.input_lanes))
        queues: list[Place] = [Queue(t, c, self._kind(p)) for t, c, p in self._waiting()]
        return queues + [Lane(r, b) for r, b in lanes if self.lanes[r, b, LANE_ROW.out_vc] != layout.IDLE]

    # The network.

    def _packet(self, p: int, field: int) -> int:
        return int(self.packets[p // layout.PACKET_FIELDS, field])

    def _kind(self, p: int) -> str:
        return WORDS[self.m.message[self._packet(p, PACKET_ROW.number) + at.MESSAGE.kind]]

    def _downstream(self, r: int, o: int) -> Lane:
        far = int(self.out[r, o, OUT_VC_ROW.to_router])
        return Lane(far, int(self.out[r, o, OUT_VC_ROW.to_cell]) - far * self.s.cells)

    def _after_lane(self, place: Lane) -> Place | None:
        row, s = self.lanes[place], self.s
        o, p = int(row[LANE_ROW.out_vc]), int(row[LANE_ROW.packet])
        if o >= 0 and int(self.slots[place][row[LANE_ROW.read]]) < layout.FLIT:
            return self._feeder(place)
        if o >= 0:
            return self._downstream(place.router, o) if o < s.link_outputs * s.vcs else None
        for o in self._wanted(place):
            if o >= s.link_outputs * s.vcs:
                t = self.terminal[place.router, o // s.vcs - s.link_outputs]
                return Full(t, o % s.vcs // s.class_vcs if s.classes > 1 else 0, self._kind(p))
            holder = int(self.out[place.router, o, OUT_VC_ROW.owner])
            return Lane(place.router, holder) if holder >= 0 else self._downstream(place.router, o)
        return None

    def _wanted(self, place: Lane) -> Iterator[int]:
        words = self.state.wants.reshape(self.s.routers, self.s.lanes, -1)[place].tolist()[layout.WANTS_FIELDS :]
        for o in range(self.s.out_vcs):
            if (words[o >> 6] | words[self.s.out_vc_words + (o >> 6)]) >> (o & 63) & 1:
                yield o

    def _feeder(self, place: Lane) -> Place | None:
        """What the rest of a packet waits for whose flits here have gone on."""
        for r in range(self.s.routers):
            for o in range(self.s.link_outputs * self.s.vcs):
                if int(self.out[r, o, OUT_VC_ROW.to]) >= 0 and self._downstream(r, o) == place:
                    holder = int(self.out[r, o, OUT_VC_ROW.owner])
                    return Lane(r, holder) if holder >= 0 else None
        return None

    def _injector(self, node: int, network: int) -> Any:
        return self.state.injector[node * self.s.classes + network]

    def _after_queue(self, place: Queue) -> Place | None:
        entering, s, t = self._injector(place.node, place.network), self.s, place.node
        vc = max(int(entering[INJECTOR_ROW.vc]), place.network * s.class_vcs if s.classes > 1 else 0)
        first = (s.link_inputs + int(self.state.source_index[t])) * s.vcs
        return Lane(int(self.state.source_router[t]), first + vc)

    # The nodes.

    def _queue(self, node: int, row: int, *, of_router: bool = False) -> Queue | None:
        """The first queue that handling a message at a node, or sending a copy on, would need and that has no room."""
        network = int(kernel.full_network(self.m.address, node, row, int(of_router)))
        if network < 0:
            return None
        p = int(self._injector(node, network)[INJECTOR_ROW.packet])
        return Queue(node, network, self._kind(p) if p >= 0 else "")

    def _after_node(self, place: Full) -> Place | None:
        node, network = place.node, place.network
        copies = self._keeps_of(network, self._to_send_on(node, network))
        for row in copies:
            if (found := self._queue(node, row, of_router=True)) is not None:
                return found
        rows = [row for server, row in self._in_queues() if server // self.m.units == node] + list(self._stalled(node))
        return next((after for row in self._keeps_of(network, rows) if (after := self._after(node, row))), None)

    def _after(self, node: int, row: int) -> Place | None:
        """What a message that its node keeps waits for: room, or a message by which its line is free again."""
        found: Place | None = self._queue(node, row)
        if found is None and self.m.message[row + at.MESSAGE.kind] <= at.PUT:
            found = self._under_way(int(self.m.message[row + at.MESSAGE.line]))
        return found

    def _in_queues(self) -> Iterator[tuple[int, int]]:
        """(memory-based processor, message) of all that have not been turned to."""
        m = self.m
        for server in range(m.nodes * m.units):
            row = int(m.queue[server * len(at.QUEUE) + at.QUEUE.first])
            while row >= 0:
                yield server, row
                row = int(m.message[row + at.MESSAGE.next])

    def _to_send_on(self, node: int, network: int) -> Iterator[int]:
        """Copies of multicasts that a router has to send on."""
        row = int(self.m.relay[2 * (node * self.m.networks + network)])
        while row >= 0:
            yield row
            row = int(self.m.message[row + at.MESSAGE.next])

    def _stalled(self, node: int) -> Iterator[int]:
        """Requests that wait at their home for their line."""
        m = self.m
        for line in range(len(m.line) // len(at.LINE)):
            row = int(m.line[line * len(at.LINE) + at.LINE.first])
            while row >= 0 and m.home[m.page[line]] == node:
                yield row
                row = int(m.message[row + at.MESSAGE.next])

    def _keeps_of(self, network: int, rows: Iterable[int]) -> Iterator[int]:
        """Those messages of a network, of some, that take a place."""
        for row in rows:
            if self._turn_of(row) == (network, True):
                yield row

    def _waits(self, server: int, row: int) -> Queue | None:
        """What a message waits for that has not been turned to: room for it, or for one of its network before it."""
        found, own = None, self._turn_of(row)
        for where, other in self._in_queues():
            if found is None and where == server and self._turn_of(other) == own:
                found = self._queue(server // self.m.units, other)
            if other == row:
                return found
        return None

    def _turn_of(self, row: int) -> tuple[int, bool]:
        """Messages of which this is the same are turned to in order of arrival."""
        fields = self.m.message[row : row + len(at.MESSAGE)]
        return int(self.m.network_of[fields[at.MESSAGE.kind]]), bool(fields[at.MESSAGE.keeps] != at.NO_PLACE)

    def _serves(self, row: int, line: int) -> bool:
        """Whether a request of a line goes on by a message."""
        m, kind = self.m, int(self.m.message[row + at.MESSAGE.kind])
        if kind == at.PAGE:
            return bool(m.page[m.message[row + at.MESSAGE.line]] == m.page[line])
        return bool(m.message[row + at.MESSAGE.line] == line and at.PUT < kind < at.LOCK)

    def _under_way(self, line: int) -> Place | None:
        """Where a message stands by which a request of a line goes on."""
        for server, row in self._in_queues():
            if self._serves(row, line):
                return self._waits(server, row)
        for node, c, p in self._waiting():
            if self._serves(self._packet(p, PACKET_ROW.number), line):
                return Queue(node, c, self._kind(p))
        for r in range(self.s.routers):
            for b in range(self.s.input_lanes):
                for p in self._in_lane(r, b):
                    if self._serves(self._packet(p, PACKET_ROW.number), line):
                        return Lane(r, b)
        return None

    def _waiting(self) -> Iterator[tuple[int, int, int]]:
        """(terminal, network, packet) of all that have not entered whole."""
        s = self.s
        for t in range(s.terminals):
            for c in range(s.classes):
                p = int(self._injector(t, c)[INJECTOR_ROW.packet])
                if p >= 0:
                    yield t, c, p
                p = int(self.state.terminal[t + c * s.terminals, TERMINAL_ROW.reply_first])
                while p >= 0:
                    yield t, c, p
                    p = self._packet(p, PACKET_ROW.following)

    def _in_lane(self, r: int, b: int) -> Iterator[int]:
        """Packets whose head is, or has been, in a lane that has flits."""
        row, slots = self.lanes[r, b], self.slots[r, b]
        if row[LANE_ROW.out_vc] != layout.IDLE:
            yield int(row[LANE_ROW.packet])
        heads = self.heads[r, b]
        place, left = int(row[LANE_ROW.read]), abs(int(row[LANE_ROW.left])) if row[LANE_ROW.out_vc] >= 0 else 0
        if row[LANE_ROW.out_vc] == layout.WAITING:
            left = self._packet(int(row[LANE_ROW.packet]), PACKET_ROW.length)
        place += left
        while left < len(slots) and slots[place % len(slots)] >= layout.FLIT:
            p = int(heads[place % len(slots)])
            yield p
            left, place = left + self._packet(p, PACKET_ROW.length), place + self._packet(p, PACKET_ROW.length)


def ring_of(m: Any, network: Outside) -> list[Place]:
    """Places each of which waits for the next, and the last for the first; empty where none is found."""
    run = _Standstill(m, network)
    for start in run.starts():
        seen: dict[Place, int] = {}
        way: list[Place] = []
        place: Place | None = start
        while place is not None and place not in seen:
            seen[place] = len(way)
            way.append(place)
            place = run.after(place)
        if place is not None:
            return way[seen[place] :]
    return []


def told(ring: list[Place], network: Outside) -> str:
    """A ring in words."""
    s, names = network.engine.shape, network.engine.network.labels
    words = []
    for place in ring:
        if isinstance(place, Lane):
            router = names[place.router] if names else place.router
            words.append(f"router {router} input {place.lane // s.vcs} channel {place.lane % s.vcs}")
        elif isinstance(place, Full):
            words.append(f"node {place.node} full of network {place.network}")
        else:
            words.append(f"{place.kind or 'message'} to send from node {place.node} by network {place.network}")
    return " -> ".join(words)


def standstill(m: Any, network: Outside) -> JumpnetError:
    """The error of a machine that stands still with its network, with a ring if one is found."""
    ring, moved = told(ring_of(m, network), network), int(network.engine.state.counter[COUNTER.moved])
    found = f"{network.engine.network.spec}: no flit has moved since cycle {moved}, deadlock of nodes and network"
    return JumpnetError(f"{found}: {ring} -> the first" if ring else found)
