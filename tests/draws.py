"""How many cases are tried in CI: a third of what is said.

All of them are tried by name: `JUMPNET_DRAWS=all python -m pytest tests/twin tests/machine tests/attack tests/papers`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

__all__ = ["ALL", "draws", "every_third"]

Case = TypeVar("Case")
ALL = os.environ.get("JUMPNET_DRAWS") == "all"


def draws(many: int) -> int:
    """A third of so many cases, or all where they are asked for.

    >>> draws(60) in (20, 60)
    True
    """
    return many if ALL else many // 3


def every_third(cases: Iterable[Case]) -> list[Case]:
    """Every third of these cases, or all where they are asked for.

    >>> every_third("abcdefg") in (list("adg"), list("abcdefg"))
    True
    """
    return list(cases)[:: 1 if ALL else 3]
