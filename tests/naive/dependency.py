"""The dependency graph by its definition: every packet of every pair is followed on its own, in sets of tuples."""

from __future__ import annotations

import numpy as np
from tests.naive import plain

from jumpnet.routings import BoundRouting
from jumpnet.routings.view import new_head, new_out


def starts(bound: BoundRouting, source: int, destination: int, queues: bool, draws: int | None = None):
    """(STATE, INTERMEDIATE) of packets of a pair, over all draws (and queues, busy one at a time), or the first."""
    told = bound.view.queues
    for draw in range(bound.draws if draws is None else draws):
        for busy in range(told + 1 if queues else 1):
            head = new_head(source, destination)
            queue = np.zeros(told, np.int64)
            if busy:
                queue[busy - 1] = 1 << 20
            plain.start(bound, head, draw, queue)
            yield int(head[2]), int(head[5])


def candidates(bound: BoundRouting, source, destination, here, in_port, in_vc, state, inter):
    """Candidate rows as tuples, from the plain Python relation."""
    head, out = new_head(source, destination), new_out()
    head[2:6] = state, in_port, in_vc, inter
    count = plain.relation(bound, here, head, out)
    assert count >= 0
    assert count > 0 or here == destination
    return [tuple(int(v) for v in row) for row in out[:count]]


def dependency_sets(
    bound: BoundRouting, queues: bool = False, home: bool = False, sources=None, sinks=None, draws: int | None = None
):
    """(set of channels used, set of dependencies), channels as (router, port, vc); home: of packets to their own
    routers too; sources, sinks, draws: of packets from and to these alone, by the first so many draws."""
    net = bound.network
    used, depends = set(), set()
    for source in np.flatnonzero(net.terminals > 0) if sources is None else sources:
        for destination in np.flatnonzero(net.sinks > 0) if sinks is None else sinks:
            if source == destination and not home:
                continue
            for state, inter in starts(bound, int(source), int(destination), queues, draws):
                todo = [(int(source), -1, -1, state, None)]
                seen = set()
                while todo:
                    at = todo.pop()
                    if at in seen:
                        continue
                    seen.add(at)
                    here, in_port, in_vc, now, held = at
                    rows = candidates(bound, int(source), int(destination), here, in_port, in_vc, now, inter)
                    for port, vc, after, _ in rows:
                        wanted = (here, port, vc)
                        used.add(wanted)
                        if held is not None:
                            depends.add((held, wanted))
                        there = int(net.neighbor[here, port])
                        todo.append((there, int(net.far_port[here, port]), vc, after, wanted))
    return used, depends


def knot_set(bound: BoundRouting):
    """Channels that packets can hold while each waits only for channels of the set: the greatest such set."""
    net, wants = bound.network, set()
    for source in np.flatnonzero(net.terminals > 0).tolist():
        for destination in np.flatnonzero(net.sinks > 0).tolist():
            for state, inter in starts(bound, source, destination, False) if source != destination else ():
                todo, seen = [(source, -1, -1, state, None)], set()
                while todo:
                    at = todo.pop()
                    if at in seen:
                        continue
                    seen.add(at)
                    here, in_port, in_vc, now, held = at
                    rows = candidates(bound, source, destination, here, in_port, in_vc, now, inter)
                    if held is not None and rows:
                        wants.add((held, frozenset((here, port, vc) for port, vc, _, _ in rows)))
                    for port, vc, after, _ in rows:
                        there, far = int(net.neighbor[here, port]), int(net.far_port[here, port])
                        todo.append((there, far, vc, after, (here, port, vc)))
    held = {channel for channel, _ in wants}
    while True:
        kept = {channel for channel, wanted in wants if wanted <= held}
        if kept == held:
            return held
        held = kept


def extended_set(bound: BoundRouting):
    """(escape channels, extended dependencies between them), by following a packet and one channel it took before."""
    net = bound.network
    pairs = [
        (int(s), int(d), state, inter)
        for s in np.flatnonzero(net.terminals > 0)
        for d in np.flatnonzero(net.sinks > 0)
        if s != d
        for state, inter in starts(bound, int(s), int(d), False)
    ]
    escape = set()
    result = set()
    for collect in (True, False):
        for source, destination, first, inter in pairs:
            todo = [(source, -1, -1, first, None)]
            seen = set()
            while todo:
                at = todo.pop()
                if at in seen:
                    continue
                seen.add(at)
                here, in_port, in_vc, now, tracked = at
                for port, vc, after, kind in candidates(bound, source, destination, here, in_port, in_vc, now, inter):
                    wanted = (here, port, vc)
                    arrival = (int(net.neighbor[here, port]), int(net.far_port[here, port]), vc, after)
                    todo.append((*arrival, None))
                    if collect:
                        if kind:
                            escape.add(wanted)
                        continue
                    if kind and tracked is not None:
                        result.add((tracked, wanted))
                    if not kind and tracked is not None:
                        todo.append((*arrival, tracked))
                    if wanted in escape:
                        todo.append((*arrival, wanted))
    return escape, result
