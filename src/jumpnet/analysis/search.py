"""A search through all packet states, shared out among threads: can packets go round, do their escape channels ascend.

Called by `knots` and `duato`; the kernel is `_direct_search`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet._threads import processors, share
from jumpnet.analysis._direct_search import FINE, NO_ROOM
from jumpnet.analysis._walk import RAISED, Job, parts
from jumpnet.analysis.uniform import Progress, silent
from jumpnet.analysis.walks import first_walks
from jumpnet.routing import BoundRouting
from jumpnet.terms import I32, I64

__all__ = ["CHUNK", "Found", "search"]

CHUNK = 64
"""Walks that a thread takes at a time."""


@dataclass
class Found:
    """What a search came to; shared by its threads."""

    what: int = FINE
    """One of the names in `_direct_search`."""
    router: int = -1
    """Where the packet is that it stopped at, and where that packet goes."""
    destination: int = -1
    done: int = 0
    """Walks that have ended."""
    raised: int = 0
    """Numbers that were raised."""


def search(
    bound: BoundRouting,
    job: Job,
    number: I64,
    threads: int | None = None,
    progress: Progress = silent,
    sinks: I32 | None = None,
) -> Found:
    """Go through all states that packets from `job.sources` come to, until something is found.

    number (C,) of the escape channels, -1 elsewhere, is raised so that it ascends along more of the ways between them;
    it proves that they cannot wait for each other when nothing was raised. Empty where only circles are looked for.
    sinks: destinations, all if None. What numbers come to in the end does not depend on the threads: each is raised
    only as far as it must.
    """
    sinks = np.flatnonzero(bound.network.sinks > 0).astype(np.int32) if sinks is None else sinks
    workers, walks, found = processors(bound.network.routers // 64, threads), parts(job, sinks), Found()
    highest = int(number.max(initial=0)) + len(number)

    def part(worker: int) -> None:
        follower = first_walks(bound, job, sinks)
        for first in range(worker * CHUNK, walks, workers * CHUNK):
            at, stop = first, min(first + CHUNK, walks)
            while at < stop and found.what == FINE:
                at, what = follower.search(at, stop, number, highest)
                found.raised += int(follower.space.counters[RAISED])
                if what == NO_ROOM:
                    follower = follower.wider(at)
                elif what != FINE:
                    found.router, found.destination, found.what = follower.router(), follower.destination(at), what
            if found.what != FINE:
                return
            found.done += stop - first
            progress(found.done, walks)

    share(part, range(workers), workers)
    return found
