"""
Yield of wafers
===============

The share of 150 drawn wafers that can be mended, with its 95 % band, for two methods on the same wafers.
"""

import matplotlib.pyplot as plt

from jumpnet.fault.array import WaferArray
from jumpnet.fault.yields import wafer_yield
from jumpnet.plot.yields import yield_drawer

densities = (0.01, 0.03, 0.05, 0.08, 0.12)
points = {
    method: [wafer_yield(WaferArray(12, 12), density, 150, method=method) for density in densities]
    for method in ("local", "exact")
}
yield_drawer(points, "12 x 12 elements, one spare line a side")(plt.figure(layout="constrained"))
