"""Functions of one's own that catch what a question raises, where a run for all sizes has no answer to it.

In a file that pytest does not rewrite, so that which fields of the header they read is found in it.
"""

from __future__ import annotations

import numpy as np

from jumpnet.routings import Prepared
from jumpnet.routings.view import DESTINATION


def as_prepared(net, here, head, out):
    """Dimension order, or where many routers were prepared for one order for half of the quadrants: all turns."""
    to = head[DESTINATION]
    x, y = net.coord[to, 0] - net.coord[here, 0], net.coord[to, 1] - net.coord[here, 1]
    out[0, 1] = out[0, 2] = out[0, 3] = 0
    if x != 0 and (y == 0 or net.own[0] == 0 or (x > 0) == (y > 0)):
        out[0, 0] = 0 if x > 0 else 1
        return 1
    out[0, 0] = 2 if y > 0 else 3
    return 1 if y != 0 else 0


def by_number(net, options):
    """Whether routers are many, which it asks where only sides may be asked, and catches what that raises."""
    try:
        many = net.routers > 60
    except Exception:
        many = False
    return Prepared(own=np.array([many], np.int64))


def by_side(net, options):
    """The same by a question about sides that has two answers."""
    try:
        many = bool(net.params[0] > 7)
    except BaseException:
        many = False
    return Prepared(own=np.array([many], np.int64))


def by_what_it_catches(net, here, head, out):
    """The same by a relation that asks for the numbers of routers."""
    try:
        many = int(here) + int(head[DESTINATION]) > 60
    except Exception:
        many = False
    to = head[DESTINATION]
    x, y = net.coord[to, 0] - net.coord[here, 0], net.coord[to, 1] - net.coord[here, 1]
    if x != 0 and (y == 0 or not many or (x > 0) == (y > 0)):
        out[0, 0] = 0 if x > 0 else 1
        return 1
    out[0, 0] = 2 if y > 0 else 3
    return 1 if y != 0 else 0


def by_what_it_divides(net, here, head, out):
    """The same by a number that is no whole one, which what stands for many numbers has not."""
    to = head[DESTINATION]
    x, y = net.coord[to, 0] - net.coord[here, 0], net.coord[to, 1] - net.coord[here, 1]
    try:
        many = net.coord[here, 0] / 3 > 2
    except Exception:
        many = False
    if x != 0 and (y == 0 or not many or (x > 0) == (y > 0)):
        out[0, 0] = 0 if x > 0 else 1
        return 1
    out[0, 0] = 2 if y > 0 else 3
    return 1 if y != 0 else 0


def by_its_own_number(net, here, head, out):
    """The same by the number of a router."""
    to = head[DESTINATION]
    x, y = net.coord[to, 0] - net.coord[here, 0], net.coord[to, 1] - net.coord[here, 1]
    try:
        many = here - 60 > to * 0
    except Exception:
        many = False
    if x != 0 and (y == 0 or not many or (x > 0) == (y > 0)):
        out[0, 0] = 0 if x > 0 else 1
        return 1
    out[0, 0] = 2 if y > 0 else 3
    return 1 if y != 0 else 0
