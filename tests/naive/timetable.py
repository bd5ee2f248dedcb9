"""Plain twin of `jumpnet.analysis.routes._timetable`: messages one by one, earliest arrival over the free channels."""

from __future__ import annotations


def reserve(neighbor, sources, targets):
    """Rows (message, step, router, port) and nothing else; routers of one arrival are settled last found first."""
    taken, hops = set(), []
    for message, (source, target) in enumerate(zip(sources, targets, strict=True)):
        arrival, came, waiting = {source: 0}, {}, {0: [source]}
        step = 0
        while True:
            while not waiting.get(step):
                step += 1
            here = waiting[step].pop()
            if arrival[here] != step:
                continue
            if here == target:
                break
            for port, there in enumerate(neighbor[here]):
                if there < 0:
                    continue
                at = step
                while (here, port, at) in taken:
                    at += 1
                if at + 1 < arrival.get(there, 1 << 30):
                    arrival[there], came[there] = at + 1, (here, port)
                    waiting.setdefault(at + 1, []).append(there)
        while here != source:
            before, port = came[here]
            taken.add((before, port, arrival[here] - 1))
            hops.append((message, arrival[here] - 1, before, port))
            here = before
    return hops
