"""Chained list: the entry points at the first holder, each copy at the next (kudoh1995rhbd section 5.1).

Little memory, but a message visits the holders one after another.
"""

from __future__ import annotations

from jumpnet.coherence.encoding._encoding import Delivery, Encoding, EntryBits, pointer_bits

__all__ = ["chained"]


def _deliver(spec: str, home: int, holders: tuple[int, ...]) -> Delivery:
    return Delivery(len(holders), 0, 1, len(holders))


chained = Encoding(
    "chained",
    lambda nodes: EntryBits(pointer_bits(nodes), pointer_bits(nodes)),
    _deliver,
    "kudoh1995rhbd section 5.1",
    "head pointer in the entry, next pointer in each copy",
    by_number=True,
    chained=True,
    invalidates="chained",
)
