"""
Recursive dual-net
==================

RDN(3, 1): two classes of three clusters, each cluster a ring of three. Every router has one link to the other class.
"""

import jumpnet

jumpnet.network("rdn:3,k=1").draw("rdn.png")
