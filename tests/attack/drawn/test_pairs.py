"""A few drawn cases of each kind of `pairs`; a difference is told."""

from __future__ import annotations

from random import Random

import pytest
from tests.attack import pairs
from tests.attack.pairs import functional

from jumpnet.jit.decorator import DISABLED

CASES = {"timed": (0, 9), "outside": (0, 3), "casts": (3, 1), "paths": (2, 5), "proofs": (3, 4), "functional": (0, 6)}
"""First case and how many: those that take a tenth of a second. `points`, `own` and `sweeps` take longer."""


@pytest.mark.skipif(DISABLED, reason="thousands of cycles")
@pytest.mark.parametrize("kind", CASES)
def test_drawn_cases_agree(kind: str) -> None:
    seen = pairs.Seen()
    assert list(pairs.attack(kind, "test", *CASES[kind], 0.0, seen)) == []
    assert seen["refused"] < seen["cases"] == CASES[kind][1] and len(seen) > 1


def test_a_difference_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    twin = functional.machine

    def another(*given: object, **options: object) -> object:
        sent, count = twin(*given, **options)  # type: ignore[arg-type]
        count["cache_misses"] += 1
        return sent, count

    assert functional.compared(Random("test"), pairs.Seen())[1] == ""
    monkeypatch.setattr(functional, "machine", another)
    assert functional.compared(Random("test"), pairs.Seen())[1].startswith("cache_misses: ")
    found = list(pairs.attack("functional", "test", 0, 2, 0.0, pairs.Seen()))
    assert [number for number, *_ in found] == [0, 1]
