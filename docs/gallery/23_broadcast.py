"""
A broadcast, step by step
=========================

Routers that know the message after each step, one-port: the dual-net's own algorithm beside a search tree. Each
transfer is checked when the schedule is played.
"""

import matplotlib.pyplot as plt
import numpy as np

from jumpnet.multicast import broadcast
from jumpnet.multicast.schedule import play
from jumpnet.topology import build

net = build("rdn:3,k=2")
for name in ("rdn", "bfs"):
    schedule = broadcast(name)(net, 0)
    assert play(net, schedule).informed == net.routers
    informed = 1 + np.cumsum(np.bincount(schedule.step))
    plt.plot(range(1, len(informed) + 1), informed, marker="o", label=f"{name}: {schedule.steps} steps")
plt.xlabel("step")
plt.ylabel(f"routers informed, of {net.routers}")
plt.legend()
plt.show()
