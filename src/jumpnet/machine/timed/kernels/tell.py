"""Kernels of the timed machine: one message to many nodes, and their acknowledges, one by one or down and up a tree.

A tree (`trees`) has a place at each router where a copy is received or branches. A copy is a packet from place to
place; a router that has taken it whole sends on `forward` cycles later, without its cluster's processor. Combined
acknowledges go back from place to place, each when all below it and its own cluster have answered, and so do the
arrivals at a barrier, by the part of its tree that holds those who meet there. What routers do is worked out as soon as
the arrivals are known, which may be before or after their time: nothing else sees it. Messages that branch inside the
routers are in `branch`. Used by `processors`.
"""

from jumpnet.coherence.recent import look_up
from jumpnet.coherence.rules import codes as rule
from jumpnet.jit.bits import WORD_BITS, bit, count, lowest
from jumpnet.jit.linked import kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels.branch import answer, branched, start_branching
from jumpnet.machine.timed.kernels.caches import heed
from jumpnet.machine.timed.kernels.finite_buffers import counted, enters, hand_place_on, leaves
from jumpnet.machine.timed.kernels.layout import (
    counters_at,
    line_of,
    message_at,
    place_at,
    queue_of,
    tally_of,
    thing_of,
)
from jumpnet.machine.timed.kernels.queue import arrive, schedule
from jumpnet.machine.timed.kernels.relays import take_copy
from jumpnet.machine.timed.kernels.tables import (
    child_at,
    copy_of,
    free_message,
    lists,
    new_message,
    node_of,
    over_bus,
    send,
    server_for,
)
from jumpnet.sim.memory.message_layout import ALONE

__all__ = [
    "acknowledge", "answered", "come", "gathered", "made_anew", "reach", "send_copy_on", "start_tree", "tell_all",
    "tell_next", "want_tree",
]  # fmt: skip


@kernel
def want_tree(m, kind, line, t):
    """Ask for the tree of a multicast, which will then start at time t."""
    counters = counters_at(m, 0)
    counters.want, counters.want_kind, counters.want_time = line, kind, t


@kernel
def spread(m, place, row, t, here):
    """Send copies of a message from a place to those below it, at time t.

    A place below one of the same router is its node's processor, which has the packet at time `here`, NOBODY if it has
    it already. Returns that copy, or NOBODY.
    """
    own, router = at.NOBODY, place_at(m, place).router
    for k in range(place_at(m, place).children):
        child = child_at(m, place, k)
        stays = place_at(m, child).router == router
        if stays and here < 0:
            continue
        copy = copy_of(m, row, router, place_at(m, child).router)
        message_at(m, copy).place = child
        if stays:
            own = copy
            arrive(m, copy, here)
        else:
            send(m, copy, t)
    return own


@kernel
def flits_told(m, line):
    """Flits of what others are told of a request: the word, where its row leaves them their copies."""
    return m.short if line_of(m, line).does & rule.TAKES else m.word


@kernel
def made_anew(m, row, t):
    """A processor makes a packet anew that has come to it for that, and sends it on; whether it takes it too."""
    place = message_at(m, row).place
    own = spread(m, place, row, t, t)
    if m.room > 0:
        if own >= 0:
            hand_place_on(m, row, own)
        leaves(m, row)
    return place_at(m, place).receives == at.RECEIVES


@kernel
def send_copy_on(m, row, t):
    """A router sends on at time t a copy that has had a place there, or answers it where there is no node."""
    place = message_at(m, row).place
    spread(m, place, row, t, at.NOBODY)
    if place_at(m, place).receives == at.ANSWERS and message_at(m, row).kind == at.TELL:
        acknowledge(m, row, at.NOTHING, t)
    free_message(m, row)


@kernel
def start_list(m, root, places, line, register, flits, t):
    """The home tells the nodes that its entry's maps name one after another, which keeps it."""
    home = place_at(m, root).router
    for k in range(1, places):
        to = place_at(m, root + k * len(at.PLACE)).router
        send(m, new_message(m, at.TELL, home, to, line, register, flits), t + (k - 1) * m.spacing)
    line_of(m, line).left = places - 1
    server = server_for(m, home, at.TELL, line)
    queue_of(m, server).free += (places - 2) * m.spacing
    schedule(m, server)


@kernel
def newest_first(m, line, register, home):
    """Put those in `told`, but the home, in order of their copies, the newest first: which is that.

    Who comes after each is kept with the request.
    """
    entry, after, first = m.page[line] if m.by_page else line, register * m.nodes, at.NOBODY
    listed = entry * m.nodes
    for node in range(m.nodes):
        if node == home or m.told[node >> 5] & bit(node) == 0:
            continue
        before, then = at.NOBODY, first
        while then >= 0 and m.stamp[listed + then] > m.stamp[listed + node]:
            before, then = then, m.following[after + then]
        m.following[after + node] = then
        if before < 0:
            first = node
        else:
            m.following[after + before] = node
    return first


@kernel
def tell_next(m, row, flag, t):
    """A node of a chained list has done what a message told, and tells the next one; the last one answers the home."""
    message = message_at(m, row)
    line, to = message.line, m.following[message.register * m.nodes + message.to]
    if to < 0:
        acknowledge(m, row, flag, t)
        return
    flits = m.long if flag else flits_told(m, line)
    said = new_message(m, at.TELL, message.to, to, line, message.register, flits)
    message_at(m, said).flag = flag
    send(m, said, t)


@kernel
def expect_answers(m, root, places, line, register):
    """What the places of a tree wait for, and its home."""
    receivers = 0
    for k in range(places):
        place, tally = place_at(m, root + k * len(at.PLACE)), tally_of(m, register, k)
        answers = place.receives != at.RELAYS
        receivers += answers
        tally.left, tally.latest, tally.flag = place.children + answers, 0, at.NOTHING
    line_of(m, line).left = 1 if m.acknowledges == at.COMBINED else receivers


@kernel
def start_tree(m, root, places):
    """The multicast that was wanted starts at the root of its tree, whose places are so many."""
    counters = counters_at(m, 0)
    line, kind, t = counters.want, counters.want_kind, counters.want_time
    counters.want = at.NOBODY
    register, flits = at.NOTHING, m.short
    if kind == at.TELL:
        register = message_at(m, line_of(m, line).asked).register
        flits = flits_told(m, line)
    if m.multicast == at.BRANCH:
        start_branching(m, root, places, kind, line, register, flits, t)
    elif m.multicast != at.TREE and kind == at.TELL:
        start_list(m, root, places, line, register, flits, t)
    else:
        if kind == at.TELL:
            expect_answers(m, root, places, line, register)
        home = place_at(m, root).router
        row = new_message(m, kind, home, home, line, register, flits)
        spread(m, root, row, t, t)
        free_message(m, row)


@kernel
def whom_to_tell(m, line, node, home):
    """Write to `told` all nodes but the asker that the entry of a line lists; how many.

    The line's own list, where the home's pruning cache has one, in place of its page's.
    """
    pruned, found = False, 0
    if m.pruning_ways > 0:
        pruned = look_up(m.pruning, m.pruning_ways, m.pruning_sets, home, m.number[line])
        counters_at(m, 0).pruned += pruned
    for w in range(m.words):
        word = m.valid[line * m.words + w] if pruned else lists(m, line, w)
        if w == node >> 5:
            word &= ~bit(node)
        m.told[w] = word
        found += count(word)
    return found


@kernel
def tell_each(m, line, register, home, t):
    """Tell those in `told`, or all nodes where the entry does not know whom it lists, one after another: how many."""
    entry, flits, sent = m.page[line] if m.by_page else line, flits_told(m, line), 0
    everybody = m.pointers > 0 and m.over[entry] == 1
    for w in range(m.words):
        first = w * WORD_BITS
        left = (1 << min(WORD_BITS, m.nodes - first)) - 1 if everybody else m.told[w]
        while left != 0:
            to = first + lowest(left)
            left &= left - 1
            if to != home:
                send(m, new_message(m, at.TELL, home, to, line, register, flits), t + sent * m.spacing)
                sent += 1
    return sent


@kernel
def tell_all(m, line, t):
    """Send an invalidation or update to every node listed but the asker; how many acknowledges are to come.

    One after another, along their list, or as a multicast as soon as its tree is there. The home's own copies are told
    over its bus.
    """
    register = message_at(m, line_of(m, line).asked).register
    node, home = node_of(m, register), m.home[m.page[line]]
    destinations = whom_to_tell(m, line, node, home)
    here = m.told[home >> 5] & bit(home) != 0
    line_of(m, line).latest = 0
    if destinations == 0:
        return 0
    m.histogram[destinations] += 1
    if here:
        line_of(m, line).latest = over_bus(m, home, m.bus_request, t)
        heed(m, line, home, node, False)
        if destinations == 1:
            return 0
    if m.multicast == at.DIRECT:
        return tell_each(m, line, register, home, t)
    if m.multicast == at.CHAIN:
        to = newest_first(m, line, register, home)
        send(m, new_message(m, at.TELL, home, to, line, register, flits_told(m, line)), t)
    else:
        want_tree(m, at.TELL, line, t)
    return 1


@kernel
def last_of(m, row, t):
    """The router of the home counts an acknowledge; the last one goes to the home's processor when all are there."""
    message = message_at(m, row)
    kept = line_of(m, message.line)
    kept.left -= 1
    kept.latest = max(t, kept.latest)
    if kept.left > 0:
        free_message(m, row)
        return
    kept.left = 1
    message.source = message.to
    arrive(m, row, kept.latest)


@kernel
def answered(m, kind, place, line, register, flag, t):
    """One of the answers, or arrivals at a barrier, that a place waits for is there; the last one sends all of them on.

    register: of the request, or for barriers, which have rows of the tally behind all requests, their number there.
    """
    while True:
        here = place_at(m, place)
        tally = tally_of(m, register, here.number)
        tally.left -= 1
        tally.latest = max(t, tally.latest)
        tally.flag |= flag
        if tally.left > 0:
            return
        t, flag = tally.latest, tally.flag
        if kind == at.ARRIVE:  # the next time begins when all are through with this one
            tally.left = here.children + (here.receives == at.RECEIVES)
        if here.parent < 0 or place_at(m, here.parent).router != here.router:
            break
        place = here.parent  # the same router combines what a packet made anew brings back
    flits = m.long if flag else m.short
    if here.parent < 0:
        row = new_message(m, kind, here.router, here.router, line, register, flits)
        message_at(m, row).flag = at.LAST if kind == at.ARRIVE else at.NOTHING
        arrive(m, row, t)
        return
    row = new_message(m, kind, here.router, place_at(m, here.parent).router, line, register, flits)
    message_at(m, row).place, message_at(m, row).flag = here.parent, flag
    send(m, row, t + m.forward if here.children > 0 else t)


@kernel
def acknowledge(m, row, flag, t):
    """A receiver has done what a message told: it answers, by the tree or to the home itself."""
    message = message_at(m, row)
    if by_network(m):
        answer(m, row, flag, t)
    elif m.acknowledges == at.COMBINED:
        answered(m, at.ACK, message.place, message.line, message.register, flag, t)
    else:
        home, flits = m.home[m.page[message.line]], m.long if flag else m.short
        said = new_message(m, at.ACK, message.to, home, message.line, message.register, flits)
        message_at(m, said).flag = flag
        if message.to != home:
            send(m, said, t)
        elif m.acknowledges == at.SINGLE:  # a home that the maps name too tells itself by no packet
            arrive(m, said, t)
        else:
            last_of(m, said, t)


@kernel
def gathered(m, row, t):
    """The router of a barrier's home counts a node that has arrived; the last goes to the home's processor."""
    message = message_at(m, row)
    kept = thing_of(m, message.line)
    kept.here += 1
    kept.latest = max(t, kept.latest)
    if kept.here < kept.nodes:
        free_message(m, row)
        return
    t = kept.latest
    kept.here = kept.latest = 0
    message.source, message.flag = message.to, at.LAST
    arrive(m, row, t)


@kernel
def by_network(m):
    """Whether the network combines acknowledges, and what else comes home brings a line."""
    return m.multicast == at.BRANCH and m.acknowledges == at.COMBINED


@kernel
def reach(m, row, t):
    """The network delivers a message at time t: to the router's own logic, or to the processor of its cluster."""
    message, counters = message_at(m, row), counters_at(m, 0)
    kind, place = message.kind, message.place
    counters.network += t - message.sent
    counters.flits += message.flits
    counters.carried += 1
    counters.copies -= place >= 0
    if (kind == at.ACK or kind == at.ARRIVE) and place >= 0:
        counted(m, row)
        answered(m, kind, place, message.line, message.register, message.flag, t)
        free_message(m, row)
    elif kind == at.ACK and m.acknowledges != at.SINGLE and not by_network(m):
        counted(m, row)
        last_of(m, row, t)
    elif kind == at.ARRIVE and m.acknowledges != at.SINGLE and message.to == m.where[message.line]:
        counted(m, row)
        gathered(m, row, t)
    elif place >= 0 and m.multicast == at.TREE and m.room > 0:
        take_copy(m, row, t)
    elif place >= 0 and m.multicast == at.TREE:
        spread(m, place, row, t + m.forward, t)
        if place_at(m, place).receives == at.RECEIVES:
            arrive(m, row, t)
            return
        if place_at(m, place).receives == at.ANSWERS and kind == at.TELL:
            acknowledge(m, row, at.NOTHING, t + m.forward)
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
