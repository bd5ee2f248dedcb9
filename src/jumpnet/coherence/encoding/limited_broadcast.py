"""Limited pointers with broadcast: a few pointers, and a bit that says the copies have outgrown them.

Source: kudoh1995rhbd section 5.1, after the limited directory of Agarwal and others (ISCA 1988). When there are more
copies than pointers the message goes to every node of the machine.
"""

from __future__ import annotations

from functools import lru_cache

from jumpnet.coherence.encoding._encoding import Delivery, Encoding, EntryBits, pointer_bits
from jumpnet.errors import JumpnetError
from jumpnet.topology import family

__all__ = ["POINTERS", "checked_pointers", "limited_broadcast", "nodes_of", "with_pointers"]

POINTERS = 6
"""Number of pointers that the paper compares with (section 5.1)."""


def nodes_of(spec: str) -> int:
    """Nodes of a network.

    >>> nodes_of("prdt:128")
    16384
    """
    size = _size(spec)
    if size is not None:
        return size[0]
    return family(spec).build().routers


@lru_cache
def _size(spec: str) -> tuple[int, int] | None:
    """Asked once for each message of a sum; the sizes that a family knows follow from its spec."""
    return family(spec).size()


def checked_pointers(pointers: int) -> int:
    """The number itself; raises JumpnetError for a directory too small to name one copy.

    >>> checked_pointers(0)
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: a directory of 0 pointers found, at least 1 expected
    """
    if pointers < 1:
        raise JumpnetError(f"a directory of {pointers} pointers found, at least 1 expected")
    return pointers


def with_pointers(pointers: int, name: str = "limited_broadcast") -> Encoding:
    """The encoding with another number of pointers, at least 1, to be registered under another name.

    >>> with_pointers(3).bits(2**14).entry
    43
    """
    checked_pointers(pointers)

    def deliver(spec: str, home: int, holders: tuple[int, ...]) -> Delivery:
        if len(holders) <= pointers:
            return Delivery(len(holders), 0, len(holders), len(holders))
        reached = nodes_of(spec) - 1
        return Delivery(reached, reached - len(holders), 1, 1)

    return Encoding(
        name,
        lambda nodes: EntryBits(pointers * pointer_bits(nodes) + 1),
        deliver,
        "kudoh1995rhbd section 5.1",
        "a few pointers and a bit for: broadcast",
        f"{pointers} pointers",
        by_number=True,
        pointers=pointers,
    )


limited_broadcast = with_pointers(POINTERS)
