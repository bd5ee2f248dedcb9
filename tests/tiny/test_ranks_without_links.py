"""Ranks that a side is too small for have no links, and the figures of the network say so."""

from __future__ import annotations

import json

import numpy as np
import pytest

from jumpnet.cli import run_words
from jumpnet.topology import build, family


def test_ranks_above_the_greatest_change_nothing() -> None:
    assert np.array_equal(build("prdt:16,R=9").neighbor, build("prdt:16,R=2").neighbor)
    assert not np.array_equal(build("prdt:16,R=1").neighbor, build("prdt:16,R=2").neighbor)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("prdt:128,R=9", "4 of 9 upper ranks have links: rank 5 is too high for a side of 128"),
        ("prdt:2,R=1,n=2", "no rank above the base torus has links: rank 1 is too high for a side of 2"),
        ("prdt:4,R=1000000000000", "1 of 1000000000000 upper ranks have links: rank 2 is too high for a side of 4"),
        ("rdt:16", "2 of 4 upper ranks have links: rank 3 is too high for a side of 16"),
        ("rdt:64", "3 of 4 upper ranks have links: rank 4 is too high for a side of 64"),
        ("rdt:64,assignment=alpha_1", None),
        ("rdt:128", None),
        ("rdt:8,assignment=none", None),
        ("prdt:128,R=4", None),
        ("prdt:128,R=0", None),
        ("prdt:128", None),
        ("torus:8x8", None),
    ],
)
def test_the_remark_counts_the_ranks_with_links(spec: str, words: str | None) -> None:
    assert family(spec).remarks == (() if words is None else (words,))


def test_metrics_shows_the_remark(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_words(["metrics", "prdt:8,R=5", "prdt:8"]) == 0
    said = "prdt:8,R=5: 1 of 5 upper ranks have links: rank 2 is too high for a side of 8"
    assert capsys.readouterr().out.splitlines()[-1] == said
    assert run_words(["metrics", "prdt:8,R=5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["remarks"] == [said.partition(": ")[2]]
