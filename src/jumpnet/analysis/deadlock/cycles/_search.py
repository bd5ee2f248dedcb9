"""Kernels on a directed graph in compressed rows: a topological numbering, and the shortest cycle.

Called by `order`; `tests/twin/proofs/test_dependency.py` compares them with NetworkX.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry, kernel
from jumpnet.terms import I64, Array

__all__ = ["mark_forks", "shortest", "shortest_both_ways", "trim_backward", "trim_forward"]


def trim_forward(indptr: I64, indices: Array, number: Array) -> int:
    """Number nodes so that every edge ascends, for as long as a node without unnumbered predecessors is left (Kahn).

    number (N,) starts at -1; nodes on or behind a cycle keep -1. Returns how many were numbered; O(N + E).
    """
    waiting, order = np.zeros((2, number.size), np.int32)
    return int(_trim(indptr, indices, number, waiting, order))


@entry
def _trim(indptr, indices, number, waiting, order):
    """`trim_forward` with work space (N,)."""
    size = number.size
    for e in range(indices.size):
        waiting[indices[e]] += 1
    end = 0
    for n in range(size):
        if waiting[n] == 0:
            order[end] = n
            end += 1
    done = 0
    while done < end:
        n = order[done]
        number[n] = done
        done += 1
        for e in range(indptr[n], indptr[n + 1]):
            m = indices[e]
            waiting[m] -= 1
            if waiting[m] == 0:
                order[end] = m
                end += 1
    return done


@kernel(allocates=True)
def _reverse(indptr, indices, alive):
    """The edges between alive nodes, the other way round, in compressed rows."""
    size = alive.size
    into = np.zeros(size + 1, np.int64)
    for n in range(size):
        if alive[n]:
            for e in range(indptr[n], indptr[n + 1]):
                if alive[indices[e]]:
                    into[indices[e] + 1] += 1
    for n in range(size):
        into[n + 1] += into[n]
    before = np.zeros(into[size], np.int32)
    fill = into[:size].copy()
    for n in range(size):
        if alive[n]:
            for e in range(indptr[n], indptr[n + 1]):
                m = indices[e]
                if alive[m]:
                    before[fill[m]] = n
                    fill[m] += 1
    return into, before


@entry(allocates=True)
def trim_backward(indptr, indices, alive):
    """Clear alive (N,) of nodes from which no cycle can be reached through alive nodes; O(N + E) a round."""
    size = alive.size
    into, before = _reverse(indptr, indices, alive)
    degree = np.zeros(size, np.int32)
    for e in range(before.size):
        degree[before[e]] += 1
    stack = np.zeros(size, np.int32)
    top = 0
    for n in range(size):
        if alive[n] and degree[n] == 0:
            stack[top] = n
            top += 1
    while top > 0:
        top -= 1
        m = stack[top]
        alive[m] = False
        for e in range(into[m], into[m + 1]):
            n = before[e]
            degree[n] -= 1
            if degree[n] == 0:
                stack[top] = n
                top += 1


@entry
def mark_forks(indptr, indices, alive, fork, seen):
    """Set fork (N,) of alive nodes from which several edges lead to alive ones; whether every cycle has such a node.

    seen (N,) int32: work space, 0 everywhere. From any other alive node one edge leads on, so that a cycle of these
    alone is met by going on from each. O(N + E).
    """
    size = alive.size
    for n in range(size):
        many = 0
        for e in range(indptr[n], indptr[n + 1] if alive[n] else indptr[n]):
            if alive[indices[e]]:
                many += 1
        fork[n] = many > 1
    for n in range(size):
        m = n
        while alive[m] and not fork[m] and seen[m] == 0:
            seen[m] = n + 1
            for e in range(indptr[m], indptr[m + 1]):
                if alive[indices[e]]:
                    m = indices[e]
                    break
        if alive[m] and not fork[m] and seen[m] == n + 1:
            return False
    return True


@kernel
def _through(indptr, indices, alive, root, bound, depth, parent, queue):
    """Length of the shortest cycle through `root` if it is below `bound`, else `bound`; and the node before the root.

    depth (N,) is -1 everywhere, on entry and on return.
    """
    queue[0] = root
    depth[root] = 0
    end = 1
    done = 0
    last = -1
    while done < end and last < 0:
        n = queue[done]
        done += 1
        if depth[n] + 1 >= bound:
            break
        for e in range(indptr[n], indptr[n + 1]):
            m = indices[e]
            if m == root:
                last = n
                break
            if alive[m] and depth[m] < 0:
                depth[m] = depth[n] + 1
                parent[m] = n
                queue[end] = m
                end += 1
    length = depth[last] + 1 if last >= 0 else bound
    for i in range(end):
        depth[queue[i]] = -1
    return length, last


@entry(allocates=True)
def shortest(indptr, indices, alive, cycle):
    """Write a shortest cycle among alive nodes into `cycle` (N,), in order; returns its length, 0 if there is none.

    Searches from each alive node to less than the best length so far, then takes the node out (clears alive);
    O(N E) at worst, O(N * size of a ball of that radius) in practice.
    """
    size = alive.size
    depth = np.full(size, -1, np.int32)
    parent = np.zeros(size, np.int32)
    queue = np.zeros(size, np.int32)
    best = size + 1
    for root in range(size):
        if not alive[root]:
            continue
        length, last = _through(indptr, indices, alive, root, best, depth, parent, queue)
        if last >= 0:
            best = length
            n = last
            for i in range(length):
                cycle[length - 1 - i] = n
                n = parent[n]
            cycle[0] = root
        alive[root] = False
        if best <= 1:
            break
    return best if best <= size else 0


@kernel
def _level(indptr, indices, alive, queue, first, end, parent, depth, other):
    """The next level of a breadth-first search: (its end in the queue, from, to) of an edge to where `other` has been.

    queue[first:end] is the last level; from and to are -1 where no edge leads to a node with other (N,) >= 0.
    """
    last = end
    for i in range(first, last):
        n = queue[i]
        for e in range(indptr[n], indptr[n + 1]):
            m = indices[e]
            if not alive[m]:
                continue
            if other[m] >= 0:
                return end, n, m
            if depth[m] < 0:
                depth[m] = depth[n] + 1
                parent[m] = n
                queue[end] = m
                end += 1
    return end, -1, -1


@entry(allocates=True)
def shortest_both_ways(indptr, indices, alive, roots, cycle):
    """As `shortest`, for large graphs: from each node forward and backward, level by level, the smaller level first.

    roots (N,) bool: nodes from which it is looked for, one of which some shortest cycle has.
    O(N * size of a ball of half that radius) in practice. Which of several shortest cycles is found may differ.
    """
    size = alive.size
    into, before = _reverse(indptr, indices, alive)
    ahead, behind = np.full(size, -1, np.int32), np.full(size, -1, np.int32)
    parent, child = np.zeros(size, np.int32), np.zeros(size, np.int32)
    there, back = np.zeros(size, np.int32), np.zeros(size, np.int32)
    best = size + 1
    for root in range(size):
        if not alive[root] or not roots[root]:
            continue
        there[0] = back[0] = root
        ahead[root] = behind[root] = 0
        first, end, low, high, hops = 0, 1, 0, 1, 0
        n = m = np.int64(-1)
        while hops + 1 < best and first < end and low < high and n < 0:
            hops += 1
            if end - first <= high - low:
                old = end
                end, n, m = _level(indptr, indices, alive, there, first, end, parent, ahead, behind)
                first = old
            else:
                old = high
                high, m, n = _level(into, before, alive, back, low, high, child, behind, ahead)
                low = old
        if n >= 0:
            best = hops
            at = ahead[n]
            for i in range(hops):
                if i <= at:
                    cycle[at - i] = n
                    n = parent[n]
                else:
                    cycle[i] = m
                    m = child[m]
        for i in range(end):
            ahead[there[i]] = -1
        for i in range(high):
            behind[back[i]] = -1
        alive[root] = False
        if best <= 1:
            break
    return best if best <= size else 0
