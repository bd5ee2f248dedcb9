"""Limited pointers with eviction: when a copy too many appears, an older one is invalidated to make room.

Source: kudoh1995rhbd section 5.1, after the limited directory of Agarwal and others (ISCA 1988). The oldest copy goes.
"""

from __future__ import annotations

from jumpnet.coherence.encoding._encoding import Delivery, Encoding, EntryBits, pointer_bits
from jumpnet.coherence.encoding.limited_broadcast import POINTERS, checked_pointers

__all__ = ["limited_evicting", "with_pointers"]


def with_pointers(pointers: int, name: str = "limited_evicting") -> Encoding:
    """The encoding with another number of pointers, at least 1, to be registered under another name.

    >>> with_pointers(6).bits(2**14).entry
    84
    """
    checked_pointers(pointers)

    def deliver(spec: str, home: int, holders: tuple[int, ...]) -> Delivery:
        kept = min(pointers, len(holders))
        return Delivery(kept, 0, kept, kept, evicted=len(holders) - kept)

    return Encoding(
        name,
        lambda nodes: EntryBits(pointers * pointer_bits(nodes)),
        deliver,
        "kudoh1995rhbd section 5.1",
        "a few pointers; the oldest copy is given up for a new one",
        f"{pointers} pointers",
        by_number=True,
        pointers=pointers,
        evicts=True,
        invalidates="limited",
        updates="limited_update",
    )


limited_evicting = with_pointers(POINTERS)
