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


def _csv(line, names):
    if not line.strip(BLANKS):
        return []
    cells, inside = [""], False
    for letter in line:
        if letter == "," and not inside:
            cells.append("")
            continue
        cells[-1] += letter
        inside ^= letter == '"' and cells[-1].lstrip(BLANKS)[0] == '"'
    cells = [cell.strip(BLANKS) for cell in cells]
    cells = [cell[1:-1] if re.fullmatch('"[^" \t\r]+"', cell) else cell for cell in cells]
    given = {"size": "4", **dict(zip(names, cells, strict=False))}
    if len(cells) != len(names):
        return None
    given["is_write"] = {"true": "1", "false": "0"}.get(given["is_write"].lower(), given["is_write"])
    sixteen = re.fullmatch(r"0[xX]([0-9a-fA-F]+)", given["address"])
    if sixteen and int(sixteen[1], 16) < 2**64:
        given["address"] = str(int(sixteen[1], 16))
    numbers = [given[name] for name in ("proc", "address", "size", "is_write")]
    if not all(re.fullmatch("[0-9]+", number) for number in numbers) or int(numbers[3]) > 1:
        return None
    if any(int(number) >= 2**63 // 10 * 10 for number in numbers[: 1 if sixteen else 2] + numbers[2:3]):
        return None
    return [(int(numbers[0]), int(numbers[1]), int(numbers[2]), numbers[3] == "1")]


def text_records(text, form):
    """((processor, address, bytes, is_write) of all lines up to the first that is not of the format, its number or 0).

    form: "lackey", "din", "din-proc", or "csv", whose first line names the columns.
    """
    found, first, names = [], 1, []
    if form == "csv":
        head, _, text = text.partition("\n")
        first, names = 2, head.split(",")
    lines = text.split("\n")
    for number, line in enumerate(lines[:-1] if lines[-1] == "" else lines, first):
        if form == "csv":
            rows = _csv(line, names)
        else:
            rows = _lackey(line) if form == "lackey" else _din(line, form == "din-proc")
        if rows is None or len(line) >= 4096:
            return found, number
        found += rows
    return found, 0
