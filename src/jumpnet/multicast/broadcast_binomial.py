"""Broadcast on a hypercube down its binomial tree: in step d every router that has the message sends over dimension d.

Source: Saad and Schultz, Topological properties of hypercubes, IEEE Trans. Computers 37(7), 1988. n steps, the fewest
under both port models: the number of informed routers can at most double (one-port), and the diameter is n.
"""

from __future__ import annotations

import numpy as np

from jumpnet.multicast._broadcast import Broadcast
from jumpnet.multicast.schedule import Schedule
from jumpnet.networks import Network

__all__ = ["binomial"]


def _make(net: Network, source: int, model: str) -> Schedule:
    dimension = int(net.params[0])
    sender = np.concatenate([np.arange(1 << d, dtype=np.int64) for d in range(dimension)])
    step = np.repeat(np.arange(dimension, dtype=np.int64), 1 << np.arange(dimension))
    return Schedule.of(net.spec, "binomial", source, step, sender ^ source, (sender | 1 << step) ^ source)


binomial = Broadcast("binomial", _make, ("hypercube",), "Saad and Schultz 1988", "binomial tree of the hypercube")
