"""MOESI with a blocking directory: as MESI, and a writer whose line is read keeps it, dirty, and serves the readers.

O is the dirty copy beside others; memory is written when it is evicted. OM waits for the others to be gone: its copy is
the newest, so the answer (Grant) carries no line. A clean owner that is asked says so (OwnerClean) and is an owner no
more. In the home's O the owner is not among those listed; in its S one node may be left, which gets the line exclusive.
After sorin2011primer; the tables are ours.
"""

from jumpnet.coherence.protocol._protocol import Protocol

__all__ = ["moesi"]

CACHE = """
I   read      IS  send GetS
I   write     IM  send GetM
S   read      S   hit
S   write     SM  send GetM
S   evict     I   drop
E   read      E   hit
E   write     M   write
E   evict     EI  send PutE
O   read      O   hit
O   write     OM  send GetM
O   evict     MI  send PutM
M   read      M   hit
M   write     M   write
M   evict     MI  send PutM
IS  Data      S   take, send Done
IS  DataE     E   take, send Done
IM  DataM     M   take, write, send Done
SM  read      SM  hit
SM  DataM     M   take, write, send Done
OM  read      OM  hit
OM  Grant     M   write, send Done
I   Inv       I   send InvAck
S   Inv       I   send InvAck, drop
IS  Inv       IS  send InvAck
IM  Inv       IM  send InvAck
SM  Inv       IM  send InvAck, drop
E   Fetch     S   send OwnerClean
E   FetchInv  I   send OwnerData, drop
O   Fetch     O   send OwnerData
O   FetchInv  I   send OwnerData, drop
OM  Fetch     OM  send OwnerData
OM  FetchInv  IM  send OwnerData, drop
M   Fetch     O   send OwnerData
M   FetchInv  I   send OwnerData, drop
EI  Fetch     EI  send OwnerClean
EI  FetchInv  EI  send OwnerData
EI  Inv       EI  send InvAck
EI  PutAck    I   drop
MI  Fetch     MI  send OwnerData
MI  FetchInv  MI  send OwnerData
MI  PutAck    I   drop
"""

HOME = """
U   GetS        DM  ask, reply DataE, own
U   GetM-       DM  ask, reply DataM, own
S   GetS        DS  ask, reply Data, add
S   GetS+       DM  ask, reply DataE, clear, own
S   GetM-       WI  ask, multicast Inv
WI  last        DM  reply DataM, clear, own
M   GetS        WF  ask, fetch Fetch
M   GetM-       WM  ask, fetch FetchInv
O   GetS        WF  ask, fetch Fetch
O   GetM        WO  ask, multicast Inv
O   GetM-       WJ  ask, multicast Inv, fetch FetchInv
WF  OwnerData   DO  forward Data, add
WF  OwnerClean  DS  keep, release, forward Data, add
WO  last        DM  reply Grant, clear
WJ  last        WM  -
WJ  OwnerData   WI  store
WM  OwnerData   DM  forward DataM, clear, own
DS  Done        S   -
DM  Done        M   -
DO  Done        O   -
M   PutM        U   store, release, ack
M   PutE        U   release, ack
O   PutM        S   store, release, ack
U   PutM-       U   ack
S   PutM-       S   forget, ack
M   PutM-       M   ack
O   PutM-       O   forget, ack
U   PutE-       U   ack
S   PutE-       S   forget, ack
M   PutE-       M   ack
O   PutE-       O   forget, ack
"""

moesi = Protocol(
    "moesi",
    CACHE,
    HOME,
    "sorin2011primer",
    "invalidate; a writer that is read keeps what memory lacks",
)
