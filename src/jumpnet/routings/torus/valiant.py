"""Valiant's randomised routing on a torus: minimal to a random router, then minimal to the destination.

Source: Valiant and Brebner 1981; Dally and Towles section 9.1. Each phase is dimension order with its own two dateline
classes, so four classes.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.torus._steps import must_be_torus, torus_two_phase
from jumpnet.routings.view import INTERMEDIATE

__all__ = ["TORUS_VALIANT"]


def start(net, head, draw, queue):
    """The intermediate router is the draw."""
    head[INTERMEDIATE] = draw


TORUS_VALIANT = Routing(
    name="torus.valiant",
    relation=torus_two_phase,
    start=start,
    draws=lambda net, options: net.routers,
    two_phases=True,
    vcs=4,
    fits=must_be_torus,
    symmetric=lambda net: True,
    source="Dally and Towles, section 9.1",
    summary="dimension order through a random router, two dateline classes a phase; free of deadlock",
)
