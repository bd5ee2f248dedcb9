"""Protocols of tests: tiny ones whose virtual networks are argued by hand, and two with states that no other has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from jumpnet.coherence.protocol import Protocol, protocol

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
# Of several clean copies one, the last reader's, is in F and serves the next reader (Goodman and Hum, 2004): an owner
# beside others, from whom a writer takes a copy and no line. As in docs/howto-protocol.md.
MESI = protocol("mesi")
MESIF = replace(
    MESI,
    name="mesif",
    cache=MESI.cache.replace("IS  Data      S ", "IS  DataF     F ")
    + """\
F   read      F   hit
F   write     FM  send GetM
F   evict     FI  send PutF
F   Fetch     S   send OwnerData
F   Inv       I   send InvAck, drop
FM  read      FM  hit
FM  DataM     M   take, write, send Done
FM  Fetch     SM  send OwnerData
FM  Inv       IM  send InvAck, drop
FI  Fetch     FI  send OwnerData
FI  Inv       FI  send InvAck
FI  PutAck    I   drop
""",
    home=MESI.home.replace("DS  ask, reply Data, add", "DF  ask, reply DataF, own, add")
    .replace("DS  store, keep, release, reply Data, add", "DF  store, keep, forward DataF, own, add")
    .replace("DS  Done       S", "DF  Done       F")
    + """\
F   GetS       WS  ask, fetch Fetch
F   GetM       WI  ask, multicast Inv
F   PutF       S   release, forget, ack
F   PutF-      F   forget, ack
S   PutF-      S   forget, ack
M   PutF-      M   ack
U   PutF-      U   ack
F   PutM-      F   forget, ack
F   PutE-      F   forget, ack
""",
)
# A shared line is written through to memory and to all copies, and nobody owns it; a sole one is written in silence
# (Thacker and others, 1988). The last one who has it is its owner again.
FIREFLY = Protocol(
    "firefly",
    """
    I   read     IS  send GetS
    I   write    IW  send GetW
    S   read     S   hit
    S   write    SW  send Upd
    S   evict    SI  send PutS
    E   read     E   hit
    E   write    M   write
    E   evict    EI  send PutE
    M   read     M   hit
    M   write    M   write
    M   evict    MI  send PutM
    IS  Data     S   take, send Done
    IS  DataE    E   take, send Done
    IW  DataM    M   take, write, send Done
    IW  DataU    S   take, commit, send Done
    SW  read     SW  hit
    SW  UpdDone  S   commit, send Done
    SW  Alone    E   commit, send Done
    S   Update   S   merge, send UpdAck
    SW  Update   SW  merge, send UpdAck
    SI  Update   SI  send UpdAck
    EI  Update   EI  send UpdAck
    MI  Update   MI  send UpdAck
    E   Fetch    S   send OwnerData
    M   Fetch    S   send OwnerData
    EI  Fetch    EI  send OwnerData
    MI  Fetch    MI  send OwnerData
    E   FetchU   S   send OwnerData, merge
    M   FetchU   S   send OwnerData, merge
    EI  FetchU   EI  send OwnerData
    MI  FetchU   MI  send OwnerData
    SI  PutAck   I   drop
    EI  PutAck   I   drop
    MI  PutAck   I   drop
    """,
    """
    U   GetS       DM  ask, reply DataE, own
    U   GetW       DM  ask, reply DataM, own
    S   GetS       DS  ask, reply Data, add
    S   GetS+      DM  ask, reply DataE, clear, own
    S   GetW       WV  ask, multicast Update
    S   GetW+      DM  ask, reply DataM, clear, own
    S   Upd        XV  ask, multicast Update
    S   Upd+       DM  ask, merge, reply Alone, clear, own
    WV  last       DS  merge, reply DataU, add
    XV  last       DS  merge, reply UpdDone
    M   GetS       WS  ask, fetch Fetch
    M   GetW       WU  ask, fetch FetchU
    WS  OwnerData  DS  store, keep, release, reply Data, add
    WU  OwnerData  DS  store, merge, keep, release, reply DataU, add
    DS  Done       S   -
    DM  Done       M   -
    M   PutM       U   store, release, ack
    M   PutE       U   release, ack
    S   PutS       S   forget, ack
    S   PutM-      S   forget, ack
    S   PutE-      S   forget, ack
    """,
)


def changed(made: Protocol, cache: Mapping[str, str], home: Mapping[str, str]) -> Protocol:
    """A protocol with other rows in the place of some, in the text of its tables."""
    for side, changes in (("cache", cache), ("home", home)):
        for row, other in changes.items():
            assert row in getattr(made, side)
            made = replace(made, **{side: getattr(made, side).replace(row, other)})
    return made


# Writes of a line that a node lacks leave no copy with it. Update that lists such a writer all the same, and that does
# not; writes that go through to memory and take the other copies; and MSI, in which only a reader's write is kept.
UPDATE = protocol("update")
PASSING = replace(
    UPDATE, name="passing", cache=UPDATE.cache.replace("IW  DataU    S   take, commit", "IW  DataU    I   commit")
)
AROUND = replace(PASSING, name="around", home=PASSING.home.replace("merge, reply DataU, add", "merge, reply DataU"))
THROUGH = Protocol(
    "through",
    """
    I   read     IS  send GetS
    I   write    IW  send GetW
    S   read     S   hit
    S   write    SW  send Upd
    S   evict    I   drop
    IS  Data     S   take, send Done
    IW  Passed   I   commit, send Done
    IW  UpdDone  I   commit, send Done
    SW  read     SW  hit
    SW  UpdDone  S   commit, send Done
    I   Inv      I   send InvAck
    S   Inv      I   send InvAck, drop
    IS  Inv      IS  send InvAck
    IW  Inv      IW  send InvAck
    SW  Inv      IW  send InvAck, drop
    """,
    """
    V   GetS  DV  ask, reply Data, add
    V   GetW  WV  ask, multicast Inv
    V   Upd   XV  ask, multicast Inv
    WV  last  DV  merge, clear, reply Passed
    XV  last  DV  merge, clear, add, reply UpdDone
    DV  Done  V   -
    """,
)


def _writes_go_around(made: Protocol, name: str) -> Protocol:
    """MSI or MESI whose writes leave no copy where there was none: the home writes the word."""
    cache = made.cache.replace("I   write     IM  send GetM", "I   write     IW  send GetW")
    more = "IW  Passed    I   commit, send Done\nIW  Inv       IW  send InvAck\n"
    home = """\
U   GetW       XU  ask, merge, reply Passed
S   GetW       XI  ask, multicast Inv
XI  last       XU  merge, clear, reply Passed
M   GetW       XM  ask, fetch FetchInv
XM  OwnerData  XU  store, merge, release, reply Passed
XU  Done       U   -
"""
    return replace(made, name=name, cache=cache + more, home=made.home + home)


MSI = protocol("msi")
WRITE_BACK_AROUND = _writes_go_around(MSI, "write-back-around")
MESI_AROUND = _writes_go_around(MESI, "mesi-around")
WITHOUT_ALLOCATION = (PASSING, AROUND, THROUGH, WRITE_BACK_AROUND, MESI_AROUND)
# Reads go past the cache: only a writer has a copy.
PAST = Protocol(
    "past",
    """
    I   read      IS  send GetS
    I   write     IM  send GetM
    M   read      M   hit
    M   write     M   write
    M   evict     MI  send PutM
    IS  Data      I   take, drop, send Done
    IM  DataM     M   take, write, send Done
    M   Fetch     M   send OwnerData
    M   FetchInv  I   send OwnerData, drop
    MI  Fetch     MI  send OwnerData
    MI  FetchInv  MI  send OwnerData
    MI  PutAck    I   drop
    """,
    """
    U   GetS       DU  ask, reply Data
    U   GetM       DM  ask, reply DataM, own
    M   GetS       WS  ask, fetch Fetch
    M   GetM       WM  ask, fetch FetchInv
    WS  OwnerData  DM  forward Data
    WM  OwnerData  DM  store, reply DataM, own
    DU  Done       U   -
    DM  Done       M   -
    M   PutM       U   store, release, ack
    U   PutM-      U   ack
    M   PutM-      M   ack
    """,
)
# MESI whose home knows when the last sharer has gone: the next reader has the line exclusive.
GIVES_NOTICE = "S evict SI send PutS\nSI Inv SI send InvAck\nSI PutAck I drop"
LAST = replace(
    MESI,
    name="last",
    cache=MESI.cache.replace("S   evict     I   drop", GIVES_NOTICE),
    home=MESI.home + "S PutS+ U forget, ack\nS PutS S forget, ack\nM PutS M ack\nU PutS U ack\n",
)
# The same of a home that takes the late word of a former owner, too, as that of the last sharer.
LAST_LATE = replace(LAST, name="last-late", home=LAST.home + "S PutM+ U forget, ack\nS PutE+ U forget, ack\n")
# MOESI whose home hears of every copy given up, and knows when an owner that goes leaves no sharer.
_HEARD = "O PutM+ U store, release, ack\nO PutS O forget, ack\nS PutS S forget, ack\nM PutS M ack\nU PutS U ack\n"
MOESI = protocol("moesi")
LAST_OWNER = replace(
    MOESI,
    name="last-owner",
    cache=MOESI.cache.replace("S   evict     I   drop", GIVES_NOTICE),
    home=MOESI.home + _HEARD,
)
# MSI whose home counts its readers, one, two, three and many (S1, S2, S3, SN): only a fourth cache reads in S3.
COUNTING = replace(
    MSI,
    name="counting",
    home="""
    U   GetS       D1  ask, reply Data, add
    S1  GetS       D2  ask, reply Data, add
    S2  GetS       D3  ask, reply Data, add
    S3  GetS       DN  ask, reply Data, add
    SN  GetS       DN  ask, reply Data, add
    D1  Done       S1  -
    D2  Done       S2  -
    D3  Done       S3  -
    DN  Done       SN  -
    U   GetM       DM  ask, reply DataM, own
    S1  GetM       WI  ask, multicast Inv
    S2  GetM       WI  ask, multicast Inv
    S3  GetM       WI  ask, multicast Inv
    SN  GetM       WI  ask, multicast Inv
    WI  last       DM  reply DataM, clear, own
    DM  Done       M   -
    M   GetS       WS  ask, fetch Fetch
    M   GetM       WM  ask, fetch FetchInv
    WS  OwnerData  D2  store, keep, release, reply Data, add
    WM  OwnerData  DM  store, reply DataM, own
    M   PutM       U   store, release, ack
    U   PutM-      U   ack
    S1  PutM-      S1  forget, ack
    S2  PutM-      S2  forget, ack
    S3  PutM-      S3  forget, ack
    SN  PutM-      SN  forget, ack
    M   PutM-      M   ack
    """,
)
