"""Certificates by cases of pairs that are false by one dependency alone, of an escape that lies normal hops ahead."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from tests.attack.files.certificates import COMPILER, reasons_in_c
from tests.naive.grid_certificate import is_true_on_grid
from tools import check_grid_certificate as tool

Check = Callable[[str], str]
"""Why the checkers refuse a file, '' where they accept it."""
WAYS = {
    "up": [0, 1, 2, 3, 4, 5, 6, 7],
    "down": [7, 6, 5, 4, 3, 2, 1, 0],
    "to and fro": [0, 4, 3, 5, 2, 6, 1, 7],
    "fro and to": [7, 3, 4, 2, 5, 1, 6, 0],
    "three hops": [0, 1, 2, 3, 4, 5],
}
"""Routers in the order in which packets come to them: sweeps up and down the row need one turn, or one for each hop."""


@pytest.fixture(scope="module")
def refused() -> Check:
    """What the checkers in Python and, where there is a compiler, in C say; they must agree."""
    in_c = reasons_in_c("check_grid_certificate") if COMPILER else None

    def said(text: str) -> str:
        try:
            tool.check(io.BytesIO(text.encode()))
            why = ""
        except tool.Refused as found:
            why = str(found)
        assert in_c is None or in_c(text.encode()).removeprefix("-: ").strip() == why
        return why

    return said


def _in_a_row(way: list[int], hops: set[int]) -> str:
    """A row of k routers, each with a link to each other: port j - 1 leads from x to x + j modulo k.

    Packets take the link to their target, an escape. But those to the last router of `way` go from the first one to the
    second, by an escape a, and from the last but one back to the first, by an escape b; and for each i in `hops` also
    from the router way[i] to way[i + 1], by virtual channel 1, which is no escape. So b always waits for a, and a waits
    for b exactly if hops lead from the second router to the last but one. Numbers: b 0, a 1, all other escapes 2.
    """
    k, target = len(way), way[-1]
    a, b = (way[0], way[1]), (way[-2], way[0])
    lines = ["jumpnet-grid-certificate 1", "network row", "routing own", "condition escape", "vcs 2", f"sides {k}"]
    lines += [f"ports {k - 1}", f"cases {k * k}"]
    lines += [f"port {j - 1} 0 {' '.join(str((x + j) % k) for x in range(k))}" for j in range(1, k)]
    for j in range(1, k):
        numbers = [{b: 0, a: 1}.get((x, (x + j) % k), 2) for x in range(k)]
        lines.append(f"class {j - 1} 0 {' '.join(map(str, numbers))}")
    for case, (here, to) in enumerate((here, to) for here in range(k) for to in range(k)):
        lines += [f"case {case}", f"pairs 0 {' '.join(f'{(x == here) << to:x}' for x in range(k))}"]
        escape = dict([a, b]).get(here, to) if to == target else to
        lines += [f"take {(escape - here) % k - 1} 0 1"] if here != to else []
        onward = way.index(here) + 1
        lines += [f"take {(way[onward] - here) % k - 1} 1 0"] if to == target and onward - 1 in hops else []
    return "\n".join([*lines, "end\n"])


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_an_escape_many_normal_hops_ahead_closes_a_circle(way: list[int], refused: Check) -> None:
    """With all hops from the second router to the last but one a and b wait for each other; without any one of them
    the file is true."""
    hops = set(range(1, len(way) - 2))
    circle = _in_a_row(way, hops)
    port = (way[1] - way[0]) % len(way) - 1
    assert refused(circle).endswith(f": port {port} vc 0 at {way[0]} does not ascend to it")
    assert not is_true_on_grid(circle)
    for lacking in hops:
        good = _in_a_row(way, hops - {lacking})
        assert not refused(good) and is_true_on_grid(good)
