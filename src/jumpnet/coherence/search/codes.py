"""Numbers that stand for words in the tables of the search."""

# What is known of a record, as bits.
LISTED, OWNER, WAITS = 1, 2, 4
READABLE, WRITABLE = 8, 16
WRONG_ALONE = 32
"""The record is a fault whatever the others are: a stale value can be read, or a processor's wish has no row."""
AT_REST = 64

# Columns of `Tables.step`.
OLDER = 0
"""After a write elsewhere; the next one: after a commit."""
ASK, SERVED, UNLIST = 2, 3, 4
KNOWN = 5
"""+ 4 * action + 2 * (it is the one that waits) + (it sent the message), of KNOWING."""
KNOWING = ("add", "own", "keep", "release", "clear", "forget")
DOWN = KNOWN + 4 * len(KNOWING)
"""+ 3 * message + value: sent by the home. Behind these, + message: passed on by a cache, see `Tables.side`."""

# Ways on of a record, and the columns of `Tables.ways`.
ITSELF, ARRIVES, ASKED, ANSWERED = 0, 1, 2, 3
KIND, AFTER, TELLS, JOINS, MESSAGE, VALUE, PASSES, CHANGES = 0, 1, 2, 3, 4, 5, 6, 7
WAY = 8
GOES_ON, ENDS = 1, 2
"""PASSES: the message is passed on where some node may be notified; the way holds only where none may."""
MORE, ITS_RECORD, AND_DUE = 0, 1, 2
"""CHANGES: its record alone; the same and the number of acknowledges to come, where others are; more than that."""
ONE_DUE = 8
"""One acknowledge to come, in the number of a home."""

# A way on from a state: which cache, -1 for the home by itself; the row of `Tables.ways`, or which of those that the
# home takes by itself, -1 for the combined acknowledge; the cache that is told, -1 for none.
BY, ROW, TOLD = 0, 1, 2
EVERY, ARRIVALS, LAST_ARRIVALS = 0, 1, 2
"""Which ways on are asked for: all, arrivals alone, or those alone of the last cache at or from which one is due."""

# Actions of the home; from KNOWS on those of KNOWING.
ACTIONS = ("ask", "reply", "forward", "multicast", "fetch", "ack", "store", "merge", "tell")
ASKS, REPLY, FORWARD, MULTICAST, FETCH, ACKNOWLEDGE, STORE, MERGE, TELL = range(9)
KNOWS = 9

# The home in a kernel's hands.
STATE, DUE, MEMORY, JOINED, VICTIM = 0, 1, 2, 3, 4
HOME = 5
"""VICTIM: the cache that `tell` chooses in this step, -1 for none."""

# Entries of a table that are no record.
UNKNOWN, WRONG = -1, -2

# What came of a step.
DONE, MISSING, FAULTY = 0, 1, 2

# Bits of a hash that may stand for a state.
LEAST_BITS, MOST_BITS = 8, 62
