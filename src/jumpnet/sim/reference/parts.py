"""What routers and terminals of the reference simulator are made of: packets, flits, lanes, buffers, output VCs, links.

With internal speed-up a router does several steps while its links do one cycle; step s belongs to the cycle in which it
is done. Without, step and cycle are the same number. The kernels' twin of the clock is `memory.clock`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from jumpnet.sim.config.sim_config import SimConfig

__all__ = [
    "Arbiters", "Clock", "Delay", "Flit", "Lane", "LinkQueue", "OutVc", "Packet", "SharedBuffer", "Stage",
    "out_vcs_of_port",
]  # fmt: skip


@dataclass(frozen=True)
class Clock:
    """So many `steps` in so many `cycles`.

    >>> clock = Clock(3, 2)
    >>> [clock.first(c) for c in range(4)], [clock.cycle(s) for s in range(6)]
    ([0, 1, 3, 4], [0, 1, 1, 2, 3, 3])
    """

    steps: int
    cycles: int

    def first(self, cycle: int) -> int:
        """The first step of a cycle."""
        return cycle * self.steps // self.cycles

    def cycle(self, step: int) -> int:
        """The cycle of a step."""
        return ((step + 1) * self.cycles - 1) // self.steps

    def after(self, step: int, delay: int) -> int:
        """The step after a stage of so many cycles that begins in `step`.

        A stage of one cycle takes one step; a longer one ends with the first step of its last cycle.
        """
        return step + delay if delay < 2 else self.first(self.cycle(step) + delay - 1) + 1


@dataclass(eq=False)
class Packet:
    """A packet on its way."""

    source: int
    number: int
    kind: int
    destination: int
    length: int
    created: int
    head: Any = None
    hops: int = 0
    draw: int = 0
    """For the routing's start hook."""
    flit_latencies: list[int] = field(default_factory=list)
    """Of the flits that have arrived, in cycles."""


@dataclass(eq=False)
class Flit:
    """One flit of a packet."""

    packet: Packet
    index: int
    entered: int = 0
    """Cycle in which its terminal sent it."""
    arrived: int = 0
    """Step in which it came to the router where it is."""
    hops: int = 0
    """Routers that it has left."""
    sent: int = 0
    """Position among all switch grants so far: the order in which flits of one cycle reach a terminal."""

    @property
    def is_tail(self) -> bool:
        """Whether it is the last one."""
        return self.index == self.packet.length - 1


class Delay:
    """Things that arrive later: a link or a credit wire."""

    def __init__(self) -> None:
        self.due: deque[tuple[int, Any]] = deque()

    def send(self, step: int, thing: Any) -> None:
        """It arrives in that step."""
        self.due.append((step, thing))

    def arrived(self, t: int) -> Iterator[Any]:
        """What has arrived by step t."""
        while self.due and self.due[0][0] <= t:
            yield self.due.popleft()[1]


class SharedBuffer:
    """A buffer that the virtual channels of a port share, as whoever sends into it keeps account of it.

    Slots are counted as flits are sent and credits come back, as in BookSim 2; the kernel counts them anew each time.
    """

    def __init__(self, config: SimConfig, vcs: int) -> None:
        self.c, self.size, parts = config, config.lane_flits(vcs), config.parts_of_a_port(vcs)
        self.part = [max(i for i in range(parts) if i * vcs // parts <= v) for v in range(vcs)]
        self.flits, self.kept = [0] * vcs, [0] * vcs
        """Of each channel, flits whose credits are not back, and slots that its packet keeps without one."""
        self.used = [0] * parts
        """Slots of each part that are taken, its own first."""
        self.shared, self.shared_size = 0, self.size - parts * config.private_flits
        """Slots beyond what parts have of their own: taken, and all."""
        self.held: dict[int, int] = {}
        """Channels that packets hold, and the step since when."""

    def take(self, v: int, t: int) -> None:
        """A packet gets channel v in step t."""
        self.held[v] = t

    def send(self, v: int, is_tail: bool) -> None:
        """A flit is sent into channel v."""
        self.flits[v] += 1
        if self.kept[v]:
            self.kept[v] = 0
        else:
            self.used[self.part[v]] += 1
            self.shared += int(self.used[self.part[v]] > self.c.private_flits)
        if is_tail:
            del self.held[v]

    def free(self, v: int) -> None:
        """A credit of channel v is back."""
        self.flits[v] -= 1
        if v in self.held and self.flits[v] == 0:
            self.kept[v] = 1
            return
        self.used[self.part[v]] -= 1
        self.shared -= int(self.used[self.part[v]] >= self.c.private_flits)

    def most(self, t: int) -> int:
        """Flits that a channel may have, by the channels that packets held before step t."""
        active = sum(since < t for since in self.held.values())
        if self.c.buffer_policy == "limited":
            return self.c.held_flits or self.size
        if self.c.buffer_policy == "dynamic":
            return self.size // max(1, active)
        return self.size >> max(0, active - 1).bit_length() if self.c.buffer_policy == "shifting" else self.size

    def is_full(self, v: int, t: int) -> bool:
        """Whether channel v gets no flit in step t."""
        if self.flits[v] >= self.most(t):
            return True
        own_full = self.used[self.part[v]] >= self.c.private_flits
        return not self.kept[v] and own_full and self.shared >= self.shared_size


@dataclass(eq=False)
class OutVc:
    """An output virtual channel: credits for the lane behind it, and the packet that holds it."""

    credits: int
    vc: int = 0
    """Its number at its port."""
    shared: SharedBuffer | None = None
    """Behind the port, where its virtual channels share the buffer there."""
    link_cycles: int = 0
    """Latency of its link."""
    link: Delay = field(default_factory=Delay)
    credit_wire: Delay = field(default_factory=Delay)
    lane: Lane | None = None
    holder: Packet | None = None
    turn: int = 0
    exists: bool = False

    def has_credit(self, t: int) -> bool:
        """Whether there is room for a flit behind it in step t."""
        return self.credits > 0 if self.shared is None else not self.shared.is_full(self.vc, t)

    def take_credits(self, t: int) -> None:
        """Credits that come back by step t."""
        for _ in self.credit_wire.arrived(t):
            self.credits += 1
            if self.shared is not None:
                self.shared.free(self.vc)

    def hold(self, packet: Packet, t: int) -> None:
        """A packet gets it in step t."""
        self.holder = packet
        if self.shared is not None:
            self.shared.take(self.vc, t)

    def send(self, flit: Flit, t: int) -> None:
        """A flit goes over the link, and is there in step t; after a tail it is free."""
        self.credits -= 1
        self.link.send(t, flit)
        if self.shared is not None:
            self.shared.send(self.vc, flit.is_tail)
        if flit.is_tail:
            self.holder = None


def out_vcs_of_port(config: SimConfig, vcs: int) -> list[OutVc]:
    """The output virtual channels of a port, with a buffer each or one for all of them behind it."""
    shared = None if config.buffer_policy == "private" else SharedBuffer(config, vcs)
    return [OutVc(config.lane_flits(vcs), v, shared) for v in range(vcs)]


@dataclass(eq=False)
class Lane:
    """An input virtual channel: a queue of flits, and what the packet at its front is doing."""

    feeder: OutVc
    credit_cycles: int = 0
    """From the sending of a credit to its use: latency and credit delay."""
    flits: deque[Flit] = field(default_factory=deque)
    state: str = "idle"
    when: int = 0
    turn: int = 0
    packet: Packet | None = None
    wanted: list[tuple[int, int, int]] = field(default_factory=list)
    out_vc: int = -1
    holds: bool = False
    """Whether it keeps its connection through the switch."""


class Arbiters:
    """Arbiters of one kind: matrices, which serve first who was served least recently, and before that the last; or in
    turn. In several groups each is a tree: an arbiter says which group goes first, and one of the group who in it.

    >>> arbiters = Arbiters(2, 3)
    >>> arbiters.serve(0, 2)
    >>> [[arbiters.place(k, one) for one in range(3)] for k in range(2)]
    [[1, 0, 2], [2, 1, 0]]
    >>> tree = Arbiters(1, 4, "round_robin", 2)
    >>> tree.serve(0, 0)
    >>> sorted(range(4), key=lambda one: tree.place(0, one))
    [2, 3, 1, 0]
    """

    def __init__(self, arbiters: int, size: int, kind: str = "matrix", groups: int = 1) -> None:
        def order(size: int) -> list[int]:
            return list(range(size)) if kind == "round_robin" else list(reversed(range(size)))

        self.kind, self.each = kind, size // groups
        self.groups = [order(groups) for _ in range(arbiters)]
        self.members = [[order(self.each) for _ in range(groups)] for _ in range(arbiters)]

    def place(self, arbiter: int, one: int) -> int:
        """How many go before it."""
        group, member = divmod(one, self.each)
        return self.groups[arbiter].index(group) * self.each + self.members[arbiter][group].index(member)

    def serve(self, arbiter: int, one: int) -> None:
        """It has been served, and goes last, in its group too; of no arbiters nothing is kept."""
        if self.groups:
            group, member = divmod(one, self.each)
            for order, served in ((self.groups[arbiter], group), (self.members[arbiter][group], member)):
                at = order.index(served)
                order[:] = (
                    order[at + 1 :] + order[: at + 1]
                    if self.kind == "round_robin"
                    else [*order[:at], *order[at + 1 :], served]
                )


@dataclass
class Stage:
    """A stage of so many cycles: something new begins in each step, or in batches, all that waits when it is empty.

    >>> stage = Stage(3, True, Clock(1, 1))
    >>> [stage.begins(t) for t in (5, 6, 8, 9, 20)]
    [5, 8, 8, 11, 20]
    """

    cycles: int
    in_batches: bool
    clock: Clock
    began: int = -(1 << 20)
    """Step in which the newest batch begins."""

    def begins(self, t: int) -> int:
        """The step in which what is ready in step t begins."""
        if not self.in_batches:
            return t
        if t > self.began:
            self.began = max(t, self.clock.after(self.began, self.cycles))
        return self.began

    def takes(self, t: int, waiting: bool) -> bool:
        """Whether what waits in step t, if anything, begins now."""
        return waiting and self.begins(t) == t


@dataclass
class LinkQueue:
    """Where flits wait for a link, or credits for the wire back: one leaves in a cycle, those of one step together."""

    step: int = -1
    last: int = -1
    """The last step that sent something here, and the cycle in which that leaves."""
    crossing: list[tuple[int, int]] = field(default_factory=list)
    """Flits: the step in which each comes out of the switch, and the cycle in which it leaves."""

    def leave(self, ready: int) -> int:
        """The cycle in which a flit leaves that is there in cycle `ready`."""
        self.last = max(ready, self.last + 1)
        return self.last

    def leave_together(self, step: int, ready: int) -> int:
        """The same for a credit; credits that were sent in one step leave together."""
        if step != self.step:
            self.step, self.last = step, max(ready, self.last + 1)
        return self.last

    def waiting(self, step: int, cycle: int) -> int:
        """Flits that have come out of the switch before a step, and have not left before its cycle."""
        self.crossing = [(out, left) for out, left in self.crossing if left >= cycle]
        return sum(1 for out, _ in self.crossing if out < step)
