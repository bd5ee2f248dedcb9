"""E-cube routing on a hypercube: corrects the address from the lowest bit up; free of deadlock with one channel.

Source: Sullivan and Bashkow 1977; Dally and Seitz 1987.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.hypercube._steps import lowest_bit, must_be_hypercube
from jumpnet.routings.view import DESTINATION

__all__ = ["HYPERCUBE_ECUBE"]


def relation(net, here, head, out):
    """The port of the lowest wrong bit, every virtual channel."""
    wrong = here ^ head[DESTINATION]
    if wrong == 0:
        return 0
    return put_class(out, 0, lowest_bit(wrong), 0, 1, net.vcs, 0, 0)


HYPERCUBE_ECUBE = Routing(
    name="hypercube.ecube",
    relation=relation,
    fits=must_be_hypercube,
    symmetric=lambda net: True,
    default_for=("hypercube",),
    source="Dally and Seitz 1987",
    summary="dimension order on a hypercube; free of deadlock",
)
