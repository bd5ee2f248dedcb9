"""Kernels of the timed machine: one message to many nodes, and their acknowledges, one by one or down and up a tree.

A tree (`trees`) has a place at each router where a copy is received or branches. A copy is a packet from place to
place; a router that has taken it whole sends on `forward` cycles later, without its cluster's processor. Combined
acknowledges go back from place to place, each when all below it and its own cluster have answered, and so do the
arrivals at a barrier, by the part of its tree that holds those who meet there. What routers do is worked out as soon as
the arrivals are known, which may be before or after their time: nothing else sees it. Messages that branch inside the
routers are in `_branch`. Used by `_processors`.
"""

from __future__ import annotations

from jumpnet.coherence.recent import look_up
from jumpnet.jit.linked import kernel
from jumpnet.machine.timed import _tables as at
from jumpnet.machine.timed._branch import answer, branched, start_branching
from jumpnet.machine.timed._caches import invalidate, pass_on
from jumpnet.machine.timed._finite_buffers import counted, enters, hand_place_on, leaves
from jumpnet.machine.timed._queue import arrive, schedule
from jumpnet.machine.timed._relays import take_copy
from jumpnet.machine.timed._tables import (
    free_message,
    lists,
    new_message,
    node_of,
    over_bus,
    send,
    server_of,
    updates,
)
from jumpnet.sim.memory.bits import WORD_BITS, bit, count, lowest
from jumpnet.sim.memory.message_layout import ALONE

__all__ = [
    "acknowledge",
    "answered",
    "come",
    "gathered",
    "made_anew",
    "reach",
    "send_copy_on",
    "start_tree",
    "tell_all",
    "tell_next",
    "want_tree",
]


@kernel
def want_tree(m, kind, line, t):
    """Ask for the tree of a multicast, which will then start at time t."""
    m.count[at.C_WANT], m.count[at.C_WANT_KIND], m.count[at.C_WANT_TIME] = line, kind, t


@kernel
def spread(m, place, kind, line, register, flits, t, here):
    """Send copies of a multicast from a place to those below it, at time t.

    A place below one of the same router is its node's processor, which has the packet at time `here`, NOBODY if it has
    it already. Returns that copy, or NOBODY.
    """
    own = at.NOBODY
    for child in range(m.place[place + at.T_FIRST], m.place[place + at.T_FIRST] + m.place[place + at.T_CHILDREN]):
        c = child * at.T_FIELDS
        stays = m.place[c + at.T_ROUTER] == m.place[place + at.T_ROUTER]
        if stays and here < 0:
            continue
        row = new_message(m, kind, m.place[place + at.T_ROUTER], m.place[c + at.T_ROUTER], line, register, flits)
        m.message[row + at.M_PLACE] = c
        if stays:
            own = row
            arrive(m, row, here)
        else:
            send(m, row, t)
    return own


@kernel
def made_anew(m, row, t):
    """A processor makes a packet anew that has come to it for that, and sends it on; whether it takes it too."""
    place, kind = m.message[row + at.M_PLACE], m.message[row + at.M_KIND]
    line, register = m.message[row + at.M_LINE], m.message[row + at.M_REGISTER]
    own = spread(m, place, kind, line, register, m.message[row + at.M_FLITS], t, t)
    if m.room > 0:
        if own >= 0:
            hand_place_on(m, row, own)
        leaves(m, row)
    return m.place[place + at.T_RECEIVES] == at.RECEIVES


@kernel
def send_copy_on(m, row, t):
    """A router sends on at time t a copy that has had a place there, or answers it where there is no node."""
    place, kind = m.message[row + at.M_PLACE], m.message[row + at.M_KIND]
    line, register = m.message[row + at.M_LINE], m.message[row + at.M_REGISTER]
    spread(m, place, kind, line, register, m.message[row + at.M_FLITS], t, at.NOBODY)
    if m.place[place + at.T_RECEIVES] == at.ANSWERS and kind == at.TELL:
        acknowledge(m, place, m.message[row + at.M_TO], line, register, at.NOTHING, t)
    free_message(m, row)


@kernel
def start_list(m, root, places, line, register, t):
    """The home tells the nodes that its entry names: one after another, which keeps it, or the head of their list."""
    chain, home = m.multicast == at.CHAIN, m.place[root + at.T_ROUTER]
    tellings = 1 if chain else places - 1
    flits = m.word if updates(m, line) else m.short
    for k in range(tellings):
        place = root + (k + 1) * at.T_FIELDS
        row = new_message(m, at.TELL, home, m.place[place + at.T_ROUTER], line, register, flits)
        if chain:
            m.message[row + at.M_PLACE] = place
        send(m, row, t + k * m.spacing)
    m.line[line * at.L_FIELDS + at.L_LEFT] = tellings
    server = server_of(m, home, at.TELL, line)
    m.node[server * at.N_FIELDS + at.N_FREE] += (tellings - 1) * m.spacing
    schedule(m, server)


@kernel
def tell_next(m, place, node, line, register, flag, t):
    """A node of a chained list has done what a message told, and tells the next one; the last one answers the home."""
    if m.place[place + at.T_CHILDREN] == 0:
        acknowledge(m, place, node, line, register, flag, t)
        return
    child = m.place[place + at.T_FIRST] * at.T_FIELDS
    flits = m.long if flag else m.word if updates(m, line) else m.short
    row = new_message(m, at.TELL, node, m.place[child + at.T_ROUTER], line, register, flits)
    m.message[row + at.M_PLACE], m.message[row + at.M_FLAG] = child, flag
    send(m, row, t)


@kernel
def start_tree(m, root, places):
    """The multicast that was wanted starts at the root of its tree, whose places are so many."""
    line, kind, t = m.count[at.C_WANT], m.count[at.C_WANT_KIND], m.count[at.C_WANT_TIME]
    m.count[at.C_WANT] = at.NOBODY
    if kind != at.TELL:
        if m.multicast == at.BRANCH:
            start_branching(m, root, places, kind, line, at.NOTHING, m.short, t)
        else:
            spread(m, root, kind, line, at.NOTHING, m.short, t, t)
        return
    receivers = 0
    register = m.message[m.line[line * at.L_FIELDS + at.L_ASKED] + at.M_REGISTER]
    if m.multicast == at.BRANCH:
        start_branching(m, root, places, kind, line, register, m.word if updates(m, line) else m.short, t)
        return
    if m.multicast != at.TREE:
        start_list(m, root, places, line, register, t)
        return
    for k in range(places):
        place, y = root + k * at.T_FIELDS, (register * m.most_places + k) * at.Y_FIELDS
        answers = m.place[place + at.T_RECEIVES] != at.RELAYS
        receivers += answers
        m.tally[y + at.Y_LEFT] = m.place[place + at.T_CHILDREN] + answers
        m.tally[y + at.Y_LATEST] = m.tally[y + at.Y_FLAG] = 0
    m.line[line * at.L_FIELDS + at.L_LEFT] = 1 if m.acknowledges == at.COMBINED else receivers
    spread(m, root, kind, line, register, m.word if updates(m, line) else m.short, t, t)


@kernel
def whom_to_tell(m, line, node, home):
    """Write to `told` all nodes but the asker that the entry of a line lists; how many.

    The line's own list, where the home's pruning cache has one, in place of its page's.
    """
    pruned, found = False, 0
    if m.pruning_ways > 0:
        pruned = look_up(m.pruning, m.pruning_ways, m.pruning_sets, home, m.number[line])
        m.count[at.C_PRUNED] += pruned
    for w in range(m.words):
        word = m.valid[line * m.words + w] if pruned else lists(m, line, w)
        if w == node >> 5:
            word &= ~bit(node)
        m.told[w] = word
        found += count(word)
    return found


@kernel
def tell_all(m, line, t):
    """Send an invalidation or update to every node listed but the asker; how many acknowledges are to come.

    One after another, or as a multicast as soon as its tree is there. The home's own copies are told over its bus.
    """
    register = m.message[m.line[line * at.L_FIELDS + at.L_ASKED] + at.M_REGISTER]
    node, home = node_of(m, register), m.home[m.page[line]]
    destinations, sent, here = whom_to_tell(m, line, node, home), 0, 0
    m.line[line * at.L_FIELDS + at.L_LATEST] = 0
    if destinations == 0:
        return 0
    m.histogram[destinations] += 1
    flits = m.word if updates(m, line) else m.short
    for w in range(m.words):
        left = m.told[w]
        while left != 0:
            to = w * WORD_BITS + lowest(left)
            left &= left - 1
            if to == home:
                here = 1
            elif m.multicast == at.DIRECT:
                send(m, new_message(m, at.TELL, home, to, line, register, flits), t + sent * m.spacing)
                sent += 1
    if here:
        m.line[line * at.L_FIELDS + at.L_LATEST] = over_bus(m, home, m.bus_request, t)
        if updates(m, line):
            pass_on(m, line, home, node)
        else:
            invalidate(m, line, home)
    if m.multicast != at.DIRECT and destinations > here:
        want_tree(m, at.TELL, line, t)
        return 1
    return sent


@kernel
def last_of(m, row, t):
    """The router of the home counts an acknowledge; the last one goes to the home's processor when all are there."""
    a = m.message[row + at.M_LINE] * at.L_FIELDS
    m.line[a + at.L_LEFT] -= 1
    m.line[a + at.L_LATEST] = max(t, m.line[a + at.L_LATEST])
    if m.line[a + at.L_LEFT] > 0:
        free_message(m, row)
        return
    m.line[a + at.L_LEFT] = 1
    m.message[row + at.M_FROM] = m.message[row + at.M_TO]
    arrive(m, row, m.line[a + at.L_LATEST])


@kernel
def answered(m, kind, place, line, register, flag, t):
    """One of the answers, or arrivals at a barrier, that a place waits for is there; the last one sends all of them on.

    register: of the request, or for barriers, which have rows of the tally behind all requests, their number there.
    """
    while True:
        y = (register * m.most_places + m.place[place + at.T_NUMBER]) * at.Y_FIELDS
        m.tally[y + at.Y_LEFT] -= 1
        m.tally[y + at.Y_LATEST] = max(t, m.tally[y + at.Y_LATEST])
        m.tally[y + at.Y_FLAG] |= flag
        if m.tally[y + at.Y_LEFT] > 0:
            return
        t, flag = m.tally[y + at.Y_LATEST], m.tally[y + at.Y_FLAG]
        if kind == at.ARRIVE:  # the next time begins when all are through with this one
            m.tally[y + at.Y_LEFT] = m.place[place + at.T_CHILDREN] + (m.place[place + at.T_RECEIVES] == at.RECEIVES)
        router, parent = m.place[place + at.T_ROUTER], m.place[place + at.T_PARENT]
        if parent < 0 or m.place[parent + at.T_ROUTER] != router:
            break
        place = parent  # the same router combines what a packet made anew brings back
    flits = m.long if flag else m.short
    if parent < 0:
        row = new_message(m, kind, router, router, line, register, flits)
        m.message[row + at.M_FLAG] = at.LAST if kind == at.ARRIVE else at.NOTHING
        arrive(m, row, t)
        return
    row = new_message(m, kind, router, m.place[parent + at.T_ROUTER], line, register, flits)
    m.message[row + at.M_PLACE], m.message[row + at.M_FLAG] = parent, flag
    send(m, row, t + m.forward if m.place[place + at.T_CHILDREN] > 0 else t)


@kernel
def acknowledge(m, place, node, line, register, flag, t):
    """A receiver has done what a message told: it answers, by the tree or to the home itself."""
    if by_network(m):
        answer(m, place, node, line, register, flag, t)
    elif m.acknowledges == at.COMBINED:
        answered(m, at.ACK, place, line, register, flag, t)
    else:
        row = new_message(m, at.ACK, node, m.home[m.page[line]], line, register, m.long if flag else m.short)
        m.message[row + at.M_FLAG] = flag
        send(m, row, t)


@kernel
def gathered(m, row, t):
    """The router of a barrier's home counts a node that has arrived; the last goes to the home's processor."""
    a = m.message[row + at.M_LINE] * at.O_FIELDS
    m.thing[a + at.O_HERE] += 1
    m.thing[a + at.O_LATEST] = max(t, m.thing[a + at.O_LATEST])
    if m.thing[a + at.O_HERE] < m.thing[a + at.O_NODES]:
        free_message(m, row)
        return
    t = m.thing[a + at.O_LATEST]
    m.thing[a + at.O_HERE] = m.thing[a + at.O_LATEST] = 0
    m.message[row + at.M_FROM], m.message[row + at.M_FLAG] = m.message[row + at.M_TO], at.LAST
    arrive(m, row, t)


@kernel
def by_network(m):
    """Whether the network combines acknowledges, and what else comes home brings a line."""
    return m.multicast == at.BRANCH and m.acknowledges == at.COMBINED


@kernel
def reach(m, row, t):
    """The network delivers a message at time t: to the router's own logic, or to the processor of its cluster."""
    kind, place = m.message[row + at.M_KIND], m.message[row + at.M_PLACE]
    line, register = m.message[row + at.M_LINE], m.message[row + at.M_REGISTER]
    m.count[at.C_NETWORK] += t - m.message[row + at.M_SENT]
    m.count[at.C_FLITS] += m.message[row + at.M_FLITS]
    m.count[at.C_CARRIED] += 1
    m.count[at.C_COPIES] -= place >= 0
    if (kind == at.ACK or kind == at.ARRIVE) and place >= 0:
        counted(m, row)
        answered(m, kind, place, line, register, m.message[row + at.M_FLAG], t)
        free_message(m, row)
    elif kind == at.ACK and m.acknowledges != at.SINGLE and not by_network(m):
        counted(m, row)
        last_of(m, row, t)
    elif kind == at.ARRIVE and m.acknowledges != at.SINGLE and m.message[row + at.M_TO] == m.where[line]:
        counted(m, row)
        gathered(m, row, t)
    elif place >= 0 and m.multicast == at.TREE and m.room > 0:
        take_copy(m, row, t)
    elif place >= 0 and m.multicast == at.TREE:
        spread(m, place, kind, line, register, m.message[row + at.M_FLITS], t + m.forward, t)
        if m.place[place + at.T_RECEIVES] == at.RECEIVES:
            arrive(m, row, t)
            return
        if m.place[place + at.T_RECEIVES] == at.ANSWERS and kind == at.TELL:
            acknowledge(m, place, m.message[row + at.M_TO], line, register, at.NOTHING, t + m.forward)
        free_message(m, row)
    else:
        if m.room > 0:
            enters(m, row)
        arrive(m, row, t)


@kernel
def come(m, row, what, to, place, t):
    """A network in which packets branch says what has come of a message at time t, to which terminal."""
    if what == ALONE:
        reach(m, row, t)
    else:
        branched(m, row, what, to, place, t)
