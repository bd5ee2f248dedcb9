"""The fields of the rows that the multicast kernel's arrays are made of; all int64. Slots are as in `_layout`.

A packet is one number, its *code*: (message * places + place) * 8 + kind, kinds as in `reference`.
"""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.terms import I64

# Sizes and settings.
ROUTERS, VCS, LANES, OUTLETS, LINK_INPUTS, LINK_OUTPUTS, INPUTS, OUTPUTS, BUFFER, MOST_WAYS = range(10)
INJECTION_PORTS, EJECTION_PORTS, RD, VA, SA, TERMINAL_LINK, CREDIT_DELAY, NEED_EMPTY, CUT_THROUGH = range(10, 19)
ACK_FLITS, ACK_DELAY, ENTRIES, PLACES, ENTRY_VCS = range(19, 24)
SIZES = 24

# Lane row.
WHEN, TURN, READ, BUSY, WAYS, FREED, LENGTH, CREDIT = range(8)
LANE_FIELDS = 8

# Way row: MOST_WAYS rows a lane.
WANT, CODE, READY, OUTLET, TAKEN, BID = range(6)
WAY_FIELDS = 6
TO_PROCESSOR, TO_UNIT = -1, -2
"""What WANT says instead of an outlet, of a way to a terminal or to the combining unit."""
BIDS, MOVES = 1, 2
"""BID: the way asks for the switch; its flit is its input port's choice."""
NEVER = 1 << 60

# Outlet row.
TO, WRITE, DELAY, HELD, NEXT_LANE, TO_ROUTER = range(6)
OUTLET_FIELDS = 6

# Injector row: the injection ports of a router, then its combining unit.
I_CODE, I_INDEX, I_VC, I_LAST_VC, I_LENGTH = range(5)
INJECTOR_FIELDS = 5

# Endpoint row: a router's processor, then its combining unit.
FIRST, LAST, PENDING, PENDING_END = range(4)
ENDPOINT_FIELDS = 4

# Place row (see `messages.Forest`).
ROUTER, PARENT, PORT, VC, LOCAL, BRANCH, BRANCHES, BACK, REPLY = range(9)
RECEIVES = 1
"""LOCAL: as in `multicast.plan`, which a kernel does not import, so that an edit there compiles nothing again."""

# Message row.
CREATED, START, FLITS, ACK, BASE, LAST_ARRIVAL, ACKNOWLEDGED, TO_COME, RECEIVED = range(9)
MESSAGE_FIELDS = 9

# Tally row: one for each place of each message, at BASE + place - START.
LEFT, IN_UNIT, SENT, SENT_READY, SENT_NEXT = range(5)
"""Acknowledges to come; whether the combining unit counts them; the acknowledge that waits to be sent from there."""
TALLY_FIELDS = 5

# Counters.
MOVED, INSIDE, EVENTS, FALLBACKS, LINK_FLITS, ACK_LINK_FLITS, OPEN = range(7)
"""Last cycle with movement, flits in the network, events, places counted by processors, flits over links, those of
acknowledges, packets entering or in the network."""
COUNTERS = 7


class Tables(NamedTuple):
    """The arrays of a run."""

    size: I64
    lane: I64
    way: I64
    slot: I64
    """(lanes + sinks, B) FLIT + the cycle the flit may be read from, or the cycle its credit may be used from."""
    head: I64
    """(lanes, B) code of the packet whose head is in the slot."""
    outlet: I64
    injector: I64
    entry: I64
    """(lanes,) slot that the next flit from a terminal goes to."""
    turn: I64
    """(R, 2 inputs + outputs): turns of outputs and of virtual channels at each input, of inputs at each output."""
    best: I64
    """(outputs,) scratch: way that goes to each output."""
    asked: I64
    """(outlets,) scratch: way that is given each outlet."""
    inside: I64
    """(R,) flits in or on the way to each router's lanes."""
    used: I64
    """(R,) combining entries in use."""
    endpoint: I64
    pending: I64
    """Messages by source."""
    place: I64
    message: I64
    tally: I64
    event: I64
    counter: I64
