"""Terminals with finite receive buffers: an output VC that leads to a full one is not given back.

A packet takes a place with the output VC by which it leaves the network, and gives it up when whoever has posted it
says so (`free_places`). As many output VCs of a terminal and class can be had as there are places; the others are
*kept*, places without an output VC are *spare*. Of packets from outside alone; called where tails leave, and by
`outside` and the timed machine. Argued by hand in tests/tiny/test_full_nodes.py.
"""

from jumpnet.jit.bits import bit, bit64, equal, lowest, rest
from jumpnet.jit.linked import entry, inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.branches import groups_of
from jumpnet.sim.memory.clock import first_step
from jumpnet.sim.memory.packets import first_vc, sink_output
from jumpnet.sim.memory.record import memory_at
from jumpnet.sim.memory.rows import due_of, free_of, out_vc_of, packet_at, receive_buffer_of, wants_of


@kernel
def give_back(m, r, o, t):
    """Output VC o of router r is free again: heads that wait for it are due."""
    out_vc_of(m, r, o).owner = -1
    free_of(m, r)[o >> 6] |= bit64(o)
    for group in range(groups_of(m, r)):
        word = equal(m.due, r * m.cells + group * at.CELLS, at.NO_OUT_VC)
        while word != 0:
            b = group * at.CELLS + lowest(word)
            word &= word - 1
            wants = wants_of(m, r, b)
            if (wants[o >> 6] | wants[m.out_vc_words + (o >> 6)]) & bit64(o) != 0:
                due_of(m, r)[b] = t


@inlined
def is_kept(m, o, p):
    """Whether output VC o, by which packet p has left, stays with a terminal that has no other place."""
    if m.finite == 0 or o < m.link_out_vcs:
        return False
    packet = packet_at(m, p)
    room = receive_buffer_of(m, packet.to_terminal * m.classes + ((packet.kind & at.KIND) >> 1))
    if room.spare > 0:
        room.spare -= 1
        return False
    room.kept |= bit64(o - sink_output(m, packet) * m.vcs - first_vc(m, packet))
    return True


@kernel
def free_place(m, terminal, c, t):
    """A terminal has one place more for packets of class c from cycle t on."""
    room = receive_buffer_of(m, terminal * m.classes + c)
    if room.kept == 0:
        room.spare += 1
        return
    r, v = m.sink_router[terminal], lowest(room.kept)
    room.kept = rest(room.kept)
    give_back(m, r, (m.link_outputs + m.sink_index[terminal]) * m.vcs + c * m.class_vcs + v, first_step(m, t))
    m.active[r >> 5] |= bit(r)


@entry
def free_places(record, places, t):
    """So many places more for packets of each terminal and class; places (terminals * classes,)."""
    m = memory_at(record)
    for k in range(len(places)):
        for _ in range(places[k]):
            free_place(m, k // m.classes, k % m.classes, t)
