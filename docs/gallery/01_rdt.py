"""
Recursive diagonal torus
========================

Sixteen by sixteen routers. Rank 0 is the base torus; every router also has the four links of one higher rank.
"""

import jumpnet

jumpnet.network("rdt:16").draw("rdt.png")
