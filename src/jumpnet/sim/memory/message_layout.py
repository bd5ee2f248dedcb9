"""The fields of the rows that a simulation has where packets branch, besides those of `memory.layout`; all int64.

Rows are named by where they start. Acknowledges are packets like any other, of a message, at a place of its tree.
"""

from __future__ import annotations

# Roles of a packet.
DATA = 0
UP_ACK = 1
"""Acknowledge from a place to its parent: one link."""
LOCAL_ACK = 2
"""From a terminal to the combining unit of its own router, or to the terminal there that counts."""
FINAL = 3
"""From the combining unit of the source's router to the source."""
ONE_ACK = 4
"""Acknowledge of one receiver, all the way to the source by a plan of its own."""

# Place row (see `messages.Forest`), then the replies of its sinks.
ROUTER, PARENT, PORT, VC, SINKS, DROPS, BRANCH, BRANCHES, BACK, ORIGIN, AGAIN, REPLY = range(12)

# Message row.
CREATED, START, FLITS, ACK, BASE, LAST_ARRIVAL, ACKNOWLEDGED, TO_COME, RECEIVED, SOURCE, NEXT, AIM, NUMBER = range(13)
"""START: first place of its plan, -1 for a packet that the routing takes to terminal AIM; NUMBER: that of the packet at
its source, which its draws are counted by."""
MESSAGE_FIELDS = 13

# Tally row: one for each place of each message with combined acknowledges, at BASE + place - START.
LEFT, IN_UNIT = range(2)
"""Acknowledges to come; whether the combining unit counts them."""
TALLY_FIELDS = 2
