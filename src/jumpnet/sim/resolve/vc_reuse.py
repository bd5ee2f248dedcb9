"""When a virtual channel may be given to the next packet, where the setting leaves it to the routing.

Duato's condition (duato1995necessary) supposes that a buffer holds flits of one packet at a time. With `vc_reuse =
"tail"` a head may stand behind another packet's tail, where no escape channel is offered to it, and wormhole packets
that span several routers can close a ring: `torus.duato`, `mesh.duato` and `rdt.duato` deadlock in this way within some
thousand cycles. So routings with escape channels get `empty` under wormhole flow control. Under cut-through no packet
spans routers for good, and every head gets to the front in time. Acyclic dependencies need no such care.
"""

from __future__ import annotations

import numpy as np

from jumpnet.routings import ESCAPE, BoundRouting
from jumpnet.routings.from_python import asking
from jumpnet.routings.view import KIND, new_head, new_out
from jumpnet.sim.config.sim_config import SimConfig


def settle_reuse(config: SimConfig, routing: BoundRouting) -> SimConfig:
    """The settings with `vc_reuse` decided.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> net = build("torus:4x4")
    >>> [settle_reuse(SimConfig(), bind(name, net)).vc_reuse for name in ("torus.dateline", "torus.duato")]
    ['tail', 'empty']
    """
    if config.vc_reuse != "auto":
        return config
    careful = config.flow_control == "wormhole" and offers_escape(routing)
    return config.model_copy(update={"vc_reuse": "empty" if careful else "tail"})


def offers_escape(routing: BoundRouting) -> bool:
    """Whether a routing marks candidates ESCAPE; by Duato's condition it does at every router, so one packet tells."""
    net = routing.network
    sources, sinks = np.flatnonzero(net.terminals > 0), np.flatnonzero(net.sinks > 0)
    pair = next(((s, d) for s in sources.tolist() for d in sinks[:2].tolist() if s != d), None)
    if pair is None:
        return False
    head, out = new_head(*pair), new_out()
    ask, begin = asking(routing, head, out)
    begin(0)
    count = ask(pair[0])
    return bool((out[: max(0, count), KIND] & ESCAPE != 0).any())
