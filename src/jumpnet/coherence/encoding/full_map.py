"""Full map: one bit for each node of the machine, as in the Stanford DASH (kudoh1995rhbd section 5.1)."""

from __future__ import annotations

from jumpnet.coherence.encoding._encoding import Delivery, Encoding, EntryBits

__all__ = ["full_map"]


def _deliver(spec: str, home: int, holders: tuple[int, ...]) -> Delivery:
    return Delivery(len(holders), 0, len(holders), len(holders))


full_map = Encoding(
    "full_map",
    EntryBits,
    _deliver,
    "kudoh1995rhbd section 5.1",
    "one bit a node, one packet for each copy",
    by_number=True,
)
