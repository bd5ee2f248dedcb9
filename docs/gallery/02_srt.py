"""
Shifted recursive torus on a line
=================================

A one-dimensional SRT of 32 routers, each link a wire in a track above them. The number of tracks is the wiring width
of the SRT paper.
"""

import matplotlib.pyplot as plt

from jumpnet.plot.line import line_drawer, line_size_inches
from jumpnet.topology import build

net = build("srt1d:32")
line_drawer(net)(plt.figure(figsize=line_size_inches(net), layout="constrained"))
