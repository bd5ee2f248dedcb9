"""Rings of kinds held against the tables run at endpoints with short queues: every way to share virtual networks.

Where kinds wait in no ring, no run may leave messages that stand still; where they do, some run must. The tiny protocol
`single` has 877 ways. By name, for all of them: `python -m tests.agree.endpoints`.
"""

from __future__ import annotations

import sys

from tests.naive.endpoints import stuck
from tests.naive.networks import partitions
from tests.tiny.protocols import SINGLE

from jumpnet.coherence.networks.kinds import ENDPOINTS, Kinds, kinds_of
from jumpnet.coherence.networks.least import ring_of
from jumpnet.coherence.protocol import Protocol

ENOUGH = 4
"""Runs that must end where there is no ring."""
SMALL, LARGE = {"lines": 30, "actions": 600}, {"nodes": 4, "lines": 200, "actions": 4000}
TRIES = (SMALL,) * 30 + (LARGE,) * 30
"""Runs of which one must stand still where there is a ring; long rings need many lines."""


def keeps(kinds: Kinds, endpoints: str):
    """Which messages an endpoint always takes, keeping what they make it send."""
    known = {"held": lambda kind: False, "reserved": lambda kind: kind in kinds.asked_for, "queued": lambda kind: True}
    return known[endpoints]


def agrees(protocol: Protocol, kinds: Kinds, endpoints: str, groups: list[list[str]]) -> bool:
    """Whether runs stand still just where a ring says so."""
    ring = bool(ring_of(tuple(map(tuple, groups)), kinds.waits(endpoints)))
    always, tries = keeps(kinds, endpoints), TRIES if ring else (SMALL, LARGE) * (ENOUGH // 2)
    return ring == any(stuck(protocol, groups, always, seed, **size) for seed, size in enumerate(tries))


def main() -> int:
    """All ways to share networks, for each kind of endpoint; the number of differences."""
    kinds, wrong = kinds_of(SINGLE), 0
    for endpoints in ENDPOINTS:
        ways = [made for count in range(1, len(kinds.names) + 1) for made in partitions([*kinds.names], count)]
        differ = [made for made in ways if not agrees(SINGLE, kinds, endpoints, made)]
        print(endpoints, len(ways), "ways,", len(differ), "differ", *differ[:3], flush=True)
        wrong += len(differ)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
