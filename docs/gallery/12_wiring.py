"""
Wire on a wafer
===============

Routers on a grid, links in channels beside the rows and columns: how long all wires are together, and the longest one.
"""

import matplotlib.pyplot as plt

from jumpnet.graph.layout import grid_wiring
from jumpnet.topology import build

specs = ["mesh:16x16", "torus:16x16", "rdt:16", "srt2d:16", "prdt:16", "hyperx:16x16"]
made = [grid_wiring(build(spec)) for spec in specs]
figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained", sharey=True)
left.barh(specs, [wiring.length for wiring in made])
left.set(xlabel="length of all wires, in pitches", xscale="log")
right.barh(specs, [wiring.longest for wiring in made], color="C1")
right.set_xlabel("longest wire, in pitches")
left.invert_yaxis()
plt.show()
