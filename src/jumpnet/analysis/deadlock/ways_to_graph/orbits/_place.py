"""Kernels: what packets of each state ask for at every router of the orbit, and the dependencies that follow.

A *request* is what some states have in common: the orbit, the candidates there, and the class of the escape
(`Routing.escape_class`). Requests with the same escape there and the same class share a *row*: its virtual channel at
all routers of the orbit.
Called by `states` and `graph`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.ways_to_graph.orbits._explore import WRONG
from jumpnet.jit.linked import entry, inlined
from jumpnet.routings.view import ESCAPE, KIND, NEXT_STATE, PORT, STATE, VC, call

__all__ = [
    "channels_at",
    "check_nodes",
    "check_requests",
    "number_requests",
    "place_asked",
    "place_dependencies",
    "place_pairs",
]


@inlined
def _alike(states, m, n):
    """Whether two nodes are of one orbit and have the same candidates."""
    first, other = states.first[m], states.first[n]
    many = states.first[n + 1] - other
    if states.router[m] != states.router[n] or states.first[m + 1] - first != many:
        return False
    for j in range(many):
        if states.slot[first + j] != states.slot[other + j] or states.kind[first + j] != states.kind[other + j]:
            return False
    return True


@entry
def number_requests(escape_class, view, space, states, nodes, table, request, member, look):
    """request (N,) of each node, member (N,) a node of each, look (N,) its class of escapes: how many requests there
    are, 0 where `escape_class` says that the routing does not move with automorphisms."""
    head, size, many = space.head, table.size, 0
    for n in range(nodes):
        here = int(states.router[n])
        head[STATE] = states.state[n]
        seen = np.int64(call(escape_class, view, here, head, space.out))
        if seen < 0:
            return 0
        h = (seen & 0x7FFFFFFF) * 0x4F1BBCDD + here
        for e in range(states.first[n], states.first[n + 1]):
            h = (((h ^ (h >> 29)) & 0x7FFFFFFF) * 0x45D9F3B) ^ states.slot[e]
        at = (h >> 7) & (size - 1)
        while table[at] != 0:
            i = table[at] - 1
            if look[i] == seen and _alike(states, member[i], n):
                break
            at = (at + 1) & (size - 1)
        if table[at] == 0:
            member[many], look[many] = n, seen
            many += 1
            table[at] = many
        request[n] = table[at] - 1
    return many


@inlined
def _escape_at(relation, view, space, states, n, r):
    """Virtual channel of the escape of node n at router r of its orbit: -1 if none, -2 where else things differ."""
    head, out = space.head, space.out
    head[STATE] = states.state[n]
    first, vc = states.first[n], -1
    found = call(relation, view, r, head, out)
    if found != states.first[n + 1] - first:
        return -2
    for j in range(found):
        slot, next_state = states.slot[first + j], states.state[states.child[first + j]]
        if out[j, KIND] != states.kind[first + j] or out[j, NEXT_STATE] != next_state:
            return -2
        if out[j, PORT] != slot // view.vcs or out[j, VC] < 0 or out[j, VC] >= view.vcs:
            return -2
        if out[j, KIND] & ESCAPE == 0:
            if out[j, VC] != slot % view.vcs:
                return -2
        elif vc >= 0:
            return -2
        else:
            vc = out[j, VC]
    return vc


@entry
def channels_at(relation, view, space, states, count, member, orbits, begin, at):
    """at (V, M): virtual channel of the escape of each row at each router of its orbit, -1 if there is none.

    member (V,): a node of each row. The routers of the orbit of router r are orbits[begin[r]:begin[r + 1]]. WRONG where
    more differs than that.
    """
    for v in range(member.size):
        n = np.int64(member[v])
        r = states.router[n]
        for k in range(begin[r], begin[r + 1]):
            vc = _escape_at(relation, view, space, states, n, np.int64(orbits[k]))
            if vc < -1:
                count[WRONG] = 1
                return
            at[v, k - begin[r]] = vc


@entry
def check_requests(relation, view, space, states, count, member, row, every, orbits, begin, at):
    """Try each request at every so many-th router of its orbit: WRONG where it is not as its row (I,) says."""
    for i in range(member.size):
        n = np.int64(member[i])
        r = states.router[n]
        for k in range(i % every, begin[r + 1] - begin[r], every):
            vc = _escape_at(relation, view, space, states, n, np.int64(orbits[begin[r] + k]))
            if vc != at[row[i], k]:
                count[WRONG] = 1
                return


@entry
def check_nodes(relation, view, space, states, count, first, stop, row, orbits, begin, at):
    """Try nodes first..stop-1 at one more router of their orbit, another for each: WRONG where one is not as its row
    (N,) says."""
    for n in range(first, stop):
        r = states.router[n]
        k = (n * 0x45D9F3B >> 3) % (begin[r + 1] - begin[r])
        vc = _escape_at(relation, view, space, states, n, np.int64(orbits[begin[r] + k]))
        if vc != at[row[n], k]:
            count[WRONG] = 1
            return


@inlined
def _channel(view, asked, a, orbits, begin, at, k):
    """The channel of asked[a] at router k of its orbit."""
    ports, vcs = view.neighbor.shape[1], view.vcs
    r, slot, v = asked[a, 0], asked[a, 1], asked[a, 2]
    if v >= 0:
        slot = slot // vcs * vcs + at[v, k]
    return np.int64(orbits[begin[r] + k]) * ports * vcs + slot


@entry
def place_asked(view, asked, orbits, begin, at, used, escape):
    """Mark in used (C,) and escape (C,) all channels that are asked for: asked (A, 3) as in `place_dependencies`."""
    for a in range(asked.shape[0]):
        r = asked[a, 0]
        for k in range(begin[r + 1] - begin[r]):
            channel = _channel(view, asked, a, orbits, begin, at, k)
            used[channel] = 1
            if asked[a, 2] >= 0:
                escape[channel] = 1


@entry
def place_dependencies(view, asked, mask, pairs, port, orbits, begin, index, at, bits, part, parts):
    """OR into bits (C, W) what packets that have taken a channel may ask for; a part of the routers of each orbit.

    asked (A, 3): representative of the orbit, port * vcs + vc, and the row of an escape, whose vc is that of the row
    (-1: no escape). mask (A, W): what is asked for next but escapes, as bits. pairs (P, 2): an index of asked, and the
    row of an escape that is asked for next, by port (V,). index (R,): place of a router in its orbit.
    """
    ports, vcs, words = view.neighbor.shape[1], view.vcs, bits.shape[1]
    for a in range(asked.shape[0]):
        r = asked[a, 0]
        many = begin[r + 1] - begin[r]
        for k in range(many * part // parts, many * (part + 1) // parts):
            channel = _channel(view, asked, a, orbits, begin, at, k)
            for w in range(words):
                bits[channel, w] |= mask[a, w]
    for p in range(pairs.shape[0]):
        a, v = pairs[p, 0], pairs[p, 1]
        r = asked[a, 0]
        many = begin[r + 1] - begin[r]
        for k in range(many * part // parts, many * (part + 1) // parts):
            channel = _channel(view, asked, a, orbits, begin, at, k)
            there = view.neighbor[channel // (ports * vcs), channel // vcs % ports]
            bit = port[v] * vcs + at[v, index[there]]
            bits[channel, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)


@entry
def place_pairs(neighbor, vcs, pair, way, hops, name, port, at, group, orbits, begin, index, code):
    """code (T, M): channel held * C + channel asked for of each pair at each router of its orbit, of C channels in all.

    pair (T, 2): the row held and the row asked for, where the ports way[hops[t]:hops[t + 1]] lead. name (V,): the
    orbit's representative, port (V,), at (V, M) virtual channel, and group (V, vcs) of each row. -1 is left where the
    two are not of one group, or their group is -1.
    """
    ports = neighbor.shape[1]
    channels = neighbor.shape[0] * ports * vcs
    for t in range(pair.shape[0]):
        held, wanted = pair[t, 0], pair[t, 1]
        first = begin[name[held]]
        for k in range(begin[name[held] + 1] - first):
            here = np.int64(orbits[first + k])
            there = here
            for h in range(hops[t], hops[t + 1]):
                there = np.int64(neighbor[there, way[h]])
            one, two = np.int64(at[held, k]), np.int64(at[wanted, index[there]])
            if group[held, one] >= 0 and group[held, one] == group[wanted, two]:
                asks = (there * ports + port[wanted]) * vcs + two
                code[t, k] = ((here * ports + port[held]) * vcs + one) * channels + asks
