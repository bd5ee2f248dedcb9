"""What parts of a machine add to what its messages wait for, beside the rows of its protocol's tables.

`trees`: a message to many nodes goes from one to the next, and each keeps it until the copies for those below can be
sent, so that it waits for its own kind, as a message along a list does. `counted`: acknowledges are counted or combined
by the router that they come to, which has a counter for each request under way; none keeps a place there, and what the
last one makes its home send is kept with the request. `moves`: a request that comes to an old home of its page is sent
on, so that it waits for its own kind too. Called by `joint` and `machine.timed.networks`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from jumpnet.coherence.networks.kinds import Kinds
from jumpnet.coherence.protocol import Protocol
from jumpnet.errors import unknown_name

__all__ = ["PARTS", "acknowledges_of", "told_of", "with_parts"]

PARTS = ("trees", "counted", "moves")


def told_of(protocol: Protocol) -> frozenset[str]:
    """Messages that a home sends to all whom an entry lists.

    >>> from jumpnet.coherence.protocol import protocol
    >>> told_of(protocol("msi")), acknowledges_of(protocol("msi"))
    (frozenset({'Inv'}), frozenset({'InvAck'}))
    """
    rows = protocol.home_rows.values()
    return frozenset(m for row in rows for action, m in row.actions if action in ("multicast", "tell"))


def acknowledges_of(protocol: Protocol) -> frozenset[str]:
    """What answers them."""
    told = told_of(protocol)
    rows = (row for row in protocol.cache_rows.values() if row.event in told)
    return frozenset(m for row in rows for action, m in row.actions if action in ("send", "pass"))


def with_parts(kinds: Kinds, parts: Iterable[str], told: frozenset[str], acknowledges: frozenset[str]) -> Kinds:
    """The kinds of a machine that has some of PARTS.

    told: kinds that go to many; acknowledges: what answers them. Raises JumpnetError for an unknown part.

    >>> from jumpnet.coherence.networks.kinds import kinds_of
    >>> from jumpnet.coherence.networks.least import least_networks
    >>> from jumpnet.coherence.protocol import protocol
    >>> update = protocol("update")
    >>> sets = kinds_of(update), told_of(update), acknowledges_of(update)
    >>> machines = (), ("counted",), ("trees",)
    >>> [least_networks(with_parts(sets[0], parts, *sets[1:]), "held").least for parts in machines]
    [5, 3, None]
    """
    for part in parts:
        if part not in PARTS:
            raise unknown_name("part", part, PARTS)
    none = frozenset[str]()
    relayed = told if "trees" in parts else none
    again = relayed | (kinds.requests if "moves" in parts else none)
    return replace(
        kinds,
        sends=kinds.sends | {(name, name) for name in again},
        steps=kinds.steps | {(name, name, "other") for name in again},
        # a router that only passes a message on has asked for nothing
        asked_for=kinds.asked_for - relayed,
        counted=acknowledges if "counted" in parts else none,
    )
