"""The walks of one proof, shared out among threads: the dependencies that each thread's part of them finds.

Called by `dependency`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jumpnet.analysis.deadlock.progress import Progress
from jumpnet.analysis.deadlock.rows.blank import Graph, blank
from jumpnet.analysis.deadlock.walks.checkpoint import KeptWalks, ProofCheckpoint
from jumpnet.analysis.deadlock.walks.limits import CHUNK, walks_at_once
from jumpnet.analysis.deadlock.walks.packet_walk import FULL, Job, parts
from jumpnet.analysis.deadlock.walks.walkers import first_walks, phase_walks
from jumpnet.process.threads import share
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32

__all__ = ["SharedWalks"]


@dataclass
class SharedWalks:
    """The walks of one proof, shared out among threads by their numbers."""

    bound: BoundRouting
    job: Job
    sinks: I32
    workers: int
    progress: Progress
    done: int = 0
    """Walks, or phases, that have ended in any thread."""
    kept: KeptWalks | None = None
    """Where a long proof is kept."""

    def keep_phases(self, checkpoint: ProofCheckpoint) -> None:
        """Go on from the phases that a file has, and keep those that end in it."""
        self.kept = checkpoint.phases(self.bound, -(-self.bound.network.routers // CHUNK), self.workers)

    def keep_walks(self, checkpoint: ProofCheckpoint) -> None:
        """The same of walks that are not in phases."""
        chunks = -(-parts(self.job, self.sinks) // walks_at_once(self.job))
        self.kept = checkpoint.walks(self.bound, chunks, self.workers)

    def phases(self, worker: int) -> Graph | None:
        """As `part`, for routings in two phases; None where packets fail, which `part` then explains."""
        bits, used, escape = blank(self.bound)
        routers, follower = self.bound.network.routers, phase_walks(self.bound, self.job, self.sinks)
        for chunk, at, stop in self._chunks(worker, routers, CHUNK):
            while at < stop:
                at = follower.explore_phases(at, stop, bits, used, escape)
                if at < stop and not follower.space.counters[FULL]:
                    return None
                follower = follower.roomier() if at < stop else follower
            self._keep(worker, chunk, (bits, used, escape, follower.space.counters))
        return bits, used, escape, follower.space.counters

    def part(self, worker: int) -> Graph:
        """The dependencies of every `workers`-th chunk of walks."""
        bits, used, escape = blank(self.bound)
        follower = first_walks(self.bound, self.job, self.sinks)
        for chunk, at, stop in self._chunks(worker, parts(self.job, self.sinks), walks_at_once(self.job)):
            while at < stop:
                at = follower.explore(at, stop, bits, used, escape)
                follower = follower.wider(at) if at < stop else follower
            self._keep(worker, chunk, (bits, used, escape, follower.space.counters))
        return bits, used, escape, follower.space.counters

    def _chunks(self, worker: int, whole: int, size: int) -> Iterator[tuple[int, int, int]]:
        """(number, first walk, end) of each chunk that is a thread's; one that was kept has no walk left."""
        for first in range(worker * size, whole, self.workers * size):
            chunk, stop = first // size, min(first + size, whole)
            yield chunk, stop if self.kept is not None and self.kept.is_done(chunk) else first, stop
            self.done += stop - first
            self.progress(self.done, whole)

    def _keep(self, worker: int, chunk: int, graph: Graph) -> None:
        if self.kept is not None:
            self.kept.add(worker, chunk, graph)

    def to_some(self, sinks: I32, job: Job) -> list[Graph]:
        """The dependencies of packets to some destinations, that begin as a job says."""
        return share(replace(self, job=job, sinks=sinks, done=0).part, range(self.workers), self.workers)
