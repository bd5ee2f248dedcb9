"""Dimension order on a HyperX or flattened butterfly: one hop a dimension; free of deadlock with one channel.

Source: Ahn et al. 2009; Kim, Dally and Abts 2007.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.hyperx._steps import line_port, must_be_lines
from jumpnet.routings.view import DESTINATION

__all__ = ["HYPERX_DIMENSION_ORDER"]


def relation(net, here, head, out):
    """The hop that corrects the lowest wrong coordinate, every virtual channel."""
    port = line_port(net, here, head[DESTINATION])[0]
    if port < 0:
        return 0
    return put_class(out, 0, port, 0, 1, net.vcs, 0, 0)


HYPERX_DIMENSION_ORDER = Routing(
    name="hyperx.dimension_order",
    relation=relation,
    fits=must_be_lines,
    symmetric=lambda net: True,
    default_for=("hyperx", "flatfly"),
    source="Ahn et al. 2009",
    summary="one hop a dimension, in order; free of deadlock",
)
