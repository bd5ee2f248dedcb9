"""Nearest common ancestor on three tiers of switches: up until the destination is below, then down.

Source: BookSim 2, nca on qtree and tree4, and anca on tree4. Free of deadlock with one channel (up before down).
`up=random` draws each upward port. `first` takes the first one, as BookSim's anca does: it is written there as
adaptive, but what a head may ask for keeps the first output alone (see `mesh.min_adapt_booksim`). From the core to a
pod any of its aggregation switches is drawn in both.
"""

from __future__ import annotations

import numpy as np

from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings.classes import put_channels
from jumpnet.routings.view import DESTINATION, STATE

__all__ = ["THREETIER_NCA"]

CORE, AGGREGATION = 0, 1
"""Tiers."""


def relation(net, here, head, out):
    """Access switches go up, aggregation switches out of the pod too; STATE is what is left of the draw."""
    destination, state = head[DESTINATION], head[STATE]
    if here == destination:
        return 0
    k, above, core = net.params[0], net.params[1], net.params[2]
    tier, drawn, pod = net.coord[here, 0], net.own[0] == 1, net.coord[destination, 1]
    if tier == CORE:
        return put_channels(out, pod * above + state % above, 0, net.vcs, 0)
    if tier == AGGREGATION and net.coord[here, 1] == pod:
        return put_channels(out, net.coord[destination, 2], 0, net.vcs, 0)
    if tier == AGGREGATION:
        return put_channels(out, k + (state % core if drawn else 0), 0, net.vcs, state // core if drawn else state)
    return put_channels(out, state % above if drawn else 0, 0, net.vcs, state // above if drawn else state)


def start(net, head, draw, queue):
    """The draw: a digit for each choice."""
    head[STATE] = draw


def draws(net, options):
    """Ways up times those from the core to a pod."""
    _, above, core = map(int, net.params)
    return above * (above * core if options["up"] == "random" else 1)


THREETIER_NCA = Routing(
    name="threetier.nca",
    relation=relation,
    start=start,
    prepare=lambda net, options: Prepared(np.array([int(options["up"] == "random")])),
    draws=draws,
    options={"up": ("random", "first")},
    meanings={"up": "The port upward: drawn for each packet (random), or the first one."},
    fits=lambda net: None if net.family == "threetier" else "it needs three tiers of switches",
    default_for=("threetier",),
    source="BookSim 2, nca",
    summary="up to a common ancestor, drawn or by the first ports, then down; free of deadlock",
)
