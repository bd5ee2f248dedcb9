"""The LPRA directory: the bit-maps that a LPRA multicast carries in its header, stored in the entry.

Source: kudoh1995rhbd sections 3.1 and 5.1; the scheme itself is `jumpnet.multicast.lpra`.
"""

from __future__ import annotations

from jumpnet.coherence.encoding._maps import from_scheme

__all__ = ["lpra"]

lpra = from_scheme("LPRA", "maps on the home's path, broadcast elsewhere")
