"""
What faults leave
=================

Routers fail in a random order, three orders for each network. Mean routes get longer, and the busiest channel busier.
"""

import matplotlib.pyplot as plt

import jumpnet
from jumpnet.plot.degradation import degradation_drawer

faults = [0, 1, 2, 4, 8]
tables = {spec: jumpnet.network(spec).degrade(faults, seeds=[1, 2, 3]) for spec in ("torus:8x8", "rdt:8")}
degradation_drawer(tables, "nodes")(plt.figure(figsize=(8, 3.4), layout="constrained"))
