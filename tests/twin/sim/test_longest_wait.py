"""How long the flit at the front of a buffer has stood there: the same where routers are sets, and counted by a run."""

from __future__ import annotations

import pytest

from jumpnet.jit.decorator import DISABLED
from jumpnet.sim.config.sim_config import preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.checks import longest_wait
from jumpnet.sim.memory import layout as at
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build

STOPS = (100, at.KEPT_CYCLES, at.KEPT_CYCLES + 1, 3 * at.KEPT_CYCLES - 1, 900, 1700)
"""Cycles before, at and after those at which arrivals are written in their slots; flits stand for longer than that."""


@pytest.mark.skipif(DISABLED, reason="there is one engine in plain Python")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("vcs, flits", [(2, "1"), (2, "5"), (8, "1"), (8, "1..9")])
def test_it_is_that_of_lists(vcs: int, flits: str, threads: int) -> None:
    config = preset("booksim").replace(load=0.6, packet_flits=flits, vcs=vcs)
    one, other = (
        Engine(build("torus:8x8"), "torus.dateline", config, threads=n, sets=sets)
        for n, sets in ((threads, True), (1, False))
    )
    waits = []
    for stop in STOPS:
        one.advance(stop - one.cycle)
        other.advance(stop - other.cycle)
        waits.append(longest_wait(one))
        assert waits[-1] == longest_wait(other)
    assert max(waits) > 2 * at.KEPT_CYCLES or (vcs == 8 and max(waits) > 50)


def test_a_run_far_below_saturation_has_short_waits() -> None:
    config = preset("booksim").replace(load=0.1, check_every_cycles=500, deadlock_cycles=100)
    found = simulate(build("torus:8x8"), "torus.dateline", config)
    assert 0 < found.longest_wait_cycles < 100 and not found.starved
