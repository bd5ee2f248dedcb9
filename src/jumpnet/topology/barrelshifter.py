"""Barrel shifter: each router is joined to those 1, 2, 4, ... places ahead and behind.

Source: Hwang and Briggs, Computer Architecture and Parallel Processing, 1985 (inoguchi1996srt [5]).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from jumpnet.errors import JumpnetError
from jumpnet.topology._circulant import Circulant
from jumpnet.topology._family import Claim

__all__ = ["Barrelshifter"]


@dataclass(frozen=True)
class Barrelshifter(Circulant):
    """`barrelshifter:256`: 2^n routers of degree 2n-1.

    Port 2i leads 2^i ahead, port 2i+1 behind; half the circle is one link. params = [routers, 1, 2, 4, ...].
    """

    routers: int
    """Routers, a power of two."""

    name: ClassVar[str] = "barrelshifter"
    samples: ClassVar[tuple[str, ...]] = (
        "barrelshifter:2",
        "barrelshifter:8",
        "barrelshifter:64",
        "barrelshifter:128",
    )

    def __post_init__(self) -> None:
        if self.routers < 2 or self.routers & (self.routers - 1):
            raise JumpnetError(f"barrelshifter: {self.routers} routers found, a power of two from 2 expected")

    @property
    def _steps(self) -> list[int]:
        return [1 << i for i in range(self.routers.bit_length() - 1)]

    @property
    def _count(self) -> int:
        return self.routers

    def claims(self) -> dict[str, Claim]:
        n = self.routers.bit_length() - 1
        return {
            "routers": self.routers,
            "links": self.routers * (2 * n - 1) // 2,
            "degree": 2 * n - 1,
            "diameter": -(-n // 2),
        }
