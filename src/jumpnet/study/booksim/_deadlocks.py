"""Which of BookSim's routing functions can deadlock as they are run here, in words; such a run is not refused.

`jumpnet prove` has the verdict and the cycle. It supposes, as Duato's condition does, that a buffer holds one packet at
a time; the words here are of the run's own settings. Called by `run`.
"""

from __future__ import annotations

from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.study.booksim._networks import Target

__all__ = ["can_deadlock"]

WITH_CYCLES = ("mesh.valiant_booksim", "torus.valiant_booksim", "dragonfly.ugal_booksim")
"""Routings with a cycle whatever the settings, where there is more than one router."""
BEHIND_OTHERS = ("torus.min_adapt_booksim", "torus.booksim:middle=shared")
"""Those that are free by an escape, which a head is not offered behind another packet's tail."""


def shortest_flits(config: SimConfig) -> int:
    """Flits of the shortest packet that is sent, replies among them."""
    lengths = [packet_lengths(one.packet_flits) for one in config.all_classes]
    return min([*(int(sizes[shares > 0].min()) for sizes, shares in lengths), *config.exchange_lengths])


def can_stand_in_a_ring(found: Target, config: SimConfig) -> bool:
    """Whether a packet can wait in a ring with its tail where another packet waits behind it.

    Its head waits for one hop more and its tail has come by one, so that it lies in the buffers of at most k // 2 - 1
    routers in a row: in rings of two and three routers none does, nor does a packet that is longer than these.
    """
    routers = int(found.network.params.max()) // 2 - 1
    return shortest_flits(config) <= routers * config.buffer_flits


def can_deadlock(found: Target, config: SimConfig) -> str | None:
    """Why the packets of a configuration may wait for each other in a ring, if they may; None else.

    On files (`anynet`), whose shortest ways may or may not close a ring, nothing is said; `jumpnet prove` tells.
    """
    if found.routing in WITH_CYCLES and found.network.routers > 1:
        said = f"jumpnet prove {found.network.spec} --routing {found.routing} --vcs {config.vcs} shows how"
        return f"{found.routing} can deadlock, as in BookSim2; {said}"
    if not found.routing.startswith(BEHIND_OTHERS) or config.vc_reuse != "tail":
        return None
    only_escapes = found.routing.startswith("torus.min_adapt_booksim") and (config.vcs or 0) <= 3
    if only_escapes or not can_stand_in_a_ring(found, config):
        return None
    return (
        f"{found.routing} can deadlock where wait_for_tail_credit = 0, as in BookSim2: behind another packet's tail a "
        "head has no escape"
    )
