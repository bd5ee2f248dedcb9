"""Threads of one run: each has a range of routers with their terminals; a barrier ends every epoch.

What a router does shows elsewhere in later epochs only (see `cycle`), so inside an epoch no thread waits. A thread
writes a flit into another's buffer itself, as no other thread writes that slot. That the buffer's lane is due then it
says in its `mail`, which the owner reads after the barrier, or where routers are sets in an `outbox`. So the results
are the same for any number of threads. `team` deals the work out.
"""

from jumpnet.jit.bits import bit
from jumpnet.jit.instructions import add_for_all, let_others_run, read_of_all
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import MailRow
from jumpnet.sim.memory.rows import counters_at, mail_at

__all__ = ["agree", "epoch_cycles", "mail", "meet"]

MAIL_FIELDS = len(MailRow._fields)
PATIENCE = 4096
"""Looks at the barrier before a waiting thread gives its core away: some ten microseconds."""


@kernel
def meet(m):
    """Wait until every thread of the team is here; counts the arrival in this thread's counters and in `barrier`."""
    if m.threads == 1:
        return
    counter = counters_at(m, 0)
    counter.barriers += 1
    all_here = counter.barriers * m.threads
    add_for_all(m.barrier, at.BARRIER_COUNT)
    looks = 0
    while read_of_all(m.barrier, at.BARRIER_COUNT) < all_here:
        looks += 1
        if looks % PATIENCE == 0:
            let_others_run()


@inlined
def epoch_cycles(m):
    """Cycles of an epoch: one where packets are posted from outside, as the order of their deliveries counts."""
    return m.lookahead if m.delivery_rows == 0 else 1


@inlined
def box_of(m, thread, t):
    """Start in `mail` of the box of a thread in the epoch of cycle t: how many rows, then the rows."""
    return ((t // epoch_cycles(m) & 1) * m.threads + thread) * m.box_size


@inlined
def row_in(m, box, n):
    """Row n of a box."""
    return mail_at(m, box + 1 + MAIL_FIELDS * n)


@kernel
def mail(m, far, cell, cycle, t):
    """Tell that a flit is on its way to a lane of another thread (router, cell), where it can be read from `cycle` on.

    t: the cycle in which it is sent.
    """
    box = box_of(m, m.thread, t)
    row = row_in(m, box, m.mail[box])
    m.mail[box] += 1
    row.router, row.cell, row.cycle = far, cell, cycle


@kernel
def agree(m, stop, t):
    """Meet after the epoch of cycle t - 1 and take what the others told in it; whether anyone wants to stop then.

    Lanes of this thread that wait for a flit are due when one comes; its own box is empty for the next epoch.
    """
    if stop:
        m.barrier[at.BARRIER_STOP] = t
    meet(m)
    m.mail[box_of(m, m.thread, t - 1 + epoch_cycles(m))] = 0  # of two epochs ago: a thread that is here has read it
    for thread in range(m.threads):
        box = box_of(m, thread, t - 1)
        for n in range(m.mail[box]):
            row = row_in(m, box, n)
            if m.first_router <= row.router < m.end_router and m.due[row.cell] == at.NO_FLIT:
                m.due[row.cell] = row.cycle
                m.active[row.router >> 5] |= bit(row.router)
    return m.barrier[at.BARRIER_STOP] == t
