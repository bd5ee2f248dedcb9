"""
A topology of one's own
=======================

Links are enough: here a ring of 24 routers with a chord of five from every third one.
"""

import networkx

import jumpnet

graph = networkx.cycle_graph(24)
graph.add_edges_from((r, (r + 5) % 24) for r in range(0, 24, 3))
net = jumpnet.network(graph)
net.draw("chords.png", title=f"diameter {net.metrics().diameter} instead of 12")
