"""Cycles in which nothing is in the network are left out by kernels too: what these simulate is watched, not timed."""

from __future__ import annotations

from ctypes import CFUNCTYPE, c_int32, c_int64, c_void_p, cast
from typing import Any

import pytest
from tests.naive.turns import run_in_turns

from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed import cosimulation, machine
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.machine import Costs
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace, block_of

RUN = CFUNCTYPE(c_int32, c_void_p, c_void_p, *5 * [c_int64])
"""An entry of five numbers (`jit.linked.called`)."""


@pytest.fixture
def asked(monkeypatch) -> list[tuple[int, int]]:
    """From and up to which cycle kernels ask the network to simulate, filled by each run."""
    found: list[tuple[int, int]] = []
    watching, codes_of = [], cosimulation.codes_of

    def watched(*given: Any) -> Any:
        codes = codes_of(*given)
        simulate = RUN(int(codes[1]))

        def watch(*given: Any) -> int:
            found.append(given[3:5])
            return int(simulate(*given))

        watching.append(RUN(watch))  # what kernels call must not be collected
        codes[1] = cast(watching[-1], c_void_p).value
        return codes

    monkeypatch.setattr(cosimulation, "codes_of", watched)
    return found


MOST = at.MOST_AHEAD
BRANCHING = {"multicast": "SM", "acknowledges": "combined", "branches": "routers"}


@pytest.mark.parametrize(
    ("design", "handler", "long"),
    [({}, 700, 2 * [MOST]), (BRANCHING, 700, [MOST]), ({}, 400, [366, 407]), ({}, 100, [66, 107])],
    ids=["packets", "branching", "soon", "at once"],
)
def test_kernels_leave_out_the_cycles_of_an_empty_network(asked, monkeypatch, design, handler, long) -> None:
    """Node 1 has its own line first, for which no message goes; then eight nodes ask for that of node 0.

    A turn is as short as the shortest handler, and longer only in a gap in which the network has to come to rest: the
    whole gap, or MOST cycles of a long one. All are shorter than its patience, after which Python takes a turn.
    """
    rows = [(1, 4096, 4, False, 0), *((p, 0, 4, p == 7, 0) for p in range(8))]
    made = streams_of(Trace("made", 8, lambda: iter([block_of(*zip(*rows, strict=True))]))), "rdt:8"
    design = {**design, "costs": Costs(occupancy_cycles=handler, handlers={"tell": 2}), "synchronisation": "free"}
    found = closed_loop(*made, **design)
    shortest = min(end - first for first, end in asked)
    assert asked[0][0] > handler
    assert [end - first for first, end in asked if end - first > shortest] == long
    monkeypatch.setattr(machine, "run_cosimulated", run_in_turns)
    assert found == closed_loop(*made, quantum=1, **design)
