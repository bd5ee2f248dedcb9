"""What multicast forwarding is: where a packet branches at a router, told from its header alone.

The multicast counterpart of a routing relation: `fork(here, stage, read)` gives every channel that the packet leaves
by and whether the router's own terminal receives. A router serves each branch as soon as its channel is free. The same
function makes the simulator's trees (`plan`) and the dependency graph of a proof (`analysis.deadlock.multicast`).
Used by `plan`, `chip_rules` and the proofs of `analysis/deadlock/multicast`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple, Protocol

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.own.hooks import call_hook
from jumpnet.own.trial import shown, whole
from jumpnet.terms import NO_ROUTER

__all__ = ["MOST_HEADERS", "Branch", "Fork", "Forwarding", "Read", "asked", "begun", "rules_are_own"]

MOST_HEADERS = 1 << 20
"""Headers, each at a router, that are followed under rules of a user's own."""

Read = Callable[[int, tuple[int, ...]], int]
"""`read(rank, node)`: the mask of children that the header names for a node of the tree (digits from the top down)."""


class Branch(NamedTuple):
    """One channel that a copy of the packet leaves by."""

    port: int
    vc: int
    stage: Any
    """Header of that copy at the next router, hashable."""


class Fork(NamedTuple):
    """What a packet does at a router."""

    branches: tuple[Branch, ...]
    local: bool
    """Whether the terminal of this router receives."""
    again: Any = None
    """Header of the packet that the processor of this router makes and sends on, when this one is forced to it."""


class Forwarding(Protocol):
    """A multicast algorithm on a network, with fixed routes: a smaller set of receivers only leaves branches out."""

    @property
    def network(self) -> Network:
        """The network."""

    @property
    def name(self) -> str:
        """Spec of the algorithm, for results."""

    @property
    def vcs(self) -> int:
        """Virtual channels of a port that it uses."""

    def starts(self) -> Iterator[tuple[int, Any]]:
        """Every (router, header) with which a multicast may enter the network."""

    def fork(self, here: int, stage: Any, read: Read | None = None) -> Fork:
        """Branches of a packet with that header at a router; all that any packet may have when `read` is None."""


def rules_are_own(rules: Forwarding) -> bool:
    """Whether rules are a user's own: their class, one that it is made from, or a routing behind them."""
    return _from_outside(type(rules)) or getattr(rules, "own", False) is True


@cache
def _from_outside(kind: type) -> bool:
    return any(one.__module__.partition(".")[0] != "jumpnet" for one in kind.__mro__[:-1])


def asked(rules: Forwarding, here: int, stage: Any, followed: int, read: Read | None = None) -> Fork:
    """`rules.fork`; of rules of a user's own every answer is checked.

    followed: headers so far, which must not be without end. Raises JumpnetError for an answer that is no fork, leads
    over no link or is none of the virtual channels, and for more than MOST_HEADERS.
    """
    if not rules_are_own(rules):
        return rules.fork(here, stage, read)
    who, net = f"multicast {shown(rules.name)}, router {here}, header {shown(stage)}", rules.network
    if followed > MOST_HEADERS:
        raise JumpnetError(f"{who}: {followed} headers followed, an end expected")
    fork = call_hook(who, "fork", rules.fork, here, stage, read, own=True)
    if not isinstance(fork, Fork) or not isinstance(fork.branches, tuple):
        raise JumpnetError(f"{who}: {shown(fork)} found, a Fork with a tuple of branches expected")
    for branch in fork.branches:
        if not isinstance(branch, Branch) or not whole(branch.port) or not whole(branch.vc):
            raise JumpnetError(f"{who}: branch {shown(branch)} found, a Branch of whole numbers expected")
        if not 0 <= branch.port < net.ports or net.neighbor[here, branch.port] == NO_ROUTER:
            raise JumpnetError(f"{who}: port {branch.port} found, one with a link expected (0 to {net.ports - 1})")
        if not 0 <= branch.vc < rules.vcs:
            raise JumpnetError(f"{who}: virtual channel {branch.vc} found, 0 to {rules.vcs - 1} expected")
        call_hook(who, "header", hash, branch.stage, own=True)
    call_hook(who, "header", hash, fork.again, own=True)
    if call_hook(who, "fork", rules.fork, here, stage, read, own=True) != fork:
        raise JumpnetError(f"{who}: asked again, fork gives another answer; the same expected")
    return fork


def begun(rules: Forwarding) -> list[tuple[int, Any]]:
    """`rules.starts()`, as a list; of rules of a user's own every start is checked. Raises JumpnetError likewise."""
    if not rules_are_own(rules):
        return list(rules.starts())
    who, found = f"multicast {shown(rules.name)}", []
    if not whole(rules.vcs) or rules.vcs < 1:
        raise JumpnetError(f"{who}: vcs {shown(rules.vcs)} found, a whole number from 1 expected")
    starts = call_hook(who, "starts", iter, call_hook(who, "starts", rules.starts, own=True), own=True)
    end = object()  # None would be taken for the end where rules name it as a start
    while (start := call_hook(who, "starts", next, starts, end, own=True)) is not end:
        known = isinstance(start, tuple) and len(start) == 2 and whole(start[0])
        if not known or not 0 <= start[0] < rules.network.routers:
            raise JumpnetError(f"{who}: start {shown(start)} found, a router and a header expected")
        call_hook(who, "header", hash, start, own=True)
        found.append(start)
        if len(found) > MOST_HEADERS:
            raise JumpnetError(f"{who}: {len(found)} starts found, an end expected")
    return found
