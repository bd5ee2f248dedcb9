"""Figures in the sentences of a section: a list of them, and from the least to the greatest."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

__all__ = ["percent_more", "series", "span"]


def series(values: Iterable[object]) -> str:
    """Values as a sentence lists them.

    >>> series([7, 9, 10, 13]), series([32])
    ('7, 9, 10 and 13', '32')
    """
    *first, last = map(str, values)
    return f"{', '.join(first)} and {last}" if first else last


def span(values: Iterable[object]) -> str:
    """The first and the last of values in their order; one alone where they are alike as written.

    >>> span(["5", "8"]), span([11, 11])
    ('5 to 8', '11')
    """
    first, *_, last = [*map(str, values)] * 2
    return first if first == last else f"{first} to {last}"


def percent_more(pairs: Iterable[tuple[Fraction | float, Fraction | float]]) -> str:
    """By how many percent the first figure of each pair is larger than the second, from the least to the most.

    >>> percent_more([(1.1, 1), (1.32, 1.1)])
    '10 to 20'
    """
    return span(f"{100 * more:.0f}" for more in sorted(float(one) / float(other) - 1 for one, other in pairs))
