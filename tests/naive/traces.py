"""Naive twins of the trace readers' kernels: one packet, or one line, at a time."""

from __future__ import annotations

import re
import struct

BLANKS = " \t\r"


def netrace_packets(data):
    """(cycle, number, type, source, destination, [numbers of those that wait]) of each packet in some bytes."""
    found, at = [], 0
    while at < len(data):
        cycle, number, _, kind, source, destination, _, count = struct.unpack_from("<QIIBBBBB", data, at)
        waiting = struct.unpack_from(f"<{count}I", data, at + 21)
        found.append((cycle, number, kind, source, destination, list(waiting)))
        at += 21 + 4 * count
    return found


def _lackey(line):
    if line.startswith(("==", "--")) or not line.strip(BLANKS):
        return []
    found = re.fullmatch(r"[ \t\r]*([ILSM])[ \t\r]+(?:0[xX])?([0-9a-fA-F]+),([0-9]+)[ \t\r]*", line)
    if found is None or not 0 < int(found[3]) <= 16384 or int(found[2], 16) >= 2**64:
        return None
    address, size = int(found[2], 16), int(found[3])
    load, store = [(0, address, size, False)], [(0, address, size, True)]
    return {"I": [], "L": load, "S": store, "M": load + store}[found[1]]


def _din(line, has_processor):
    if not line.strip(BLANKS):
        return []
    third = "[ \t\r]+([0-9]+)" if has_processor else "()"
    found = re.fullmatch(rf"[ \t\r]*([012])[ \t\r]+(?:0[xX])?([0-9a-fA-F]+){third}(?:[ \t\r].*)?", line)
    if found is None or int(found[2], 16) >= 2**64 or int(found[3] or 0) >= 2**63 // 10 * 10:
        return None
    proc, address = int(found[3] or 0), int(found[2], 16)
    return [] if found[1] == "2" else [(proc, address, 4, found[1] == "1")]


def text_records(text, form):
    """((processor, address, bytes, is_write) of all lines up to the first that is not of the format, its number or 0).

    form: "lackey", "din" or "din-proc".
    """
    found = []
    lines = text.split("\n")
    for number, line in enumerate(lines[:-1] if lines[-1] == "" else lines, 1):
        rows = _lackey(line) if form == "lackey" else _din(line, form == "din-proc")
        if rows is None or len(line) >= 4096:
            return found, number
        found += rows
    return found, 0
