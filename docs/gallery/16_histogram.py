"""
The whole distribution of latency
=================================

A mean hides the tail: the same network at three loads, 4000 measured cycles each.
"""

import matplotlib.pyplot as plt

import jumpnet

for load in (0.1, 0.3, 0.4):
    point = jumpnet.simulate("torus:8x8", load=load, packet_flits="4", warmup_cycles=500, measure_cycles=4000)
    histogram = point.latency_histogram
    cells = histogram[:120]
    plt.step(range(len(cells)), cells / histogram.sum(), where="mid", label=f"load {load}")
plt.xlabel("packet latency in cycles")
plt.ylabel("share of packets")
plt.legend()
plt.show()
