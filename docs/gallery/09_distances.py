"""
How far apart routers are
=========================

The share of pairs at each distance, exact, in five networks of about a thousand routers.
"""

import matplotlib.pyplot as plt

import jumpnet

for spec in ("torus:32x32", "torus:8x8x16", "rdt:32", "hypercube:10", "random:1024,d=8"):
    counts = jumpnet.network(spec).metrics().distance_counts
    total = sum(counts)
    plt.plot([100 * count / total for count in counts], marker="o", label=spec)
plt.xlabel("distance in hops")
plt.ylabel("% of ordered pairs")
plt.legend()
plt.show()
