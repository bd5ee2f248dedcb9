"""What a multicast run is given: trees side by side, messages that take them, and how they are acknowledged.

Source of the acknowledge rules: nishi1997router section 4.3. Both the reference and the kernel read these arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.multicast.plan import Plan
from jumpnet.network import Network
from jumpnet.sim.config import SimConfig
from jumpnet.terms import I32, I64

__all__ = ["COMBINED", "DIRECT", "NO_ACK", "Acknowledge", "Forest", "Messages", "check_settings", "forest"]

NO_ACK = 0
DIRECT = 1
"""Every receiver sends an acknowledge of its own to the source."""
COMBINED = 2
"""Acknowledges go back along the tree, one link each, and are counted where the packet branched."""


@dataclass(frozen=True)
class Acknowledge:
    """How receivers answer."""

    flits: int = 3
    """Length of an acknowledge packet (nishi1997router section 4.3)."""
    delay_cycles: int = 0
    """From the receipt of a packet's tail to the creation of the acknowledge by the node's processor; the same when the
    processor combines. The combining unit takes none."""
    combining_entries: int = 4
    """Combining buffers of a router; the number is open in the papers. A packet that branches where none is free is
    counted by the node's processor instead."""


class Forest(NamedTuple):
    """The trees of all plans, K places in all; numbers of places are absolute. See `multicast.plan.Plan`."""

    start: I32
    """(plans,) first place of each plan: its source."""
    router: I32
    parent: I32
    port: I32
    vc: I32
    local: I32
    first: I32
    """(K,) first branch of each place."""
    branches: I32
    """(K,) number of branches."""
    back: I32
    """(K,) port that leads from the place's router back to its parent's, -1 at the source."""
    reply: I32
    """(K,) first place of the plan by which the receiver there acknowledges directly, -1 where there is none."""


class Messages(NamedTuple):
    """M messages; each enters at its plan's source as soon as it can after its cycle, in the order of the rows."""

    cycle: I64
    """(M,) cycle of creation, ascending."""
    plan: I32
    """(M,)"""
    flits: I32
    """(M,) length."""
    ack: I32
    """(M,) NO_ACK, DIRECT or COMBINED."""


def forest(net: Network, plans: Sequence[Plan], replies: dict[tuple[int, int], int] | None = None) -> Forest:
    """Plans side by side. replies: number of the plan from one router to another, for direct acknowledges."""
    sizes = np.array([len(plan.router) for plan in plans], np.int64)
    start = np.concatenate([[0], np.cumsum(sizes)])
    router, port, vc, local = (
        np.concatenate([getattr(plan, name) for plan in plans]) for name in ("router", "port", "vc", "local")
    )
    parent = np.concatenate([np.where(p.parent < 0, -1, p.parent + s) for p, s in zip(plans, start, strict=False)])
    first = np.concatenate([p.first[:-1] + s for p, s in zip(plans, start, strict=False)])
    branches = np.concatenate([np.diff(plan.first) for plan in plans])
    back = np.where(parent < 0, -1, net.far_port[router[parent], port])
    source = np.repeat(router[start[:-1]], sizes)
    known = replies or {}
    pairs = zip(router.tolist(), source.tolist(), strict=True)
    reply = [int(start[known[pair]]) if pair in known else -1 for pair in pairs]
    columns = (start[:-1], router, parent, port, vc, local, first, branches, back, reply)
    return Forest(*(np.ascontiguousarray(column, np.int32) for column in columns))


REQUIRED = {"allocator": "input_first", "allocator_iterations": 1, "selection": "round_robin", "speculation": False,
            "reply_flits": 0}  # fmt: skip
"""Settings that the branching router knows in one form only."""


def check_settings(net: Network, config: SimConfig, ack: Acknowledge) -> None:
    """Raise JumpnetError for settings that a multicast run cannot take."""
    for name, value in REQUIRED.items():
        if getattr(config, name) != value:
            raise JumpnetError(f"multicast: {name} {getattr(config, name)!r} found, {value!r} expected")
    if ack.flits < 1 or ack.delay_cycles < 0 or ack.combining_entries < 0:
        raise JumpnetError(f"multicast: {ack} found, flits of at least 1 and no negative number expected")
    if config.flow_control == "cut_through" and config.buffer_flits < ack.flits:
        raise JumpnetError(f"buffer_flits {config.buffer_flits} found, at least {ack.flits} (an acknowledge) expected")
    if (net.terminals != 1).any() or (net.sinks != 1).any():
        raise JumpnetError(f"multicast: {net.spec} found, one terminal at each router expected")
