"""
Routings against an adversary
=============================

Transposed traffic on a mesh: dimension order crowds the diagonal, adaptive routings go round it. Four
virtual channels, 2000 measured cycles a point.
"""

import jumpnet

run = {"traffic": "transpose", "packet_flits": "4", "warmup_cycles": 500, "measure_cycles": 2000, "vcs": 4}
net = jumpnet.network("mesh:8x8")
loads = [0.03 * k for k in range(1, 16)]
first, *others = [net.curve(loads, name, **run) for name in ("mesh.dimension_order", "mesh.odd_even", "mesh.duato")]
sum(others, first).plot("routings.png")
