"""What slots of lanes say after a run, whichever engine wrote them."""

from __future__ import annotations

import numpy as np

from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.terms import I32

__all__ = ["slots_left"]


def slots_left(engine: Engine) -> I32:
    """(lanes, slots) the slots, but for how long ago a credit came."""
    slots = engine.state.lane.reshape(-1, engine.shape.lane_stride)[:, at.LANE_FIELDS :]
    return np.where(slots < engine.cycle, 0, slots)
