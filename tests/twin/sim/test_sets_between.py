"""Engines that keep sets between calls of `advance`: failures that rows show, and states that they take over. And sets
in plain Python."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from tests.twin.sim.test_sets import assert_same, engines

from jumpnet.errors import JumpnetError
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.topology import build


@pytest.mark.parametrize("delay", [1, 3])
def test_rows_that_are_asked_for_tell_of_failures_as_rows_do(delay: int) -> None:
    """A head that has come is routed in rows, and by sets only when it is looked at: a run may end in between."""
    net, config = build("mesh:4x2"), config_from({"load": 0.3, "vcs": 2, "routing_delay_cycles": delay})

    def fails(cycles: int, sets: bool) -> str:
        engine = Engine(net, "mesh.dimension_order", config, threads=1, sets=sets)
        engine.use(engine.shape._replace(max_hops=2), engine.state)
        try:
            engine.advance(cycles)
            engine.state  # noqa: B018
        except JumpnetError as error:
            return str(error)
        return ""

    told = [fails(cycles, False) for cycles in range(10, 30)]
    assert told == [fails(cycles, True) for cycles in range(10, 30)]
    assert told[0] == "" and "livelock" in told[-1]


def test_an_engine_that_ran_takes_over_the_state_of_another() -> None:
    """What its sets held is gone with its own state."""
    config = config_from({"load": 0.6, "vcs": 2})
    rows, sets = engines("torus:4", "torus.dateline", 2, config)
    rows.advance(101)
    sets.advance(53)
    before = sets.state._replace(**{name: array.copy() for name, array in rows.state._asdict().items()})
    sets.advance(9)
    sets.go_on(rows.cycle, before, rows.earlier_events())
    assert_same(rows, sets)
    for engine in (rows, sets):
        engine.advance(300)
    assert_same(rows, sets)


def test_a_head_that_waits_for_room_is_looked_at_when_an_output_vc_is_given_back() -> None:
    """It may have room for the packet at once, with no credit to come. Compared often, as both soon agree again."""
    values = {"load": 1.0, "packet_flits": "1*0.5+4*0.5", "buffer_flits": 5, "seed": 241, "vcs": 2}
    config = config_from({**values, "flow_control": "cut_through", "vc_reuse": "tail"})
    rows, sets = engines("mesh:2x2", "mesh.west_first", 2, config)
    for _ in range(30):
        for engine in (rows, sets):
            engine.advance(4)
        assert_same(rows, sets)
    assert rows.state.counter[COUNTER.ejected] > 100


PLAIN = """
import sys
from jumpnet.sim.simulate import simulate
window = {"warmup_cycles": 200, "measure_cycles": 300, "drain": False}
found = simulate("torus:4x4", load=float(sys.argv[1]), packet_flits=sys.argv[2], seed=3, **window)
print(found.flit_hops, found.flit_latency_mean_cycles)
"""


@pytest.mark.parametrize("words", [("0.15", "1*0.5+3*0.5"), ("0.3", "1")], ids=str)
def test_sets_are_the_same_in_plain_python(words: tuple[str, str]) -> None:
    def answer(disabled: str) -> str:
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        run = [sys.executable, "-c", PLAIN, *words]
        return subprocess.run(run, env=environment, capture_output=True, text=True, check=True).stdout

    assert answer("1") == answer("0")
