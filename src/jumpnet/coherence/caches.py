"""Kernels: the caches of processors with a limit, and those of a node beside each other on its bus.

`c` is the record of a machine, which has the caches of all processors as one store (`recent`): `cache`, of `processors`
times `sets` sets of `ways`; `cluster` processors are a node. A line may be in one set of each cache, `part`, its number
modulo the sets; a marked entry is dirty. Called by the functional and the timed machine.
"""

from jumpnet.coherence.recent import holds, index_of, remove
from jumpnet.jit.linked import inlined, kernel

__all__ = ["hand_on", "in_node", "mark_clean", "mark_dirty", "set_of", "take"]


@inlined
def set_of(c, p, part):
    """A set of a processor's cache."""
    return (p * c.sets + part) * c.ways


@kernel
def in_node(c, node, part, line, but):
    """Whether a cache of a node holds a line, other than that of processor `but`."""
    found = False
    for p in range(node * c.cluster, min((node + 1) * c.cluster, c.processors)):
        found = found or (p != but and holds(c.cache, set_of(c, p, part), c.ways, line))
    return found


@kernel
def hand_on(c, p, part, line):
    """The dirty copy that a processor's cache has let go of goes on in that of another cache of its node."""
    node = p // c.cluster
    for q in range(node * c.cluster, min((node + 1) * c.cluster, c.processors)):
        first = set_of(c, q, part)
        for w in range(first, first + c.ways):
            if c.cache[index_of(w)] >> 1 == line:
                c.cache[index_of(w)] |= 1
                return


@kernel
def mark_clean(c, node, part, line):
    """No copy of a node is dirty any more; how many were."""
    found = 0
    for p in range(node * c.cluster, min((node + 1) * c.cluster, c.processors)):
        first = set_of(c, p, part)
        for w in range(first, first + c.ways):
            if c.cache[index_of(w)] == 2 * line + 1:
                c.cache[index_of(w)] = 2 * line
                found += 1
    return found


@kernel
def take(c, node, part, line):
    """A node loses its copies of a line."""
    for p in range(node * c.cluster, min((node + 1) * c.cluster, c.processors)):
        remove(c.cache, set_of(c, p, part), c.ways, line)


@kernel
def _others_follow(c, p, part, line, alone):
    """Other caches of a processor's node lose a line that it writes where it is to be alone, or have it clean."""
    node = p // c.cluster
    if not alone:
        mark_clean(c, node, part, line)
        return
    for q in range(node * c.cluster, min((node + 1) * c.cluster, c.processors)):
        if q != p:
            remove(c.cache, set_of(c, q, part), c.ways, line)


@inlined
def mark_dirty(c, p, part, line, alone):
    """A processor writes the line that its cache had last."""
    if c.cluster > 1:
        _others_follow(c, p, part, line, alone)
    c.cache[index_of(set_of(c, p, part))] |= 1
