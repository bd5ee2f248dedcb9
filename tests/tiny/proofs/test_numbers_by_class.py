"""Numbers by kinds of channels, from rows a few at a time: what stands in the last rows counts as that in the first."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.analysis.deadlock.cycles import numbers_by_class as module
from jumpnet.analysis.deadlock.cycles.numbers_by_class import numbers_by_class, numbers_by_port
from jumpnet.topology import build


def test_rows_in_pieces_have_the_classes_of_their_own_channels(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a line of four channel 2 r leads up from router r, 2 r + 1 down. One dependency at its end, of the channel
    down from router 3 on that up from 2: kind 1 before kind 0. With that of the channel up from 2 on the one down from
    3 they form a circle. All rows are looked at at once; the first, then the others; seven, then the last."""
    net = build("mesh:4")
    base = np.array([2, 0, 4, 0, 6, 2, 0, 4])  # the first channel of the router that each leads to
    bits = np.zeros((8, 1), np.uint64)
    bits[7] = 0b01
    for first_rows in (1 << 15, 1, 7):
        monkeypatch.setattr(module, "FIRST_ROWS", first_rows)
        for number in (numbers_by_class(net, 1, bits, base), numbers_by_port(2, bits, base)):
            assert number is not None and number[7] < number[4]
            assert len(set(number[[0, 2, 4]])) == len(set(number[[3, 5, 7]])) == 1  # those that there are
        both = bits.copy()
        both[4] = 0b10
        assert numbers_by_class(net, 1, both, base) is None and numbers_by_port(2, both, base) is None
