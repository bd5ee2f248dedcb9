"""MSI on a list from copy to copy: an invalidation goes to the first and from each to the next, the last one answers.

The home turns to nothing else meanwhile. Each copy is a link of the list, so that none is dropped silently: PutS
asks the home to take the node out (in SCI its two neighbours link to each other instead). SI and MI keep the link until
then. After the chained directories of kudoh1995rhbd section 5.1; the tables are ours.
"""

from jumpnet.coherence.protocol._protocol import Protocol

__all__ = ["chained"]

CACHE = """
I   read      IS  send GetS
I   write     IM  send GetM
S   read      S   hit
S   write     SM  send GetM
S   evict     SI  send PutS
M   read      M   hit
M   write     M   write
M   evict     MI  send PutM
IS  Data      S   take, send Done
IM  DataM     M   take, write, send Done
SM  read      SM  hit
SM  DataM     M   take, write, send Done
S   Inv       I   pass InvAck, drop
SM  Inv       IM  pass InvAck, drop
SI  Inv       SI  pass InvAck
MI  Inv       MI  pass InvAck
M   Fetch     S   send OwnerData
M   FetchInv  I   send OwnerData, drop
MI  Fetch     MI  send OwnerData
MI  FetchInv  MI  send OwnerData
SI  PutAck    I   drop
MI  PutAck    I   drop
"""

HOME = """
U   GetS       DS  ask, reply Data, add
U   GetM       DM  ask, reply DataM, own
S   GetS       DS  ask, reply Data, add
S   GetM       WI  ask, tell Inv
WI  last       DM  reply DataM, clear, own
M   GetS       WS  ask, fetch Fetch
M   GetM       WM  ask, fetch FetchInv
WS  OwnerData  DS  store, keep, release, reply Data, add
WM  OwnerData  DM  store, reply DataM, own
DS  Done       S   -
DM  Done       M   -
M   PutM       U   store, release, ack
U   PutM-      U   ack
S   PutM-      S   forget, ack
M   PutM-      M   ack
S   PutS       S   forget, ack
U   PutS       U   ack
M   PutS       M   ack
"""

chained = Protocol("chained", CACHE, HOME, "kudoh1995rhbd section 5.1", "msi; an invalidation goes from copy to copy")
