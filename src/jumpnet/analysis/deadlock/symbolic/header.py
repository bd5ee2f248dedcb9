"""What relations have in common that run for many packets at once, on tables (`dimensions`, `digits`) or inequalities.

See decisions 0075 to 0077 for the three ways.
"""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = ["Header", "Unfit"]


class Unfit(Exception):
    """The relation does something that this way of running it does not say; another way is taken."""


class Header(dict[int, Any]):
    """A header of which only the fields that stand in it may be read."""

    def __missing__(self, field: int) -> NoReturn:
        raise Unfit
