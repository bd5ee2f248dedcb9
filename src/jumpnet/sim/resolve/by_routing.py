"""Settings that the run's routing decides where they are left open: virtual channels, their reuse, the worst traffic.

`vcs` is a plain number. Without it a run has the channels that the routing needs, and at least `least_vcs`: a preset
says in this way what a paper's table says of all its networks, and a routing that needs more gets more (the RDT of
yang2001rdt: Table IV prints two, section IV.C.d adds one).

`vc_reuse` says when a virtual channel may be given to the next packet. Duato's condition (duato1995necessary) supposes
that a buffer holds flits of one packet at a time. With `tail` a head may stand behind another packet's tail, where no
escape channel is offered to it, and wormhole packets that span several routers can close a ring: `torus.duato`,
`mesh.duato` and `rdt.duato` deadlock in this way within some thousand cycles. So routings with escape channels get
`empty` under wormhole flow control. Under cut-through no packet spans routers for good, and every head gets to the
front in time. Acyclic dependencies need no such care.

The traffic `worst` that names no routing is the worst for the run's own, so that several networks may each have their
own adversary.
"""

from __future__ import annotations

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import ESCAPE, BoundRouting, Routing, bind, default_routing
from jumpnet.routings.from_python import asking
from jumpnet.routings.view import KIND, new_head, new_out
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.traffic.worst import worst_for


def bound_with(
    routing: str | Routing | BoundRouting | None, net: Network, vcs: int | None, least_vcs: int = 1
) -> BoundRouting:
    """The routing on a network with as many virtual channels as the settings say; the network's default where None.

    A routing that is bound already keeps its channels; raises JumpnetError where the settings say another number.

    >>> from jumpnet.topology import build
    >>> cube, rdt = build("hypercube:4"), build("rdt:16")
    >>> bound_with("hypercube.ecube", cube, None, 2).vcs, bound_with("rdt.deadlock_free", rdt, None, 2).vcs
    (2, 3)
    """
    if isinstance(routing, BoundRouting):
        if vcs is not None and vcs != routing.vcs:
            raise JumpnetError(f"vcs {vcs} found, {routing.vcs} expected: {routing.name} is bound with so many")
        if vcs is None and routing.vcs < least_vcs:
            raise JumpnetError(
                f"{routing.name} bound with vcs {routing.vcs} found, at least {least_vcs} expected by least_vcs"
            )
        return routing
    if routing is None:
        routing = default_routing(net, vcs)
    bound = bind(routing, net, vcs)
    return bound if vcs is not None or bound.vcs >= least_vcs else bind(routing, net, least_vcs)


def settled(config: SimConfig, bound: BoundRouting) -> SimConfig:
    """The settings of a run with `vc_reuse` and the worst traffic decided; raises JumpnetError as `against` does."""
    return against(settle_reuse(config, bound), bound)


def settle_reuse(config: SimConfig, routing: BoundRouting) -> SimConfig:
    """The settings with `vc_reuse` decided.

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


def against(config: SimConfig, bound: BoundRouting) -> SimConfig:
    """The settings with the routing of the run named in every `worst` that names none.

    Raises JumpnetError for a routing that is not known by its name, or is another one than the known.

    >>> from jumpnet.topology import build
    >>> against(SimConfig(traffic="worst"), bind("torus.duato", build("torus:4x4"))).traffic
    'worst:routing=torus.duato'
    """
    traffic = worst_for(config.traffic, bound.name)
    classes = [each.model_copy(update={"traffic": worst_for(each.traffic, bound.name)}) for each in config.more_classes]
    if traffic == config.traffic and classes == list(config.more_classes):
        return config
    if not _is_known(bound):
        raise JumpnetError(
            f"worst: routing {bound.name} found, which is not registered under that name; a registered one expected"
        )
    return config.model_copy(update={"traffic": traffic, "more_classes": tuple(classes)})


def _is_known(bound: BoundRouting) -> bool:
    """Whether the name of a routing names it."""
    try:
        known = bind(bound.name, bound.network, bound.vcs).routing
    except JumpnetError:
        return False
    return known.relation is bound.routing.relation and known.start is bound.routing.start
