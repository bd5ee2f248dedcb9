"""Which of the common levels of x86-64 and Arm this processor can run: kernels in a wheel are compiled for those.

Levels are those of the x86-64 psABI, as LLVM names them; `generic` is any 64-bit Arm.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable

__all__ = ["LEVELS", "levels_of"]

V3 = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
V4 = (*V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
LEVELS: dict[str, tuple[str, tuple[str, ...]]] = {
    "x86-64-v4": ("x86_64", V4),
    "x86-64-v3": ("x86_64", V3),
    "generic": ("aarch64", ()),
}
"""Level: its architecture and the features it needs; the best of an architecture first."""
SAME = {"amd64": "x86_64", "arm64": "aarch64"}


def levels_of(features: Iterable[str], machine: str = "") -> tuple[str, ...]:
    """The levels that a processor with these features can run, best first.

    >>> levels_of({"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}, "x86_64")
    ('x86-64-v3',)
    """
    have = set(features)
    name = (machine or platform.machine()).lower()
    mine = SAME.get(name, name)
    return tuple(level for level, (of, needed) in LEVELS.items() if of == mine and have.issuperset(needed))
