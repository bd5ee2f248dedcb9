"""Dragon on a directory: writes to shared lines update the other copies, memory is written when the owner evicts.

E exclusive and clean, M exclusive and dirty, Sc shared, Sm shared and owner of what memory lacks. CW and MW wait for
the answer to an update; IS and IW for data; CI, EI and MI for the answer to an eviction, and keep the copy until then.
The home is the ordering point that the bus was; it fetches the line for a writer as it tells the others, and keeps it
until all have answered. Every eviction is announced, so that the list is exact and a writer
left alone becomes M; the home's S may list nobody. After the Xerox Dragon (culler1998parallel section 5.3.3); the
directory is ours.
"""

from __future__ import annotations

from jumpnet.coherence.protocol._protocol import Protocol

__all__ = ["dragon"]

CACHE = """
I   read     IS  send GetS
I   write    IW  send GetW
E   read     E   hit
E   write    M   write
E   evict    EI  send PutE
Sc  read     Sc  hit
Sc  write    CW  send Upd
Sc  evict    CI  send PutS
Sm  read     Sm  hit
Sm  write    MW  send Upd
Sm  evict    MI  send PutM
M   read     M   hit
M   write    M   write
M   evict    MI  send PutM
IS  Data     Sc  take, send Done
IS  DataE    E   take, send Done
IW  DataM    M   take, write, send Done
IW  DataU    Sm  take, commit, send Done
CW  read     CW  hit
CW  UpdDone  Sm  commit, send Done
CW  Alone    M   write, send Done
MW  read     MW  hit
MW  UpdDone  Sm  commit, send Done
MW  Alone    M   write, send Done
E   Update   Sc  merge, send UpdAck
Sc  Update   Sc  merge, send UpdAck
Sm  Update   Sc  merge, send UpdAck
M   Update   Sc  merge, send UpdAck
CW  Update   CW  merge, send UpdAck
MW  Update   CW  merge, send UpdAck
CI  Update   CI  send UpdAck
EI  Update   EI  send UpdAck
MI  Update   MI  send UpdAck
E   Fetch    Sc  send OwnerClean
EI  Fetch    EI  send OwnerClean
M   Fetch    Sm  send OwnerData
Sm  Fetch    Sm  send OwnerData
MW  Fetch    MW  send OwnerData
MI  Fetch    MI  send OwnerData
E   FetchU   Sc  send OwnerData
M   FetchU   Sc  send OwnerData
Sm  FetchU   Sc  send OwnerData
MW  FetchU   CW  send OwnerData
Sc  FetchU   Sc  send OwnerData
CW  FetchU   CW  send OwnerData
CI  FetchU   CI  send OwnerData
EI  FetchU   EI  send OwnerData
MI  FetchU   MI  send OwnerData
CI  PutAck   I   drop
EI  PutAck   I   drop
MI  PutAck   I   drop
"""

HOME = """
U   GetS        DM  ask, reply DataE, own, add
U   GetW        DM  ask, reply DataM, own, add
S   GetS        DS  ask, reply Data, add
S   GetW        WS  ask, multicast Update
S   Upd         WX  ask, multicast Update
S   Upd+        DM  ask, reply Alone, own
M   GetS        WF  ask, fetch Fetch
M   GetW        WU  ask, multicast Update, fetch FetchU
O   GetS        WF  ask, fetch Fetch
O   GetW        WU  ask, multicast Update, fetch FetchU
O   Upd         WX  ask, multicast Update
O   Upd+        DM  ask, reply Alone
WF  OwnerData   DO  forward Data, add
WF  OwnerClean  DS  release, forward Data, add
WS  last        DO  reply DataU, own, add
WX  last        DO  reply UpdDone, own
WU  last        WD  -
WU  OwnerData   WS  store
WD  OwnerData   DO  forward DataU, own, add
DS  Done        S   -
DM  Done        M   -
DO  Done        O   -
M   PutM        U   store, release, forget, ack
M   PutE        U   release, forget, ack
O   PutM        S   store, release, forget, ack
O   PutS        O   forget, ack
S   PutS        S   forget, ack
O   PutM-       O   forget, ack
S   PutM-       S   forget, ack
O   PutE-       O   forget, ack
S   PutE-       S   forget, ack
"""

dragon = Protocol(
    "dragon", CACHE, HOME, "culler1998parallel section 5.3.3", "update; the last writer keeps what memory lacks"
)
