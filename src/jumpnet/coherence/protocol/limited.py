"""MSI whose home can list a few nodes only: to list one more it takes the copy of another, which acknowledges first.

As `msi`, and `GetS*` is a reader that the home cannot list. Nobody is listed in M, so that two pointers are enough.
After the limited directories without broadcast of Agarwal and others, as kudoh1995rhbd section 5.1 has them; the
tables are ours.
"""

from jumpnet.coherence.protocol._protocol import Protocol
from jumpnet.coherence.protocol.msi import CACHE
from jumpnet.coherence.protocol.msi import HOME as LISTS_ALL

__all__ = ["limited"]

HOME = (
    LISTS_ALL
    + """\
S   GetS*      WE  ask, tell Inv
WE  last       DS  reply Data, add
"""
)

limited = Protocol(
    "limited", CACHE, HOME, "kudoh1995rhbd section 5.1", "msi; a few pointers, one copy is given up for a new one",
    pointers=2,
)  # fmt: skip
