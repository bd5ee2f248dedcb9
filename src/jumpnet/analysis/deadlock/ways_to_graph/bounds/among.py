"""A routing whose ways are all ways of another one, by its own word: the other's dependencies in place of its own.

The word is held against packets: on small networks of the family all dependencies of the one are compared with those of
the other, and on the network itself some packets are followed. Called by `dependency`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Protocol, TypeVar

import numpy as np

from jumpnet.analysis.deadlock.walks.drawn import DRAWN, drawn_packets
from jumpnet.errors import JumpnetError
from jumpnet.notices import notice
from jumpnet.own.hooks import call_hook, reason_or_none
from jumpnet.routings import BoundRouting, bind
from jumpnet.routings.view import PORT, VC
from jumpnet.terms import Array
from jumpnet.topology import build, families

__all__ = ["hold_all", "in_place", "wider"]

SMALL = 1 << 20
"""Triples of source, destination and draw, each with every pattern of queues, up to which all packets are compared."""

Count = Callable[[BoundRouting], int]


class Graph(Protocol):
    """What `graph.Dependencies` has, as far as it is read here."""

    @property
    def bits(self) -> Array:
        """(C, W) uint64."""

    @property
    def used(self) -> Array:
        """(C,) uint8."""


Made = TypeVar("Made", bound=Graph)


def wider(bound: BoundRouting) -> BoundRouting | None:
    """The routing whose ways all of this one's are, by `Routing.among`; None where it names none."""
    said, who = bound.routing.among, f"routing {bound.name}"
    if said is None:
        return None
    options = {**bound.options, "vcs": bound.vcs}
    name = reason_or_none(who, "among", call_hook(who, "among", said, bound.network, options, own=bound.own))
    if name is None:
        return None
    other = bind(name, bound.network, bound.vcs)
    return BoundRouting(other.routing.changed(among=None), bound.network, other.vcs, other.options)


def in_place(
    bound: BoundRouting, prove: Callable[[BoundRouting], Made], follow: Callable[[BoundRouting], Made], triples: Count
) -> tuple[Made, str] | None:
    """The dependencies of the routing that it names, and what that was held against; None without such.

    prove, follow: the dependencies of a routing, in the quickest way and packet by packet. Raises JumpnetError where a
    packet contradicts what the routing says.
    """
    other = wider(bound)
    if other is None:
        return None
    small = _compared(bound, follow, triples)
    try:
        made = prove(other)
    except JumpnetError:  # too large for that one; this one has its own say
        return None
    _hold_drawn(bound, other, made)
    if bound.own:
        _say_believed(f"{bound.name} on {bound.network.spec}", other.name)
    held = f"held against it on {', '.join(small)} and " if small else "held against it "
    return made, f"{other.name} ({held}for {DRAWN} packets here)"


@cache
def _say_believed(who: str, other: str) -> None:
    """Say, once a process, that a proof rests on what a routing of a user's own declares."""
    notice(f"routing {who}: among is as the routing declares: it is proved by the ways of {other}")


def hold_all(bound: BoundRouting, made: Graph, follow: Callable[[BoundRouting], Graph]) -> None:
    """Raise JumpnetError where a dependency is none of the routing that this one names; made: its dependencies."""
    other = wider(bound)
    if other is None:
        return
    theirs = follow(other)
    ports, vcs = bound.network.ports, bound.vcs
    asked = np.flatnonzero(made.used & ~theirs.used & 1)
    if len(asked):
        raise _false(bound, other, f"takes {_name(bound, int(asked[0]))}")
    more = made.bits & ~theirs.bits
    if more.any():
        held = int(np.flatnonzero(more.any(axis=1))[0])
        bit = int(np.flatnonzero(np.unpackbits(more[held].view(np.uint8), bitorder="little"))[0])
        there = int(bound.network.neighbor[held // vcs // ports, held // vcs % ports])
        wanted = _name(bound, there * ports * vcs + bit)
        raise _false(bound, other, f"holds {_name(bound, held)} and waits for {wanted}")


def _compared(bound: BoundRouting, follow: Callable[[BoundRouting], Graph], triples: Count) -> list[str]:
    """The small networks of the family on which all dependencies of both were compared."""
    held = []
    family = families().get(bound.network.family)
    for spec in () if family is None else family.samples:
        net = build(spec)
        if bound.routing.misfit(net) is not None:
            continue
        small = BoundRouting(bound.routing, net, bound.vcs, bound.options)
        if _has_wider(small) and triples(small) <= SMALL:
            hold_all(small, follow(small), follow)
            held.append(spec)
    return held


def _has_wider(bound: BoundRouting) -> bool:
    """Whether it names a routing that fits the network too."""
    try:
        return wider(bound) is not None
    except JumpnetError:
        return False


def _hold_drawn(bound: BoundRouting, other: BoundRouting, made: Graph) -> None:
    """Raise JumpnetError where a packet of some holds or asks for what none of the other routing does."""
    net = bound.network
    for here, held, rows in drawn_packets(bound):
        for row in rows:
            if not (0 <= row[PORT] < net.ports and 0 <= row[VC] < bound.vcs and net.neighbor[here, row[PORT]] >= 0):
                raise _false(bound, other, f"names port {row[PORT]}, vc {row[VC]} at router {here}")
            bit = int(row[PORT]) * bound.vcs + int(row[VC])
            wanted = here * net.ports * bound.vcs + bit
            if not made.used[wanted]:
                raise _false(bound, other, f"takes {_name(bound, wanted)}")
            if held >= 0 and not int(made.bits[held, bit >> 6]) >> (bit & 63) & 1:
                raise _false(bound, other, f"holds {_name(bound, held)} and waits for {_name(bound, wanted)}")


def _name(bound: BoundRouting, channel: int) -> str:
    router, port = channel // bound.vcs // bound.network.ports, channel // bound.vcs % bound.network.ports
    return f"router {router}'s port {port}, vc {channel % bound.vcs}"


def _false(bound: BoundRouting, other: BoundRouting, what: str) -> JumpnetError:
    where = f"routing {bound.name} on {bound.network.spec}"
    return JumpnetError(f"{where}: among is declared, but a packet {what}, and none of {other.name} does")
