"""
A certificate of freedom
========================

With a dateline the channels can be numbered so that every packet climbs: along any route the numbers rise. A separate
checker has accepted the numbers before they are shown.
"""

import matplotlib.pyplot as plt

import jumpnet

net = jumpnet.network("torus:6x6")
proof = net.prove("torus.dateline")
for source, destination in ((0, 21), (5, 14), (33, 1), (35, 7)):
    route = net.route(source, destination, "torus.dateline")
    numbers = [proof.certificate[(hop.router * net.ports + hop.port) * proof.vcs + hop.vc] for hop in route]
    plt.plot(numbers, marker="o", label=f"{source} to {destination}")
plt.xlabel("hop")
plt.ylabel("number of the channel")
plt.legend()
plt.show()
