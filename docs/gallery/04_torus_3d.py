"""
Torus in three dimensions
=========================

Wrap-around links leave the frame on one side and come back on the other.
"""

import jumpnet

jumpnet.network("torus:4x4x3").draw("torus.png")
