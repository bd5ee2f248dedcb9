"""MSI with a blocking directory: invalid, shared by readers, or modified by the one writer.

IS, IM, SM wait for data, MI for the answer to an eviction. The home serves one request at a time and waits for Done,
so that messages may overtake each other; a shared copy is dropped silently. An owner that gives
the line up as it is fetched (`PutM-`) is struck out. After sorin2011primer chapter 8.
"""

from jumpnet.coherence.protocol._protocol import Protocol

__all__ = ["msi"]

CACHE = """
I   read      IS  send GetS
I   write     IM  send GetM
S   read      S   hit
S   write     SM  send GetM
S   evict     I   drop
M   read      M   hit
M   write     M   write
M   evict     MI  send PutM
IS  Data      S   take, send Done
IM  DataM     M   take, write, send Done
SM  read      SM  hit
SM  DataM     M   take, write, send Done
I   Inv       I   send InvAck
S   Inv       I   send InvAck, drop
IS  Inv       IS  send InvAck
IM  Inv       IM  send InvAck
SM  Inv       IM  send InvAck, drop
M   Fetch     S   send OwnerData
M   FetchInv  I   send OwnerData, drop
MI  Fetch     MI  send OwnerData
MI  FetchInv  MI  send OwnerData
MI  Inv       MI  send InvAck
MI  PutAck    I   drop
"""

HOME = """
U   GetS       DS  ask, reply Data, add
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
U   PutM-      U   ack
S   PutM-      S   forget, ack
M   PutM-      M   ack
"""

msi = Protocol("msi", CACHE, HOME, "sorin2011primer chapter 8", "invalidate; invalid, shared, modified")
