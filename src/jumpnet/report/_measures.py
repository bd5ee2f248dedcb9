"""What the report takes the papers' words of degree to mean. The papers give no measure: every number here is ours.

One number stands for a word in all sections: 1.2 times for `much` (better, longer, less), `greatly`, `severe` and
`considerably`; less than that for `much the same`, `not much`, `not so increased`, `a little`, `comparable` and `few
difference`; twice for `drastic`; 1.1 times for `near-optimal`. A number that is printed with `about` is met by one that
is much the same (`Cell.verdict` reads it so).
"""

from __future__ import annotations

from fractions import Fraction

__all__ = [
    "DRASTIC", "MUCH", "MUCH_TIMES", "NEAR_OPTIMAL", "NOISE", "about", "against", "drastic", "much_more",
    "much_the_same",
]  # fmt: skip

MUCH = 0.2
"""Relative difference from which on one figure is much more than another."""
MUCH_TIMES = 1 + Fraction(MUCH).limit_denominator(100)
"""The same as a factor, exactly."""
DRASTIC = 2
"""So many times less, or more, is drastic."""
NEAR_OPTIMAL = Fraction(1, 10)
"""Part by which a near-optimal way is longer than the shortest, at most."""


NOISE = 0.03
"""Relative difference of simulated throughputs, and of loads, from which on they are not alike."""


def against(mine: float | Fraction, other: float | Fraction, noise: float = 0.0) -> str:
    """How one figure lies against another: `above`, `below`, or within the noise: `alike`, `equal` without noise.

    >>> against(11, 10), against(10, 10), against(9, 10), against(10.2, 10, 0.03), against(9, 10, 0.03)
    ('above', 'equal', 'below', 'alike', 'below')
    """
    if mine > other * (1 + noise):
        return "above"
    if mine < other * (1 - noise):
        return "below"
    return "alike" if noise else "equal"


def much_more(mine: float | Fraction, other: float | Fraction) -> bool:
    """Whether one figure is much more than another.

    >>> much_more(12, 10), much_more(Fraction(119, 100), 1)
    (True, False)
    """
    return mine >= MUCH_TIMES * other


def much_the_same(mine: float | Fraction, other: float | Fraction) -> bool:
    """Whether neither of two figures is much more than the other.

    >>> much_the_same(10, 11), much_the_same(10, 12)
    (True, False)
    """
    return not (much_more(mine, other) or much_more(other, mine))


def about(found: float | Fraction, printed: float | Fraction) -> bool:
    """Whether a figure is about the printed one.

    >>> about(11, 10), about(9, 10), about(12, 10), about(8, 10)
    (True, True, False, False)
    """
    return much_the_same(found, printed)


def drastic(before: float, left: float) -> bool:
    """Whether a figure was drastically reduced; from nothing it cannot be.

    >>> drastic(10, 5), drastic(10, 6), drastic(0, 0)
    (True, False, False)
    """
    return before > 0 and before >= DRASTIC * left
