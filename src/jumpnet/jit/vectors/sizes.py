"""How long machine vectors are (`jit.vectors`)."""

from __future__ import annotations

__all__ = ["NUMBERS", "WORDS"]

NUMBERS = 16
WORDS = 4
"""64-bit words of a row."""
