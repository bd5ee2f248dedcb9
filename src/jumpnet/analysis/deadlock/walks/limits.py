"""How much a proof that follows packets would take, and what is refused before it starts. Called by `dependency` and
its ways.
"""

from __future__ import annotations

from jumpnet.analysis.deadlock.rows.pieces import bits_bytes
from jumpnet.analysis.deadlock.walks.packet_walk import Job
from jumpnet.errors import JumpnetError
from jumpnet.memory import require
from jumpnet.notices import counted, notice
from jumpnet.routings import BoundRouting

__all__ = [
    "MEMORY_LIMIT_BYTES",
    "WALK_LIMIT",
    "expect",
    "no_room",
    "refuse_if_too_long",
    "require_rows",
    "threads_with_room",
    "triples",
    "walks_at_once",
]

MEMORY_LIMIT_BYTES = 8 << 30
"""Most memory of one proof."""
WALK_LIMIT = 1 << 40
"""Most (source, destination, draw) triples that are followed; a day of work is refused before it starts."""
CHUNK = 64
"""Walks that a thread takes at a time, or fewer where they are long."""
MOST_AT_ONCE = 1 << 20
"""Triples of walks that a thread takes at a time: 2 CPU seconds at most among those tried (57 to 1900 nanoseconds
each), so that a checkpoint is never far."""
WALK_SECONDS = 2.5e-8
"""CPU seconds of one of them at least."""
TOLD_SECONDS, MOST_SECONDS = 60, 86400
"""CPU seconds from which on a proof says beforehand what it will take at least, and beyond which it is refused."""


def expect(who: str, seconds: float) -> None:
    """Say that a proof of `who` takes so many CPU seconds at least, where it is long; raises JumpnetError for a day."""
    if seconds < TOLD_SECONDS:
        return
    much = f"{seconds / 3600:.0f} CPU hours" if seconds > 2 * 3600 else f"{seconds / 60:.0f} CPU minutes"
    if seconds > MOST_SECONDS:
        raise JumpnetError(
            f"{who}: its proof would take {much} at least, at most {MOST_SECONDS // 3600} expected; prove a smaller "
            "member of the family"
        )
    notice(f"{who}: packets are followed for {much} at least")


def triples(bound: BoundRouting, job: Job) -> int:
    """Number of (source, destination, draw) triples, each with every pattern of queues."""
    return len(job.sources) * int((bound.network.sinks > 0).sum()) * job.draws * job.queues


def walks_at_once(job: Job) -> int:
    """How many walks a thread takes at a time, whatever the number of threads."""
    each = (1 if job.by_source else len(job.sources)) * job.draws * job.queues
    return max(1, min(CHUNK, MOST_AT_ONCE // max(1, each)))


def threads_with_room(bound: BoundRouting, threads: int) -> int:
    """How many of so many threads may each have the dependencies of all channels; raises JumpnetError if none may."""
    needed = bits_bytes(bound)
    if needed > MEMORY_LIMIT_BYTES:
        raise no_room(bound, MEMORY_LIMIT_BYTES)
    return min(threads, MEMORY_LIMIT_BYTES // max(1, needed))


def no_room(bound: BoundRouting, most_bytes: int) -> JumpnetError:
    """What to say where the dependencies of all channels would take too much memory."""
    channels, needed = counted(bound.vcs, "virtual channel"), bits_bytes(bound) / 2**30
    return JumpnetError(
        f"{bound.network.spec} with {channels} needs {needed:.1f} GiB for its dependencies, "
        f"at most {most_bytes >> 30} GiB expected"
    )


def refuse_if_too_long(bound: BoundRouting, job: Job, every: bool) -> None:
    """Raise JumpnetError where there are too many packets to follow, and say so where there are many.

    every: whether those of every source are followed.
    """
    walks = triples(bound, job)
    if walks > WALK_LIMIT:
        raise JumpnetError(
            f"{bound.name} on {bound.network.spec} has {walks:.1e} (source, destination, draw) triples, "
            f"at most {WALK_LIMIT:.1e} expected; prove a smaller member of the family"
        )
    pairs = len(job.sources) * int((bound.network.sinks > 0).sum())
    who = f"{bound.name} on {bound.network.spec}"
    expect(who, WALK_SECONDS * pairs * every)  # draws may come to the same states, pairs do not


def require_rows(bound: BoundRouting, bits_bytes: int, dependencies: int) -> None:
    """Raise JumpnetError where memory has no room for a list of dependencies, and more bits that it is made of."""
    require(bits_bytes + 8 * dependencies, f"{bound.name} on {bound.network.spec}: a list of its dependencies")
