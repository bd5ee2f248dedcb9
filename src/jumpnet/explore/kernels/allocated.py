"""The memory of a run at cycle 0 as the engine has it, without compiled functions: for whoever makes the page."""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.engine.engine import process_of
from jumpnet.sim.memory.allocate import allocate
from jumpnet.sim.memory.calls import Calls, Program
from jumpnet.sim.memory.record import Memory
from jumpnet.sim.resolve.subnets import side_by_side
from jumpnet.traffic import BoundPattern, Process
from jumpnet.traffic import bind as bind_traffic

__all__ = ["KEPT", "PROCESS_NUMBERS", "began"]

PROCESS_NUMBERS = 64
"""Room for what an injection process reads, at any load."""
KEPT = (
    "load", "traffic", "injection", "packet_flits", "buffer_flits", "seed", "flow_control", "batch_cycles",
    "deadlock_cycles", "link_cycles", "check_every_cycles", "max_cycles", "drain",
)  # fmt: skip
"""Settings that the page is told in any case; of others those that are not what they are by default."""


class _Nowhere:
    """In place of a compiled function: the page has its own."""

    address = 0


def began(net: Network, bound: BoundRouting, config: SimConfig) -> tuple[Memory, BoundPattern, Process, int]:
    """The memory at cycle 0; the pattern and the process of its traffic, and how many numbers the process reads."""
    pattern = bind_traffic(config.traffic, net)
    process, own = process_of(config)
    process_own = np.zeros(PROCESS_NUMBERS, np.int64)
    process_own[: own.size] = own
    shape, state = allocate(side_by_side(net, config.subnets), bound, config)
    nowhere: Any = _Nowhere()
    calls = Calls(nowhere, pattern.own, nowhere, process_own, pattern.draws)
    return Memory(shape, state, Program(nowhere, nowhere, bound.view, (calls,))), pattern, process, own.size
