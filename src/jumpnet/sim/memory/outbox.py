"""Rings in which the threads of one run note for each other's routers, where routers are kept as sets.

What will arrive at a router is noted in its rings (`memory.arrivals`), and only the thread that has the router may
write there. So each thread has rings of its own for those sixteen neighbours of another thread to which it sends flits
or credits, and while all threads wait after an epoch, the owner of the routers takes over what is noted there: nothing
that is sent in an epoch is read in the same. A note names a place alone, so it costs the same wherever it goes.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import inlined, kernel
from jumpnet.jit.vectors.numbers import load, splat, store
from jumpnet.sim.memory.packing import Packing
from jumpnet.terms import I32, I64

__all__ = ["outboxes", "owner_of", "ring_of", "take_over"]

GROUP = 16
"""Routers whose sets lie together."""
NONE = -1


def outboxes(packing: Packing, owner: I64, links: tuple[I64, I64], threads: int) -> tuple[I32, int]:
    """The table `outbox`, and how many numbers of `sets` the rings take; they lie where the winners do without threads.

    owner: (R,) the thread of each router; links: (n,), (n,) from router to router, those between threads at least.
    """
    groups = -(-owner.size // GROUP)
    place = np.full((threads, groups), NONE, np.int64)
    place[owner[::GROUP], np.arange(groups)] = GROUP * packing.set_rows * np.arange(groups)
    r, far = links
    sends = np.concatenate([owner[r] * groups + far // GROUP, owner[far] * groups + r // GROUP])
    new = np.unique(sends[np.ravel(place)[sends] == NONE])
    numbers = 2 * packing.ring * GROUP
    place.ravel()[new] = packing.winners + numbers * np.arange(new.size) - GROUP * packing.came
    return np.append(place.ravel(), owner[::GROUP]).astype(np.int32), numbers * int(new.size)


@inlined
def owner_of(m, r):
    """The thread that has router r."""
    if m.threads == 1:
        return 0
    return m.outbox[m.threads * ((m.routers + 15) >> 4) + (r >> 4)]


@inlined
def ring_of(m, thread, r, ring):
    """Place of the ring in which a thread notes for router r: the router's own one, or one of the thread's."""
    return m.outbox[thread * ((m.routers + 15) >> 4) + (r >> 4)] + 16 * ring + (r & 15)


@kernel
def take_over(m):
    """Put what other threads have noted for routers of this one into the routers' rings, while all wait."""
    groups = (m.routers + 15) >> 4
    for thread in range(m.threads):
        for group in range(m.first_router >> 4, (m.end_router + 15) >> 4):
            box, own = m.outbox[thread * groups + group], 16 * m.set_rows * group
            if thread == m.thread or box < 0:
                continue
            for place in range(16 * m.came, 16 * (m.came + 2 * m.ring), 16):
                store(m.sets, own + place, load(m.sets, own + place) | load(m.sets, box + place))
                store(m.sets, box + place, splat(m.sets, 0))
