"""Drawn runs of the simulator agree however they are done; a changed number anywhere in a run is seen."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.attack.drawn.engine_draws import Case
from tests.attack.drawn.engine_views import difference, picture
from tests.attack.drawn.engines import BASE, advance, engine_of, fault_of

from jumpnet.jit.decorator import DISABLED
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import LANE_ROW

PLAIN = {"load": 0.5, "packet_flits": "1..4", "buffer_flits": 4, "flow_control": "wormhole", "batch_cycles": 64}
STEPS = {"load_steps": "70:0.05,130:0.9,260:0.0,290:0.4", "warmup_cycles": 0, "measure_cycles": 1000}
CASES = [
    Case("torus:8x8", "torus.dateline", 8, PLAIN, 0, 0, (40, 300, 1000), 0),  # 40 lanes: sets of 64 bits
    Case("mesh:9x8", "mesh.dimension_order", 2, PLAIN | {"reply_flits": 2, "allocator": "islip"}, 7, 0, (150, 400), 0),
    Case("torus:4x4", "torus.ugal", 4, PLAIN | {"routing_delay_cycles": 3}, 0, 0, (300,), 60),
    Case("torus:9x9", "torus.booksim", 2, PLAIN | {"flow_control": "cut_through"}, 0, 2000, (77, 500), 0),
    Case("mesh:4x4", "lash", 2, PLAIN, 0, 0, (90, 300), 0, ("cycle=60,link=5-6",), {"retry_cycles": 40}),
    Case("torus:8x7", "torus.dateline", 2, PLAIN | STEPS, 0, 0, (69, 71, 300, 800), 0),
    Case("mesh:4x3", "lash", 2, PLAIN | STEPS, 0, 0, (90, 300), 0, ("cycle=130,link=5-6",), {"retry_cycles": 40}),
]


@pytest.mark.skipif(DISABLED, reason="there is one engine in plain Python")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.spec)
def test_a_run_is_the_same_however_it_is_done(case: Case) -> None:
    seen: Counter[str] = Counter()
    assert fault_of(case, "test", "", seen) == ("", "")
    assert sum(seen.values()) >= 3 and "runs in which no flit arrived" not in seen


def test_a_changed_number_is_seen() -> None:
    engine = engine_of(CASES[0], BASE)
    advance(engine, BASE, 60, None)  # type: ignore[arg-type]  # nothing is drawn
    before = picture(engine)
    state = engine.state
    lane = engine.lanes[np.flatnonzero(engine.lanes[: len(before["lane"]), LANE_ROW.out_vc] >= 0)[0]]
    packet = state.packet[lane[LANE_ROW.packet] // at.PACKET_FIELDS]
    for array in (state.out_vc, state.turn, state.free, lane, packet, state.terminal[3], state.process_memory[2],
                  state.histogram[0], state.counter, state.batches[0]):  # fmt: skip
        place = 1 if array is not state.counter else 2
        array.ravel()[place] += 1
        assert difference(before, picture(engine))
        array.ravel()[place] -= 1
        assert not difference(before, picture(engine))
