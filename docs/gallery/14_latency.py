"""
Latency under load
==================

Curves up to saturation: packets of four flits, four virtual channels, 2000 measured cycles a point. A study would take
ten times as many.
"""

import jumpnet

run = {"packet_flits": "4", "warmup_cycles": 500, "measure_cycles": 2000, "vcs": 4}
loads = [0.05 * k for k in range(1, 20)]
curves = [jumpnet.network(spec).curve(loads, **run) for spec in ("mesh:8x8", "torus:8x8", "rdt:8", "hypercube:6")]
(curves[0] + curves[1] + curves[2] + curves[3]).plot("latency.png")
