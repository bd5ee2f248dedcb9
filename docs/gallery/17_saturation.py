"""
Saturation, searched
====================

The highest load that the sources keep up with, for each traffic pattern, to two hundredths; 1500 measured cycles a
point.
"""

import matplotlib.pyplot as plt

import jumpnet

patterns = ["uniform", "transpose", "tornado", "bit_complement", "neighbor"]
run = {"packet_flits": "4", "warmup_cycles": 500, "measure_cycles": 1500, "resolution": 0.02}
found = [jumpnet.network("torus:8x8").find_saturation(traffic=name, **run).load for name in patterns]
plt.figure(layout="constrained")
plt.barh(patterns, found)
plt.gca().invert_yaxis()
plt.xlabel("saturation load, flits per terminal and cycle")
plt.title("torus:8x8, torus.dateline")
plt.show()
