"""What runs of the page have besides their network: presets of the router, and what a routing asks of the simulator.

`layout` puts the presets into the module; `explore.runs` writes the routings into the page.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from jumpnet.explore.kernels.allocated import KEPT, began
from jumpnet.explore.kernels.names import name_of
from jumpnet.routings import BoundRouting, bind
from jumpnet.routings.view import DESTINATION, IN_PORT, STATE
from jumpnet.sim.config.sim_config import PRESETS, SimConfig, preset
from jumpnet.sim.memory.record import ARRAYS, CALLS, PLACE
from jumpnet.sim.memory.shape import start_sizes
from jumpnet.sim.resolve.by_routing import offers_escape, settle_reuse
from jumpnet.topology import build

__all__ = ["BUBBLES", "BUFFERS", "LONGEST", "PRESETS_SHOWN", "preset_rows", "routing_row"]

LONGEST = 16
"""Flits of the longest packets: buffers of runs are made for them."""
PRESETS_SHOWN = tuple(PRESETS)
BUBBLES = "bubbles"
"""The first preset with what bubble flow control rests on: packets that get a buffer whole."""
BUFFERS = (4, 8, 16, 32)
"""Flits of an input buffer, besides that of the preset."""
MODEL = "torus:4x4"
"""A network on which all presets run; what depends on it is written over."""
MOST_VCS = 8


def _config(name: str) -> SimConfig:
    more = {"flow_control": "cut_through", "buffer_flits": 2 * LONGEST} if name == BUBBLES else {}
    return preset("booksim" if name == BUBBLES else name, packet_flits=str(LONGEST), vcs=MOST_VCS, **more)


@cache
def preset_rows() -> dict[str, dict[str, Any]]:
    """By name: the record of a run of it, its settings, buffers by default, and cycles of a link."""
    bound = bind("torus.dateline", build(MODEL), MOST_VCS)
    rows = {}
    for name in (*PRESETS_SHOWN, BUBBLES):
        config = settle_reuse(_config(name), bound)
        memory, _, process, _ = began(bound.network, bound, config)
        record = memory._record.copy()
        record[[PLACE[field] for field in (*ARRAYS, *CALLS)]] = 0
        told = {key: value for key, value in config.model_dump().items() if key in KEPT}
        rows[name] = {"record": record.tolist(), "settings": told, "link_cycles": config.link_cycles}
        rows[name]["advance"] = name_of(process.advance)
    return rows


def routing_row(bound: BoundRouting, escapes: bool = True) -> dict[str, int]:
    """What `sizes.fit_sizes` is given of a routing, without its draws; escapes: whether it may have some."""
    routing, read = bound.routing, bound.fields
    starts = start_sizes(bound, 1)
    return {
        "starts": starts["has_start"],
        "looks": starts["start_looks"],
        "sees": starts["start_sees"],
        "revises": starts["start_revises"],
        "bubble": int(routing.bubble),
        "one_vc": int(routing.one_vc_at_ends),
        "careful": int(escapes and offers_escape(bound)),
        "reads": int(read <= {DESTINATION, STATE, IN_PORT}),
        "port_read": int(IN_PORT in read),
    }
