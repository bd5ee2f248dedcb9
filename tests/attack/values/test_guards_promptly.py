"""Guards against what would not end, told by what is asked next: without one a test fails, and does not hang."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import jumpnet
from jumpnet.errors import JumpnetError
from jumpnet.fault import _search
from jumpnet.fault.array import WaferArray
from jumpnet.fault.defects import random_defects
from jumpnet.fault.method import methods
from jumpnet.study.degrade import numbers
from jumpnet.traffic import onoff
from jumpnet.traffic.injection_process import NEVER


class Drawn(Exception):
    """A draw that should not be."""


def _no_draw(*given: object) -> int:
    raise Drawn


@pytest.mark.parametrize("own", [[1, 1, 0, 1], [1, 1, 1, 0], [0, 0, 0, 0]])
def test_a_source_without_packets_draws_none(own: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """On or off, it would draw for ever."""
    monkeypatch.setattr(onoff, "draw63", _no_draw)
    assert onoff.advance(np.array(own), np.zeros(8, np.int64), 1) == NEVER
    with pytest.raises(Drawn):
        onoff.advance(np.array([1, 1, 1, 1]), np.zeros(8, np.int64), 1)


def test_a_long_search_for_a_repair_goes_to_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many steps of a search the first ones are enough to tell; without a bound it takes as long as it takes."""
    asked: list[int] = []

    def program(masks: Any, excludes: Any) -> None:
        asked.append(len(masks))

    monkeypatch.setattr(_search, "NODES", -1)
    monkeypatch.setattr(_search, "_program", program)
    array = WaferArray(10, 10)
    methods()["exact"](array, random_defects(array, 0.09, 11, 0))
    assert asked


def test_loads_and_seeds_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jumpnet.lab.curve.MOST_LOADS", 10)
    monkeypatch.setattr("jumpnet.study.degrade.MOST_NUMBERS", 10)
    for loads in (iter([0.0] * 11), [0.0] * 11):
        with pytest.raises(JumpnetError, match="more than 10 loads found"):
            jumpnet.network("torus:4x4").curve(loads)
    assert next(itertools.count()) == 0 and numbers("seeds", range(10)) == [*range(10)]
    with pytest.raises(JumpnetError, match="more than 10 seeds found"):
        numbers("seeds", itertools.count())
