"""Dimension order on a torus as BookSim 2 does it: ties at random, the class fixed on entering a ring.

Source: BookSim 2, dim_order on tori. Going up, packets that will wrap use class 1 and others class 0; going down, the
other way round. Each class leaves out one channel of the ring, so both are acyclic. With V channels the classes are
halves; in BookSim 2 both halves have the middle one where V is odd, which is `middle=shared`. Then dependencies between
middle channels close a ring, and what frees packets is the outermost channel of each class, which the other class never
takes: the escape of Duato's condition. It supposes that a buffer holds one packet at a time (`vc_reuse = "empty"`,
BookSim 2's `wait_for_tail_credit`); else packets can wait for each other in the middle channels of a ring. Where a
packet gets a channel by the output that it takes next (`channels_by_next_output`), in the lower half the parts of the
outputs that lead on along a ring end below the middle channel. So the classes have none in common, and no escape is
needed: `middle=unmarked`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import kernel
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings.classes import half_first, half_size, put_channels, put_class, put_shared_half
from jumpnet.routings.torus._steps import must_be_torus
from jumpnet.routings.view import DESTINATION, IN_PORT, NORMAL, STATE

__all__ = [
    "CLASS_BIT", "MIDDLES", "SAID_OF_MIDDLES", "TORUS_BOOKSIM", "draws", "entered_class", "port_by_ties", "put_half",
    "start", "whose_is_the_middle", "with_links",
]  # fmt: skip

CLASS_BIT = 1 << 32
"""STATE: bit d below tells which way a tie goes in dimension d (1 = up), this bit the class of the current ring."""
MIDDLES = ("own", "shared", "unmarked")
"""Whose the middle one of an odd number of channels is; own[0] is the place here."""
SAID_OF_MIDDLES = (
    "Of an odd number of channels the middle one is: of class 0 (own), or of both (shared); of both without an escape "
    "(unmarked), for channels_by_next_output, where no two classes meet."
)
OWN_UP = 1
"""own[OWN_UP]: bit d tells that routers of a side of 2 in dimension d have one link, up, and none down."""


def one_link_of_two(net):
    """What own[OWN_UP] holds, of tori without `double=true`."""
    return sum(1 << d for d, k in enumerate(net.params) if k == 2 and net.neighbor[0, 2 * d + 1] < 0)


@kernel
def port_by_ties(net, here, target, ties):
    """Port of the lowest dimension d in which `here` and `target` differ, the shorter way; -1 if none.

    Where both ways are as long it goes up if bit d of `ties` is set, or where there is no link down.
    """
    for d in range(net.coord.shape[1]):
        k = net.params[d]
        at, to = net.coord[here, d], net.coord[target, d]
        ahead = to - at if to >= at else to - at + k
        if ahead == 0:
            continue
        if 2 * ahead == k:
            up = (ties >> d) & 1 == 1 or (k == 2 and (net.own[OWN_UP] >> d) & 1 == 1)
        else:
            up = 2 * ahead < k
        return 2 * d if up else 2 * d + 1
    return -1


@kernel
def entered_class(net, here, target, d):
    """Class of the ring of dimension d that a packet enters: 1 for those that will wrap going up, or will not going
    down, which are those whose target has the lower coordinate.
    """
    return 1 if net.coord[target, d] < net.coord[here, d] else 0


def with_links(net, number=0):
    """What `port_by_ties` asks for, behind a number of the routing's own."""
    return Prepared(own=np.array([number, one_link_of_two(net)]))


def whose_is_the_middle(net, options):
    """Whether both halves have the middle channel, and which links there are, for the relation."""
    return with_links(net, MIDDLES.index(options["middle"]) * (options["vcs"] % 2))


@kernel
def put_half(net, out, port, c, state):
    """The channels of class c: of an odd number without the middle one or with it, as `middle` says."""
    if net.own[0] == 0:
        return put_class(out, 0, port, c, 2, net.vcs, state, NORMAL)
    if net.own[0] == 1:
        return put_shared_half(out, port, c, net.vcs, state)
    first = half_first(c, net.vcs)
    return put_channels(out, port, first, first + half_size(net.vcs), state)


def relation(net, here, head, out):
    """One port; its class was fixed when the packet entered the ring."""
    destination, state = head[DESTINATION], head[STATE]
    port = port_by_ties(net, here, destination, state)
    if port < 0:
        return 0
    if head[IN_PORT] < 0 or head[IN_PORT] >> 1 != port >> 1:
        state = (state & CLASS_BIT - 1) + CLASS_BIT * entered_class(net, here, destination, port >> 1)
    return put_half(net, out, port, 1 if state >= CLASS_BIT else 0, state)


def start(net, head, draw, queue):
    """One bit of the draw breaks the tie of each dimension."""
    head[STATE] = draw


def draws(net, options):
    """Ways to break the ties of all dimensions: one where there is none."""
    return 2 ** net.coord.shape[1] if (net.params % 2 == 0).any() else 1


TORUS_BOOKSIM = Routing(
    name="torus.booksim",
    relation=relation,
    prepare=whose_is_the_middle,
    options={"middle": MIDDLES},
    meanings={"middle": SAID_OF_MIDDLES},
    start=start,
    draws=draws,
    vcs=2,
    fits=must_be_torus,
    symmetric=lambda net: True,
    source="BookSim 2, dim_order",
    summary="dimension order with BookSim's rules: random ties, class fixed on entering a ring; free of deadlock",
)
