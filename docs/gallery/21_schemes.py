"""
Bit-map schemes of a multicast
==============================

How many routers receive a message that is meant for some of them: 2000 drawings of destinations near the source
(standard deviation 2) for each number, on a perfect RDT of 64 by 64.
"""

import matplotlib.pyplot as plt

from jumpnet.multicast import scheme
from jumpnet.multicast.sample import sample_receivers
from jumpnet.multicast.territory import territories

names, counts = ["SM", "LPRA", "LARP", "REMAKE"], [1, 2, 4, 6, 8, 12, 16]
schemes = [scheme(name) for name in names]
found = sample_receivers(territories("prdt:64"), schemes, 2.0, counts, trials=2000)
for name, mean in zip(names, found.mean.T, strict=True):
    plt.plot(counts, mean, marker="o", label=name)
plt.xlabel("destinations")
plt.ylabel("routers that receive, mean")
plt.yscale("log")
plt.legend()
plt.show()
