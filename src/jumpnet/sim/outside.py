"""A network whose packets come from outside: post them, advance, and take what has been delivered.

What drives a machine with the network in its loop (`machine.closed_loop`). A packet is named by a number of the
caller's, and no process creates anything. Packets may be of several virtual networks: classes with virtual channels of
their own, each with a queue at each terminal. The twin is a replay of the same packets.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, Routing
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.memory.allocate import require_room
from jumpnet.sim.memory.fields import COUNTER, INJECTOR_ROW, ReceiveBufferRow
from jumpnet.sim.terminals.finite_buffers import free_places
from jumpnet.sim.terminals.posting import END_CYCLE, post_packets
from jumpnet.terms import I64

__all__ = ["Outside"]

FIRST_DELIVERIES = 1 << 10


@public
class Outside:
    """A network under simulation into which packets are posted, by one thread: deliveries are one list.

    >>> from jumpnet.sim.config.sim_config import preset
    >>> from jumpnet.topology import build
    >>> network = Outside(build("torus:4x4"), "torus.dimension_order", preset("booksim", vcs=2))
    >>> one = np.ones(1, np.int64)
    >>> network.post(7 * one, 0 * one, 2 * one, 10 * one, 4 * one)
    >>> network.advance(100)
    >>> [row.tolist() for row in network.take()], network.config.zero_load_cycles(3, 4)
    ([[7], [10], [30]], 20)
    """

    def __init__(
        self, net: Network, routing: str | Routing | BoundRouting | None, config: SimConfig, **engine: Any
    ) -> None:
        config.refuse(("load_steps", "reply_flits", "exchange_flits", "subnets"), "where packets are posted")
        if config.priority == "network_age":  # of these packets it is not kept when each flit enters
            raise JumpnetError("priority network_age found, another one expected where packets are posted")
        if config.class_channels == "shared":
            config.refuse(("more_classes",), "where packets are posted, without class_channels own")
        silent = [{**c.model_dump(), "load": 0.0} for c in config.more_classes]
        self.config = config.replace(load=0.0, source_queue_packets=0, more_classes=silent)
        self.engine = Engine(net, routing, self.config, threads=1, **engine)
        self.engine.end_cycle = END_CYCLE
        self.engine.memory.grow("delivery", FIRST_DELIVERIES)
        self._still = -1

    @property
    def cycle(self) -> int:
        """The next cycle to come."""
        return self.engine.cycle

    @property
    def packets(self) -> int:
        """Packets that were posted and have not been delivered."""
        return int(self.engine.state.counter[COUNTER.packets])

    @property
    def least_cycles(self) -> int:
        """What happens in cycle t delivers packets at cycle t plus so many, or later."""
        s = self.engine.shape
        return s.sa + s.st + s.terminal_link

    def post(self, number: I64, source: I64, to: I64, created: I64, flits: I64, classes: I64 | None = None) -> None:
        """Packets (K,) from terminal to terminal, created at given cycles; those of a source in order of creation.

        classes: of each, the first where nothing is said. Raises JumpnetError for packets of the past, terminals and
        classes that are not there, packets without flits, and under cut-through packets longer than a buffer.
        """
        of = 0 if classes is None else classes
        if len(number):
            self._check(source, to, created, flits, of)
            self._post(number, source, to, created, flits, of, -1, 0)

    def _post(self, *columns: I64 | int, told: int = 0) -> I64:
        """The arguments of `post_packet` for each packet, checked; its answers (K,)."""
        posts = np.stack(np.broadcast_arrays(*columns), axis=1, dtype=np.int64, casting="unsafe")
        message = np.full(len(posts), -1, np.int64)
        self.make_room(len(posts), told)
        post_packets(self.engine.memory.address, posts, message)
        return message

    def _check(self, source: I64, to: I64, created: I64, flits: I64, classes: I64 | int) -> None:
        """Raise JumpnetError for packets that cannot be posted."""
        s = self.engine.shape
        ends = ("source", source, s.terminals), ("destination", to, s.terminals)
        for name, values, count in (*ends, ("class", classes, s.classes)):
            if np.min(values) < 0 or np.max(values) >= count:
                wrong = int(np.min(values) if np.min(values) < 0 else np.max(values))
                of = " of a packet" if name == "class" else ""
                raise JumpnetError(f"{name} {wrong}{of} found, 0 to {count - 1} expected")
        if created.min() < self.cycle or flits.min() < 1:
            raise JumpnetError(f"a packet before cycle {self.cycle} or without flits found")
        self.check_lengths(flits)

    def check_lengths(self, flits: I64) -> None:
        """Raise JumpnetError for lengths of packets that cannot be posted: kernels post without a look at them."""
        s = self.engine.shape
        if s.bubble and bool((flits != s.bubble).any()):
            raise JumpnetError(f"packets of other than {s.bubble} flits found, packet_flits expected with bubbles")
        require_room(s, flits)

    def make_room(self, packets: int, told: int = 0) -> None:
        """Room for so many packets more, and in the list of deliveries, which kernels that post take for granted.

        told: what may be listed besides one delivery of each packet. Raises JumpnetError.
        """
        counter = self.engine.state.counter
        while len(self.engine.state.packet) - counter[COUNTER.packets] < self.engine.room_packets + packets:
            self.engine.make_room(packets)
        known = int(counter[COUNTER.deliveries] + counter[COUNTER.packets]) + packets + told
        if known > len(self.engine.state.delivery):
            self.engine.memory.grow("delivery", 2 * known)

    def limit(self, room: int) -> None:
        """From now on each terminal has room for so many packets of each class, until `free` is called for them.

        Called once, before anything is posted. A packet takes its place when it is given the way out of its last
        router. Raises JumpnetError for no room at all, and where a terminal has several ports.
        """
        s, config = self.engine.shape, self.config
        config.refuse(("ejection_ports", "injection_ports"), "where terminals have room for few packets")
        if room < 1:
            raise JumpnetError(f"room for {room} packets found, 1 or more expected")
        kept = max(0, s.class_vcs - room)
        rows = np.zeros((s.terminals * s.classes, len(ReceiveBufferRow._fields)), np.int64)
        rows[:] = max(0, room - s.class_vcs), ((1 << kept) - 1) << (s.class_vcs - kept)
        port = s.link_outputs + self.engine.state.sink_index.astype(np.int64)
        free = self.engine.state.free.reshape(s.routers, s.out_vc_words)
        for c in range(s.classes):
            for v in range(s.class_vcs - kept, s.class_vcs):
                o = port * s.vcs + c * s.class_vcs + v
                np.bitwise_and.at(free, (self.engine.state.sink_router, o >> 6), ~(np.int64(1) << (o & 63)))
        self.engine.memory.replace(finite=1, receive_buffer=rows)

    def free(self, places: I64) -> None:
        """So many packets (terminals, classes) have left their terminals, which have room for others from now on."""
        free_places(self.engine.memory.address, np.ascontiguousarray(places, np.int64).reshape(-1), self.cycle)

    @property
    def entered(self) -> I64:
        """(terminals, classes) packets that have left their terminals whole."""
        s = self.engine.shape
        return self.engine.state.injector.reshape(s.terminals, s.classes, -1)[..., INJECTOR_ROW.entered]

    def advance(self, cycle: int) -> None:
        """Simulate up to a cycle. Raises JumpnetError when packets are in the network and none moves for long."""
        patience = self.config.deadlock_cycles
        while self.cycle < cycle:
            self._jump(cycle)
            self.engine.advance(min(cycle - self.cycle, patience + 1))
            if not self.engine.still:
                self._still = -1
            elif self._still < 0:
                self._still = self.cycle  # the packet may have just come into a network that was empty for long
            elif self.cycle - self._still > patience:
                found = f"no flit has moved since cycle {int(self.engine.state.counter[COUNTER.moved])}"
                raise JumpnetError(f"{self.engine.network.spec}: {found}, with packets in the network: deadlock")

    def go_to(self, cycle: int) -> None:
        """Simulate up to a cycle, whoever stands still."""
        self._jump(cycle)
        self.engine.advance(cycle - self.cycle)
        self._still = -1

    def _jump(self, cycle: int) -> None:
        """Go to the last cycle before one, where no cycle until then changes anything."""
        if not self.packets:
            state = self.engine.state
            if not (state.awake.any() or state.active.any()):
                self.engine.cycle = max(self.cycle, cycle - 1)

    def went_on_to(self, cycle: int) -> None:
        """Kernels have simulated up to a cycle, in which packets moved or none was there. Raises JumpnetError."""
        if cycle > self.cycle:
            self.engine.cycle, self._still = cycle, -1
        self.engine.raise_errors()

    def take(self) -> tuple[I64, I64, I64]:
        """Numbers, cycles of creation and of arrival (K,) of the packets delivered since the last call.

        An arrival may lie ahead: the last flit is then on its way to the terminal.
        """
        counter = self.engine.state.counter
        rows = self.engine.state.delivery[: counter[COUNTER.deliveries]]
        counter[COUNTER.deliveries] = 0
        return rows[:, 0].copy(), rows[:, 1].copy(), rows[:, 2].copy()
