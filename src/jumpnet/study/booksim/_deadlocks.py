"""Which of BookSim's routing functions can deadlock as they are run here, in words; such a run is not refused.

`jumpnet prove` has the verdict and the cycle. It supposes, as Duato's condition does, that a buffer holds one packet at
a time; the words here are of the run's own settings. Called by `run`.
"""

from __future__ import annotations

from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.study.booksim._networks import Target

__all__ = ["can_deadlock"]

WITH_CYCLES = ("torus.valiant_booksim", "dragonfly.ugal_booksim")
"""Routings with a cycle whatever the settings, where there is more than one router."""
BEHIND_OTHERS = ("torus.min_adapt_booksim", "torus.booksim:middle=shared")
"""Those that are free by an escape, which a head is not offered behind another packet's tail."""
ROUND = 4
"""Routers of a ring from which on packets take more than one hop in it: in shorter ones none waits for another."""


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
    if only_escapes or found.network.params.max() < ROUND:
        return None
    return (
        f"{found.routing} can deadlock where wait_for_tail_credit = 0, as in BookSim2: behind another packet's tail a "
        "head has no escape"
    )
