"""Kernel that reads netrace packets from bytes of a file. Naive twin: tests/naive/traces.py. Called by `netrace`."""

import numpy as np

from jumpnet.jit.linked import entry, kernel

__all__ = ["HEAD", "parse_packets"]

HEAD = 21
"""Bytes of a packet before its dependants: cycle 8, number 4, address 4, then type, source, destination, kinds of
node and the count of dependants, a byte each."""


@kernel
def _whole(data, start, count):
    """A little-endian whole number of so many bytes."""
    value = np.int64(0)
    for i in range(count):
        value |= np.int64(data[start + i]) << (8 * i)
    return value


@entry
def parse_packets(data, size_of, nodes, most_cycle, table, first, waiting):
    """Packets at the head of some bytes, up to the first that is not whole or not right; (packets, bytes used).

    data: (n,) uint8. size_of: (256,) bytes of a packet by its type, 0 for a type that is none. table: (n // 21, 5)
    int64 gets cycle, number, type, source, destination; first: (n // 21 + 1,) and waiting: (n // 4,) get the
    dependants, those of packet k from first[k] to first[k + 1].
    """
    k, at, dependants = 0, 0, np.int64(0)
    first[0] = 0
    while at + HEAD <= len(data):
        cycle, count = _whole(data, at, 8), _whole(data, at + 20, 1)
        kind, source, destination = data[at + 16], data[at + 17], data[at + 18]
        right = size_of[kind] > 0 and max(source, destination) < nodes and 0 <= cycle <= most_cycle
        if not right or at + HEAD + 4 * count > len(data):
            break
        table[k, 0], table[k, 1], table[k, 2] = cycle, _whole(data, at + 8, 4), kind
        table[k, 3], table[k, 4] = source, destination
        for i in range(count):
            waiting[dependants + i] = _whole(data, at + HEAD + 4 * i, 4)
        dependants += count
        at += HEAD + 4 * count
        k += 1
        first[k] = dependants
    return k, at
