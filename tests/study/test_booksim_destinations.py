"""Where nodes send to in BookSim 2's traffic patterns: tables by hand, and a permutation as BookSim 2 printed it."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.study.booksim._destinations import DESTINATIONS, table_of
from jumpnet.study.booksim._language import settings
from jumpnet.study.booksim._meaning import meaning
from jumpnet.traffic import bind

GRID = {"k": 4, "n": 2, "xr": 1, "perm_seed": "0"}
CMESH = "topology=cmesh; k=4; n=2; c=4; x=4; y=4; xr=2; yr=2; routing_function=dor_no_express; use_noc_latency=0;"


@pytest.mark.parametrize(
    ("seed", "printed"),
    [
        (0, [2, 8, 6, 1, 0, 11, 4, 5, 3, 14, 10, 7, 15, 12, 9, 13]),
        (7, [10, 2, 13, 9, 3, 1, 5, 15, 0, 14, 12, 6, 8, 7, 11, 4]),
    ],
)
def test_random_permutations_are_those_that_booksim_prints(seed: int, printed: list[int]) -> None:
    """Sources and destinations of its watched packets on a 4x4 mesh, by `perm_seed` and in brackets."""
    assert table_of("randperm", 16, GRID | {"perm_seed": str(seed)}, [])[:, 0].tolist() == printed
    assert table_of("randperm", 16, GRID, [seed])[:, 0].tolist() == printed


@pytest.mark.parametrize(
    ("name", "nodes", "given", "source", "want"),
    [
        ("bitcomp", 16, [], 3, [12]),
        ("bitrev", 16, [], 1, [8]),
        ("shuffle", 16, [], 9, [3]),
        ("transpose", 16, [], 6, [9]),
        ("tornado", 16, [], 3, [4 + 0]),  # digits (3, 0): both one further, base 4
        ("neighbor", 16, [], 7, [8]),  # digits (3, 1) become (0, 2)
        ("tornado", 16, [2, 4, 1], 5, [5]),  # base 2: nothing is added
        ("neighbor", 16, [2, 4], 5, [10]),
        ("neighbor", 16, [4, 1], 7, [0]),  # one digit: what lies above it goes
        ("diagonal", 6, [], 5, [0, 5, 5]),
        ("asymmetric", 6, [], 4, [1, 4]),
        ("badperm_yarc", 16, [], 6, [1, 5, 9, 13]),
        ("background", 5, [1, 3], 1, [0, 2, 4]),
        ("bad_dragon", 16, [1, 1], 1, [2, 3]),
        ("bad_dragon", 16, [1, 1], 15, [0, 1]),
    ],
)
def test_destinations_by_hand(name: str, nodes: int, given: list[int], source: int, want: list[int]) -> None:
    assert table_of(name, nodes, GRID, given)[source].tolist() == want


def test_every_pattern_is_tried_by_hand_or_here() -> None:
    """taper64: from node 0 half to any of 64, half to the nine about it, which wrap around the grid's end."""
    row = table_of("taper64", 64, GRID, [])[0]
    times = np.bincount(row, minlength=64)
    about = [0, 1, 63, 8, 9, 7, 56, 57, 55]
    assert times.sum() == 2 * 9 * 64 and (times[about] == 64 + 9).all() and (np.delete(times, about) == 9).all()
    assert len(DESTINATIONS) == 13


@pytest.mark.parametrize(
    ("name", "nodes", "given", "found"),
    [
        ("bitcomp", 12, [], "12 nodes found, a power of two expected"),
        ("transpose", 32, [], "32 nodes found, an even power of two expected"),
        ("tornado", 15, [], "15 nodes found, 4^2 expected"),
        ("neighbor", 16, [0], "k = 0, n = 2, xr = 1 found, 1 or more expected"),
        ("taper64", 16, [], "16 nodes found, 64 expected"),
        ("asymmetric", 1, [], "1 nodes found, 2 or more expected"),
        ("badperm_yarc", 9, [], "9 nodes found, at least 16 expected"),
        ("background", 4, [], "nodes to leave out expected"),
        ("background", 4, [4], "[4] found, some of 4 nodes expected"),
        ("background", 1 << 20, [0], "1048576 nodes found, at most 16 expected"),
    ],
)
def test_what_does_not_suit_is_one_line(name: str, nodes: int, given: list[int], found: str) -> None:
    with pytest.raises(JumpnetError) as caught:
        table_of(name, nodes, GRID, given)
    assert found in str(caught.value) and "\n" not in str(caught.value)


def test_patterns_by_digits_go_by_the_nodes_of_a_concentrated_mesh() -> None:
    """Digits to the base xr k = 8: node 9 = (1, 1) sends to (4, 4) = 36; ours, by routers, would send elsewhere."""
    found, config = meaning(settings(CMESH + "traffic=tornado;"))
    assert found.node is not None
    pattern = bind(config.traffic, found.network)
    assert pattern(int(found.node[9]), 0) == found.node[36] and config.traffic.startswith("booksim.tornado-")


def test_tables_that_differ_have_names_that_differ() -> None:
    """Two files of one pattern on networks of other numbers, read before either runs."""
    texts = [CMESH.replace("k=4", f"k={k}").replace("x=4; y=4", f"x={k}; y={k}") for k in (2, 4)]
    small, wide = (meaning(settings(text + "traffic=tornado;")) for text in texts)
    assert small[1].traffic != wide[1].traffic
    assert bind(small[1].traffic, small[0].network)(0, 0) == small[0].node[5]  # type: ignore[index]


def test_a_drawn_pattern_takes_every_column() -> None:
    found, config = meaning(settings("topology=mesh; k=4; n=2; routing_function=dor; traffic=diagonal;"))
    pattern = bind(config.traffic, found.network)
    assert [pattern(15, draw) for draw in range(pattern.draws)] == [0, 15, 15]
