"""Kernels: what packets of each state ask for at every router of the orbit, and the dependencies that follow.

A *request* is what some states have in common: the orbit, the candidates there, and the class of the escape
(`Routing.escape_class`). Requests with the same escape there and the same class share a *row*: its virtual channel at
all routers of the orbit.
Called by `states` and `graph`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.linked import entry, inlined
from jumpnet.routings.view import ESCAPE, KIND, NEXT_STATE, PORT, STATE, VC, call
from jumpnet.terms import I16, I32, I64, Array

__all__ = [
    "Escapes",
    "Hops",
    "Onward",
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


class Hops(NamedTuple):
    """What packets ask for somewhere, and what they ask for next."""

    asked: I64
    """(A, 3) representative of the orbit, port * vcs + vc, and the row of an escape, whose vc is that of the row (-1:
    no escape)."""
    mask: Array
    """(A, W) what is asked for next but escapes, as bits."""
    pairs: I64
    """(P, 2) an index of `asked`, and the row of an escape that is asked for next."""


class Escapes(NamedTuple):
    """Rows of escapes."""

    router: I32
    """(V,) representative of the orbit."""
    port: I16
    """(V,) by which it leaves."""
    vc: Array
    """(V, M) at each router of the orbit."""
    group: I64
    """(V, vcs) of its channels."""


class Onward(NamedTuple):
    """Pairs of rows of escapes, and how packets go from one to the other."""

    pair: I64
    """(T, 2) the row held and the row asked for."""
    port: I64
    """Ports of all ways, one after the other."""
    begin: I64
    """(T + 1,) where the ports of each begin."""


@entry
def channels_at(relation, view, space, states, member, orbits, at):
    """at (V, M): virtual channel of the escape of each row at each router of its orbit, -1 if there is none; True where
    more differs than that.

    member (V,): a node of each row.
    """
    for v in range(member.size):
        n = np.int64(member[v])
        r = states.router[n]
        for k in range(orbits.begin[r], orbits.begin[r + 1]):
            vc = _escape_at(relation, view, space, states, n, np.int64(orbits.routers[k]))
            if vc < -1:
                return True
            at[v, k - orbits.begin[r]] = vc
    return False


@entry
def check_requests(relation, view, space, states, member, row, every, orbits, at):
    """Try each request at every so many-th router of its orbit: True where it is not as its row (I,) says."""
    for i in range(member.size):
        n = np.int64(member[i])
        r = states.router[n]
        first = orbits.begin[r]
        for k in range(i % every, orbits.begin[r + 1] - first, every):
            vc = _escape_at(relation, view, space, states, n, np.int64(orbits.routers[first + k]))
            if vc != at[row[i], k]:
                return True
    return False


@entry
def check_nodes(relation, view, space, states, first, stop, row, orbits, at):
    """Try nodes first..stop-1 at one more router of their orbit, another for each: True where one is not as its row
    (N,) says."""
    for n in range(first, stop):
        r = states.router[n]
        k = (n * 0x45D9F3B >> 3) % (orbits.begin[r + 1] - orbits.begin[r])
        vc = _escape_at(relation, view, space, states, n, np.int64(orbits.routers[orbits.begin[r] + k]))
        if vc != at[row[n], k]:
            return True
    return False


@inlined
def _channel(view, asked, a, orbits, at, k):
    """The channel of asked[a] at router k of its orbit."""
    ports, vcs = view.neighbor.shape[1], view.vcs
    r, slot, v = asked[a, 0], asked[a, 1], asked[a, 2]
    if v >= 0:
        slot = slot // vcs * vcs + at[v, k]
    return np.int64(orbits.routers[orbits.begin[r] + k]) * ports * vcs + slot


@entry
def place_asked(view, asked, orbits, at, used, escape):
    """Mark in used (C,) and escape (C,) all channels that are asked for: asked (A, 3) as in `Hops`."""
    for a in range(asked.shape[0]):
        r = asked[a, 0]
        for k in range(orbits.begin[r + 1] - orbits.begin[r]):
            channel = _channel(view, asked, a, orbits, at, k)
            used[channel] = 1
            if asked[a, 2] >= 0:
                escape[channel] = 1


@entry
def place_dependencies(view, hops, port, orbits, at, bits, part, parts):
    """OR into bits (C, W) what packets that have taken a channel may ask for; a part of the routers of each orbit.

    port (V,): by which the escapes of a row leave.
    """
    ports, vcs, words, asked, pairs = view.neighbor.shape[1], view.vcs, bits.shape[1], hops.asked, hops.pairs
    for a in range(asked.shape[0]):
        r = asked[a, 0]
        many = orbits.begin[r + 1] - orbits.begin[r]
        for k in range(many * part // parts, many * (part + 1) // parts):
            channel = _channel(view, asked, a, orbits, at, k)
            for w in range(words):
                bits[channel, w] |= hops.mask[a, w]
    for p in range(pairs.shape[0]):
        a, v = pairs[p, 0], pairs[p, 1]
        r = asked[a, 0]
        many = orbits.begin[r + 1] - orbits.begin[r]
        for k in range(many * part // parts, many * (part + 1) // parts):
            channel = _channel(view, asked, a, orbits, at, k)
            there = view.neighbor[channel // (ports * vcs), channel // vcs % ports]
            bit = port[v] * vcs + at[v, orbits.place[there]]
            bits[channel, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)


@entry
def place_pairs(neighbor, vcs, onward, escapes, orbits, code):
    """code (T, M): channel held * C + channel asked for of each pair at each router of its orbit, of C channels in all.

    -1 is left where the two are not of one group, or their group is -1.
    """
    ports, name, group = neighbor.shape[1], escapes.router, escapes.group
    channels = neighbor.shape[0] * ports * vcs
    for t in range(onward.pair.shape[0]):
        held, wanted = onward.pair[t, 0], onward.pair[t, 1]
        first = orbits.begin[name[held]]
        for k in range(orbits.begin[name[held] + 1] - first):
            here = np.int64(orbits.routers[first + k])
            there = here
            for h in range(onward.begin[t], onward.begin[t + 1]):
                there = np.int64(neighbor[there, onward.port[h]])
            one, two = np.int64(escapes.vc[held, k]), np.int64(escapes.vc[wanted, orbits.place[there]])
            if group[held, one] >= 0 and group[held, one] == group[wanted, two]:
                asks = (there * ports + escapes.port[wanted]) * vcs + two
                code[t, k] = ((here * ports + escapes.port[held]) * vcs + one) * channels + asks
