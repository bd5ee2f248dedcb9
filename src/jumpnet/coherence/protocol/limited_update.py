"""Write-update whose home can list a few nodes only: to list one more it takes the copy of another.

As `update`, and the copy of one listed goes before a reader is answered, or before the others are told of a writer's
word. A writer may lose its copy while it waits, so that one request does for all writes, whose answer brings the line.
After the limited directories and the update type of kudoh1995rhbd section 5.1; the tables are ours.
"""

from jumpnet.coherence.protocol._protocol import Protocol

__all__ = ["limited_update"]

CACHE = """
I   read     IS  send GetS
I   write    IW  send GetW
S   read     S   hit
S   write    SW  send GetW
S   evict    I   drop
IS  Data     S   take, send Done
IW  DataU    S   take, commit, send Done
SW  read     SW  hit
SW  DataU    S   take, commit, send Done
I   Update   I   send UpdAck
IS  Update   IS  send UpdAck
IW  Update   IW  send UpdAck
S   Update   S   merge, send UpdAck
SW  Update   SW  merge, send UpdAck
I   Inv      I   send InvAck
IS  Inv      IS  send InvAck
IW  Inv      IW  send InvAck
S   Inv      I   send InvAck, drop
SW  Inv      IW  send InvAck, drop
"""

HOME = """
V   GetS   DV  ask, reply Data, add
V   GetS*  WE  ask, tell Inv
V   GetW   WV  ask, multicast Update
V   GetW*  WT  ask, tell Inv
WE  last   DV  reply Data, add
WT  last   WV  multicast Update
WV  last   DV  merge, reply DataU, add
DV  Done   V   -
"""

limited_update = Protocol(
    "limited_update", CACHE, HOME, "kudoh1995rhbd section 5.1",
    "update; a few pointers, one copy is given up for a new one", pointers=2,
)  # fmt: skip
