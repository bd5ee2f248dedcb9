"""Epochs of several cycles leave what epochs of one cycle leave, and no longer ones could."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.twin.sim.slots_left import slots_left

from jumpnet.jit.decorator import DISABLED
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.sim.memory.shape import LONGEST_EPOCH
from jumpnet.topology import build

CYCLES = 120 if DISABLED else 1500
CASES: list[tuple[str, str, int, dict[str, Any]]] = [
    ("torus:6x6", "torus.booksim", 2, {"load": 0.4}),
    ("torus:6x6", "torus.dateline", 2, {"load": 0.9, "packet_flits": "1..4", "reply_flits": 2}),
    ("mesh:3x3x3", "mesh.dimension_order", 4, {"load": 0.5, "link_cycles": 3, "terminal_link_cycles": 4}),
    ("hyperx:3x3", "hyperx.adaptive", 2, {"load": 0.8, "allocator": "islip", "allocator_iterations": 2}),
    ("torus:6x6", "torus.duato", 3, {"load": 0.7, "buffer_flits": 2, "vc_allocation_delay_cycles": 0}),
]


def _engine(case: tuple[str, str, int, dict[str, Any]], lookahead: int | None = None, sets: bool = False) -> Engine:
    spec, routing, vcs, settings = case
    engine = Engine(build(spec), routing, config_from({**settings, "vcs": vcs}), sets=sets)
    if lookahead is not None:
        engine.memory.shape = engine.shape._replace(lookahead=lookahead)
        engine.memory.replace_arrays(engine.state)
    return engine


def _left(engine: Engine) -> dict[str, Any]:
    """What a run leaves, apart from when routers look next and which rows packets have."""
    names = ("free", "turn", "process_memory", "injector_write", "histogram", "by_source")
    counter = np.delete(engine.state.counter, COUNTER.free)
    return {**{name: getattr(engine.state, name) for name in names}, "slots": slots_left(engine), "counter": counter}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0] + case[1])
def test_epochs_change_nothing(case: tuple[str, str, int, dict[str, Any]]) -> None:
    epochs, single, sets = _engine(case), _engine(case, 1), _engine(case, sets=True)
    assert 2 <= epochs.shape.lookahead <= LONGEST_EPOCH
    epochs.advance(CYCLES)
    single.advance(CYCLES)
    sets.advance(CYCLES)
    assert epochs.state.counter[COUNTER.ejected] > 100
    for name, expected in _left(single).items():
        np.testing.assert_array_equal(_left(epochs)[name], expected, err_msg=name)
        np.testing.assert_array_equal(_left(sets)[name], expected, err_msg=name)


def test_an_epoch_longer_than_the_delays_gives_other_results() -> None:
    for sets in (False, True):
        longer, single = _engine(CASES[0], 4, sets), _engine(CASES[0], 1, sets)
        longer.advance(CYCLES)
        single.advance(CYCLES)
        assert (_left(longer)["slots"] != _left(single)["slots"]).any()


def test_start_hooks_that_look_at_queues_are_told_apart() -> None:
    names = ("torus.booksim", "torus.ugal", "torus.duato")
    found = {name: _engine(("torus:4x4", name, 4, {})).shape for name in names}
    for name, sees, revises in (("ugal", 1, 0), ("ugal_g", 4, 0), ("par", 1, 1)):
        shape = _engine(("dragonfly:2", f"dragonfly.{name}", 4, {})).shape
        assert (shape.start_looks, shape.start_sees, shape.start_revises) == (1, sees, revises)
        assert (shape.lookahead == 1) == (sees > 1)  # what others' queues were when the cycle began
        ahead = _engine(("dragonfly:2", f"dragonfly.{name}", 4, {"routing_delay_cycles": 0})).shape
        assert ahead.start_enters == (name == "ugal") and (ahead.lookahead == 1) == (name != "par")
    assert {name: (shape.has_start, shape.start_looks) for name, shape in found.items()} == {
        "torus.booksim": (1, 0),
        "torus.ugal": (1, 1),
        "torus.duato": (0, 0),
    }


@pytest.mark.skipif(DISABLED, reason="threads need compiled code")
def test_what_sees_other_routers_runs_in_one_thread() -> None:
    net = build("dragonfly:3")
    teams = [Engine(net, f"dragonfly.{name}", config_from({}), threads=2).team for name in ("ugal", "par", "ugal_g")]
    assert [team is None for team in teams] == [False, False, True]
