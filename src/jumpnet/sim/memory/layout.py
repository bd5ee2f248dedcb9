"""Where everything lies: how long the rows of the simulator's arrays are, and what their numbers mean.

A *lane* is an input virtual channel: its state and its ring of slots are one row, for the sake of the cache. An
*output VC* is a virtual channel of an output port, as the router that sends sees it: who holds it, and which lane at
the far end of the link it feeds. A slot holds FLIT + the cycle its flit may be read from, or else the cycle from which
its credit may be used again; so links and credit loops of any delay need no event queue.

The rows' numbers are named in `memory.fields`; here is what they mean, and how long rows are.
"""

from jumpnet.sim.memory import fields

FLIT = 1 << 30
"""Added to the cycle in a slot that holds a flit."""

IDLE = -1
WAITING = -2
DONE = -3
"""The branch is through, and waits for the others of its packet."""
CHOOSING = -4
"""The head is in route computation, and looks at queues when that ends."""

# What a head asks for when it asks for no output VC.
NONE_TAKES = -1
"""Free ones are there, but none that takes the packet now."""
NONE_FREE = -2

# Cells of `due`, int32, one for each lane: the cycle in which the router must look at it next, never too late, or:
NO_FLIT = FLIT - 1
"""The lane waits for a flit: its sender writes when it can be read."""
NO_OUT_VC = FLIT - 2
"""Its head waits for an output VC of its router: the tail that gives one back wakes it."""
NO_BRANCH = FLIT
"""The row has no branch that could do anything."""
CELLS = 16
"""The cells of a router are a multiple of this number."""
WORD_LANES = 48
"""Most lanes of a router whose sets of lanes fit one word: three times CELLS."""

MEASURED = 16
"""Added to the kind of a packet that counts in the results."""
KIND = MEASURED - 1
"""What of it is the kind alone."""

# Histograms of each message class: measured packets by packet latency and by network latency, their flits by theirs.
H_PACKET, H_NETWORK, H_FLIT, HISTOGRAMS = range(4)

# The barrier of a team's threads, int64.
BARRIER_COUNT = 0
"""Arrivals of all threads so far."""
BARRIER_STOP = 8
"""Cycle before which all stop."""
BARRIER_WORDS = 16

ERROR_NO_ROUTE = 2
ERROR_BAD_CANDIDATE = 3
ERROR_HOPS = 4
ERROR_DESTINATION = 5
ERROR_FEW_CHANNELS = 6
"""Where each output has a part of the virtual channels, a route has fewer than a router outputs."""
ERROR_OUTPUTS = 7
"""There, candidates of a route differ by more than their virtual channels, are marked, or have no range of these."""

EVENT_ENTER = 0
"""A flit is sent by its terminal; place is the lane."""
EVENT_VC = 1
"""A head wins an output VC; place is the output VC."""
EVENT_SWITCH = 2
"""A flit wins the switch; place is the output VC."""
EVENT_ARRIVE = 3
"""A flit reaches its destination terminal; place is the output VC."""

# Switch allocators and selections, as SimConfig names them.
INPUT_FIRST, OUTPUT_FIRST, ISLIP, PIM, LONELY_OUTPUT, MAX_SIZE, WAVEFRONT, RR_WAVEFRONT = range(8)
ROUND_ROBIN, FIRST, CREDITS, BY_PLACE = range(4)

PRIVATE, SHARED, LIMITED, DYNAMIC, SHIFTING = range(5)
"""Policies of buffers (`memory.shared_buffers`)."""

# Who goes first, other than in turn.
BY_AGE, BY_CLASS, BY_SEQUENCE, BY_NETWORK_AGE, BY_LOCAL_AGE, BY_HOPS, BY_QUEUE = range(1, 8)

# Kinds of packets (`resolve.packet_kinds`), where they are more than requests and replies with channels of their own.
EXCHANGE = 1
"""Requests and replies by one queue."""
SEVERAL = 2
"""Classes side by side."""
KEPT = -2
"""A virtual channel v at a source is KEPT - v where a head has it and has not entered on it yet."""

NO_STEP = 1 << 60
"""In `until` of what a class of traffic calls: no cycle."""
STEP_DRAWS = 1 << 32
"""Where the load changes, a process begins anew: its counter of draws is then the cycle times so many."""

# Stages, where they work in batches: places in rows of `stage`.
ROUTING, VC_ALLOCATION, SWITCH_ALLOCATION, CROSSBAR, STAGES = range(5)
LONG_AGO = -(1 << 20)
"""A step in which no stage begins that is still at work."""
GRANTED = -1
"""In `when` of a lane: it has won the switch in a batch, of which the end is when it is due."""

REQUEST_FIELDS, BID_FIELDS = len(fields.RequestRow._fields), len(fields.BidRow._fields)
WORK_FIELDS = REQUEST_FIELDS + BID_FIELDS
"""Numbers in `work`, the scratch of one router, for each of its lanes and output VCs: first all requests, then bids."""
WIRE_FIELDS = len(fields.WIRE_ROW)

LATER = 1 << 61
AGE_UNIT = 1 << 24

# Numbers in a row; a lane's slots come after its own. Some have spare ones, so that rows do not cross cache lines.
LANE_FIELDS, OUT_VC_FIELDS = len(fields.LANE_ROW), len(fields.OUT_VC_ROW)
TERMINAL_FIELDS, BATCH_FIELDS = len(fields.TERMINAL_ROW), len(fields.BATCH_ROW)
CALL_FIELDS, WANTS_FIELDS = len(fields.CallsRow._fields), len(fields.WantsRow._fields)
DELIVERY_FIELDS, EVENT_FIELDS = len(fields.DeliveryRow._fields), len(fields.EventRow._fields)
SIDE_FIELDS, INJECTOR_FIELDS, PACKET_FIELDS, COUNTERS = 8, 8, 24, 40

# Sets of lanes (or output VCs) of 16 neighbouring routers, int32 or int64: rows of 16 numbers, one for each of these
# and for those that `packing.Packing` places after them. See `sets.pipeline`.
S_IDLE = 0
"""Lanes without a packet; one that has a flit then is looked at."""
S_WAITING = 1
"""Lanes whose head waits for an output VC to be given back."""
S_FRESH = 2
"""Lanes that hold an output VC and have not sent the head."""
S_THERE = 3
"""Lanes with a flit that can be read; like the next ones worked out in each cycle."""
S_CREDIT = 4
"""Output VCs with a credit."""
S_ABLE = 5
"""Lanes that bid for an output VC with a credit; not where heads get output VCs together."""
S_ROOM = 6
"""Lanes whose head waits for room behind an output VC that is free, where a packet needs room for all of it."""
SET_ROWS = 7
# Likewise after `Packing.heads`, where heads get output VCs together (`sets.vc_allocation`).
H_FREE = 0
"""Output VCs that are free."""
H_SPENT = 1
"""Output VCs that have been given back since; they are free from the next cycle on."""
H_LATE = 2
"""Lanes that have got an output VC and may not bid yet."""
H_ESCAPING = 3
"""Lanes whose head waits and wants escapes too."""
H_ASKED = 4
"""Lanes whose head waits and has asked the relation, as no answer to it is kept."""
H_SETTLING = 5
"""Those of them that have got an output VC in this cycle."""
H_WANTED = 6
"""In the first number of the row: output VCs that a head in one of the sixteen routers wants, escapes included."""
HEAD_ROWS = 7

# Sets of 64 routers at work, 64 numbers each, after the winners of all output ports: lanes that win the switch for a
# head or a tail that goes to a router (a packet of one flit has both), and for a flit from a terminal; lanes whose head
# is looked at; output VCs that heads ask for.
W_HEADS, W_TAILS, W_ENTERED, W_LOOKS, W_ASKED, WORK_SETS = range(6)

# A lane in a list: its router, its number there; above these, in lists of heads of `sets`, the output VC that it asks
# for and the kept answer to its head (0: none).
LANE_SHIFT = 6
LANE_NUMBER = (1 << LANE_SHIFT) - 1
OUT_VC_SHIFT = 32
ANSWER_SHIFT = 38
ROUTER_NUMBER = (1 << OUT_VC_SHIFT - LANE_SHIFT) - 1
OUT_VC_NUMBER = (1 << ANSWER_SHIFT - OUT_VC_SHIFT) - 1

# Routes that are kept (`sets.routes`).
ROUTE_SHIFT = 20
"""In a list of packets: the packet, and the place of its route below that, 0 for none."""
STATE_SLOTS = 16
"""Different states of packets, at most; those that would need the same slot as another are not kept."""
MOST_ANSWERS = 1024
ANSWER_FIELDS = len(fields.AnswerRow._fields)
STATION_BITS = 20
STATION_HOP = 1 << STATION_BITS
STANDING_SHIFT = 32
MOST_HOPS = 2000
"""Where flits say where they stand (`memory.standing`): the packet, below it how many routers it has been routed at, up
to so many, and the station."""

# A *note* is one number: the place in `sets` where a ring of sets starts, cycles from winning the switch, and a member
# of the set of that cycle (see `sets.pipeline`).
TRANSFER_FIELDS = len(fields.TransferRow._fields)

KEPT_CYCLES = 128
"""Cycles for which the arrivals of flits are kept as sets (`sets.slots`), a power of two."""

NOTE_PLACE_SHIFT, NOTE_DELAY_SHIFT = 11, 6
NOTE_DELAY, NOTE_MEMBER = 31, 63
