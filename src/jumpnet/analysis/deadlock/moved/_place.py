"""Kernels: what packets of each state ask for at every router of the orbit, and the dependencies that follow.

An *asking* is what some states have in common: the orbit, the candidates there, and what the routing's `sight` says.
Called by `graph`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.moved._explore import WRONG
from jumpnet.jit.linked import entry, inlined
from jumpnet.routings.view import DESTINATION, ESCAPE, KIND, NEXT_STATE, PORT, STATE, VC, call

__all__ = [
    "channels_at",
    "channels_by_target",
    "channels_of_some",
    "number_askings",
    "place_asked",
    "place_dependencies",
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
def number_askings(sight, view, space, states, nodes, table, asking, member, look):
    """asking (N,) of each node, member (N,) a node of each, look (N,) what `sight` says there: how many there are, 0
    where it says that the routing does not move with automorphisms."""
    head, size, many = space.head, table.size, 0
    for n in range(nodes):
        here = int(states.router[n])
        head[STATE] = states.state[n]
        seen = np.int64(call(sight, view, here, head, space.out))
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
        asking[n] = table[at] - 1
    return many


@inlined
def _escape_at(relation, view, space, states, n, r, target):
    """Virtual channel of the escape of node n at router r of its orbit: -1 if none, -2 where else things differ."""
    head, out = space.head, space.out
    head[STATE], head[DESTINATION] = states.state[n], target
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
    """at (I, M): virtual channel of the escape of each asking at each router of its orbit, -1 if there is none.

    The routers of the orbit of router r are orbits[begin[r]:begin[r + 1]]. WRONG where more differs than that.
    """
    for i in range(member.size):
        n = np.int64(member[i])
        r = states.router[n]
        for k in range(begin[r], begin[r + 1]):
            vc = _escape_at(relation, view, space, states, n, np.int64(orbits[k]), np.int64(-1))
            if vc < -1:
                count[WRONG] = 1
                return
            at[i, k - begin[r]] = vc


@entry
def channels_of_some(relation, view, space, states, nodes, count, asking, orbits, begin, at):
    """Try each node at one more router of its orbit, another for each: WRONG where it is not as its asking says."""
    for n in range(nodes):
        r = states.router[n]
        k = (n * 0x45D9F3B >> 3) % (begin[r + 1] - begin[r])
        vc = _escape_at(relation, view, space, states, n, np.int64(orbits[begin[r] + k]), np.int64(-1))
        if vc != at[asking[n], k]:
            count[WRONG] = 1
            return


@entry
def channels_by_target(relation, view, space, states, nodes, count, others, place, back):
    """The same of nodes that are told apart by destination, at others[place[r]] of the orbit that router r names.

    back (F, R) carries that router of each orbit to the other one. No node has an escape.
    """
    for n in range(nodes):
        f = place[states.router[n]]
        target = np.int64(back[f, states.target[n]])
        if _escape_at(relation, view, space, states, n, np.int64(others[f]), target) != -1:
            count[WRONG] = 1
            return


@entry
def place_asked(view, states, member, orbits, begin, at, used, escape):
    """Mark in used (C,) and escape (C,) all channels that are asked for."""
    ports, vcs = view.neighbor.shape[1], view.vcs
    for i in range(member.size):
        n = member[i]
        r = states.router[n]
        for e in range(states.first[n], states.first[n + 1]):
            slot, is_escape = np.int64(states.slot[e]), states.kind[e] & ESCAPE != 0
            for k in range(begin[r], begin[r + 1]):
                if is_escape:
                    slot = slot // vcs * vcs + at[i, k - begin[r]]
                channel = np.int64(orbits[k]) * ports * vcs + slot
                used[channel] = 1
                if is_escape:
                    escape[channel] = 1


@entry
def place_dependencies(view, states, member, pairs, orbits, begin, index, at, mask, bits):
    """OR into bits (C, W) what follows each candidate: pairs (K, 3) are (asking, number of a candidate, next asking).

    mask (I, W): what an asking asks for without its escape; index (R,): place of a router in its orbit.
    """
    ports, vcs, words = view.neighbor.shape[1], view.vcs, bits.shape[1]
    for t in range(pairs.shape[0]):
        i, j, after = pairs[t, 0], pairs[t, 1], pairs[t, 2]
        e = states.first[member[i]] + j
        slot, is_escape, r = np.int64(states.slot[e]), states.kind[e] & ESCAPE != 0, states.router[member[i]]
        escape_port = np.int64(-1)
        for f in range(states.first[member[after]], states.first[member[after] + 1]):
            if states.kind[f] & ESCAPE != 0:
                escape_port = np.int64(states.slot[f] // vcs)
        for k in range(begin[r], begin[r + 1]):
            here = np.int64(orbits[k])
            if is_escape:
                slot = slot // vcs * vcs + at[i, k - begin[r]]
            channel = here * ports * vcs + slot
            for w in range(words):
                bits[channel, w] |= mask[after, w]
            if escape_port >= 0:
                bit = escape_port * vcs + at[after, index[view.neighbor[here, slot // vcs]]]
                bits[channel, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
