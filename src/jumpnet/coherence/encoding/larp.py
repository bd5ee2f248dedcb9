"""The LARP directory: the bit-maps that a LARP multicast carries in its header, stored in the entry.

Source: kudoh1995rhbd sections 3.1 and 5.1; the scheme itself is `jumpnet.multicast.larp`.
"""

from __future__ import annotations

from jumpnet.coherence.encoding._maps import from_scheme

__all__ = ["larp"]

larp = from_scheme("LARP", "broadcast in the home's subtree, maps elsewhere")
