"""Buffers of input ports that their virtual channels share: whether one of them has room for a flit.

By the policies of BookSim 2. Neighbouring channels are in *parts*, by default each alone, and each part has some slots
of its own; the others go to whoever comes first (`shared`), to each channel up to a limit (`limited`), which may be
the whole by the number of channels that packets hold (`dynamic`), or the whole halved as often as that number is
doubled (`shifting`). A packet that holds a channel keeps the last slot that its flits gave back, until it sends the
next one. Every lane has as many slots as the whole buffer, and what is taken of them is counted anew each time: no
credit needs an event. The twin is `reference.parts.SharedBuffer`.
"""

from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.rows import lane_at, out_vc_of

__all__ = ["entry_full", "hold_entry", "hold_shared", "out_vc_full"]

NOT_HELD = 1 << 60
"""In `taken`: no packet holds the channel."""


@kernel
def limit(m, active):
    """Flits that a channel may have in the buffer, where packets hold so many channels of the port."""
    if m.sharing == at.LIMITED:
        return m.held_flits
    most, more = m.buffer, active - 1
    if m.sharing == at.DYNAMIC and more > 0:
        most //= active
    while m.sharing == at.SHIFTING and more > 0:
        most >>= 1
        more >>= 1
    return most


@kernel
def is_full(m, lane, taken, v, t):
    """Whether virtual channel v of a port gets no flit in step t.

    lane: where the row of the port's first lane starts, taken: the place in `taken` of its first channel.
    """
    beyond, active, mine, held, keeps = 0, 0, 0, 0, 0
    for part in range(m.parts):
        used, begin, end = 0, part * m.vcs // m.parts, (part + 1) * m.vcs // m.parts
        for w in range(begin, end):
            slots, since, flits, last = lane_at(m, lane + w * m.lane_stride), m.taken[taken + w], 0, 0
            for slot in range(m.buffer):
                if slots[slot] > t:
                    flits += 1
                else:
                    last = max(last, slots[slot])
            kept = int(flits == 0 and last > since)
            active += int(since < t)
            used += flits + kept
            if w == v:
                held, keeps = flits, kept
        if begin <= v < end:
            mine = used
        beyond += max(used - m.own_flits, 0)
    if held >= limit(m, active):
        return True
    return keeps == 0 and mine >= m.own_flits and beyond >= m.buffer - m.parts * m.own_flits


@kernel
def out_vc_full(m, r, o, t):
    """`is_full` for output VC o of router r."""
    first = m.port_of[o] * m.vcs
    return is_full(m, out_vc_of(m, r, first).to, r * m.out_vcs + first, o - first, t)


@kernel
def entry_full(m, place, router, first, v, t):
    """`is_full` for a virtual channel of an injection port, whose lanes are those of a router from `first` on."""
    lane = (router * m.lanes + first) * m.lane_stride
    return is_full(m, lane, m.routers * m.out_vcs + place * m.vcs, v, t)


@kernel
def hold_shared(m, r, o, t, ends):
    """A packet holds output VC o of router r from step t on, or its tail leaves."""
    m.taken[r * m.out_vcs + o] = NOT_HELD if ends else t


@inlined
def hold_entry(m, place, v, t, sent, left):
    """The same for a virtual channel of an injection port, into which flit `sent` of a packet goes; `left` and it."""
    if m.sharing > 0 and (sent == 0 or left == 1):
        m.taken[m.routers * m.out_vcs + place * m.vcs + v] = NOT_HELD if left == 1 else t
