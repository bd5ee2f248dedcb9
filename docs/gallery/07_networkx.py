"""
A NetworkX graph
================

Any graph is a network: it is drawn, measured and simulated like the families. Here a generalised Petersen graph.
"""

import networkx

import jumpnet

net = jumpnet.network(networkx.desargues_graph())
net.draw("graph.png", title=f"Desargues graph, diameter {net.metrics().diameter}")
