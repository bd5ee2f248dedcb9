"""
What a shared-memory machine sends
==================================

A small molecular-dynamics program on sixteen processors: how many nodes a coherence message goes to, by invalidation
and by update. Where it goes to many, a multicast pays.
"""

import matplotlib.pyplot as plt

from jumpnet.machine.traffic import coherence_traffic
from jumpnet.machine.workload import workload

program = workload("water:processors=16,molecules=32")
for shift, protocol in ((-0.2, "invalidate"), (0.2, "update")):
    found = coherence_traffic(program.trace(), protocol=protocol, directory="line")
    nodes, messages = zip(*sorted(found.destinations_histogram.items()), strict=True)
    plt.bar([n + shift for n in nodes], messages, width=0.4, label=f"{protocol}: {found.packets:,} packets in all")
plt.yscale("log")
plt.xlabel("nodes that a message goes to")
plt.ylabel("messages")
plt.legend()
plt.show()
