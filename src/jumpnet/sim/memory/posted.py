"""Rows of messages that are posted from outside: taken when one is posted, given back when nothing more comes of it.

A row has tallies for as many places as its size says, so that it can be used again. The rows that are free, the plans
and the tree that a packet to one destination takes are there before (`multicast.outside`).
"""

from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import message_layout as msg
from jumpnet.sim.memory.rows import message_at, plan_of, spare_of, tally_at

__all__ = ["give_message", "is_ready", "new_message", "reports"]


@inlined
def size_of(m, plan, combined):
    """Size of a message by a plan."""
    return plan_of(m, plan).size if combined else 0


@inlined
def reports(m, plan, combined):
    """How much is told of a message: each taker, each acknowledge that a terminal may have to count, and the end."""
    takers = plan_of(m, plan).takers
    return takers + plan_of(m, plan).places + takers + 1 if combined else takers


@inlined
def is_ready(m, plan, combined, messages):
    """Whether there are rows for so many messages like one by a plan."""
    return spare_of(m, size_of(m, plan, combined)).rows >= messages


@kernel
def new_message(m, number, source, created, flits, plan, combined):
    """A message by a plan, of terminal `source`: takes a row and fills it. Returns where the row starts."""
    spare, of = spare_of(m, size_of(m, plan, combined)), plan_of(m, plan)
    message = spare.first
    row = message_at(m, message)
    spare.first = row.following
    spare.rows -= 1
    row.created, row.start, row.flits, row.source, row.number, row.plan = created, of.start, flits, source, number, plan
    row.ack = msg.COMBINED if combined else msg.NO_ACK
    row.last_arrival, row.acknowledged, row.following = -1, -1, -1
    row.to_come, row.received, row.to_terminal = of.takers, 0, 0
    for k in range(of.places if combined else 0):
        tally = tally_at(m, (row.base + k) * msg.TALLY_FIELDS)
        tally.left, tally.in_unit = 0, 0
    m.promised[0] += reports(m, plan, combined)
    return message


@kernel
def give_message(m, message):
    """Nothing more comes of a message: its row is free."""
    row = message_at(m, message)
    combined = row.ack == msg.COMBINED
    spare = spare_of(m, size_of(m, row.plan, combined))
    row.following = spare.first
    spare.first = message
    spare.rows += 1
    m.promised[0] -= reports(m, row.plan, combined)
