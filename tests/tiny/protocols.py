"""Tiny protocols whose virtual networks are argued by hand."""

from __future__ import annotations

from jumpnet.coherence.protocol import Protocol

# One copy at a time, fetched back by the home: Get -> Back -> Line -> Data -> Done is its longest chain.
SINGLE = Protocol(
    "single",
    """
    I   read      R   send Get
    I   write     W   send Get
    V   read      V   hit
    V   write     V   write
    V   evict     E   send Put
    R   Data      V   take, send Done
    W   Data      V   take, write, send Done
    V   Back      I   send Line, drop
    E   Back      E   send Line
    E   PutAck    I   drop
    """,
    """
    U   Get       D   ask, reply Data, own
    O   Get       F   ask, fetch Back
    F   Line      D   store, release, reply Data, own
    D   Done      O   -
    O   Put       U   store, release, ack
    U   Put-      U   ack
    O   Put-      O   ack
    """,
)
# The same without Done: the home is busy only while it fetches.
NO_DONE = Protocol(
    "no-done",
    SINGLE.cache.replace(", send Done", ""),
    SINGLE.home.replace("D   Done      O   -", "").replace("  D  ", "  O  "),
)
# The home never waits and keeps nothing: a request that comes too early is sent back, and sent again.
AGAIN = Protocol(
    "again",
    """
    I   read    R   send Get
    V   read    V   hit
    V   evict   E   send Put
    R   Data    V   take
    R   Nack    R   send Get
    E   PutAck  I   drop
    """,
    """
    U   Get     O   ask, reply Data, own
    O   Get     O   ask, reply Nack
    O   Put     U   store, release, ack
    U   Put-    U   ack
    O   Put-    O   ack
    """,
)


# A busy home goes on from state to state: Note is taken in the second, the acknowledges end in two rows `last`.
STEPS = Protocol(
    "steps",
    """
    I   read    R   send Get
    V   read    V   hit
    V   evict   I   drop
    R   Data    V   take
    V   Inv     I   send InvAck, drop
    I   Ask     I   send Soon
    I   Tell    I   send Note
    """,
    """
    U   Get     A   ask, multicast Inv, fetch Ask, fetch Tell
    A   Soon    B   -
    B   Note    C   -
    C   last    E   -
    E   last    U   reply Data, add
    """,
)
