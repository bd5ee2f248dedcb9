"""Naive twin of `jumpnet.machine.dependences`: one cycle at a time, every packet looked at in every cycle."""

from __future__ import annotations

import numpy as np


def replay(packets, edges, network, gap):
    """(cycles of sending, cycles of arrival) by place.

    packets: (cycle, source, destination, flits) each. edges: pairs (place, place of one that waits for it). network: an
    `Outside` at cycle 0.
    """
    sent, arrived = {}, {}
    while len(arrived) < len(packets):
        now, going, more = network.cycle, [], True
        while more:  # a packet inside its node may let others go in the same cycle
            more = False
            for place, (cycle, source, destination, _) in enumerate(packets):
                needed = [a for a, b in edges if b == place]
                met = all(a in arrived and arrived[a] + gap <= now for a in needed)
                if place not in sent and cycle <= now and met:
                    sent[place], more = now, True
                    if source == destination:
                        arrived[place] = now
                    else:
                        going.append(place)
        for place in sorted(going):
            cycle, source, destination, flits = packets[place]
            network.post(*(np.array([n]) for n in (place, source, destination, now, flits)))
        network.advance(now + 1)
        for place, _, cycle in zip(*(c.tolist() for c in network.take()), strict=True):
            arrived[place] = cycle
    return [sent[k] for k in range(len(packets))], [arrived[k] for k in range(len(packets))]
