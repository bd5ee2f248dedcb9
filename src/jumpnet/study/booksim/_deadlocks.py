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
ON_ONE_CHANNEL = "torus.dimension_order"
"""A routing with a cycle in rings of four routers and more."""
MIDDLE_OF_TORI = ("torus.booksim:middle=shared", "torus.balanced_booksim:middle=shared")
MIDDLE_OF_MESHES = (
    "mesh.romm_booksim", "mesh.o1turn_booksim", "mesh.o1turn_adaptive_booksim", "cmesh.express_o1turn_booksim",
)  # fmt: skip
ORDERS_OF_LINES = ("hyperx.o1turn_booksim", "hyperx.o1turn_adaptive_booksim")
QUARTERS_OF_LINES = "hyperx.ugal_o1turn_booksim"
MIDDLE_OF_LINES = ("hyperx.valiant_booksim", "hyperx.ugal_booksim", *ORDERS_OF_LINES, QUARTERS_OF_LINES)
BEHIND_OTHERS = ("torus.min_adapt_booksim", *MIDDLE_OF_TORI, *MIDDLE_OF_MESHES, *MIDDLE_OF_LINES)
"""Those that are free by an escape, which a head is not offered behind another packet's tail; of the `MIDDLE`, where
the number of channels is odd, or of quarters no multiple of four."""


def shortest_flits(config: SimConfig) -> int:
    """Flits of the shortest packet that is sent, replies among them."""
    lengths = [packet_lengths(one.packet_flits) for one in config.all_classes]
    return min([*(int(sizes[shares > 0].min()) for sizes, shares in lengths), *config.exchange_lengths])


def most_buffers(found: Target, config: SimConfig) -> int:
    """Buffers in a row of a packet that waits in a ring, at most; 0 where none does.

    Its head waits for one hop more and its tail has come by one. A ring of a torus has k // 2 hops of a packet, so that
    in rings of two and three routers none waits. On meshes and flattened butterflies a ring needs packets that turn
    from a later dimension into an earlier one, or that go on in the same one to another router.
    """
    sides = found.network.coord.max(axis=0)
    several = int((sides > 0).sum())
    if found.routing.startswith("torus.min_adapt_booksim") and (config.vcs or 0) <= 3:
        return 0  # escapes alone
    if found.routing.startswith("torus."):
        return int(found.network.params.max()) // 2 - 1
    if (config.vcs or 0) % (4 if found.routing == QUARTERS_OF_LINES else 2) == 0:
        return 0
    if found.routing in ORDERS_OF_LINES:
        return several - 1
    if found.routing in MIDDLE_OF_MESHES:
        return int(sides.sum()) - 1 if several > 1 else 0
    return 2 * several - 1 if found.network.routers > 2 else 0


def can_deadlock(found: Target, config: SimConfig) -> str | None:
    """Why the packets of a configuration may wait for each other in a ring, if they may; None else.

    On files (`anynet`), whose shortest ways may or may not close a ring, nothing is said; `jumpnet prove` tells.
    """
    rings = found.routing == ON_ONE_CHANNEL and int(found.network.params.max()) > 3
    if rings or (found.routing in WITH_CYCLES and found.network.routers > 1):
        said = f"jumpnet prove {found.network.spec} --routing {found.routing} --vcs {config.vcs} shows how"
        return f"{found.routing} can deadlock, as in BookSim2; {said}"
    if not found.routing.startswith(BEHIND_OTHERS) or config.vc_reuse != "tail":
        return None
    if shortest_flits(config) > most_buffers(found, config) * config.lane_flits(config.vcs or 1):
        return None
    return (
        f"{found.routing} can deadlock where wait_for_tail_credit = 0, as in BookSim2: behind another packet's tail a "
        "head has no escape"
    )
