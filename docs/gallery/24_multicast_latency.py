"""
Multicasts under load
=====================

One message to some terminals: as a tree of branches, and as one packet to each. 1500 measured cycles a point.
"""

import matplotlib.pyplot as plt

from jumpnet.sim.multicast.simulate import simulate_multicasts

run = {"load": 0.01, "packet_flits": "4", "flow_control": "cut_through", "warmup_cycles": 300, "measure_cycles": 1500}
counts = [2, 4, 8, 12]
for repeated, name in ((False, "branching"), (True, "one packet to each")):
    points = [simulate_multicasts("torus:8x8", destinations=k, repeated=repeated, **run) for k in counts]
    plt.plot(counts, [point.multicast_latency_mean_cycles for point in points], marker="o", label=name)
plt.xlabel("destinations")
plt.ylabel("cycles until the last has it, mean")
plt.legend()
plt.show()
