"""How many cases a comparison of two simulators draws: a third of what is said, in CI.

All of them are drawn by name: `JUMPNET_DRAWS=all python -m pytest tests/twin`.
"""

from __future__ import annotations

import os

__all__ = ["draws"]


def draws(many: int) -> int:
    """A third of so many cases, or all where they are asked for.

    >>> draws(60) in (20, 60)
    True
    """
    return many if os.environ.get("JUMPNET_DRAWS") == "all" else many // 3
