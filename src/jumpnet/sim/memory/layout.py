"""Where everything lies: the fields of the rows that the simulator's arrays are made of.

One *lane* is an input virtual channel: its state and its ring of slots are one row, for the sake of the cache. One
*outlet* is an output virtual channel. A slot holds FLIT + the cycle its flit may be read from, or else the cycle from
which its credit may be used again; so links and credit loops of any delay need no event queue.
"""

from __future__ import annotations

FLIT = 1 << 30
"""Added to the cycle in a slot that holds a flit."""

# Lane row, int32: LANE_FIELDS numbers, then `buffer` slots, padded to a multiple of 16.
WHEN = 0
"""Cycle from which the next credit of its outlet may be used, or FLIT and more when that is not known yet; without an
outlet, the cycle before which no head is looked at (the last tail has to be through switch allocation)."""
TURN = 1
"""Outlet that goes first when the lane next asks for one (round robin)."""
READ = 2
"""Slot of the oldest flit."""
OUTLET = 3
"""Outlet of the packet at the front, IDLE, or WAITING for one."""
LEFT = 4
"""Flits of that packet that have not left this lane yet; minus its length while the head has not left."""
PACKET = 5
"""Its row in the packet table."""
CREDIT = 6
"""Cycles from a flit's winning the switch to the use of its credit upstream: constant."""
WAYS = 7
"""Branches of the packet at the front, where packets branch; branch k has row k of the lane (see `memory.branches`)."""
LANE_FIELDS = 8

IDLE = -1
WAITING = -2
DONE = -3
"""The branch is through, and waits for the others of its packet."""

# What a head asks for when it asks for no outlet.
NONE_TAKES = -1
"""Free ones are there, but none that takes the packet now."""
NONE_FREE = -2

# Outlet row, int32.
TO = 0
"""Start of the row of the lane it feeds, -1 where there is no link."""
WRITE = 1
"""Slot of that lane that the next flit goes to."""
DELAY = 2
"""Cycles from winning the switch to the flit's being readable there: constant."""
COUNT = 3
"""Flits sent."""
TO_ROUTER = 4
"""Router of the lane it feeds."""
TO_CELL = 5
"""Cell of that lane in `due`."""
OWNER = 6
"""Lane (number in this router) of the packet that holds the outlet, -1 when free."""
OUTLET_TURN = 7
"""Lane that goes first when several ask for this outlet (round robin)."""
OUTLET_FIELDS = 8

# Cells of `due`, int32, one for each lane: the cycle in which the router must look at it next, never too late, or:
NO_FLIT = FLIT - 1
"""The lane waits for a flit: who sends one writes when it can be read."""
NO_OUTLET = FLIT - 2
"""Its head waits for an outlet of its router: the tail that gives one back says so."""
NO_BRANCH = FLIT
"""The row has no branch that could do anything."""
CELLS = 16
"""The cells of a router are a multiple of this number."""
WORD_LANES = 48
"""Most lanes of a router whose sets of lanes fit one word: three times CELLS."""

# What follows from the number of a lane or outlet, int64.
PORT = 0
NEXT_INPUT = 1
"""The input port after PORT, in turn; likewise the next two."""
NEXT_OUTPUT = 2
NEXT_VC = 3
INPUT_BIT = 4
"""A bit for PORT as an input (31 are told apart), and one for it as an output."""
OUTPUT_BIT = 5
LANE = 6
"""The lane that a row belongs to: itself, but for rows of branches."""
SIDE_FIELDS = 8

# A lane of 32 neighbouring routers in the lists of `router.lists`: the start of its row, then its router's and its own
# number.
ROW_SHIFT = 16
ROUTER_SHIFT = 8
LANE_NUMBER = 63

# Packet row, int64: the routing header (8 numbers, see routing/_view.py), whose last two no routing uses, and more. A
# router needs the first 8 numbers alone: a cache line.
HOPS = 6
LENGTH = 7
CREATED = 8
INJECTED = 9
FROM = 10
"""Source terminal."""
NUMBER = 11
"""Running number of the packet at its source; requests and replies count separately."""
KIND = 12
"""Message class, + MEASURED when it counts in the results."""
AIM = 13
"""Destination terminal."""
NEXT = 14
"""Next packet in a list (free rows, waiting replies)."""
MESSAGE = 15
"""Where packets branch: row of the message that a packet belongs to; and its place in the tree, as a row, or -1."""
PLACE = 16
ROLE = 17
"""What it is to its message, see `memory.message_layout`."""
READY = 18
"""Cycle from which an acknowledge may be sent; as old as its message it is created earlier."""
PACKET_FIELDS = 24

MEASURED = 16

# Terminal row, int64.
NEXT_CREATION = 0
"""Creation cycle of its next packet."""
SEQUENCE = 1
"""Packets it has taken from its process."""
REPLY_FIRST = 2
"""Oldest reply waiting to enter, -1 when none."""
REPLY_LAST = 3
REPLIES = 4
"""Replies created here."""
IN_WHEEL = 5
"""1 while it is in the wheel (a reply may wake it all the same)."""
ANSWER_FIRST = 6
"""Oldest acknowledge waiting to enter, -1 when none."""
ANSWER_LAST = 7
TERMINAL_FIELDS = 8

# Injector row, int64: one for each terminal, injection port and message class.
I_PACKET = 0
"""Packet entering, -1 when none."""
I_LEFT = 1
I_VC = 2
"""Virtual channel it enters on, -1 before its head has one."""
I_LAST_VC = 3
INJECTOR_FIELDS = 8

# Counters, int64.
C_MOVED = 0
"""Last cycle in which a flit moved."""
C_PACKETS = 1
"""Packets in the network or entering it."""
C_ENTERED = 2
"""Flits that have entered, or have become two where a packet branches."""
C_LEFT = 3
"""Flits that have been ejected."""
C_CREATED_MEASURED = 4
C_DONE_MEASURED = 5
C_FREE = 6
"""First free row of the packet table."""
C_ERROR = 7
"""0, or why the run must stop."""
C_ERROR_ROUTER = 8
C_ERROR_PACKET = 9
C_LATENCY_SUM = 10
C_NETWORK_SUM = 11
C_FLIT_SUM = 12
C_FLITS = 13
"""Flits of measured packets that have arrived."""
C_HOPS_SUM = 14
C_FLIT_HOPS = 15
"""Routers traversed by all delivered flits."""
C_DELIVERED = 16
"""Packets delivered."""
C_MAX_LATENCY = 17
C_EVENTS = 18
C_CREATED = 19
"""Packets taken from the processes, replies not counted."""
C_CREATED_FLITS_MEASURED = 20
C_WASTED = 21
"""Switch grants lost to speculation."""
C_MEETINGS = 22
"""Meetings that this thread has come to."""
C_NOTED = 23
"""Deliveries noted and not taken yet."""
C_OPEN = 24
"""Messages that are not done: received by all, and acknowledged where asked."""
C_FALLBACKS = 25
"""Branchings whose acknowledges a terminal counted."""
C_LINK_FLITS = 26
"""Flits over links, where packets branch; and those of acknowledges."""
C_ACK_LINK_FLITS = 27
C_ARRIVED = 28
"""Flits of messages that receivers have."""
C_REMADE = 29
"""Packets that terminals have taken to make them anew."""
C_REPLIES = 32
"""First of the counters of replies alone: as many as from C_LATENCY_SUM to C_HOPS_SUM, then their number."""
COUNTERS = 40

# Histograms of each message class: measured packets by packet latency and by network latency, their flits by theirs.
H_PACKET = 0
H_NETWORK = 1
H_FLIT = 2
HISTOGRAMS = 3

# Rows of batches, int64, all by delivery.
BATCH_PACKETS = 0
BATCH_LATENCY = 1
"""Sum of the packet latencies; likewise the next two."""
BATCH_NETWORK = 2
BATCH_FLIT = 3
BATCH_FLITS = 4
"""Flits of the packets."""
BATCH_FIELDS = 5

# The gate at which the threads of a team meet, int64.
GATE_COUNT = 0
"""Arrivals of all threads so far."""
GATE_STOP = 8
"""Cycle before which all stop."""
GATE_WORDS = 16

ERROR_POOL = 1
ERROR_NO_ROUTE = 2
ERROR_BAD_CANDIDATE = 3
ERROR_HOPS = 4
ERROR_DESTINATION = 5

# Deliveries of packets that were posted from outside, int64: number, cycle of creation, cycle of arrival.
NOTE_FIELDS = 3

# Events: rows (cycle, kind, source terminal, number, class, flit, router, place), int32.
EVENT_FIELDS = 8
EVENT_ENTER = 0
"""A flit is sent by its terminal; place is the lane."""
EVENT_VC = 1
"""A head wins an outlet; place is the outlet."""
EVENT_SWITCH = 2
"""A flit wins the switch; place is the outlet."""
EVENT_ARRIVE = 3
"""A flit reaches its destination terminal; place is the outlet."""

# Switch allocators and selections, as SimConfig names them.
INPUT_FIRST = 0
OUTPUT_FIRST = 1
ISLIP = 2
AGE = 3
ROUND_ROBIN = 0
FIRST = 1
CREDITS = 2

# Scratch of one router, int64: parts of lanes + outlets numbers each, at these multiples.
ASKING = 0
"""Pairs (lane, outlet) of virtual-channel allocation; takes two parts."""
BID_LANE = 2
BID_OUTLET = 3
BID_CLASS = 4
"""0 for a normal bid, LATER for a speculative one, + age when the allocator goes by age."""
PICK = 5
"""Bids that won their input."""
BEST = 6
"""Best pick of each output."""
GRANT = 7
"""Bids that won."""
WORK_FIELDS = 8

LATER = 1 << 61
AGE_UNIT = 1 << 24

# Sets of lanes (or outlets) of 16 neighbouring routers, int32 each: rows of 16 numbers, one row for each of these and
# for those that `packing.Packing` places after them. See `sets.pipeline`.
S_IDLE = 0
"""Lanes without a packet; one that has a flit then is looked at."""
S_WAITING = 1
"""Lanes whose head waits for an outlet to be given back."""
S_FRESH = 2
"""Lanes that hold an outlet and have not sent the head."""
S_LAST = 3
"""Of each input port the lane that won last."""
S_THERE = 4
"""Lanes with a flit that can be read; like the next ones worked out in each cycle."""
S_CREDIT = 5
"""Outlets with a credit."""
SET_ROWS = 6

# Sets of 64 routers at work, 64 numbers each, after the winners of all output ports: lanes that win the switch for a
# head, for a tail, and for a flit from a terminal; lanes whose head is looked at.
W_HEADS = 0
W_TAILS = 1
W_ENTERED = 2
W_LOOKS = 3
WORK_SETS = 4

LANE_SHIFT = 6
"""A lane in a list of those that get an outlet: its router, then its number."""

# Course of the packet that holds an outlet, int32, one row for each lane. A *note* is one number: the place in `sets`
# where a ring of sets starts, cycles from winning the switch, and a member of the set of that cycle (see
# `sets.pipeline`).
COURSE_TO = 0
"""Note of a flit, in `came` of the next router; of one to a terminal that of its credit, in `credited` of this one."""
COURSE_BACK = 1
"""Note of the credit for a slot of this lane, in `credited` of the router before: constant."""
COURSE_PLACE = 2
"""Start of the row in `lane` that its next flit goes to, and the slot there."""
COURSE_TAKEN = 3
"""Flits it had left when it got this course."""
COURSE_FIELDS = 4

NOTE_PLACE_SHIFT = 10
NOTE_DELAY_SHIFT = 5
NOTE_DELAY = 31
NOTE_MEMBER = 31
SLOT_SHIFT = 8
SLOT = 255
