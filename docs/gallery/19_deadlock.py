"""
A deadlock, proved
==================

Dimension order on a torus without a dateline: the proof ends with the shortest cycle of channels that wait for each
other.
"""

from pathlib import Path

import jumpnet
from jumpnet.plot.cycle import draw_cycle

net = jumpnet.network("torus:5x5")
proof = net.prove("torus.dimension_order")
draw_cycle(net.net, proof, Path("cycle.png"))
