"""What sends and receives in the slow multicast simulator: terminals and combining units (nishi1997router, 4.3).

Terminals create messages and acknowledges; units count acknowledges and send one for all. Joined by
`multicast_routers.py`.
"""

from __future__ import annotations

from collections import deque

from tests.naive.multicast_copies import Copy, MessageBook

from jumpnet.jit.random import draw63, stream_key
from jumpnet.sim.memory.message_layout import DATA, FINAL, LOCAL_ACK, ONE_ACK, REPLY, UP_ACK
from jumpnet.sim.multicast.messages import COMBINED, DIRECT
from jumpnet.sim.reference.parts import Packet
from jumpnet.sim.reference.router import Router
from jumpnet.sim.reference.simulation import Terminal

__all__ = ["Processor", "Unit"]


class Processor(Terminal):
    """A terminal: sends messages and acknowledges, and receives."""

    sim: MessageBook

    def __init__(
        self, sim: MessageBook, number: int, router: Router, inputs: range, sink: Router, out_vcs: range
    ) -> None:
        self.sim, self.c, self.number, self.router = sim, sim.c, number, router
        self.acks: deque[Copy] = deque()
        self.messages: deque[Copy] = deque()
        self.sources, self.ports, self.sinks = [], [], []
        self.join(router, inputs, sink, out_vcs)

    def take(self, kind: int, t: int) -> Copy | None:
        """The next acknowledge, else the next message, when it is there."""
        for queue in (self.acks, self.messages):
            if queue and queue[0].created <= t:
                copy = queue.popleft()
                if copy.place < 0:
                    self._draw(copy)
                    if not self.sim.looks:
                        self.sim.start(copy)
                return copy
        return None

    def _draw(self, copy: Copy) -> None:
        """What the routing's start hook draws from, for a packet without a plan."""
        assert self.sim.messages.number is not None
        key = stream_key(self.c.seed, 2 * self.number + 1)
        copy.draw = draw63(key, 4 * int(self.sim.messages.number[copy.source]) + 2)

    def arrived(self, copy: Packet, t: int) -> None:
        """A whole packet has come."""
        assert isinstance(copy, Copy)
        sim, m, k = self.sim, copy.source, copy.place
        if k < 0:
            sim.received[m].append(self.number)
            sim.last_arrival[m] = t
        elif copy.kind == DATA:
            place, x = sim.forest.at(k), sim.sink_index(self.number)
            if not place.drops:
                sim.received[m].append(self.number)
                sim.last_arrival[m] = t
            if place.again >= 0:
                self._send_on(m, place.again, copy.length, t)
                if sim.messages.ack[m] == COMBINED:
                    return  # it acknowledges when what it sends on has been acknowledged
            if sim.messages.ack[m] == DIRECT:
                reply, ready = int(sim.forest.place[k, REPLY + x]), t + sim.wait(m, k, self.number)
                if reply < 0:
                    self._one_less(m, ready)  # the source itself
                else:
                    self.answer(Copy(m, reply, ONE_ACK, 0, sim.ack.ack_flits, ready))
            elif sim.messages.ack[m] == COMBINED:
                self._acknowledge(m, k, t)
        elif copy.kind == ONE_ACK:
            self._one_less(m, t)
        elif copy.kind == FINAL and sim.forest.at(k).origin >= 0:
            self._acknowledge(m, sim.forest.at(k).origin, t)
        elif copy.kind == FINAL:
            sim.acknowledged[m] = t
        else:
            self._count(m, sim.counted_at(copy), t)

    def answer(self, copy: Copy) -> None:
        """Send an acknowledge, or a packet made anew, when it is ready; those ready at the same time in their order."""
        self.acks.append(copy)
        self.acks = deque(sorted(self.acks, key=lambda one: one.created))

    def _send_on(self, m: int, k: int, flits: int, t: int) -> None:
        """Make a packet anew, which starts at place k."""
        self.sim.remade += 1
        self.answer(Copy(m, k, DATA, 0, flits, t + self.sim.ack.remake_cycles))

    def _one_less(self, m: int, t: int) -> None:
        """One more receiver has acknowledged directly; the last one to be counted has come at t."""
        self.sim.to_come[m] -= 1
        if self.sim.to_come[m] == 0:
            self.sim.acknowledged[m] = t

    def _acknowledge(self, m: int, k: int, t: int) -> None:
        """This terminal has received at place k, and all that it sent on from there has been acknowledged."""
        sim, ready = self.sim, t + self.sim.wait(m, k, self.number)
        if (m, k) not in sim.left:
            self._up(m, k, ready)
        elif (m, k) in sim.in_unit or sim.sink_index(self.number) != sim.counting_sink(m, k):
            self.answer(Copy(m, k, LOCAL_ACK, 0, sim.ack.ack_flits, ready))
        else:
            self._count(m, k, t)

    def _count(self, m: int, k: int, t: int) -> None:
        """This terminal counts an acknowledge for place k."""
        self.sim.left[m, k] -= 1
        if self.sim.left[m, k] == 0:
            self._up(m, k, t + self.sim.wait(m, k, self.number))

    def _up(self, m: int, k: int, ready: int) -> None:
        """Everything below place k has received."""
        place = self.sim.forest.at(k)
        if place.origin >= 0:
            self._acknowledge(m, place.origin, ready - self.sim.wait(m, k, self.number))
        elif place.parent < 0:
            self.sim.acknowledged[m] = ready
        else:
            self.answer(Copy(m, k, UP_ACK, 0, self.sim.ack.ack_flits, ready))


class Unit(Processor):
    """The combining unit of a router: counts acknowledges and sends one for all."""

    def arrived(self, copy: Packet, t: int) -> None:
        """An acknowledge has come."""
        assert isinstance(copy, Copy)
        sim, m, k = self.sim, copy.source, self.sim.counted_at(copy)
        sim.left[m, k] -= 1
        if sim.left[m, k] == 0:
            self.answer(Copy(m, k, UP_ACK if sim.forest.at(k).parent >= 0 else FINAL, 0, sim.ack.ack_flits, t))

    def take(self, kind: int, t: int) -> Copy | None:
        """The next combined acknowledge; its entry is free again."""
        copy = super().take(kind, t)
        if copy is not None:
            self.sim.entries_used[self.router.number] -= 1
        return copy
