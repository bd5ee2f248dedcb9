"""The three checks of the chip: parity of a header flit, the vertical parity of a body, parity of internal state.

Source: nishi1997router section 4.5. Even parity, one bit a flit of a slice; the vertical parity flit is the exclusive
or of the body flits, header excluded because routers rewrite it (docs/decisions/0050, E1 and the last flit).
Used by `packet`, the input of every link, and the destination.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import xor

from jumpnet.jit.bits import count
from jumpnet.jit.linked import kernel

__all__ = ["bits_parity", "good", "odd", "sealed", "vertical"]


@kernel
def bits_parity(word):
    """Exclusive or of all bits of a word of at most 32 bits.

    >>> bits_parity(0b1011), bits_parity(0b11)
    (1, 0)
    """
    return count(word) & 1


@kernel
def sealed(flit):
    """The flit with its parity bit (bit 0) set so that the number of ones is even.

    >>> sealed(0b10), sealed(0b111)
    (3, 6)
    """
    return flit & ~1 | bits_parity(flit >> 1)


@kernel
def good(flit):
    """Whether a header flit has an even number of ones.

    >>> good(sealed(0b1010_1110)), good(sealed(0b1010_1110) ^ 0b100)
    (True, False)
    """
    return bits_parity(flit) == 0


def odd(word: int) -> int:
    """`bits_parity` for chips that Python steps: a call of compiled code takes several times as long.

    >>> odd(0b1011), odd(0b11), odd(-1)
    (1, 0, 0)
    """
    return (word & 0xFFFF_FFFF).bit_count() & 1


def vertical(body: Iterable[int]) -> int:
    """The vertical parity flit of a body.

    >>> vertical([5, 3, 5])
    3
    """
    return reduce(xor, body, 0)
