"""MESI with a blocking directory: as MSI, and a line that no other cache has is read exclusive, to be written silently.

EI waits for the answer to the eviction of a clean line, which carries no data. The home's M means that one node is the
owner, whether it has written or not. After sorin2011primer chapter 8.
"""

from jumpnet.coherence.protocol._protocol import Protocol

__all__ = ["mesi"]

CACHE = """
I   read      IS  send GetS
I   write     IM  send GetM
S   read      S   hit
S   write     SM  send GetM
S   evict     I   drop
E   read      E   hit
E   write     M   write
E   evict     EI  send PutE
M   read      M   hit
M   write     M   write
M   evict     MI  send PutM
IS  Data      S   take, send Done
IS  DataE     E   take, send Done
IM  DataM     M   take, write, send Done
SM  read      SM  hit
SM  DataM     M   take, write, send Done
I   Inv       I   send InvAck
S   Inv       I   send InvAck, drop
IS  Inv       IS  send InvAck
IM  Inv       IM  send InvAck
SM  Inv       IM  send InvAck, drop
E   Fetch     S   send OwnerData
E   FetchInv  I   send OwnerData, drop
M   Fetch     S   send OwnerData
M   FetchInv  I   send OwnerData, drop
EI  Fetch     EI  send OwnerData
EI  FetchInv  EI  send OwnerData
EI  Inv       EI  send InvAck
EI  PutAck    I   drop
MI  Fetch     MI  send OwnerData
MI  FetchInv  MI  send OwnerData
MI  Inv       MI  send InvAck
MI  PutAck    I   drop
"""

HOME = """
U   GetS       DM  ask, reply DataE, own
U   GetM       DM  ask, reply DataM, own
S   GetS       DS  ask, reply Data, add
S   GetM       WI  ask, multicast Inv
WI  last       DM  reply DataM, clear, own
M   GetS       WS  ask, fetch Fetch
M   GetM       WM  ask, fetch FetchInv
WS  OwnerData  DS  store, keep, release, reply Data, add
WM  OwnerData  DM  store, reply DataM, own
DS  Done       S   -
DM  Done       M   -
M   PutM       U   store, release, ack
M   PutE       U   release, ack
U   PutM-      U   ack
S   PutM-      S   forget, ack
M   PutM-      M   ack
U   PutE-      U   ack
S   PutE-      S   forget, ack
M   PutE-      M   ack
"""

mesi = Protocol("mesi", CACHE, HOME, "sorin2011primer chapter 8", "invalidate; a sole reader may write in silence")
