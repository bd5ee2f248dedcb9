"""The timed machine by its protocol's tables: its clock, processors, queues and caches, and the tables' steps, message
by message.

Between two states of rest the timed machine goes its own way (`machine`). Here it does not: what a processor's access,
an eviction or a message does is a step of the checker's model, and time is the timed machine's. An access takes a
cycle; a request is at its own node's memory-based processor a cycle later; that takes its cycles for each message, in
order of arrival; who waits goes on when the answer is through. Plain Python for a few nodes of a processor each, one
request out, one set of lines in a cache, messages to many one after another. A line's home has no copy of its own, or
is the only node to use the line. Where the kernel's steps are the tables' too both take the same cycles
(tests/machine/test_counterexamples.py). Called by `counterexample`.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.search.model import Model, State, WrongStepError
from jumpnet.coherence.search.records import Way
from jumpnet.machine.timed.design import Costs
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.networks import WORDS, of_tables

__all__ = ["HOME", "PAUSE", "Access", "Packet", "TablesInTime", "Took", "kinds_of"]

PAUSE, HOME = "pause", "home"
LINES = 1
"""Of a cache."""
ASK_READ, ASK_WRITE, PUT, ACK = int(at.ASK_READ), int(at.ASK_WRITE), int(at.PUT), int(at.ACK)


class Access(NamedTuple):
    """What a processor does next."""

    what: str
    """`read` or `write` a line, PAUSE for so many cycles, or `home`: what the line's home does by itself."""
    number: int
    """Of the line, or of the cycles."""
    event: str = ""
    """Of the home."""


class Packet(NamedTuple):
    """A message on its way."""

    where: str
    """Channel of the model (`Way.where`)."""
    cache: int
    """Whose, from 1 on; 0 for combined acknowledges."""
    event: str
    line: int
    source: int
    to: int
    kind: int
    """As in the timed machine (`kernels.tables`): what arrives in one cycle is in this order."""


class Took(NamedTuple):
    """A step, and the state that it led to."""

    cycle: int
    line: int
    way: Way
    source: int
    """Node that the message came from; that of who acts by itself."""
    after: State


def kinds_of(protocol: Protocol) -> dict[str, int]:
    """The timed machine's kind of each message that no processor asks for."""
    kinds = of_tables(protocol, unsent=True)
    return {message: WORDS.index(kind) for message, kind in kinds.items() if message not in protocol.requests}


class TablesInTime:
    """A run of `work`, by processor; `homes` by line, below or at the number of caches.

    latency: cycles of a message that is sent at a cycle, at least 1. outstanding: 1, or 2 where a processor does
    not wait for its write. choose: which of the states, where a step of a line may lead to several.
    """

    def __init__(
        self,
        model: Model,
        homes: Sequence[int],
        work: Sequence[Sequence[Access]],
        *,
        latency: Callable[[Packet, int], int],
        costs: Costs,
        outstanding: int = 1,
        choose: Callable[[int, list[State]], State] = lambda line, states: states[0],
    ) -> None:
        self.model, self.homes, self.work, self.latency, self.costs = model, homes, work, latency, costs
        self.choose, self.buffers = choose, outstanding > 1
        self.kinds, self.state = kinds_of(model.protocol), [model.start for _ in homes]
        self.position, self.done = [0] * len(work), [0] * len(work)
        self.waits: dict[int, tuple[int, str]] = {}
        """By processor: the line, and the access that its state must allow first; empty for an answer."""
        self.held: list[list[int]] = [[] for _ in work]
        """Lines of each cache, the least recently used first."""
        self.queue: dict[int, list[Packet]] = defaultdict(list)
        self.serving: dict[int, Packet] = {}
        self.free: Counter[int] = Counter()
        self.waiting: dict[int, list[Packet]] = defaultdict(list)
        """Requests at the home of a line, until it turns to them."""
        self.events: list[Any] = []
        self.count = 0
        self.took: list[Took] = []
        self.sent: list[tuple[Packet, int, int]] = []
        """Messages between nodes, when sent and when there."""
        self.fault, self.line, self.cycle = "", 0, 0
        """What went wrong, with which line, and when."""

    def run(self, until: int) -> None:
        """Run to the end, to a fault, or to a cycle."""
        for p in range(len(self.work)):
            self._at(0, 0, p, p)
        try:
            while self.events and not self.fault:
                time, order, _, _, what = heapq.heappop(self.events)
                if time > until:
                    return
                self.cycle = time
                (self._go_on, self._through, self._enter)[order](what, time)
        except WrongStepError as wrong:
            self.fault = str(wrong)

    def _at(self, time: int, order: int, key: Any, what: Any) -> None:
        """order: 0 a processor goes on, 1 a node is through with a message, 2 a message arrives."""
        self.count += 1
        heapq.heappush(self.events, (time, order, key, self.count, what))

    def _record(self, line: int, cache: int) -> Any:
        return self.model.records[self.state[line][cache]]

    # Steps of the tables.

    def _take(self, packet: Packet | Way, line: int, node: int, time: int) -> tuple[list[Packet], int]:
        """Take a step: what it sends, and to how many other caches the home sends one after another."""
        self.line = line
        before, source = self.state[line], packet.source if isinstance(packet, Packet) else node
        wanted = (packet.where, packet.cache, packet.event)
        ways = [way for way in self.model.ways(before) if way[:3] == wanted]
        if not ways:
            raise WrongStepError(f"{packet.event} comes where nothing is to come")
        found = {state: way for way in ways for state in self.model.after(before, way)}
        after = self.choose(line, list(found))
        self.state[line] = after
        self.took.append(Took(time, line, found[after], source, after))
        left = self._channels(before)
        if isinstance(packet, Packet):
            left[wanted] -= 1
        fresh = [key for key, count in (self._channels(after) - left).items() for _ in range(count)]
        if said := self.model.fault(after):
            self.fault = self.fault or said
        home = self.homes[line]
        made = [
            Packet(*key, line, node, key[1] - 1 if key[0] == "down" else home, self.kinds.get(key[2], ACK))
            for key in sorted(fresh)
        ]
        if packet.cache:
            self._settle(packet.cache - 1, line, time)
        return made, sum(each.where == "down" and each.to != node for each in made)

    def _channels(self, state: State) -> Counter[tuple[str, int, str]]:
        """Messages on their way."""
        found: Counter[tuple[str, int, str]] = Counter()
        for k in range(1, len(state)):
            cache = self.model.records[state[k]]
            for where, channel in (("down", cache.down + cache.side), ("asked", cache.asked), ("up", cache.up)):
                found.update((where, k, name) for name, _ in channel)
        found["joined", 0, "last"] += self.model.homes[state[0]].joined
        return found

    def _settle(self, p: int, line: int, time: int) -> None:
        """A cache after a step at it or of a message of it: whether its processor goes on, and what the cache holds."""
        cache = self._record(line, p + 1)
        if p in self.waits and self.waits[p][0] == line:
            access = self.waits[p][1]
            if (cache.state, access) in self.model.protocol.cache_rows if access else not cache.owes:
                del self.waits[p]
                self._at(time, 0, p, p)
        held = self.held[p]
        if cache.state not in self.model.protocol.readable:
            held[:] = [other for other in held if other != line]
        elif line not in held:
            held.append(line)
            if len(held) > LINES:
                self._evict(p, held.pop(0), time)

    def _evict(self, p: int, line: int, time: int) -> None:
        for packet in self._take(Way("cache", p + 1, "evict"), line, p, time)[0]:
            put = packet._replace(to=p, kind=PUT)
            self._at(time, 2, self._order(put), put)

    # Processors.

    def _go_on(self, p: int, time: int) -> None:
        if self.position[p] == len(self.work[p]):
            self.done[p] = time
            return
        what, line, event = self.work[p][self.position[p]]
        if what == PAUSE:
            self.position[p] += 1
            self._at(time + line, 0, p, p)
            return
        if what == HOME:
            self.position[p] += 1
            self._send(*self._take(Way(HOME, 0, event), line, self.homes[line], time), self.homes[line], time)
            self._at(time + 1, 0, p, p)
            return
        cache = self._record(line, p + 1)
        row = self.model.protocol.cache_rows.get((cache.state, what))
        if row is None:
            self.waits[p] = line, what
            return
        self.position[p] += 1
        if line in self.held[p]:
            self.held[p].append(self.held[p].pop(self.held[p].index(line)))
        if ("hit", "") not in row.actions:
            kind = ASK_WRITE if what == "write" else ASK_READ
            for packet in self._take(Way("cache", p + 1, what), line, p, time)[0]:
                asked = packet._replace(to=p, kind=kind)
                self._at(time + 1, 2, self._order(asked), asked)
            if self._record(line, p + 1).owes and not (self.buffers and what == "write"):
                self.waits[p] = line, ""
                return
        self._at(time + 1, 0, p, p)

    # Messages and memory-based processors.

    def _order(self, packet: Packet) -> tuple[int, int, int]:
        return packet.kind, packet.source, packet.line

    def _send(self, packets: list[Packet], many: int, node: int, time: int) -> int:
        """Send what a step makes a node send, what is for itself at once; when the node is free."""
        told = 0
        for packet in packets:
            if packet.to == node:
                self._handle(node, packet, time)
                continue
            sent = time + told * self.costs.spacing_cycles
            told += many > 1
            self._post(packet, sent)
        return time + max(0, many - 1) * self.costs.spacing_cycles

    def _post(self, packet: Packet, sent: int) -> None:
        arrives = sent + self.latency(packet, sent)
        self.sent.append((packet, sent, arrives))
        self._at(arrives, 2, self._order(packet), packet)

    def _enter(self, packet: Packet, time: int) -> None:
        """A message is at its node: its memory-based processor turns to it in order."""
        if packet.to in self.serving:
            self.queue[packet.to].append(packet)
        else:
            self._serve(packet, max(time, self.free[packet.to]))

    def _serve(self, packet: Packet, start: int) -> None:
        self.serving[packet.to] = packet
        self._at(start + self.costs.occupancy_cycles, 1, packet.to, packet.to)

    def _through(self, node: int, time: int) -> None:
        packet = self.serving.pop(node)
        self.free[node] = self._handle(node, packet, time)
        if self.queue[node] and node not in self.serving:
            self._serve(self.queue[node].pop(0), self.free[node])

    def _handle(self, node: int, packet: Packet, time: int) -> int:
        """What a message makes its node do; when its memory-based processor is free."""
        line, home = packet.line, self.homes[packet.line]
        if packet.where == "asked" and node != home:
            self._post(packet._replace(to=home), time)
            return time
        if packet.where == "asked":
            self.waiting[line].append(packet)
        else:
            time = self._send(*self._take(packet, line, node, time), node, time)
        while node == home and self.waiting[line] and not self.fault and self._turns(line):
            time = self._send(*self._take(self.waiting[line].pop(0), line, node, time), node, time)
        return time

    def _turns(self, line: int) -> bool:
        return self.model.homes[self.state[line][0]].state not in self.model.protocol.busy
