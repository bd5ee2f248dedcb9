"""
Orbits of routers
=================

Routers of one colour see the same network: an automorphism carries one to the other. All-pairs figures need one search
for each colour.
"""

import matplotlib.pyplot as plt
import numpy as np

from jumpnet.analysis.deadlock.ways_to_graph.orbits.labels import orbit_labels
from jumpnet.topology import build

net = build("rdt:16")
label = orbit_labels(net)
orbit = np.unique(label, return_inverse=True)[1]
plt.scatter(*net.coord.T, c=orbit, cmap="tab10", s=60)
plt.gca().set_aspect("equal")
plt.title(f"{net.spec}: {orbit.max() + 1} orbits of {net.routers} routers")
plt.show()
