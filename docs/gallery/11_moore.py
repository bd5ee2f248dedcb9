"""
Degree, diameter, and the Moore bound
=====================================

No network of a given degree and number of routers has a smaller diameter than the line says. A Slim Fly of 98 routers
meets it.
"""

import matplotlib.pyplot as plt

import jumpnet
from jumpnet.graph.moore import least_diameter

specs = [
    "torus:10x10",
    "hypercube:7",
    "rdt:8",
    "debruijn:2,n=7",
    "ccc:5",
    "slimfly:7",
    "dragonfly:3",
    "star:5",
    "hyperx:10x10",
]
for spec in specs:
    found = jumpnet.network(spec).metrics()
    plt.scatter(found.degree, found.diameter, zorder=3)
    plt.annotate(spec, (found.degree, found.diameter), textcoords="offset points", xytext=(5, 4), fontsize=8)
degrees = range(3, 19)
plt.step(
    degrees,
    [least_diameter(100, degree) for degree in degrees],
    where="mid",
    color="black",
    label="Moore bound, 100 routers",
)
plt.xlabel("degree")
plt.ylabel("diameter")
plt.legend()
plt.show()
