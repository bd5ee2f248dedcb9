"""Directories that name nodes one by one (kudoh1995rhbd section 5.1): what they send depends on how many, not on which.

`full_map` has a bit for each node, as in the Stanford DASH. Few pointers follow the limited directories of Agarwal and
others (ISCA 1988): where there are more copies than pointers the message goes to every node of the machine, or an older
copy, the oldest one, is taken for each one more. A chained list takes little memory, the entry pointing at the first
holder and each copy at the next, but a message visits the holders one after another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jumpnet.coherence.encoding._encoding import Delivery, Encoding, EntryBits, nodes_of, pointer_bits
from jumpnet.errors import JumpnetError

__all__ = ["POINTERS", "chained", "full_map", "limited_broadcast", "limited_evicting", "with_pointers"]

POINTERS = 6
"""Number of pointers that the paper compares with (section 5.1)."""


def _encoding(
    name: str, bits: Callable[[int], EntryBits], sent: Callable[[str, int], Delivery], summary: str, **more: Any
) -> Encoding:
    """sent: on a network, to so many holders."""

    def deliver(spec: str, home: int, holders: tuple[int, ...]) -> Delivery:
        return sent(spec, len(holders))

    return Encoding(name, bits, deliver, "kudoh1995rhbd section 5.1", summary, by_number=True, **more)


def with_pointers(pointers: int, *, evicts: bool = False, name: str = "") -> Encoding:
    """The encoding with another number of pointers, at least 1, to be registered under another name.

    evicts: an older copy makes room for one too many; otherwise the message then goes to every node. Raises
    JumpnetError for a directory too small to name one copy.

    >>> with_pointers(3).bits(2**14).entry, with_pointers(6, evicts=True).bits(2**14).entry
    (43, 84)
    >>> with_pointers(0)
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: a directory of 0 pointers found, at least 1 expected
    """
    if pointers < 1:
        raise JumpnetError(f"a directory of {pointers} pointers found, at least 1 expected")

    def bits(nodes: int) -> EntryBits:
        return EntryBits(pointers * pointer_bits(nodes) + (not evicts))

    def sent(spec: str, holders: int) -> Delivery:
        kept = min(pointers, holders)
        if evicts or kept == holders:
            return Delivery(kept, 0, kept, kept, evicted=holders - kept)
        reached = nodes_of(spec) - 1
        return Delivery(reached, reached - holders, 1, 1)

    few = {"parameters": f"{pointers} pointers", "pointers": pointers}
    if evicts:
        tables = {"invalidates": "limited", "updates": "limited_update"}
        summary = "a few pointers; the oldest copy is given up for a new one"
        return _encoding(name or "limited_evicting", bits, sent, summary, **few, **tables, evicts=True)
    return _encoding(name or "limited_broadcast", bits, sent, "a few pointers and a bit for: broadcast", **few)


full_map = _encoding(
    "full_map", EntryBits, lambda spec, holders: Delivery(holders, 0, holders, holders),
    "one bit a node, one packet for each copy",
)  # fmt: skip
limited_broadcast = with_pointers(POINTERS)
limited_evicting = with_pointers(POINTERS, evicts=True)
chained = _encoding(
    "chained", lambda nodes: EntryBits(pointer_bits(nodes), pointer_bits(nodes)),
    lambda spec, holders: Delivery(holders, 0, 1, holders), "head pointer in the entry, next pointer in each copy",
    chained=True, invalidates="chained",
)  # fmt: skip
