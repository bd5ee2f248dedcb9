"""The LARP:path directory: the bit-maps of a LARP multicast in the other reading of its text, stored in the entry.

Source: kudoh1995rhbd sections 3.1 and 5.1; the scheme itself is `jumpnet.multicast.larp_path`.
"""

from __future__ import annotations

from jumpnet.coherence.encoding._maps import from_scheme

__all__ = ["larp_path"]

larp_path = from_scheme("LARP:path", "LARP read otherwise: broadcast on the home's path, maps elsewhere")
