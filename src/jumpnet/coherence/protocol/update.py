"""Write-update with acknowledge: every write goes through the home to memory and to all copies, which stay.

A copy is invalid or shared. The home sends the word to the others, collects their acknowledges (the network may
combine them), and only then tells the writer; until then a read may see the new word or the old one, after it only the
new. A copy is dropped silently, so the list may be too long. JUMP-1's update type (kudoh1995rhbd section 5.1,
nishi1997router on combining acknowledges); the tables are ours.
"""

from jumpnet.coherence.protocol._protocol import Protocol

__all__ = ["update"]

CACHE = """
I   read     IS  send GetS
I   write    IW  send GetW
S   read     S   hit
S   write    SW  send Upd
S   evict    I   drop
IS  Data     S   take, send Done
IW  DataU    S   take, commit, send Done
SW  read     SW  hit
SW  UpdDone  S   commit, send Done
I   Update   I   send UpdAck
IS  Update   IS  send UpdAck
IW  Update   IW  send UpdAck
S   Update   S   merge, send UpdAck
SW  Update   SW  merge, send UpdAck
"""

HOME = """
V   GetS  DV  ask, reply Data, add
V   GetW  WV  ask, multicast Update
V   Upd   XV  ask, multicast Update
WV  last  DV  merge, reply DataU, add
XV  last  DV  merge, reply UpdDone
DV  Done  V   -
"""

update = Protocol(
    "update", CACHE, HOME, "kudoh1995rhbd section 5.1", "update; every write through the home to all copies"
)
