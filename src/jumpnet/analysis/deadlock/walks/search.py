"""A search through all packet states, shared out among threads: can packets go round, do their escape channels ascend.

Called by `waiting.knots` and `conditions.escape_numbers`; the kernel is `depth_first`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.walks.checkpoint import KeptSearch
from jumpnet.analysis.deadlock.walks.depth_first import CIRCLES, FINE, NO_ROOM
from jumpnet.analysis.deadlock.walks.limits import walks_at_once
from jumpnet.analysis.deadlock.walks.packet_walk import RAISED, Job, parts
from jumpnet.analysis.deadlock.walks.walkers import Direct, Hashed, first_walks
from jumpnet.process.threads import processors, share
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32, I64

__all__ = ["SearchResult", "search"]


@dataclass(frozen=True)
class SearchResult:
    """What a search came to."""

    walk: int
    """The first walk in which something was found, whatever the threads; the number of walks where nothing was."""
    what: int = FINE
    """One of the names in `depth_first`."""
    router: int = -1
    """Where the packet without escape is."""
    destination: int = -1
    """Where the packets of that walk go."""
    way: tuple[int, ...] = ()
    """Routers of a packet that comes back to a state it was in, from its source on."""
    turn: int = 0
    """The place in `way` that it comes back to."""
    raised: int = 0
    """Numbers that were raised, and one more where some were before the search was gone on with."""


def search(
    bound: BoundRouting,
    job: Job,
    number: I64,
    threads: int | None = None,
    progress: Progress = silent,
    sinks: I32 | None = None,
    keep: Callable[[int, int], KeptSearch] | None = None,
) -> SearchResult:
    """Go through all states that packets from `job.sources` come to, until something is found.

    number (C,) of the escape channels, -1 elsewhere, is raised so that it ascends along more of the ways between them;
    it proves that they cannot wait for each other when nothing was raised. Empty where only circles are looked for.
    sinks: destinations, all if None. What numbers come to in the end does not depend on the threads: each is raised
    only as far as it must. keep(chunks, threads): where walks that have ended are kept, and not done again.
    """
    sinks = np.flatnonzero(bound.network.sinks > 0).astype(np.int32) if sinks is None else sinks
    workers, walks = processors(bound.network.routers // 64, threads), parts(job, sinks)
    chunk = walks_at_once(job)
    if keep is None:
        chunk, kept = min(chunk, -(-walks // workers)), None
    else:
        kept = keep(-(-walks // chunk), workers)
    highest = int(number.max(initial=0)) + len(number)
    raised, ended, done = (
        [0] * workers,
        [walks] * workers,
        [0] * workers,
    )  # of each thread, so that none loses another's

    def part(worker: int) -> SearchResult:
        """What one thread's share of the walks comes to."""
        follower = first_walks(bound, job, sinks)
        for first in range(worker * chunk, walks, workers * chunk):
            at, stop = first, min(first + chunk, walks)
            if min(ended) < first:
                break
            if kept is not None and kept.is_done(first // chunk):
                continue
            while at < stop:
                at, what = follower.search(at, stop, number, highest)
                raised[worker] += int(follower.space.counters[RAISED])
                if what == NO_ROOM:
                    follower = follower.wider(at)
                elif what != FINE:
                    ended[worker] = at
                    return _found(follower, at, what)
            if kept is not None:
                kept.add(worker, first // chunk, number)
            done[worker] += stop - first
            progress(sum(done), walks)
        return SearchResult(walks)

    earliest = min(share(part, range(workers), workers), key=lambda found: found.walk)
    return replace(earliest, raised=sum(raised) + (kept is not None and kept.raised))


def _found(follower: Direct | Hashed, walk: int, what: int) -> SearchResult:
    destination = follower.destination(walk)
    if what == CIRCLES:
        way, turn = follower.circle()
        return SearchResult(walk, what, destination=destination, way=tuple(way), turn=turn)
    return SearchResult(walk, what, follower.router(), destination)
