"""Jobs whose work has no bound in sight are refused in one line, before they start."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.attack.command_line.command import jumpnet as command
from tests.attack.command_line.command import refused

import jumpnet
from jumpnet.coherence.functional.engine import Functional
from jumpnet.errors import JumpnetError
from jumpnet.graph.bisection import _crossings, straight_cut
from jumpnet.study.loads import next_loads
from jumpnet.study.plan import AdaptiveLoads, RisingLoads
from jumpnet.topology import build
from jumpnet.traffic.onoff import LONGEST_SILENCE, ONOFF


def test_bursts_that_never_come() -> None:
    line = refused("simulate", "torus:4x4", "--load", "1e-9", "--set", "injection=onoff")
    assert "cycles between bursts found" in line
    for rate, options in ((1e-9, {}), (0.1, {"alpha": 1e-9, "beta": 1e-9}), (1e-300, {}), (5e-324, {})):
        with pytest.raises(JumpnetError, match="between bursts"):
            ONOFF.own(rate, options)
    assert ONOFF.own(2.1 / LONGEST_SILENCE, {})[2] > 0
    assert ONOFF.own(0.0, {}).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("seed", range(50))
def test_straight_cuts_of_a_long_side_take_no_table_of_pairs(seed: int) -> None:
    """The table of a side of 1,000,000 had 8 TB; all offsets at once equal one after the other."""
    draw = np.random.default_rng(seed)
    side, channels = 2 * int(draw.integers(1, 12)), int(draw.integers(0, 60))
    near, far = draw.integers(0, side, (2, channels))
    halves = [(np.arange(side) - offset) % side < side // 2 for offset in range(side // 2)]
    assert _crossings(near, far, side).tolist() == [int((half[near] != half[far]).sum()) for half in halves]


def test_the_straight_cut_of_a_long_path() -> None:
    cut = straight_cut(build("mesh:100000"))
    assert cut is not None and cut.links == 1 and cut.by_rank == {0: 1}


def test_a_trace_whose_first_access_fills_the_table_of_pages_ends(tmp_path: Path) -> None:
    """Its table once had a size that was no power of two, where a masked search went round without end."""
    lines = [" L 0,2048", *(f" L {number}000,8" for number in range(1, 65))]
    (tmp_path / "m.lackey").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = command("machine", "m.lackey", "--json", folder=tmp_path)
    assert done.returncode == 0 and json.loads(done.stdout)


@pytest.mark.parametrize("pages", [64, 65, 100, 1000])
def test_places_in_the_table_of_pages_can_be_masked(pages: int) -> None:
    engine = Functional(16)
    engine._grow(pages)
    places = len(engine._tables.slot_number)
    assert places >= 4 * pages and places & (places - 1) == 0


@pytest.mark.parametrize("given", [{"faults": range(10**12)}, {"seeds": 10**30}, {"seeds": itertools.count()}])
def test_a_degradation_without_end_is_refused(given: dict[str, Any]) -> None:
    """A range of 10**12 took all memory, and so many seeds for ever."""
    with pytest.raises(JumpnetError, match=r"more than 10000 seeds found|at most 10000000 values expected"):
        jumpnet.network("torus:4x4").degrade(**given)


def test_a_picture_takes_no_text_without_end() -> None:
    """A title of a million letters took minutes."""
    with pytest.raises(JumpnetError, match="a text of 1000000 characters found in a picture, at most 5000 expected"):
        jumpnet.network("torus:4x4").draw(title="a" * 10**6)


@pytest.mark.parametrize("loads", [np.array(0.1), [0.1, "a"], [[0.1]], "x" * 10**6])
def test_loads_that_are_none_are_one_short_line(loads: Any) -> None:
    """Some ended in a TypeError, and a text was repeated whole."""
    with pytest.raises(JumpnetError, match=r"^loads .{1,60} found, numbers such as \[0\.1, 0\.2\] expected$"):
        jumpnet.network("torus:4x4").curve(loads)


RULES = [
    *(
        AdaptiveLoads(tolerance=tolerance, highest=highest, grid=(0.1, 0.3000001))
        for tolerance in (1e-300, 1e-7, 0.02)
        for highest in (1e-300, 5e-7, 0.3000004, 1.0)
    ),
    RisingLoads(loads=(1e-7, 2e-7, 0.1000001, 0.8), points=4),
]


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("full", [0.0, 1e-9, 1e-6, 0.3, 0.7, 2.0])
def test_loads_closer_than_their_last_place_end(rule: AdaptiveLoads | RisingLoads, full: float) -> None:
    """A tolerance of 1e-7 asked for one load again and again, and so did a highest load of more places."""
    saturated: dict[float, bool] = {}
    while wanted := next_loads(rule, saturated):
        assert all(0 < load <= 1 for load in wanted) and not set(wanted) & set(saturated)
        saturated |= {load: load >= full for load in wanted}
