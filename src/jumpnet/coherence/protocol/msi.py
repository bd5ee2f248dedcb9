"""MSI with a blocking directory, as two transition tables: what a cache does, and what the home of the line does.

Lower-case events are the processor's (read, write, evict), the others messages. IS, IM, SM wait for data, MI for the
answer to an eviction. The home serves one request at a time and waits for Done, so that messages may overtake each
other. Actions: `send X` to the home, `write` (the copy is the newest value), `take` (the message's value), `drop`.
Home: `ask` notes the requester, `reply X`, `invalidate` all sharers but it, `fetch X` from the owner, `store` the
message's value, `share` and `own` enter the requester, `keep` the old owner as a sharer. `last` is the event of no more
acknowledges to come; `PutM-` is an eviction by a node that is not the owner. Read by `jumpnet.coherence.check`.
"""

from __future__ import annotations

__all__ = ["CACHE", "HOME"]

CACHE = """
I   read      IS  send GetS
I   write     IM  send GetM
S   write     SM  send GetM
S   evict     I   drop
M   write     M   write
M   evict     MI  send PutM
IS  Data      S   take, send Done
IM  DataM     M   take, write, send Done
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
"""state, event, next state, actions"""

HOME = """
U   GetS       DS  ask, reply Data, share
U   GetM       DM  ask, reply DataM, own
S   GetS       DS  ask, reply Data, share
S   GetM       WI  ask, invalidate
WI  last       DM  reply DataM, own
M   GetS       WS  ask, fetch Fetch
M   GetM       WM  ask, fetch FetchInv
WS  OwnerData  DS  store, keep, reply Data, share
WM  OwnerData  DM  store, reply DataM, own
DS  Done       S   -
DM  Done       M   -
M   PutM       U   store, release, ack
U   PutM-      U   ack
S   PutM-      S   ack
M   PutM-      M   ack
"""
"""state, event, next state, actions; requests wait in the states W. and D."""
