"""Naive twins of the trace readers' kernels: one packet, or one line, at a time."""

from __future__ import annotations

import struct


def netrace_packets(data):
    """(cycle, number, type, source, destination, [numbers of those that wait]) of each packet in some bytes."""
    found, at = [], 0
    while at < len(data):
        cycle, number, _, kind, source, destination, _, count = struct.unpack_from("<QIIBBBBB", data, at)
        waiting = struct.unpack_from(f"<{count}I", data, at + 21)
        found.append((cycle, number, kind, source, destination, list(waiting)))
        at += 21 + 4 * count
    return found
