"""The memory of a timed machine: sizes and arrays by name, the rows of its tables by name, and what their numbers mean.

Kernels take it as one number `m` (`jit.records.record` says why): `m.home` is an array, `m.nodes` a size. A row of a
table is named as in `jit.records.rows`: `message = message_at(m, row)`, then `message.kind`. A function whose name ends
in `_at` finds a row by where its first number lies, which is how messages and places of trees are named; one in `_of`
by its number. Code that has arrays takes the places of numbers in a row, `MESSAGE.kind`.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from jumpnet.jit.records.record import RecordMemory, reader_of
from jumpnet.jit.records.rows import named_rows

NOBODY = -1
FOREVER = 1 << 38
MOST_AHEAD = 256
"""Cycles by which events run ahead of the network at most: it may be empty long before a handler is through."""
PAYLOAD_BITS = 16
"""Events are single numbers, time << PAYLOAD_BITS | payload: processors that go on, then memory-based processors that
are through with a message, by number."""

KINDS = (
    "read request", "write request", "write back", "data", "tell", "acknowledge", "fetch", "owner's data", "done",
    "write back done", "page", "lock", "grant", "unlock", "barrier", "release",
)  # fmt: skip
"""Kinds of messages. A flag's opening is an unlock, a wait for it a lock. Those up to PUT wait at the home for their
turn."""
# Numbers of NumPy: of Python's the compiler would make a function for each.
(ASK_READ, ASK_WRITE, PUT, DATA, TELL, ACK, FETCH, OWNER_DATA, DONE, PUT_DONE, PAGE, LOCK, GRANT, UNLOCK,
 ARRIVE, RELEASE) = np.arange(len(KINDS))  # fmt: skip
NOTHING, HOLDS, DIRTY, LAST, COUNTS, ANEW, GATHERS, GOES, OWNED = np.array([0, 1, 2, 4, 8, 16, 32, 64, 128])
"""Flag of a request: the node has a copy; GOES while another node's copy goes for that of a writer in update mode, and
of the message by which that one is told; of a line given up: it is dirty, the node has no other copy, the node OWNED
it. Of an acknowledge: DIRTY when it brings the line; where packets branch in the routers COUNTS when its node counts it
for a router, GATHERS when its node has made the packet anew that all have acknowledged. Of a message there: ANEW when
its node is to make it anew. These three, divided by COUNTS, are what the network is told
(`sim.memory.message_layout`)."""
NO_PLACE, A_PLACE, SHARED = 0, 1, 2
"""What a message keeps at its node (`finite_buffers`): a place, as one that has come; one together with another, as a
copy of a multicast that its router still has to send on and its node's own message do (`relays`)."""

DIRECT, TREE, NAMED, CHAIN, BRANCH = 0, 1, 2, 3, 4
"""How a message goes to many nodes: to those listed one after another, down a tree of packets, one after another to
those that the maps of the entry name, from one to the next, or as one packet that branches in the routers."""
SINGLE, COUNTED, COMBINED = 0, 1, 2
"""How acknowledges reach the home: each to its processor, counted by its router, or combined in the tree."""
RELAYS, RECEIVES, ANSWERS = 0, 1, 2
"""What happens at a place of a tree besides copying: nothing; the cluster takes the message; there is none, and the
router answers."""
GOES_ON, ON_REQUEST, ON_ANY, ON_LINE, ON_THING = 0, 1, 2, 3, 4
"""What a processor waits for: nothing, the end of one of its requests, of any of them, of its node's on a line, a lock,
barrier or flag."""
BUSY, READ_STALL, WRITE_STALL, SYNC_STALL = 0, 1, 2, 3
"""Cycles of a processor by what they went for, behind the named numbers of its row."""

OVER, NO_ROOM, WANTS_TREE, WANTS_REFERENCES, LACKS_ROOM, STOPPED, STANDS, FAILED = 0, -1, -2, -3, -4, -5, -6, -7
TOO_LATE = -8
"""Why kernels come back: nothing is left to do; a table must grow; a tree is wanted; references are wanted; the network
lacks room for what is due; Python simulates its cycles up to the horizon; all stands still; the code of an entry has
raised an error; more cycles than a network has are wanted."""


def _places(names: str) -> Any:
    """The names of a row's numbers, with the place of each."""
    words = names.split()
    return namedtuple("Places", words)(*range(len(words)))


PROCESSOR = _places("next since done lock gave chain block on stall out ready base known")
"""lock: the one taken last; gave: one that a condition has given up; chain: who waits next; on: the request, line or
thing of `block`; stall: what the cycles under way count as; out: requests out; ready: when a line of another cache of
the node has come by the bus. Reference i of a processor is code[base + i], where i is less than `known`: the others are
still to be taken from where they lie."""
REGISTER = _places("line write cast")
"""Of a request. cast: the message that branches by which its write is told."""
LINE = _places("owner busy first last asked left latest state does")
"""What its home knows of a line. first to last: requests that wait; asked: the one under way; left: acknowledges to
come; state: its class (`coherence.rules`); does: the row of the protocol for the request under way."""
QUEUE = _places("free through first last began walked")
"""Of a memory-based processor. began: when it turned to its first message; walked: 1 when that one's page has been
looked for."""
MESSAGE = _places("arrived kind source line register to place flag next back sent flits inside keeps")
"""The first five decide which message of a queue is first. line: also of a lock, barrier or flag; register: of the
request, or the first of the processor that a message is about; place: of a tree that it goes to, or -1. inside, of one
that branches in the routers: by what the network has it acknowledged; keeps: NO_PLACE and so on."""
ORDER_FIELDS = 5
THING = _places("holder first last here latest nodes cast open ahead farthest")
"""A lock, a barrier or the flags of an address. here: how many are at a barrier; nodes: how many nodes are to come;
cast: the message that branches by which those at a barrier are told to go on. open: the first flag that is not; ahead
to farthest: messages for those that are open behind it (`line`), ascending."""
GATHER = _places("here first place")
"""Of a node at a barrier. place: of the tree by which arrivals are combined, or -1."""
PLACE = _places("router parent first children receives number plan")
"""A place of a tree (`trees`). first: its first child, behind which the others lie; number: in the tree; plan, of the
home's where the message branches in the routers: the network's."""
TALLY = _places("left latest flag")
"""Acknowledges to come at a place of a tree, or arrivals."""
COUNT = _places(
    "events free out rows running transactions network carried flits waited served horizon copies inside relays held "
    "want want_kind want_time reader stamp now part under_way taken still misses cache_misses bus_transfers "
    "write_backs hints stage_1_misses stage_2_misses pruned evictions moves"
)
"""events: in the heap; free: first free message; out: messages in the outbox; rows: end of the messages used; running:
processors that are not through; network: cycles there of the messages carried; waited: cycles of messages in queues;
served: messages that nodes have handled; horizon: to which events may run; copies of multicasts on their way; inside:
multicasts on their way that branch in the routers; relays: copies that routers still have to send on; held: lines whose
next request cannot be turned to; want: line or barrier, with kind and time, of a multicast whose tree is wanted;
reader: the processor whose next references are; stamp: given to a node when it was listed last; now, part, under_way
and taken, of a turn with the network (`turns`): its cycle, what part comes next, whether messages were on their way at
its beginning, deliveries entered; still: since when nothing happens (`finite_buffers`); the rest as of
`coherence.functional`, and `moves`, pages that have moved."""

processor_of = named_rows("proc", PROCESSOR._fields, 64, (len(PROCESSOR) + 4,))
register_of = named_rows("register", REGISTER._fields, 64, (len(REGISTER),))
line_of = named_rows("line", LINE._fields, 64, (len(LINE),))
queue_of = named_rows("queue", QUEUE._fields, 64, (len(QUEUE),))
message_at = named_rows("message", MESSAGE._fields)
thing_of = named_rows("thing", THING._fields, 64, (len(THING),))
gather_of = named_rows("gather", GATHER._fields, 64, (len(GATHER),))
place_at = named_rows("place", PLACE._fields)
tally_of = named_rows("tally", TALLY._fields, 64, ("most_places", len(TALLY)))
"""By register, barriers behind all of them, and number of the place."""
counters_at = named_rows("count", COUNT._fields)

SIZES = (
    "processors", "nodes", "rows", "words", "cluster", "by_page", "outstanding", "ways", "sets", "hints", "multicast",
    "acknowledges", "most_places", "by_message", "least_cycles", "spacing", "sync", "forward", "short", "word", "long",
    "pointers", "evicts", "remake", "migrates", "page_flits", "shared", "units", "bus_request", "bus_line", "holders",
    "stage_1_sets", "stage_1_ways", "stage_2_sets", "stage_2_ways", "stage_1_cycles", "stage_2_cycles", "pruning_sets",
    "pruning_ways", "line_cycles", "everyone", "objects", "flagged", "networks", "room", "ends", "lingers", "sets_seen",
)  # fmt: skip
"""ends: terminals that messages come to, more than nodes where trees reach routers without one. 0 ways where caches
have no limit; by_page, hints, by_message (locks and barriers) 0 or 1; multicast DIRECT and so on; objects, numbers that
are no flag's; flagged, addresses with flags; everyone, processors with anything to do; line_cycles, of the barrier
line, 0 where there is none; pointers of an entry, 0 without limit, and evicts, 1 where the oldest copy goes for one
more; units, memory-based processors of a node; holders, 1 where a page lists who holds a line of it now; shared, the
class of a line that several have; least_cycles, the least of `handler`; cycles of the bus, of translation, of spacing,
sync, forward and remake (`design.Costs`); flits of messages without data (short), with a word, with a line (long) and
with a page (page_flits); migrates, how many requests a node must be ahead of the home's, 0 where pages stay; lingers, 1
where some nodes are listed that were given no copy; sets_seen, rows of `seen`."""
ARRAYS = (
    "first", "code", "page", "number", "home", "members", "where", "barrier", "expected", "proc", "register",
    "line", "valid", "touched", "pending", "cache", "queue", "message", "thing", "gather", "place", "tally", "heap",
    "outbox", "count", "kinds", "histogram", "stamp", "over", "rules", "page_number", "page_line", "handler", "bus",
    "told", "believed", "asked", "wanted", "moving", "stage_1", "stage_2", "pruning", "due", "answer", "network_of",
    "needs", "needs_own", "passes", "kept", "sent", "entered", "freed", "held", "first_flag", "relay", "copies", "seen",
    "following",
)  # fmt: skip
# All flat int64; P processors, K outstanding requests of each, N nodes of M memory-based processors, words of 32 nodes:
#   first (P + 1), page, number, page_number, home, members, where, barrier, expected, first_flag   as in `Streams`
#   code                                       references as there, or of each processor in turn some (PROCESSOR.base)
#   page_line (pages + 1)                      the lines of a page are page_line[page] up to page_line[page + 1]
#   rules                                      the protocol's rows (`coherence.rules`)
#   proc (P), register (P * K), line (lines), queue (N * M), thing (objects), gather (barriers, N): rows as above
#   message, place                             rows likewise, of messages and of all trees known so far
#   tally (P * K + barriers, most_places)      rows likewise: acknowledges to come for each request, and arrivals
#   handler (kinds)                            cycles of a memory-based processor for a message of each kind
#   network_of (kinds)                         the virtual network of each kind of message, below `networks`
#   needs, needs_own, passes (kinds)           networks, as sets, by which a message of each kind makes its node
#                                              send, where another node asked or the home's own, and by which it goes
#                                              on to its home; kept (kinds), 1 for those that were asked for and have
#                                              a place; where nodes have room for few:
#   sent, entered (ends * networks)            messages sent from each terminal, and those that have entered the
#                                              network
#   freed (ends * networks)                    places that have become free since the network was told
#   relay (ends * networks, 2)                 first and last copy of a multicast that a router has to send on, or -1
#   held (lines)                               the first COUNT.held: free lines whose next request has no room
#   bus (N)                                    when the bus of a node is free
#   valid (lines, words)                       nodes with a copy of a line, as far as its home knows (`jit.bits`)
#   copies (lines, words)                      nodes with a copy of a line (lingers, caches without limit)
#   pending (lines, words)                     nodes with a request out for a line, or a line on its way home
#   touched (pages, words)                     nodes that the entry of a page lists
#   cache (P * sets * ways)                    each processor's own (`coherence.recent`); a marked line is dirty
#   stage_1, stage_2, pruning                  translation of each processor and of each home, each home's pruning cache
#   told (words)                               who is told by the message that starts now
#   seen (sets_seen, 3 + words)                ways to sets of nodes that were told (`sets_seen`)
#   following (P * K, N)                       whom each node of a list tells of a request, or -1 (CHAIN)
#   heap, outbox, due                          events; messages that wait to be carried; those of this turn, in order
#   answer (2)                                 what a called entry gives back (`jit.linked.called`)
#   count, kinds (kinds)                       counters; messages sent to other nodes by kind
#   histogram (N)                              invalidations or updates by number of destinations
#   stamp (entries, N), over (entries)         when each node was listed (CHAIN, or evicts); 1 for entries that had to
#                                              name more nodes than they have pointers (pointers > 0)
#   asked (pages, N), wanted (pages)           requests of each node, and where the page is to go or -1 (migrates > 0)
#   believed (pages, N)                        where each node takes the page to lie (migrates > 0)
#   moving (pages)                             1 while a page is on its way (migrates > 0)


class Memory(RecordMemory):
    """Sizes and arrays of a machine."""

    PLACE = {name: k for k, name in enumerate((*SIZES, *ARRAYS))}  # noqa: RUF012
    ARRAYS = dict.fromkeys(ARRAYS, np.int64)


memory_at = reader_of(Memory)
