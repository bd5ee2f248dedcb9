"""
Dragonfly
=========

Nine groups of four routers. Each group is a complete graph, and each pair of groups has one global link. The red path
is a minimal one: local, global, local.
"""

import jumpnet

net = jumpnet.network("dragonfly:2")
route = net.route(0, 30, "dragonfly.minimal")
net.draw("dragonfly.png", highlight=[hop.router for hop in route] + [30])
