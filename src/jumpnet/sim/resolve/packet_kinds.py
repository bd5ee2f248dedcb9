"""Kinds of packets: requests with replies, reads and writes by one queue, or several classes of traffic side by side.

A packet's kind is a number below KINDS: even for requests, odd for replies. What depends on it (its virtual channels,
its place in the statistics, its priority) is a table here, which the kernels and the plain-Python twin both read.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.config.traffic_class import numbers_of
from jumpnet.terms import I64

__all__ = ["KINDS", "KindTables", "kind_tables"]

KINDS = 16
MOST_CHANNELS = 64
"""Virtual channels of a port."""


class KindTables(NamedTuple):
    """(KINDS,) what depends on a packet's kind."""

    first_vc: I64
    """First of the virtual channels of a port that it may use; the routing numbers them from there."""
    counted_in: I64
    """Row of the statistics: requests and replies, or classes of traffic."""
    rank: I64
    """Packets of a lower rank go first."""
    reply_flits: I64
    """Length of the reply to it, 0 for none."""
    subnet: I64
    """Copy of the network that it goes into, -1 for one at random."""


def kind_tables(config: SimConfig, class_vcs: int) -> KindTables:
    """The tables of a run whose routing has so many virtual channels; raises JumpnetError where a port has too few.

    >>> kind_tables(SimConfig(reply_flits=5), 2).first_vc[:2]
    array([0, 2])
    """
    first, counted, rank, reply = (np.zeros(KINDS, np.int64) for _ in range(4))
    subnet = np.full(KINDS, -1)
    if config.exchange_flits:
        starts, n = config.exchange_starts, len(config.exchange_lengths)
        if max(starts) + class_vcs > config.port_vcs:
            found = f"exchange_vcs {config.exchange_vcs} found, at most {config.port_vcs - class_vcs}"
            raise JumpnetError(f"{found} expected with port_vcs {config.port_vcs} and {class_vcs} a kind")
        first[: 2 * n : 2], first[1 : 2 * n : 2] = starts[:n], starts[n:]
        reply[: 2 * n : 2] = config.exchange_lengths
        if config.exchange_subnets:
            among = numbers_of("exchange_subnets", config.exchange_subnets, 0)
            subnet[: 2 * n : 2], subnet[1 : 2 * n : 2] = among[:n], among[n:]
        counted[1::2] = 1
    elif config.more_classes:
        number = np.arange(KINDS) // 2
        counted[:] = np.minimum(number, config.classes - 1)
        if config.class_channels == "own":
            if config.channels_of_a_port(class_vcs) > MOST_CHANNELS:
                found = f"{config.classes} classes of {class_vcs} virtual channels each"
                raise JumpnetError(f"{found} found, at most {MOST_CHANNELS} of a port expected")
            first[:] = counted * class_vcs
        if config.priority == "class":
            given = [config.class_priority, *(c.priority for c in config.more_classes)]
            order = {p: k for k, p in enumerate(sorted(set(given), reverse=True))}
            rank[:] = np.array([order[p] for p in given])[counted]
    elif config.reply_flits:
        first[1], reply[0], counted[1] = class_vcs, config.reply_flits, 1
    return KindTables(first, counted, rank, reply, subnet)
