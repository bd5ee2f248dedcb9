"""Virtual-channel classes: how a scheme that needs C classes uses the V virtual channels it is given.

Used by the routings whose proof rests on classes (datelines, hops, phases). With V = C, class c is channel c; with
more, class c owns the channels v with v*C // V == c (halves for two classes, as BookSim does); with fewer, class c
shares channel c mod V, which is the scheme's own negative control: `jumpnet prove --vcs 1` then shows the cycle.

BookSim 2 has two halves instead, which have the middle one of an odd number of channels in common (`half_first`).
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.routings.view import ESCAPE, MAX_CANDIDATES, NORMAL

__all__ = [
    "class_first", "class_stop", "half_first", "half_size", "put", "put_channels", "put_class", "put_order",
    "put_part", "put_shared_half", "rise_class",
]  # fmt: skip


@kernel
def class_first(c, classes, vcs):
    """First virtual channel of class c (0..classes-1).

    >>> [class_first(c, 2, 4) for c in range(2)], [class_first(c, 3, 2) for c in range(3)]
    ([0, 2], [0, 1, 0])
    """
    return c % vcs if vcs < classes else -((-c * vcs) // classes)


@kernel
def class_stop(c, classes, vcs):
    """One past the last virtual channel of class c.

    >>> [class_stop(c, 2, 5) for c in range(2)]
    [3, 5]
    """
    return c % vcs + 1 if vcs < classes else -((-(c + 1) * vcs) // classes)


@kernel
def put(out, count, port, v, state, kind):
    """Append one candidate row; returns the new count, which beyond MAX_CANDIDATES says that there was no room."""
    if count < MAX_CANDIDATES:
        out[count, 0] = port
        out[count, 1] = v
        out[count, 2] = state
        out[count, 3] = kind
    return count + 1


@kernel
def put_class(out, count, port, c, classes, vcs, state, kind):
    """Append one candidate row for each virtual channel of a class; returns the new count."""
    for v in range(class_first(c, classes, vcs), class_stop(c, classes, vcs)):
        count = put(out, count, port, v, state, kind)
    return count


@kernel
def half_first(c, channels):
    """First of the channels of half c (0 or 1), where the halves share the middle one of an odd number.

    >>> [(half_first(c, 5), half_first(c, 5) + half_size(5)) for c in range(2)]
    [(0, 3), (2, 5)]
    """
    return c * (channels // 2)


@kernel
def half_size(channels):
    """Channels of such a half."""
    return channels - channels // 2


@kernel
def put_channels(out, port, first, stop, state):
    """The channels from first to before stop as the first candidates; returns how many."""
    count = 0
    for v in range(first, stop):
        count = put(out, count, port, v, state, NORMAL)
    return count


@kernel
def put_part(out, port, c, parts, channels, state):
    """The channels of one of several equal parts as the first candidates; returns how many.

    What is left over belongs to no part; with fewer channels than parts, part c shares channel c mod V.
    """
    each = channels // parts
    if each == 0:
        return put_channels(out, port, c % channels, c % channels + 1, state)
    return put_channels(out, port, c * each, (c + 1) * each, state)


@kernel
def put_shared_half(out, port, c, channels, state):
    """The channels of half c as the first candidates; returns how many.

    Of an odd number the outermost one is an escape too, as the other half never has it.
    """
    first = half_first(c, channels)
    count = put_channels(out, port, first, first + half_size(channels), state)
    return put(out, count, port, c * (channels - 1), state, ESCAPE) if channels % 2 == 1 else count


@kernel
def put_order(out, port, order, channels):
    """The channels of an order (0 or 1), which has that half, as the first candidates; returns how many.

    The next state is the order that BookSim 2 reads from the channel: what takes the middle one of an odd number in
    order 0 goes on in order 1. The outermost one is an escape then.
    """
    count, first, turned = 0, half_first(order, channels), channels // 2
    for v in range(first, first + half_size(channels)):
        count = put(out, count, port, v, 1 if v >= turned else 0, NORMAL)
    outermost = order * (channels - 1)
    if channels % 2 == 1:
        count = put(out, count, port, outermost, 1 if outermost >= turned else 0, ESCAPE)
    return count


@kernel
def rise_class(level, up):
    """Level of the next hop where each class allows hops that rise, then hops that fall.

    For routes without a rule of their own: channels to a higher router number come before those to a lower one in
    every class, so a new class is needed only when a fall is followed by a rise. `level` is 2 * class + (last hop
    fell); `up` says whether this hop rises. A route of h hops meets at most h // 2 + 1 classes.

    >>> rise_class(0, True), rise_class(0, False), rise_class(1, False), rise_class(1, True)
    (0, 1, 1, 2)
    """
    if up:
        return level + (level & 1)
    return level | 1
