"""The full hierarchical bit-map: a map for each node of the multicast tree (kudoh1995rhbd section 3).

Sum of 8^k bits for k ranks: more than a full map, but the message goes down the tree at once.
"""

from __future__ import annotations

from jumpnet.coherence.encoding._maps import from_scheme

__all__ = ["hierarchical"]

hierarchical = from_scheme("full", "a map for each node of the tree", name="hierarchical")
