"""Claims on points: which process has one under way, and until when it says so. Used by `study/store.py`.

A claim holds until its time is over; its owner renews it. Clocks of two machines may differ, so a claim that was not
renewed for as long as it may last, by the clock of the process that waits, has expired whatever it says.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable

from jumpnet.notices import notice
from jumpnet.spec import is_count

__all__ = ["LEASE_S", "Claims", "owner_name"]

LEASE_S = 60.0
"""Seconds after which a claim that was not renewed counts as abandoned."""

SKEW_S = 5.0
"""Seconds by which clocks may differ before a notice says so."""


def owner_name() -> str:
    """The name under which this process claims points: machine, process, time."""
    return f"{socket.gethostname()}:{os.getpid()}:{time.time_ns()}"


class Claims:
    """What this process has seen of the claims of others."""

    def __init__(
        self, owner: str, clock: Callable[[], float] = time.monotonic, say: Callable[[str], object] = notice
    ) -> None:
        self.owner, self._clock, self._say = owner, clock, say
        self._seen: dict[str, tuple[object, float]] = {}
        """By point: the claim, and when it was first seen so."""
        self._notified: set[str] = set()

    def free(self, name: str, claim: tuple[object, object] | None, now: float) -> bool:
        """Whether a point with this claim (owner and until when, None without one) may be taken."""
        if claim is None or claim[0] == self.owner:
            return True
        owner, until = claim
        if not isinstance(owner, str) or not isinstance(until, float | int) or not until >= now or _is_dead(owner):
            return True
        if self._seen.get(name, (None, 0.0))[0] != claim:
            self._seen[name] = claim, self._clock()
        self._tell(owner, until - now)
        return self._clock() - self._seen[name][1] > LEASE_S

    def _tell(self, owner: str, seconds: float) -> None:
        """Say once of each owner that it is waited for, and whether its clock is another."""
        if owner in self._notified:
            return
        self._notified.add(owner)
        skew = f" (its clock or this one's is {seconds - LEASE_S:.9g} s wrong)" if seconds > LEASE_S + SKEW_S else ""
        self._say(
            f"another run, {owner.rpartition(':')[0]!r}, computes what this one needs too{skew}: it is waited for, "
            f"and taken over {LEASE_S:.0f} s after its last sign"
        )


def _is_dead(owner: str) -> bool:
    """Whether a claim's owner was a process of this machine that is no more (killed): its points are free at once.

    So are those of an owner without a name that a sweep would give itself.
    """
    host, _, rest = owner.partition(":")
    pid = rest.partition(":")[0]
    if not is_count(pid):
        return True
    if host != socket.gethostname() or os.name != "posix":
        return False
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        return False
    return False
