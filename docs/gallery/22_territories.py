"""
Territories
===========

The routers that a bit-map multicast reaches from the black one, by its top rank: eight times as many with each rank.
"""

import matplotlib.pyplot as plt

from jumpnet.multicast.territory import territories
from jumpnet.plot.territory import territory_drawer

figure = plt.figure(figsize=(6.5, 6), layout="constrained")
territory_drawer(territories("prdt:32"), source=16 * 32 + 16, top=2)(figure)
