"""Dragon on a directory: writes to shared lines update the other copies, memory is written when the owner evicts.

E exclusive and clean, M exclusive and dirty, Sc shared, Sm shared and owner of what memory lacks. CW and MW wait for
the answer to an update; IS and IW for data; CI, EI and MI for the answer to an eviction, and keep the copy until then.
The home is the ordering point that the bus was. Each node gets one message of a write: those listed the word (Update),
the owner, who is not among them, the word and the request for its line (FetchU), or the word alone where the writer has
a copy (Yield); the writer is answered when all have. Every eviction is announced, so that the list is exact and a
writer left alone becomes M; the home's S may list nobody. After the Xerox Dragon (culler1998parallel section 5.3.3);
the directory is ours.
"""

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
Sc  Update   Sc  merge, send UpdAck
CW  Update   CW  merge, send UpdAck
CI  Update   CI  send UpdAck
EI  Update   EI  send UpdAck
MI  Update   MI  send UpdAck
E   Fetch    Sc  send OwnerClean
EI  Fetch    EI  send OwnerClean
M   Fetch    Sm  send OwnerData
Sm  Fetch    Sm  send OwnerData
MW  Fetch    MW  send OwnerData
MI  Fetch    MI  send OwnerData
E   FetchU   Sc  send OwnerData, merge
M   FetchU   Sc  send OwnerData, merge
Sm  FetchU   Sc  send OwnerData, merge
MW  FetchU   CW  send OwnerData, merge
EI  FetchU   EI  send OwnerData
MI  FetchU   MI  send OwnerData
Sm  Yield    Sc  merge, send Yielded
MW  Yield    CW  merge, send Yielded
MI  Yield    MI  send Yielded
CI  PutAck   I   drop
EI  PutAck   I   drop
MI  PutAck   I   drop
"""

HOME = """
U   GetS        DM  ask, reply DataE, own
U   GetW        DM  ask, reply DataM, own
S   GetS        DS  ask, reply Data, add
S   GetW        WS  ask, multicast Update
S   Upd+        DM  ask, forget, reply Alone, own
S   Upd-        WX  ask, forget, multicast Update
M   GetS        WF  ask, fetch Fetch
M   GetW        WD  ask, fetch FetchU
O   GetS        WF  ask, fetch Fetch
O   GetW        WU  ask, multicast Update, fetch FetchU
O   Upd+        DM  ask, reply Alone
O   Upd         WO  ask, multicast Update
O   Upd-        WY  ask, forget, multicast Update, fetch Yield
WF  OwnerData   DO  forward Data, add
WF  OwnerClean  DS  keep, release, forward Data, add
WS  last        DO  reply DataU, keep, own
WU  last        WD  -
WU  OwnerData   WS  store
WD  OwnerData   DO  forward DataU, keep, own
WO  last        DO  reply UpdDone
WX  last        DO  reply UpdDone, keep, own
WY  last        WZ  -
WY  Yielded     WX  -
WZ  Yielded     DO  reply UpdDone, keep, own
DS  Done        S   -
DM  Done        M   -
DO  Done        O   -
M   PutM        U   store, release, ack
M   PutE        U   release, ack
O   PutM        S   store, release, ack
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
