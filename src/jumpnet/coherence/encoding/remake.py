"""The directory of REMAKE: every destination known exactly, its maps made rank by rank by the processors on the way.

The text does not say how a processor knows the destinations below it; the other way of section 3.1 keeps the maps at
the nodes of the tree. Counted here are all of these, as of the full hierarchical bit-map: home and nodes together have
them.
Source: kudoh1995rhbd sections 3.1 and 6; the scheme itself is `jumpnet.multicast.remake`.
"""

from __future__ import annotations

from dataclasses import replace

from jumpnet.coherence.encoding._maps import from_scheme
from jumpnet.coherence.encoding.hierarchical import hierarchical

__all__ = ["remake"]

remake = replace(from_scheme("REMAKE", "a new map at each rank, made by processors"), bits=hierarchical.bits)
