"""
Degree, diameter, and the Moore bound
=====================================

Networks of 64 to 160 routers. With 100 routers no network has a smaller diameter than the line says for its degree; the
Slim Fly of 98 has no larger one.
"""

import matplotlib.pyplot as plt

import jumpnet
from jumpnet.graph.moore import least_diameter

specs = ["torus:10x10", "hypercube:7", "rdt:8", "debruijn:2,n=7", "ccc:5", "slimfly:7", "dragonfly:3", "hyperx:10x10"]
for spec in specs:
    found = jumpnet.network(spec).metrics()
    plt.scatter(found.degree, found.diameter, zorder=3)
    away = (5, -11 if spec == "ccc:5" else 4)  # below its point, as the torus is beside it
    plt.annotate(spec, (found.degree, found.diameter), textcoords="offset points", xytext=away, fontsize=8)
degrees = range(3, 19)
least = [least_diameter(100, degree) for degree in degrees]
plt.step(degrees, least, where="mid", color="black", label="Moore bound, 100 routers")
plt.xlabel("degree")
plt.ylabel("diameter")
plt.legend()
plt.show()
