"""Threads of one run: each has a range of routers with their terminals, and they meet after every window of cycles.

What a router does shows elsewhere in later windows only (see `cycle`), so inside a window no thread waits. A thread
writes a flit into another's buffer itself, as nobody else writes that slot; that the buffer's lane is due then, it
posts, and the owner reads it after the meeting. So the results are the same for any number of threads. Called by
`cycle` and `router.switch_traversal`; `team` deals the work out.
"""

from __future__ import annotations

from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import add_for_all, bit, let_others_run, read_of_all
from jumpnet.sim.memory.record import inlined, kernel

__all__ = ["agree", "meet", "post", "window_cycles"]

PATIENCE = 4096
"""Looks at the gate before a waiting thread gives its core away: some ten microseconds."""


@kernel
def meet(m):
    """Wait until every thread of the team is here."""
    m.counter[at.C_MEETINGS] += 1
    all_here = m.counter[at.C_MEETINGS] * m.threads
    add_for_all(m.gate, at.GATE_COUNT)
    looks = 0
    while read_of_all(m.gate, at.GATE_COUNT) < all_here:
        looks += 1
        if looks % PATIENCE == 0:
            let_others_run()


@inlined
def window_cycles(m):
    """Cycles of a window: one where sources look at queues, or where the order of deliveries counts."""
    return m.lookahead if m.start_looks == 0 and m.noted_rows == 0 else 1


@inlined
def box_of(m, thread, t):
    """Where the notes lie that a thread posts in the window of cycle t: a count, then (router, cell, cycle) each."""
    return ((t // window_cycles(m) & 1) * m.threads + thread) * m.box_size


@kernel
def post(m, far, cell, cycle, t):
    """Note that a flit is on its way to a lane of another thread, where it can be read from `cycle` on."""
    box = box_of(m, m.thread, t)
    n = m.post[box]
    m.post[box] = n + 1
    m.post[box + 3 * n + 1] = far
    m.post[box + 3 * n + 2] = cell
    m.post[box + 3 * n + 3] = cycle


@kernel
def agree(m, stop, t):
    """Meet after the window of cycle t - 1 and take what the others posted in it; whether anyone wants to stop then."""
    if stop:
        m.gate[at.GATE_STOP] = t
    meet(m)
    m.post[box_of(m, m.thread, t - 1 + window_cycles(m))] = 0  # of two windows ago: who is here has read it
    for thread in range(m.threads):
        box = box_of(m, thread, t - 1)
        for n in range(m.post[box]):
            far, cell = m.post[box + 3 * n + 1], m.post[box + 3 * n + 2]
            if m.first_router <= far < m.end_router and m.due[cell] == at.NO_FLIT:
                m.due[cell] = m.post[box + 3 * n + 3]
                m.active[far >> 5] |= bit(far)
    return m.gate[at.GATE_STOP] == t
