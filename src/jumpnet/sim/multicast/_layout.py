"""The fields of the rows that the multicast kernel's arrays are made of; all int64. Slots are as in `sim._layout`.

A packet is one number, its *code*: (message << PLACE_BITS | place) * 8 + kind, kinds as in `reference`. An *endpoint*
sends and receives: the terminals, in their order, then the combining units of the routers.
"""

from __future__ import annotations

PLACE_BITS = 31

# Lane row.
WHEN, TURN, READ, BUSY, WAYS, FREED, LENGTH, CREDIT, AGE = range(9)
LANE_FIELDS = 9

# Way row: `most_ways` rows a lane.
WANT, CODE, READY, OUTLET, TAKEN = range(5)
WAY_FIELDS = 5
TO_UNIT, TO_SINK, BY_ROUTING = -1, -2, -1000
"""What WANT says instead of an outlet: the combining unit, TO_SINK - x for sink x of the router, or what the routing
names."""
NEVER = 1 << 60

# Outlet row.
TO, WRITE, DELAY, HELD, NEXT_LANE, TO_ROUTER, TO_LANE, COUNT = range(8)
"""HELD: by a branch (1), or no link there (2). TO_LANE: number in its router. COUNT: flits sent."""
OUTLET_FIELDS = 8

# Injector row: the injection ports of all terminals, then one for each combining unit.
I_CODE, I_INDEX, I_VC, I_LAST_VC, I_LENGTH = range(5)
INJECTOR_FIELDS = 5

# Endpoint row.
FIRST, LAST, PENDING, LAST_PENDING, E_ROUTER, E_PORT, E_PORTS, E_INJECTOR, WAKE = range(9)
"""Acknowledges to send (rows of `note`), messages to send (linked), the router, its first input port and how many of
them, first injector row, cycle before which there is nothing to do."""
ENDPOINT_FIELDS = 9

# Note row: an acknowledge that waits to be sent.
N_CODE, N_READY, N_NEXT = range(3)
NOTE_FIELDS = 3

# Place row (see `messages.Forest`), then the replies of its sinks.
ROUTER, PARENT, PORT, VC, SINKS, DROPS, BRANCH, BRANCHES, BACK, REPLY = range(10)

# Message row.
CREATED, START, FLITS, ACK, BASE, LAST_ARRIVAL, ACKNOWLEDGED, TO_COME, RECEIVED, SOURCE, NEXT, AIM, NUMBER = range(13)
"""START: first place of its plan, -1 for a packet that the routing takes to terminal AIM; NUMBER: that of the packet at
its source, which its draws are counted by."""
MESSAGE_FIELDS = 13

# Tally row: one for each place of each message with combined acknowledges, at BASE + place - START.
LEFT, IN_UNIT = range(2)
"""Acknowledges to come; whether the combining unit counts them."""
TALLY_FIELDS = 2

# Counters.
MOVED, INSIDE, EVENTS, FALLBACKS, LINK_FLITS, ACK_LINK_FLITS, OPEN, NOTES, ARRIVED, FLIT_HOPS, ERROR = range(11)
ERROR_ROUTER, ERROR_MESSAGE = 11, 12
"""Last cycle with movement, flits in the network, events, places counted by processors, flits over links, those of
acknowledges, messages that are not done, notes used, flits of messages that receivers have, flits through routers, why
the run must stop (as in `sim._layout`) and where."""
COUNTERS = 13

# Scratch of one router: after the parts of `sim._layout`, the way of each bid.
BID_WAY = 8
WORK_FIELDS = 9
