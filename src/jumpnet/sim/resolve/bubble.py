"""Bubble flow control: what a run must be like for it, checked before the run.

A ring of buffers cannot fill up if a packet that enters it leaves room for one more packet: that room goes round
against the packets, and each can move when it comes by (`analysis.deadlock.conditions.bubble` has the whole argument).
The count is in packets, so it needs buffers of two packets, which a packet gets whole (virtual cut-through), and
packets of one length: room for a short packet at each router is of no use to a long one. The routing says which
candidates enter a ring; `router.vc_allocation.takes` asks for the room.
"""

from __future__ import annotations

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.routings import Routing
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.terms import I64
from jumpnet.traffic import PacketList


def _lengths(config: SimConfig, trace: PacketList | None) -> I64:
    """Different lengths of packets that share virtual channels; replies have channels of their own."""
    found = [packet_lengths(c.packet_flits)[0] for c in config.all_classes] if trace is None else [trace.flits]
    return np.unique(np.concatenate([np.asarray(lengths, np.int64) for lengths in found]))


def refusal(routing: Routing, config: SimConfig, trace: PacketList | None = None) -> str | None:
    """Why the settings are not those of bubble flow control, if the routing is made for it; else None.

    >>> from jumpnet.routings import routings
    >>> refusal(routings()["torus.bubble"], SimConfig())
    'flow_control wormhole found, cut_through expected by torus.bubble'
    """
    if not routing.bubble:
        return None
    if config.flow_control != "cut_through":
        return f"flow_control {config.flow_control} found, cut_through expected by {routing.name}"
    if config.vc_reuse == "empty":
        return f"vc_reuse empty found, tail expected by {routing.name}"
    if config.exchange_flits:
        return f"exchange_flits {config.exchange_flits} found, none expected by {routing.name}"
    lengths = _lengths(config, trace)
    if lengths.size > 1:
        return f"packets of {lengths.min()} to {lengths.max()} flits found, one length expected by {routing.name}"
    longest = max(config.longest_flits, int(lengths.max(initial=0)))
    if config.buffer_flits < 2 * longest:
        return (
            f"buffer_flits {config.buffer_flits} found, at least {2 * longest} (two packets) expected by {routing.name}"
        )
    return None


def require_bubbles(routing: Routing, config: SimConfig, trace: PacketList | None, branches: bool) -> None:
    """Raise JumpnetError, one line, where a routing made for bubble flow control cannot have it."""
    why = refusal(routing, config, trace)
    if why is None and routing.bubble and branches:
        why = f"multicasts found, packets to one destination expected by {routing.name}"
    if why is not None:
        raise JumpnetError(why)
