"""Peaks of a histogram of messages by number of destinations, from 1 to everyone.

A peak is a run of equal counts with less on both sides; beyond the first and the last number there is nothing. It
counts when its prominence is at least one in a hundred of all messages: how far one must go down from it to get to a
peak that is higher (of equal ones the last is taken for the higher), or to nothing where no other is. So a tooth on a
slope is no peak, and one peak is not two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

__all__ = ["LEAST", "Peak", "apart", "low_peak", "octave", "peaks"]

LEAST = 0.01
"""Prominence of a peak, at least, as a part of all messages."""


@dataclass(frozen=True)
class Peak:
    """A peak at the numbers of destinations from `first` to `last`."""

    first: int
    last: int
    messages: int
    """Of each number."""
    prominence: int

    @property
    def said(self) -> str:
        """Where it is."""
        return str(self.first) if self.first == self.last else f"{self.first} to {self.last}"


def peaks(histogram: Mapping[int, int], everyone: int) -> list[Peak]:
    """The peaks, by number of destinations. everyone: the largest number that there may be.

    >>> [p.said for p in peaks({1: 5, 4: 30, 5: 60, 7: 9}, 7)]
    ['1', '5', '7']
    >>> [p.said for p in peaks({6: 10, 7: 90}, 7)]
    ['7']
    """
    counts = [0, *(histogram.get(k, 0) for k in range(1, everyone + 1)), 0]
    least, found, first = LEAST * sum(counts), [], 1
    while first <= everyone:
        last = first
        while counts[last + 1] == counts[first]:
            last += 1
            if last > everyone:
                break
        height = counts[first]
        if last <= everyone and counts[first - 1] < height > counts[last + 1]:
            prominence = height - max(_lowest(counts[first - 1 :: -1], height + 1), _lowest(counts[last + 1 :], height))
            if prominence >= least:
                found.append(Peak(first, last, height, prominence))
        first = last + 1
    return found


def _lowest(counts: Iterable[int], height: int) -> int:
    """The lowest point on the way to something at least so high; 0 where there is nothing as high."""
    lowest = height
    for count in counts:
        if count >= height:
            return lowest
        lowest = min(lowest, count)
    return 0


def apart(found: Iterable[Peak], everyone: int) -> tuple[list[Peak], Peak | None]:
    """The peaks below everyone, and the one at everyone.

    >>> low, high = apart(peaks({5: 60, 7: 9}, 7), 7)
    >>> [p.said for p in low], high.said
    (['5'], '7')
    """
    found = list(found)
    at_all = next((p for p in found if p.last == everyone), None)
    return [p for p in found if p is not at_all], at_all


def low_peak(found: Iterable[Peak], everyone: int) -> Peak | None:
    """The most prominent of the peaks below everyone, None without one."""
    return max(apart(found, everyone)[0], key=lambda p: p.prominence, default=None)


def octave(number: int) -> str:
    """The powers of two around a number, as the ticks of a logarithmic axis.

    >>> octave(4), octave(7), octave(8)
    ('4-8', '4-8', '8-16')
    """
    low = 1 << (number.bit_length() - 1)
    return f"{low}-{2 * low}"
