"""Kernels of the timed machine: hot pages that move to the node that asks for them most.

A home counts the requests of each node for a page. When another node is a number of them ahead of the home's own, the
page goes there as soon as none of its lines has a request under way: memory and directory entries as one message, its
handler at the new home. What comes for the page before that waits, and is turned to again then; what is on its way to
the old home goes on from there. Nobody else is told: a node asks where it had its last answer from, and a node that the
page has left knows where it went. Used by `home` and `processors`.
"""

from jumpnet.jit.linked import kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels.layout import counters_at, line_of, message_at
from jumpnet.machine.timed.kernels.queue import arrive
from jumpnet.machine.timed.kernels.tables import new_message, send

__all__ = ["asked_for", "believed_home", "come", "has_heard", "is_moving", "leave"]


@kernel
def is_moving(m, line):
    """Whether the page of a line is on its way to a new home."""
    return m.migrates > 0 and m.moving[m.page[line]] == 1


@kernel
def believed_home(m, line, node):
    """Where a node that is not the home of a line sends what it asks for."""
    page = m.page[line]
    return m.believed[page * m.nodes + node] if m.migrates > 0 else m.home[page]


@kernel
def has_heard(m, line, node, home):
    """A node knows now that the page of a line lies at `home`.

    From an answer for which the home keeps the line busy, or as the page went there from here: so what nodes believe is
    never older than the time at which they had the page themselves, and no message goes in a circle.
    """
    if m.migrates > 0:
        m.believed[m.page[line] * m.nodes + node] = home


@kernel
def asked_for(m, line, node):
    """The home turns to a request of a node."""
    if m.migrates > 0:
        page = m.page[line]
        asked = page * m.nodes
        m.asked[asked + node] += 1
        if m.asked[asked + node] - m.asked[asked + m.home[page]] >= m.migrates:
            m.wanted[page] = node


@kernel
def leave(m, line, t):
    """The page of a line leaves its home at time t, where another node is to have it and none of its lines is busy."""
    if m.migrates == 0:
        return
    page = m.page[line]
    to, home, first = m.wanted[page], m.home[page], m.page_line[page]
    if to < 0 or m.moving[page] == 1:
        return
    for k in range(first, m.page_line[page + 1]):
        if line_of(m, k).busy == 1 or line_of(m, k).first >= 0:
            return
    for node in range(m.nodes):
        m.asked[page * m.nodes + node] = 0
    m.wanted[page], m.home[page], m.moving[page] = at.NOBODY, to, 1
    counters_at(m, 0).moves += 1
    has_heard(m, first, home, to)
    send(m, new_message(m, at.PAGE, home, to, first, 0, m.page_flits), t)


@kernel
def come(m, line, t):
    """A page is at its new home: what waited there for any of its lines comes to its processor again."""
    page = m.page[line]
    m.moving[page] = 0
    for k in range(m.page_line[page], m.page_line[page + 1]):
        kept = line_of(m, k)
        while kept.first >= 0:
            row = kept.first
            kept.first = message_at(m, row).next
            message_at(m, row).next = at.NOBODY
            arrive(m, row, t)
