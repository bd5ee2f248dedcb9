"""
Diameter against size
=====================

Networks of degree 8 and less. On those with symmetry one search for each orbit of routers is enough.
"""

import matplotlib.pyplot as plt

import jumpnet

families = {
    "torus": ["torus:8x8", "torus:16x16", "torus:32x32", "torus:64x64"],
    "3-D torus": ["torus:4x4x4", "torus:8x8x8", "torus:16x16x16"],
    "RDT": ["rdt:8", "rdt:16", "rdt:32", "rdt:64", "rdt:128"],
    "De Bruijn": ["debruijn:4,n=3", "debruijn:4,n=4", "debruijn:4,n=5"],
    "WK-recursive": ["wk:8,t=2", "wk:8,t=3", "wk:8,t=4"],
}
for name, specs in families.items():
    found = [jumpnet.network(spec).metrics() for spec in specs]
    plt.plot([m.routers for m in found], [m.diameter for m in found], marker="o", label=name)
plt.xscale("log", base=2)
plt.xlabel("routers")
plt.ylabel("diameter")
plt.legend()
plt.show()
