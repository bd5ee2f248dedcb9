"""Threads for one large run: deals routers, terminals and free rows out to threads, and adds up what they counted.

Every thread runs the same kernel with its own record: arrays that routers and terminals have rows in are shared,
what is counted or listed is each thread's. While routers are kept as sets, those of all threads lie in one array, with
a place for each thread to work and rings for what it sends to another (`memory.outbox`). Between two calls of `run`
everything stands in the arrays of the one memory, as if a single thread had done it. The barriers are in
`memory.threads`. Used by `engine`.
"""

from __future__ import annotations

import os
import sys
from multiprocessing import parent_process

import numpy as np

from jumpnet.jit.bits import WORD_BITS, pack_words
from jumpnet.jit.decorator import DISABLED
from jumpnet.jit.linked import entry
from jumpnet.process.threads import asked_threads
from jumpnet.sim.engine.cycle import run
from jumpnet.sim.engine.free_lists import FreeLists
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, OUT_VC_ROW, TERMINAL_ROW
from jumpnet.sim.memory.outbox import outboxes
from jumpnet.sim.memory.packing import MOST_PLACES, packing_in, set_numbers
from jumpnet.sim.memory.record import Memory, Share
from jumpnet.sim.memory.shape import Shape
from jumpnet.sim.memory.space import zeros
from jumpnet.sim.memory.state import State
from jumpnet.terms import I32, I64, Array

__all__ = ["Team", "threads_for"]

ROUTERS_OF_A_THREAD = 1024
"""With fewer, a barrier after every epoch costs more than a thread saves."""
OWN = (
    *("histogram", "batches", "by_source"),
    *("counter", "awake", "active", "wheel", "flow", "ahead", "bidders", "work", "asked", "query", "waiting"),
)
"""Arrays that each thread has for itself; those of the first line are added up."""
ERRORS = [COUNTER.error, COUNTER.error_router, COUNTER.error_packet]
GREATEST = [COUNTER.moved, COUNTER.max_latency]
SUMS = sorted(set(range(at.COUNTERS)) - {*ERRORS, *GREATEST, COUNTER.free, COUNTER.barriers})


def threads_for(shape: Shape, state: State, asked: int | None = None) -> int:
    """Threads for a run: as many as asked for, where it can be shared out; by default what the cores and its size give.

    The environment variable JUMPNET_THREADS asks when nothing else does. A process that another one started (for its
    share of many runs) takes one thread: several runs fill the cores better than the threads of one. A run that records
    events, has several classes of traffic, replies to terminals that receive elsewhere than they send, whose switches
    have speed-ups, hold connections or queue at outputs, or whose starts see other routers' queues, takes one, and so
    does plain Python, and Windows. Each thread has 32 routers at least. Raises JumpnetError when JUMPNET_THREADS is no
    positive number.
    """
    asked = asked_threads() if asked is None else asked
    if asked is None:
        alone = parent_process() is None and hasattr(os, "sched_getaffinity")
        asked = min(len(os.sched_getaffinity(0)) if alone else 1, shape.routers // ROUTERS_OF_A_THREAD)
    replies_at_home = shape.reply_flits == 0 or np.array_equal(state.sink_router, state.source_router)
    able = not DISABLED and sys.platform != "win32" and shape.events == 0 and replies_at_home and not shape.has_speedup
    able = able and shape.kinds != at.SEVERAL and shape.start_sees == 1 and shape.subnets == 1
    return max(1, min(asked, shape.routers // WORD_BITS)) if able else 1


@entry
def _put_to_sleep(wheel, wheel_next, terminals, terminal):
    """Put terminals into an empty wheel, each at its next creation."""
    for i in terminals:
        place = terminal[i, TERMINAL_ROW.next_creation] % wheel.size
        wheel_next[i] = wheel[place]
        wheel[place] = i


def _counted(state: State, longest: int) -> tuple[Array, ...]:
    """The arrays that are added up, as far as packets count in them that took at most so many cycles."""
    return state.histogram[:, : longest + 1], state.batches, state.by_source


class Team:
    """The threads of one run; the results are the same for any number of them.

    `memory` is that of the whole run, `threads` at least 2. Its arrays are shared, but for those in `OWN`; `packs` says
    whether routers can be kept as sets, which needs room for the rings between threads. Costs O(terminals) a call of
    `run`, and O(packet rows) where free rows are dealt out again (`free_lists`).
    """

    def __init__(self, memory: Memory, threads: int) -> None:
        self.memory, self.threads = memory, threads
        shape, state = memory.shape, memory.state
        words = -(-shape.routers // WORD_BITS)
        cuts = [WORD_BITS * (words * k // threads) for k in range(threads)] + [shape.routers]
        owner = np.searchsorted(cuts, np.arange(shape.routers), "right") - 1
        links = state.out_vc.reshape(shape.routers, -1, at.OUT_VC_FIELDS)[:, : shape.link_outputs * shape.vcs]
        abroad = (links[..., OUT_VC_ROW.to] >= 0) & (owner[links[..., OUT_VC_ROW.to_router]] != owner[:, None])
        box = 1 + 3 * shape.lookahead * int(np.bincount(owner, abroad.sum(axis=1), threads).max())
        self._shared: dict[str, Array] = {
            "barrier": np.zeros(at.BARRIER_WORDS, np.int64),
            "mail": np.zeros(2 * threads * box, np.int32),
        }
        outbox_numbers = self._make_outboxes(owner, links[..., OUT_VC_ROW.to_router], abroad)
        self._terminals = [owner[state.source_router] == k for k in range(threads)]
        self._awake = [pack_words(own[None], WORD_BITS)[0] for own in self._terminals]
        self._active = [pack_words((owner == k)[None], WORD_BITS)[0] for k in range(threads)]
        self._state, self._free = state, FreeLists(threads)
        self._parts = [
            Memory(
                shape, self._own(state), memory.program, Share(threads, k, cuts[k], cuts[k + 1], box, outbox_numbers)
            )
            for k in range(threads)
        ]
        from concurrent.futures import ThreadPoolExecutor  # a run alone does without

        self._pool = ThreadPoolExecutor(threads)

    def _make_outboxes(self, owner: I64, far: I32, abroad: Array) -> int:
        """Make room for routers as sets, where a note can name all places: numbers of `sets` between the threads."""
        shape, state = self.memory.shape, self.memory.state
        packing = packing_in(shape, state.out_vc, state.length, 0)  # as threads have it, who keep no routes
        self._shared["sets"] = self.memory.state.sets[:0]
        if not self.memory.packs:
            return 0
        r, out_vc = np.nonzero(abroad)
        table, numbers = outboxes(packing, owner, (r, far[r, out_vc].astype(np.int64)), self.threads)
        if packing.winners + numbers < MOST_PLACES:
            sets = zeros(set_numbers(shape, packing, numbers, self.threads), self.memory.state.sets.dtype.type)
            self._shared |= {"sets": sets, "outbox": table}
        return numbers

    @property
    def packs(self) -> bool:
        """Whether the threads can keep the routers as sets."""
        return self._parts[0].packs

    def _own(self, state: State) -> State:
        """The shared arrays, with new ones in the places of those that each thread has for itself."""
        own = {name: zeros(getattr(state, name).shape, getattr(state, name).dtype) for name in OWN}
        return state._replace(**own, **self._shared)

    def run(self, first: int, last: int, room_packets: int, packed: bool) -> tuple[int, float]:
        """Simulate cycles first..last-1: the cycle reached, and the CPU seconds of all threads.

        packed: routers are kept as sets meanwhile.

        Stops early as `cycle.run` does, and at once when less than threads * room_packets rows are free.
        """
        state = self.memory.state
        if len(state.packet) - state.counter[COUNTER.packets] < self.threads * room_packets:
            return first, 0.0
        if state is not self._state:
            self._state = state
            for part in self._parts:
                part.replace_arrays(self._own(state))
        self._deal_out(room_packets)
        doing = [self._pool.submit(run, part, first, last, room_packets, 0, packed) for part in self._parts]
        done = [future.result() for future in doing]
        self._bring_in()
        return done[0][0], sum(seconds for _, seconds in done)

    def _deal_out(self, room_packets: int) -> None:
        state = self._state
        lists = self._free.deal(state, room_packets)
        self._shared["barrier"][:], self._shared["mail"][:] = 0, 0
        asleep = state.terminal[:, TERMINAL_ROW.in_wheel] == 1
        for k, part in enumerate(self._parts):
            own, terminals = part.state, self._terminals[k]
            own.counter[:] = 0
            own.counter[COUNTER.free] = lists[k]
            part.replace(packet_rows=int(self._free.counts[k]))  # instead of all that no packet has
            own.awake[:], own.active[:] = state.awake & self._awake[k], state.active & self._active[k]
            own.wheel[:] = -1
            _put_to_sleep(own.wheel, state.wheel_next, np.flatnonzero(asleep & terminals), state.terminal)

    def _bring_in(self) -> None:
        state, parts = self._state, [part.state for part in self._parts]
        free, taken = (np.array([own.counter[c] for own in parts]) for c in (COUNTER.free, COUNTER.packets))
        self._free.join(state, free, taken)
        for own in parts:
            if state.counter[COUNTER.error] == 0:
                state.counter[ERRORS] = own.counter[ERRORS]
            state.counter[GREATEST] = np.maximum(state.counter[GREATEST], own.counter[GREATEST])
            state.counter[SUMS] += own.counter[SUMS]
            longest = int(own.counter[COUNTER.max_latency])
            for mine, of_all in zip(_counted(own, longest), _counted(state, longest), strict=True):
                of_all += mine
                mine[:] = 0
        state.awake[:], state.active[:] = sum(own.awake for own in parts), sum(own.active for own in parts)
        state.wheel[:] = -1
        asleep = np.flatnonzero(state.terminal[:, TERMINAL_ROW.in_wheel] == 1)
        _put_to_sleep(state.wheel, state.wheel_next, asleep, state.terminal)
