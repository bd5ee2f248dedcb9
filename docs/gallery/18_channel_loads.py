"""
Where the load goes
===================

Exact load of every channel of a mesh under transposed traffic: no simulation. The busiest channel says what the
network can carry at most.
"""

import matplotlib.pyplot as plt

from jumpnet.analysis.loads import channel_loads
from jumpnet.routings import bind
from jumpnet.topology import build
from jumpnet.traffic import bind as pattern

net = build("mesh:8x8")
figure, panels = plt.subplots(1, 2, figsize=(8, 3.8), layout="constrained")
for axes, traffic in zip(panels, ("uniform", "transpose"), strict=True):
    loads = channel_loads(bind("mesh.dimension_order", net), pattern(traffic, net))
    for r in range(net.routers):
        for port, to in enumerate(net.neighbor[r]):
            if to >= 0:
                (x, y), (a, b) = net.coord[r], net.coord[to]
                side = 0.12 * (1 if (a - x) + (b - y) > 0 else -1)
                colour = plt.cm.viridis_r(loads.load[r, port] / 7)
                axes.plot(
                    [x + side * (b != y), a + side * (b != y)],
                    [y + side * (a != x), b + side * (a != x)],
                    color=colour,
                    linewidth=3,
                )
    axes.set_title(f"{traffic}: at most {loads.ideal_throughput:.3f} flits a cycle")
    axes.set_axis_off()
plt.show()
