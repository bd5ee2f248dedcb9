"""
A wafer with defects, mended
============================

A torus on a wafer with one spare line on each side; 4 % of the elements are broken. Elements shift towards the spares.
"""

import matplotlib.pyplot as plt

from jumpnet.analysis.reconfigure import reconfigure
from jumpnet.plot.wafer import wafer_drawer, wafer_size_inches

made = reconfigure("torus:12x12", density=0.04, seed=3, method="exact").configuration
assert made.verified
wafer_drawer(made)(plt.figure(figsize=wafer_size_inches(made.array), layout="constrained"))
