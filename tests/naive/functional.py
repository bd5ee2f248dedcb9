"""Naive twin of `jumpnet.coherence.functional`: sets in dictionaries, one reference at a time, as the rules read."""

from __future__ import annotations

from collections import Counter


def messages(records, protocol, directory, clusters_of, line_bytes=32, page_bytes=4096):
    """Counter of (home, destinations) over (proc, address, size, is_write, kind) records; home is the first toucher."""
    copies, writer, touched, home = {}, {}, {}, {}
    sent = Counter()
    for proc, address, size, is_write, kind in records:
        if kind not in (0, 1):
            continue
        node = proc // clusters_of
        for line in range(address // line_bytes, (address + size - 1) // line_bytes + 1):
            page = line * line_bytes // page_bytes
            holders = copies.setdefault(line, set())
            home.setdefault(page, node)
            listed = touched.setdefault(page, set()) if directory == "page" else holders
            if is_write and (protocol == "update" or writer.get(line) != node):
                destinations = frozenset(listed) - {node}
                if destinations:
                    sent[home[page], destinations] += 1
                if protocol == "invalidate":
                    holders.clear()
                    writer[line] = node
            elif node not in holders:
                writer[line] = None
            holders.add(node)
            touched.setdefault(page, set()).add(node)
    return sent
