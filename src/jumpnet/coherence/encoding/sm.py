"""The SM directory: the bit-maps that a SM multicast carries in its header, stored in the entry.

Source: kudoh1995rhbd sections 3.1 and 5.1; the scheme itself is `jumpnet.multicast.sm`.
"""

from __future__ import annotations

from jumpnet.coherence.encoding._maps import from_scheme

__all__ = ["sm"]

sm = from_scheme("SM", "one map a rank, read by every node")
