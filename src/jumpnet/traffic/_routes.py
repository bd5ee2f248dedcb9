"""Which pairs of routers use which channel, for all pairs of a network at once. Called by `worst`."""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry
from jumpnet.routings.follow import follow, scratch_for

__all__ = ["channels_of"]


@entry(allocates=True)
def channels_of(calls, draws, sources, destinations, limit, channel, pair, failed):
    """Follow every pair for every draw: channel[i] is crossed by pair[i], a place in `sources` and `destinations` (n,).

    channel and pair (m,) int32 are written as far as they reach; failed (3,) int64 becomes [entries there are in all,
    or a negative code of `follow`; then the pair]. A channel's number is router * ports + port. Cost: O(entries).
    """
    relation, start, view = calls
    scratch = scratch_for(view, limit + 1)
    ports, n = calls.net.neighbor.shape[1], 0
    for i in range(sources.size):
        for draw in range(draws):
            source, destination = np.int64(sources[i]), np.int64(destinations[i])
            hops = follow(relation, start, view, source, destination, draw, limit, scratch)
            if hops < 0:
                failed[0], failed[1], failed[2] = hops, sources[i], destinations[i]
                return
            for k in range(hops):
                if n < channel.size:
                    channel[n], pair[n] = scratch.trace[k, 0] * ports + scratch.trace[k, 1], i
                n += 1
    failed[0] = n
