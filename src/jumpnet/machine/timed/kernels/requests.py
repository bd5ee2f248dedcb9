"""Kernels of the timed machine: requests that wait at their home for their line, and which of them is next.

The first to come. Where nodes have room for few messages it is the first that the home has room to serve: one that
waits for room holds up no other, as the tables' home takes any. So a request waits for no more than `networks` says, by
which sharings of virtual networks are proved. Used by `home`.
"""

from jumpnet.jit.linked import kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels.finite_buffers import waits_for
from jumpnet.machine.timed.kernels.layout import counters_at, line_of, message_at

__all__ = ["hold", "next_request", "put_behind", "take_out"]


@kernel
def put_behind(m, line, row):
    """A request waits for its turn at the home of its line."""
    kept = line_of(m, line)
    if kept.first < 0:
        kept.first = row
    else:
        message_at(m, kept.last).next = row
    kept.last = row


@kernel
def next_request(m, line):
    """The request of a line that its home may turn to, NOBODY if there is none or the line is busy."""
    row = line_of(m, line).first if line_of(m, line).busy == 0 else at.NOBODY
    while row >= 0 and m.room > 0 and waits_for(m, m.home[m.page[line]], row) >= 0:
        row = message_at(m, row).next
    return row


@kernel
def take_out(m, line, row):
    """A request of a line waits no more."""
    kept, before = line_of(m, line), at.NOBODY
    after = message_at(m, row).next
    other = kept.first
    while other != row:
        before, other = other, message_at(m, other).next
    if before < 0:
        kept.first = after
    else:
        message_at(m, before).next = after
    if after < 0:
        kept.last = before
    message_at(m, row).next = at.NOBODY


@kernel
def hold(m, line):
    """A line is free, and none of the requests that wait for it can be turned to yet."""
    counters = counters_at(m, 0)
    for k in range(counters.held):
        if m.held[k] == line:
            return
    m.held[counters.held] = line
    counters.held += 1
