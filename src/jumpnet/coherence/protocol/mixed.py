"""Invalidate or update, chosen for each page: the home's V is a page in update mode, its U, S and M one in invalidate.

`switch` is the choice, made by the home while nobody is the owner; a cache asks to write (GetW) and the answer tells
which it was: DataM the sole copy, DataU one of several. JUMP-1 offers both types page by page (kudoh1995rhbd section
5.1); the tables are ours.
"""

from jumpnet.coherence.protocol._protocol import Protocol

__all__ = ["mixed"]

CACHE = """
I   read      IS  send GetS
I   write     IW  send GetW
S   read      S   hit
S   write     SW  send GetW
S   evict     I   drop
M   read      M   hit
M   write     M   write
M   evict     MI  send PutM
IS  Data      S   take, send Done
IW  DataM     M   take, write, send Done
IW  DataU     S   take, commit, send Done
SW  read      SW  hit
SW  DataM     M   take, write, send Done
SW  DataU     S   take, commit, send Done
I   Inv       I   send InvAck
S   Inv       I   send InvAck, drop
IS  Inv       IS  send InvAck
IW  Inv       IW  send InvAck
SW  Inv       IW  send InvAck, drop
MI  Inv       MI  send InvAck
I   Update    I   send UpdAck
S   Update    S   merge, send UpdAck
IS  Update    IS  send UpdAck
IW  Update    IW  send UpdAck
SW  Update    SW  merge, send UpdAck
MI  Update    MI  send UpdAck
M   Fetch     S   send OwnerData
M   FetchInv  I   send OwnerData, drop
MI  Fetch     MI  send OwnerData
MI  FetchInv  MI  send OwnerData
MI  PutAck    I   drop
"""

HOME = """
U   GetS       DS  ask, reply Data, add
U   GetW       DM  ask, reply DataM, own
U   switch     V   -
S   GetS       DS  ask, reply Data, add
S   GetW       WI  ask, multicast Inv
S   switch     V   -
V   GetS       DV  ask, reply Data, add
V   GetW       WV  ask, multicast Update
V   switch     S   -
WI  last       DM  reply DataM, clear, own
WV  last       DV  merge, reply DataU, add
M   GetS       WS  ask, fetch Fetch
M   GetW       WM  ask, fetch FetchInv
WS  OwnerData  DS  store, keep, release, reply Data, add
WM  OwnerData  DM  store, reply DataM, own
DS  Done       S   -
DM  Done       M   -
DV  Done       V   -
M   PutM       U   store, release, ack
U   PutM-      U   ack
S   PutM-      S   forget, ack
M   PutM-      M   ack
V   PutM-      V   forget, ack
"""

mixed = Protocol("mixed", CACHE, HOME, "kudoh1995rhbd section 5.1", "invalidate or update, chosen for each page")
